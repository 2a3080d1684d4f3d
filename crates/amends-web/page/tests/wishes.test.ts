import "./setup";
import assert from "node:assert/strict";
import test from "node:test";
import type { Feature, Wishes } from "../src/api/types";
import { address, parse } from "../src/state/address";
import { isBroken } from "../src/state/own-way";
import { readKept, readWishes } from "../src/state/question";
import { refusalsOf } from "../src/state/refused-wishes";
import { schema } from "../src/state/server";
import { applyDrops, isEmpty, isNamed, items, tidy, without } from "../src/state/wishes";
import { isPermitted } from "../src/text/labels";
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

test("wishes of another shape are left out and named", () => {
  assert.deepEqual(readWishes({ max_changes: "2", features: [1], rules: "x" }), { wishes: {}, dropped: ["max_changes", "features", "rules"] });
  assert.deepEqual(readWishes({ features: { a: { locked: true }, b: 5 }, rules: ["x", 1] }), { wishes: { features: { a: { locked: true } }, rules: ["x"] }, dropped: ["b", "rules"] });
  assert.deepEqual(readWishes({ more: 1, max_changes: 1.5, features: { a: { range: [1], levels: "x", effort: -1, change: 5, what: 1 } } }), {
    wishes: { features: { a: {} } },
    dropped: ["more", "max_changes", "a.range", "a.levels", "a.effort", "a.change", "a.what"],
  });
});

test("wishes that the schema does not allow are explained without asking the server", () => {
  const base = { unit: null, levels: [], codes: [], number: null, change: "free", effort: 1, range: null, one_step: false, moves: [], protected: false, together: null, distribution: null } as const;
  const features: Feature[] = [
    { ...base, name: "term", title: "Term", kind: "integer", range: [4, 60], change: "decrease" },
    { ...base, name: "age", title: "Age", kind: "integer", change: "immutable" },
    { ...base, name: "job", title: "Job", kind: "categorical", levels: [{ value: "a", label: "a" }] },
  ].map((one) => ({ ...one, levels: [...one.levels], codes: [], moves: [] }) as Feature);
  schema.value = { name: "test", features, rules: [] };
  address.value = parse("#/?lang=de");
  const texts = (all: Wishes): string => refusalsOf(all, 3).map(({ text }) => text).join(" ");
  assert.equal(texts({ max_changes: 3, features: { term: { range: [10, 40], change: "decrease" }, age: { locked: true }, job: { levels: ["a"] } } }), "");
  assert.match(texts({ features: { term: { range: [40, 10] } } }), /Mindestens 40 und höchstens 10/);
  assert.match(texts({ features: { term: { range: [70, 80] } } }), /nur 4 bis 60/);
  assert.match(texts({ features: { term: { change: "increase" } } }), /nur die andere Richtung/);
  assert.match(texts({ features: { age: { range: [1, 2], effort: 2 } } }), /^„Age“ lässt sich nicht ändern[^„]*$/);
  assert.match(texts({ features: { job: { levels: ["b"] } } }), /nicht „b“ werden/);
  assert.match(texts({ features: { nothing: { locked: true } } }), /„nothing“ gibt es nicht/);
  assert.match(texts({ max_changes: 4 }), /Höchstens 3 Änderungen/);
});

test("kept plans of an address are changes and nothing else, and not more than five", () => {
  assert.deepEqual(readKept([{ changes: { a: 1 }, cost: 0.01, probability: 0.999 }, { changes: { a: 1 } }, { changes: {} }, 5, { changes: { a: [1] } }]), [{ a: 1 }]);
  assert.equal(readKept(Array.from({ length: 60 }, (_, index) => ({ changes: { a: index } }))).length, 5);
});

test("a kept plan may only change what the lender's rules let change", () => {
  const base = { unit: null, levels: [], codes: [], number: null, change: "free", effort: 1, range: null, one_step: false, moves: [], protected: false, together: null, distribution: null } as const;
  const of = (rest: Partial<Feature>): Feature => ({ ...base, name: "x", title: "X", kind: "integer", levels: [], codes: [], moves: [], ...rest });
  assert.ok(isPermitted(of({}), 36, 12));
  assert.ok(!isPermitted(of({}), 36, 36) && !isPermitted(of({}), 36, 12.5) && !isPermitted(of({}), 36, "<b>x"));
  assert.ok(!isPermitted(of({ change: "immutable" }), 36, 12));
  assert.ok(!isPermitted(of({ change: "increase" }), 36, 12) && !isPermitted(of({ range: [20, 60] }), 36, 12) && !isPermitted(of({ max_change: 5 }), 36, 12));
  const levels = of({ kind: "categorical", levels: ["a", "b", "c"].map((value) => ({ value, label: value })), moves: [{ from: "a", to: ["b"] }] });
  assert.ok(isPermitted(levels, "a", "b") && !isPermitted(levels, "a", "c") && !isPermitted(levels, "a", "z"));
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
