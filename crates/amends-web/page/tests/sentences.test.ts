import "./setup";
import assert from "node:assert/strict";
import test from "node:test";
import type { Change, Distribution, Feature, Plan, Price } from "../src/api/types";
import { standing } from "../src/charts/distribution";
import { probability, words } from "../src/i18n";
import { address, parse } from "../src/state/address";
import { schema } from "../src/state/server";
import { difference, reachableLevels, showWithUnit } from "../src/text/labels";
import { planSentence, planStatus } from "../src/text/plan";
import { chosenCode, outsideText, problemOf, readAs, textOf, typed, valueOf } from "../src/text/values";
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
  // Shares differ by points.
  const share: Feature = { ...term, unit: "%", translations: {} };
  assert.equal(difference(share, 40, 11), "−29 percentage points");
  speak("de");
  assert.equal(difference(share, 11, 40), "+29 Prozentpunkte");
  speak("en");
});

test("counts of one have their own words", () => {
  speak("de");
  assert.equal(words.value.reasons.enough("1", "1"), "Der einzige andere erlaubte Wert würde allein genügen.");
  assert.match(words.value.reasons.enough("1", "12"), /^1 von 12 .* würde allein/);
  speak("en");
  assert.equal(words.value.reasons.enough("1", "1"), "The only other permitted value would be enough alone.");
});

test("what is proven under wishes says so", () => {
  const plan = { status: "optimal", values_offered: null } as Plan;
  speak("en");
  assert.match(planStatus(plan, 0, true), /no smaller change exists under these wishes/);
  assert.ok(!planStatus(plan, 0, false).includes("wishes"));
  speak("de");
  for (const [index, offered] of [[0, null], [1, null], [0, 5], [1, 5]] as const) {
    assert.match(planStatus({ ...plan, values_offered: offered }, index, true), /[mM]it diesen Wünschen/);
    assert.ok(!planStatus({ ...plan, values_offered: offered }, index, false).includes("Wünschen"));
  }
  speak("en");
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
  assert.match(priceText({ ...price, status: "infeasible", objective: null, saves: null }, { ...all, objective: null }), /still no plan/);
  assert.match(priceText({ ...price, status: "timeout", objective: null, saves: null, proven: false }, { ...all, objective: null }), /^Not proven/);
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
  assert.equal(valueOf(term, typed("12")), 12);
  assert.equal(valueOf(term, typed("-9")), -9);
  assert.equal(valueOf(account, { value: "low" }), "low");
  for (const text of ["", "abc", "1.5", "1e3", "5%"]) {
    assert.equal(valueOf(term, typed(text)), null);
    assert.ok(problemOf(term, typed(text)));
  }
  assert.equal(problemOf(term, typed("12")), null);
});

test("a missing number is chosen, and neither an empty field nor a number is one", () => {
  const income: Feature = { ...base, name: "income", title: "Income", kind: "continuous", codes: [{ value: "", label: "missing" }] };
  assert.equal(valueOf(income, { value: "" }), "");
  assert.equal(problemOf(income, { value: "" }), null);
  assert.ok(chosenCode(income, { value: "" }));
  assert.equal(valueOf(income, typed("")), null);
  assert.ok(problemOf(income, typed("")));
  assert.ok(!chosenCode(income, typed("")) && !chosenCode(income, typed("5")));
});

test("numbers are read as the language of the page writes them, and never silently as another", () => {
  const amount: Feature = { ...base, name: "amount", title: "Amount", kind: "continuous" };
  const read = (of: Feature, text: string): unknown => valueOf(of, typed(text));
  speak("de");
  for (const [text, value] of [["5.000", 5000], ["5000,50", 5000.5], ["0,25", 0.25], ["24,0", 24], ["1.234.567,8", 1234567.8], ["\u22125", -5], ["1 000", 1000], ["1\u202f000,5", 1000.5], [" 7 ", 7]] as const) assert.equal(read(amount, text), value, text);
  for (const text of ["0.25", "5000.50", "1.23.456", "1 000.000", "1e3", "5 %", "--5", ",", "12 34"]) {
    assert.equal(read(amount, text), null, text);
    assert.ok(problemOf(amount, typed(text)), text);
  }
  assert.equal(read(term, "24,0"), 24);
  assert.equal(read(term, "5.000"), 5000);
  assert.equal(read(term, "5,000"), null);
  assert.match(problemOf(term, typed("5,000")) ?? "", /5 oder 5000/);
  assert.match(problemOf(amount, typed("0.25")) ?? "", /0,25/);
  assert.match(readAs(amount, typed("5.125")) ?? "", /5125/);
  speak("en");
  for (const [text, value] of [["5,000", 5000], ["5,000.50", 5000.5], ["0.25", 0.25], [".5", 0.5], ["5.000", 5]] as const) assert.equal(read(amount, text), value, text);
  for (const text of ["0,25", "5000,50", "5.000,50"]) assert.equal(read(amount, text), null, text);
  assert.equal(read(term, "5,000"), 5000);
  assert.equal(read(term, "5.000"), null);
  assert.match(problemOf(term, typed("5.000")) ?? "", /5 or 5000/);
  assert.match(readAs(amount, typed("5.125")) ?? "", /5\.125/);
  assert.equal(readAs(amount, typed("5.12")), null);
});

test("a field follows the language of the page without another number", () => {
  const amount: Feature = { ...base, name: "amount", title: "Amount", kind: "continuous" };
  speak("en");
  const entry = typed("1,234.5");
  assert.equal(textOf(amount, entry), "1,234.5");
  speak("de");
  assert.equal(textOf(amount, entry), "1234,5");
  assert.equal(valueOf(amount, entry), 1234.5);
  assert.equal(textOf(amount, { value: 0.5 }), "0,5");
});

test("a number beyond the data is allowed, with a warning", () => {
  speak("en");
  assert.equal(outsideText(term, 12), null);
  assert.equal(outsideText(term, -9), null);
  for (const value of [-5, 0, 999_999_999]) assert.match(outsideText(term, value) ?? "", /4 to 60/);
});
