import "./setup";
import assert from "node:assert/strict";
import test from "node:test";
import { parseToken } from "../src/state/token";

test("all of a token is taken out of the address, whatever signs it has", () => {
  const token = "ab/cd+ef==&gh?ij/kl";
  for (const written of [token, encodeURIComponent(token)]) assert.deepEqual(parseToken(`#token=${written}`), { token, rest: "" });
  assert.deepEqual(parseToken(`#token=${token}&/applicant/5?lang=de`), { token, rest: "#/applicant/5?lang=de" });
  assert.deepEqual(parseToken("#token=50%"), { token: "50%", rest: "" });
  assert.equal(parseToken("#/applicant/5?x=#token=5"), null);
});
