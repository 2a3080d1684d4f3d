// Trying values: the live score is that of the API, and neither wishes nor plan are touched.

import type { Page } from "@playwright/test";
import { cells, en, explain, number, openApplicant, planTable, queryOf, record, settled, slow, tab, wishesOf } from "./helpers";
import { api, expect, test, type Running } from "./server";

const panel = (page: Page) => page.locator(".what-if-result");
const field = (page: Page, name: string) => page.getByRole("tabpanel").locator(`#value-${name}`);

/** The probability and the decision shown are those that the API gives the application. */
async function expectScore(page: Page, running: Running, application: Record<string, unknown>): Promise<any> {
  const decision = await api(running, "score", { application });
  await expect(panel(page).locator("figcaption")).toContainText(`Probability of approval ${number(decision.probability * 100, 1)}%`);
  await expect(panel(page).locator(".verdict")).toHaveText(decision.accepted ? en.decision.accepted : en.decision.rejected);
  return decision;
}

test("each value that is tried changes the score as the API scores it", async ({ page, german }) => {
  await openApplicant(page, german);
  const before = await cells(planTable(page));
  const { application } = await api(german, "applicants/5");
  await tab(page, "whatIf").click();
  await expectScore(page, german, application);
  await expect(panel(page)).toContainText(en.whatIf.changed(0));
  const requests = record(page);
  await field(page, "duration").fill("6");
  await expectScore(page, german, { ...application, duration: 6 });
  await field(page, "checking_account").selectOption(">= 200 DM or salary paid in");
  const decision = await expectScore(page, german, { ...application, duration: 6, checking_account: ">= 200 DM or salary paid in" });
  expect(decision.accepted).toBe(true);
  await expect(panel(page)).toContainText(en.whatIf.changed(2));
  // What no plan may change can be tried.
  await field(page, "age").fill("60");
  await expectScore(page, german, { ...application, duration: 6, checking_account: ">= 200 DM or salary paid in", age: 60 });
  expect(requests.asked("/explain")).toHaveLength(0);
  expect(wishesOf(page)).toEqual({});
  expect(await cells(planTable(page))).toEqual(before);
});

test("a slider asks only when it rests, and its last value wins", async ({ page, german }) => {
  await openApplicant(page, german);
  const { application } = await api(german, "applicants/5");
  await tab(page, "whatIf").click();
  const slider = page.getByRole("tabpanel").getByRole("slider", { name: "Credit amount" });
  await slider.scrollIntoViewIfNeeded();
  const box = (await slider.boundingBox())!;
  const requests = record(page);
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + box.width / 4, y);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.9, y, { steps: 30 });
  await page.mouse.move(box.x + box.width * 0.1, y, { steps: 30 });
  await page.mouse.up();
  const value = Number(await slider.inputValue());
  await expect(field(page, "credit_amount")).toHaveValue(String(value));
  await expectScore(page, german, { ...application, credit_amount: value });
  await page.waitForLoadState("networkidle");
  expect(requests.asked("/score").length).toBeLessThan(30);
  expect(requests.asked("/score").at(-1)!.body.application.credit_amount).toBe(value);
});

test("an answer that comes late does not overwrite a newer one", async ({ page, german }) => {
  await openApplicant(page, german);
  const { application } = await api(german, "applicants/5");
  await tab(page, "whatIf").click();
  const end = await slow(page, "score", 1500);
  const requests = record(page);
  await field(page, "duration").fill("60");
  await expect.poll(() => requests.asked("/score").length).toBe(1);
  await end();
  await field(page, "duration").fill("4");
  await expectScore(page, german, { ...application, duration: 4 });
  await page.waitForTimeout(1700);
  await expectScore(page, german, { ...application, duration: 4 });
});

test("trying starts from the plan, and goes back to the application", async ({ page, german }) => {
  await openApplicant(page, german);
  const [plan] = (await explain(german)).plans;
  const { application } = await api(german, "applicants/5");
  await tab(page, "whatIf").click();
  await panel(page).or(page.getByRole("tabpanel")).getByRole("button", { name: en.whatIf.fromPlan }).first().click();
  for (const { feature, after } of plan.changes) await expect(field(page, feature)).toHaveValue(String(after));
  const decision = await expectScore(page, german, plan.application);
  expect(decision.accepted).toBe(true);
  expect(decision.score).toBeCloseTo(plan.score_after, 9);
  await page.getByRole("tabpanel").getByRole("button", { name: en.whatIf.reset }).click();
  await expectScore(page, german, application);
  await expect(field(page, "duration")).toHaveValue(String(application.duration));
});

test("what was tried survives a reload, and can be used as the application", async ({ page, german }) => {
  await openApplicant(page, german);
  const { application } = await api(german, "applicants/5");
  await tab(page, "whatIf").click();
  await field(page, "duration").fill("20");
  await expectScore(page, german, { ...application, duration: 20 });
  await page.reload();
  await settled(page);
  await expect(field(page, "duration")).toHaveValue("20");
  await expectScore(page, german, { ...application, duration: 20 });
  await page.getByRole("tabpanel").getByRole("button", { name: en.whatIf.use }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(en.application.own);
  await settled(page);
  expect(JSON.parse(queryOf(page).get("a")!)).toEqual({ ...application, duration: 20 });
  const { plans } = await api(german, "explain", { application: { ...application, duration: 20 }, plans: 3 });
  expect((await cells(planTable(page))).map(([title]) => title)).toEqual(plans[0].changes.map((change: any) => change.title));
});

test("text that is no value asks nothing and changes nothing", async ({ page, german }) => {
  await openApplicant(page, german);
  const { application } = await api(german, "applicants/5");
  await tab(page, "whatIf").click();
  const requests = record(page);
  for (const text of ["", "1.5"]) {
    await field(page, "duration").fill(text);
    await page.waitForTimeout(200);
    expect(requests.asked("/score")).toHaveLength(0);
  }
  await expectScore(page, german, application);
});

test("a decision is not shown as that on a text that is no value, nor is what is typed rewritten", async ({ page, german }) => {
  await openApplicant(page, german);
  await tab(page, "whatIf").click();
  for (const text of ["", "22.5", "1e300", "abc"]) {
    await field(page, "duration").fill(text);
    await expect(field(page, "duration")).toHaveValue(text);
    await expect(field(page, "duration")).toHaveAttribute("aria-invalid", "true");
    await expect(page.locator("#value-duration-problem")).toBeVisible();
    await expect(panel(page)).toHaveClass(/stale/);
    await expect(panel(page)).toContainText(en.whatIf.wrong(1));
    await expect(page.getByRole("tabpanel").getByRole("button", { name: en.whatIf.use })).toBeDisabled();
  }
  await field(page, "duration").fill("999,999,999");
  await expect(panel(page)).not.toHaveClass(/stale/);
  await expect(page.locator("#value-duration-warning")).toHaveText(en.application.outside("4", "60"));
});

test("where the score can't be had, it says so and tries again", async ({ page, german }) => {
  await openApplicant(page, german);
  const { application } = await api(german, "applicants/5");
  await tab(page, "whatIf").click();
  await page.route("**/api/v1/score", (route) => route.abort());
  await field(page, "duration").fill("8");
  await expect(page.getByRole("tabpanel").getByRole("alert")).toContainText(en.errors.offline);
  await page.unroute("**/api/v1/score");
  await page.getByRole("tabpanel").getByRole("button", { name: en.tryAgain }).click();
  await expectScore(page, german, { ...application, duration: 8 });
  await expect(page.getByRole("tabpanel").getByRole("alert")).toHaveCount(0);
});
