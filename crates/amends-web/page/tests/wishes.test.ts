import "./setup";
import assert from "node:assert/strict";
import test from "node:test";
import type { Wishes } from "../src/api/types";
import { isBroken } from "../src/state/own-way";
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

test("a plan goes against a wish where its new value does", () => {
  const wishes: Wishes = { max_changes: 1, features: { a: { range: [2, 4], change: "increase", effort: 2 }, b: { levels: ["x"] }, c: { locked: true } } };
  const change = (feature: string, before: number | string, after: number | string) => ({ feature, title: feature, unit: null, before, after, together: null });
  const broken = (changes: ReturnType<typeof change>[]) => items(wishes).filter((item) => isBroken(item, wishes, { changes, moves: changes.length })).map((item) => ("key" in item ? `${item.feature}.${item.key}` : "max"));
  assert.deepEqual(broken([]), []);
  assert.deepEqual(broken([change("a", 3, 4)]), []);
  assert.deepEqual(broken([change("a", 3, 1)]), ["a.range", "a.change"]);
  assert.deepEqual(broken([change("b", "z", "x")]), []);
  assert.deepEqual(broken([change("b", "z", "y"), change("c", 1, 2)]), ["max", "b.levels", "c.locked"]);
});
