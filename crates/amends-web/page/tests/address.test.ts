import "./setup";
import assert from "node:assert/strict";
import test from "node:test";
import { address, format, href, parse, update } from "../src/state/address";

test("an address is read back as it was written, whatever is in it", () => {
  const texts = ["", "a b", "50 %", "{\"x\":[1,2],\"y\":\"≥ 200 DM & more\"}", "a=b?c#d/e+f", "„ä“", "'", "%7B"];
  for (const one of texts) {
    for (const other of texts) {
      const written = { path: ["applicant", "12"], query: { one, other } };
      assert.deepEqual(parse(format(written)), written);
    }
  }
  assert.deepEqual(parse("#/a%20b/c"), { path: ["a b", "c"], query: {} });
});

test("broken addresses are read without an error", () => {
  for (const text of ["", "#", "#/", "#/%E0%A4%A", "#?x", "#/a?%", "#/a?b=%E0%A4%A"]) assert.ok(parse(text));
});

test("another view keeps the language and nothing else", () => {
  address.value = parse("#/applicant/5?lang=de&wishes={}");
  assert.equal(href(["new"]), "#/new?lang=de");
  assert.equal(href([], { lang: "en" }), "#/?lang=en");
});

test("an update sets and removes parameters of the view", () => {
  address.value = parse("#/applicant/5?lang=de&plan=2");
  update({ plan: undefined, tab: "whatIf" });
  assert.equal(location.hash, "#/applicant/5?lang=de&tab=whatIf");
});
