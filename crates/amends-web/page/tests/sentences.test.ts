import "./setup";
import assert from "node:assert/strict";
import test from "node:test";
import type { Change, Distribution, Feature, Price } from "../src/api/types";
import { standing } from "../src/charts/distribution";
import { probability } from "../src/i18n";
import { address, parse } from "../src/state/address";
import { schema } from "../src/state/server";
import { difference, reachableLevels, showWithUnit } from "../src/text/labels";
import { planSentence } from "../src/text/plan";
import { problemOf, valueOf } from "../src/text/values";
import { fraction, priceText } from "../src/text/wishes";

const base: Omit<Feature, "name" | "title" | "kind"> = {
  unit: null, levels: [], codes: [], number: null, change: "free", effort: 1, range: null, one_step: false, moves: [], protected: false, together: null, distribution: null,
};
const term: Feature = {
  ...base, name: "term", title: "Term", kind: "integer", unit: "months", number: { least: 4, most: 60, step: 1, decimals: 0 }, codes: [{ value: "-9", label: "unknown" }],
  translations: { de: { label: "Laufzeit", unit: "Monate", codes: { "-9": "unbekannt" } } },
};
const account: Feature = {
  ...base, name: "account", title: "Account", kind: "categorical", levels: ["none", "low", "high"].map((value) => ({ value, label: value })), moves: [{ from: "none", to: ["low", "high"] }],
  translations: { de: { label: "Konto", levels: { none: "keines" } } },
};
schema.value = { name: "test", features: [term, account], rules: [] };
const change = (feature: string, before: Change["before"], after: Change["after"]): Change => ({ feature, title: feature, unit: null, before, after, together: null });
const changes = [change("term", 36, 10), change("account", "none", "high")];
const speak = (lang: string): void => void (address.value = parse(`#/?lang=${lang}`));

test("a plan is a sentence in both languages, with the schema's labels", () => {
  speak("en");
  assert.equal(planSentence(changes), "The application would be accepted if “Term” fell from 36 to 10 months and “Account” changed from “none” to “high”.");
  assert.match(planSentence([change("term", 10, 36)]), /“Term” rose from 10 to 36 months/);
  assert.match(planSentence([change("term", -9, 36)]), /“Term” changed from “unknown” to “36 months”/);
  speak("de");
  assert.equal(planSentence(changes), "Der Antrag würde angenommen, wenn „Laufzeit“ von 36 auf 10 Monate sänke und „Konto“ von „keines“ zu „high“ wechselte.");
});

test("features that change together are one part of the sentence", () => {
  speak("en");
  const together = [{ ...change("term", 1, 2), together: "time passes" }, { ...change("age", 1, 2), together: "time passes" }];
  assert.match(planSentence([...together, change("account", "none", "low")]), /accepted if the 2 features of “time passes” changed together as in the table and “Account” changed/);
  assert.match(planSentence(together.slice(0, 1)), /“Term” rose from 1 to 2 months/);
});

test("differences have a sign and a unit, and codes have none", () => {
  speak("en");
  assert.equal(difference(term, 36, 10), "−26 months");
  assert.equal(difference(term, 10, 12), "+2 months");
  assert.equal(difference(term, -9, 12), null);
  assert.equal(difference(account, "none", "high"), null);
  assert.equal(showWithUnit(term, -9), "unknown");
});

test("a probability is never rounded across the cut", () => {
  speak("en");
  for (const value of [0.4999, 0.49999, 0.5, 0.500001, 0.4951]) {
    const shown = Number(probability(value, 0.5).replace("%", "")) / 100;
    assert.equal(shown >= 0.5, value >= 0.5, `${value} as ${shown}`);
  }
});

test("the share of applicants below a value is that of counting them", () => {
  const accepted = [4, 5, 5, 9, 12, 12, 30];
  const counts = Array.from({ length: 40 }, (_, value) => ({ accepted: accepted.filter((one) => one === value).length, rejected: 1 }));
  const data: Distribution = { rows: { accepted: accepted.length, rejected: 40 }, bins: { first: 0, width: 1, counts, least: 4, most: 30 }, levels: [], codes: [] };
  for (let value = 0; value < 40; value += 1) {
    const counted = accepted.filter((one) => one <= value).length / accepted.length;
    assert.ok(Math.abs(standing(data, value, 1) - counted) < 1e-12, String(value));
  }
});

test("prices are said as people say them", () => {
  speak("en");
  const price: Price = { wish: { feature: "term", key: "locked" }, status: "optimal", objective: 1.6, saves: 0.8, proven: true };
  const all = { objective: 2.4, status: "optimal" as const, prices: [price] };
  assert.match(priceText(price, all), /0\.8 less of 2\.4: a third less/);
  assert.match(priceText({ ...price, saves: 0 }, all), /costs nothing/);
  assert.match(priceText(price, { ...all, objective: null }), /a plan exists/);
  assert.match(priceText({ ...price, objective: null, saves: null }, { ...all, objective: null }), /still no plan/);
  assert.equal(fraction(0.47), "47%");
});

test("the lender's moves are the levels that can be reached", () => {
  assert.deepEqual(reachableLevels(account, "none"), ["low", "high"]);
  assert.deepEqual(reachableLevels(account, "low"), []);
  const ordinal: Feature = { ...account, kind: "ordinal", moves: [], change: "increase" };
  assert.deepEqual(reachableLevels(ordinal, "low"), ["high"]);
});

test("what is typed becomes a value, or a problem at its field", () => {
  speak("en");
  assert.equal(valueOf(term, "12"), 12);
  assert.equal(valueOf(term, "-9"), -9);
  assert.equal(valueOf(account, "low"), "low");
  for (const text of ["", "abc", "1.5"]) {
    assert.equal(valueOf(term, text), null);
    assert.ok(problemOf(term, text));
  }
  assert.equal(problemOf(term, "12"), null);
});
