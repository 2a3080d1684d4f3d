import "./setup";
import assert from "node:assert/strict";
import test from "node:test";
import type { AuditRequest } from "../src/api/audits";
import type { Feature } from "../src/api/types";
import { address, parse } from "../src/state/address";
import { schema } from "../src/state/server";
import { columnOf, cutsOf, duration, groupText, intervalText, pointsText, ratioText, shareText, whoText } from "../src/text/audit";

const base: Omit<Feature, "name" | "title" | "kind"> = {
  unit: null, levels: [], codes: [], number: null, change: "free", effort: 1, range: null, one_step: false, moves: [], protected: false, together: null, distribution: null,
};
const age: Feature = { ...base, name: "age", title: "Age", kind: "integer", unit: "years", codes: [{ value: "-9", label: "unknown" }], translations: { de: { label: "Alter", unit: "Jahre", codes: { "-9": "unbekannt" } } } };
const housing: Feature = { ...base, name: "housing", title: "Housing", kind: "categorical", levels: ["own", "under 5"].map((value) => ({ value, label: value })), translations: { de: { label: "Wohnen", levels: { own: "Eigentum" } } } };
schema.value = { name: "test", features: [age, housing], rules: [] };
const speak = (lang: string): void => void (address.value = parse(`#/?lang=${lang}`));

test("cut points are read as people type them, and refused where they do not rise", () => {
  assert.equal(cutsOf("30, 50"), "30,50");
  assert.equal(cutsOf(" 30.5 "), "30.5");
  assert.equal(cutsOf("30,5; 50"), "30.5,50");
  for (const wrong of ["", ",", "50, 30", "30, 30", "thirty", "30,", "1e999", "5.000; 10.000", "1.500"]) assert.equal(cutsOf(wrong), null, wrong);
});

test("groups are in the language of the page", () => {
  speak("de");
  assert.equal(groupText("age", "under 30"), "unter 30");
  assert.equal(groupText("age", "1500.5 to under 30000"), "1.500,5 bis unter 30.000");
  assert.equal(groupText("age", "50 and over"), "ab 50");
  assert.equal(groupText("age", "unknown"), "unbekannt");
  assert.equal(groupText("housing", "own"), "Eigentum");
  assert.equal(groupText("region", "north and south"), "north and south");
  assert.equal(groupText("region", "(empty)"), "(leer)");
  speak("en");
  assert.equal(groupText("age", "30 to under 50"), "30 to under 50");
  assert.equal(groupText("housing", "own"), "own");
});

test("an audit says whom it is about", () => {
  const request: AuditRequest = { rows: "held-out", rejected: 20, by: ["age:30,50", "housing", "a:b"], reasons: true, small_group: 10, time_limit: 10 };
  speak("de");
  assert.equal(whoText(request), "Zurückgehaltene Zeilen, bis zu den ersten 20 abgelehnten, nach Alter (Jahre), Wohnen und a");
  speak("en");
  assert.equal(whoText({ ...request, rejected: null, by: [] }), "Held-out rows");
  assert.equal(columnOf("a:b", (name) => name === "a:b"), "a:b");
  assert.equal(columnOf("a:b:3", (name) => name === "a:b"), "a:b");
});

test("figures of few people do not claim more than they say", () => {
  speak("en");
  assert.equal(shareText({ count: 0, of: 0, share: null, low: 0, high: 1 }), "–");
  assert.equal(shareText({ count: 1, of: 40, share: 0.025, low: 0, high: 0.1 }), "2.5%");
  assert.equal(shareText({ count: 232, of: 233, share: 232 / 233, low: 0.97, high: 0.999 }), "99.6%");
  assert.equal(shareText({ count: 2, of: 2, share: 1, low: 0.34, high: 1 }), "100%");
  assert.equal(intervalText({ low: 0.0123, high: 0.5 }), "1.2% to 50%");
  assert.equal(pointsText(null), "–");
  assert.equal(pointsText({ value: 0.05, low: -0.03, high: 0.125 }), "+5 points (−3 to +12.5)");
  assert.equal(ratioText({ value: 1.5, low: 1, high: null }), "1.5 times");
  assert.deepEqual([duration(0.234), duration(42.4), duration(150)], ["0.23 s", "42 s", "3 min"]);
});
