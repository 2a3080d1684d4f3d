import "./setup";
import assert from "node:assert/strict";
import test from "node:test";
import type { Wishes } from "../src/api/types";
import { readWishes } from "../src/state/question";
import { applyDrops, isEmpty, isNamed, items, tidy, without } from "../src/state/wishes";
import { EFFORTS, effortStep } from "../src/text/wishes";

const ALL: Wishes = {
  max_changes: 2,
  features: { duration: { range: [12, 24], effort: 2 }, savings: { locked: true }, age: {} },
  rules: ["telephone stays", "age stays"],
};

test("every wish is one item, and without it the others remain", () => {
  const list = items(ALL);
  assert.equal(list.length, 6);
  for (const item of list) {
    const rest = items(without(ALL, item));
    assert.equal(rest.length, 5);
  }
  assert.ok(isEmpty(list.reduceRight(without, ALL)));
});

test("each item has one name in the answer about prices", () => {
  const names = [
    { key: "max_changes" as const },
    { feature: "duration", key: "range" as const },
    { feature: "duration", key: "effort" as const },
    { feature: "savings", key: "locked" as const },
    { rule: 0 },
    { rule: 1 },
  ];
  const named = items(ALL).map((item) => names.filter((name) => isNamed(item, name)).length);
  assert.deepEqual(named, [1, 1, 1, 1, 1, 1]);
});

test("what gives way is dropped, and what is the lender's stays", () => {
  const drops = [{ max_changes: 3 }, { wish: { feature: "savings", key: "locked" as const } }, { rule: "age stays" }, { schema: { feature: "age", key: "change" } }];
  assert.deepEqual(tidy(applyDrops(ALL, drops)), { max_changes: 3, features: { duration: { range: [12, 24], effort: 2 } }, rules: ["telephone stays"] });
});

test("wishes of another shape are left out", () => {
  assert.deepEqual(readWishes({ max_changes: "2", features: [1], rules: "x" }), {});
  assert.deepEqual(readWishes({ features: { a: { locked: true }, b: 5 }, rules: ["x", 1] }), { features: { a: { locked: true } }, rules: ["x"] });
});

test("the five efforts are their own steps", () => {
  assert.deepEqual(EFFORTS.map(effortStep), [0, 1, 2, 3, 4]);
  assert.equal(effortStep(undefined), 2);
});
