// While an answer is being computed: what was there stays, a spinner comes late, and the last question wins.

import type { Page } from "@playwright/test";
import { address, card, cells, en, expectPlan, openApplicant, planTable, record, settled, slow, wishesOf } from "./helpers";
import { api, expect, test } from "./server";

const DURATION = "Duration of the credit";
const lock = (page: Page) => card(page, DURATION).getByLabel(en.wishes.lock);

test("the earlier plan stays, dimmed, until the new one is there", async ({ page, german }) => {
  await openApplicant(page, german);
  const before = await cells(planTable(page));
  const end = await slow(page, "explain", 1500);
  await lock(page).check();
  await expect(page.locator("#result")).toHaveAttribute("aria-busy", "true");
  await expect(page.locator("#result")).toHaveClass(/stale/);
  expect(await cells(planTable(page))).toEqual(before);
  const opacity = await page.locator("#result .plan-body").evaluate((body) => Number(getComputedStyle(body).opacity));
  expect(opacity).toBeLessThan(1);
  await expectPlan(page, german, { features: { duration: { locked: true } } });
  expect(await cells(planTable(page))).not.toEqual(before);
  await expect(page.locator("#result")).not.toHaveClass(/stale/);
  await end();
});

test("a quick answer shows no spinner, a slow one shows it after 200 ms, and Cancel after 2 s", async ({ page, german }) => {
  await openApplicant(page, german);
  await page.clock.install();
  let release = (): void => undefined;
  await page.route("**/api/v1/explain", async (route) => {
    await new Promise<void>((done) => (release = done));
    await route.continue().catch(() => undefined);
  });
  const spinner = page.locator("#result .spinner-line");
  const cancel = page.locator("#result").getByRole("button", { name: en.cancel });
  await page.clock.pauseAt(Date.now() + 3_600_000);
  await lock(page).check();
  await expect(page.locator("#result")).toHaveAttribute("aria-busy", "true");
  await page.clock.runFor(190);
  await expect(spinner).toHaveCount(0);
  await page.clock.runFor(20);
  await expect(spinner).toBeVisible();
  await expect(spinner).toContainText(en.solving.busy);
  await expect(cancel).toHaveCount(0);
  await page.clock.runFor(1780);
  await expect(cancel).toHaveCount(0);
  await page.clock.runFor(20);
  await expect(cancel).toBeVisible();
  await expect(spinner).toContainText(en.solving.long);
  release();
  await expect(spinner).toHaveCount(0);
  await expectPlan(page, german, { features: { duration: { locked: true } } });
});

test("cancelling keeps the earlier plan and says so, and computing again leads to the new one", async ({ page, german }) => {
  await openApplicant(page, german);
  const before = await cells(planTable(page));
  const end = await slow(page, "explain", 30_000);
  const requests = record(page);
  await lock(page).check();
  const failed = page.waitForEvent("requestfailed");
  await page.locator("#result").getByRole("button", { name: en.cancel }).click();
  expect((await failed).url()).toContain("/explain");
  const notice = page.locator("#result .notice");
  await expect(notice).toContainText(en.solving.cancelled);
  await expect(page.locator("#result .spinner-line")).toHaveCount(0);
  expect(await cells(planTable(page))).toEqual(before);
  await end();
  await notice.getByRole("button", { name: en.solving.again }).click();
  await expectPlan(page, german, { features: { duration: { locked: true } } });
  await expect(notice).toHaveCount(0);
  expect(requests.asked("/explain")).toHaveLength(2);
});

test("cancelling, then taking the wish back, needs no further question", async ({ page, german }) => {
  await openApplicant(page, german);
  const end = await slow(page, "explain", 30_000);
  await lock(page).check();
  await page.locator("#result").getByRole("button", { name: en.cancel }).click();
  await end();
  const requests = record(page);
  await lock(page).uncheck();
  await expectPlan(page, german, {});
  await expect(page.locator("#result .notice")).toHaveCount(0);
  expect(requests.asked("/explain")).toHaveLength(0);
});

test("a newer wish aborts the question before it, and only its answer is shown", async ({ page, german }) => {
  await openApplicant(page, german);
  const aborted: string[] = [];
  page.on("requestfailed", (request) => aborted.push(request.postData() ?? ""));
  const end = await slow(page, "explain", 700);
  const requests = record(page);
  await lock(page).check();
  await expect.poll(() => requests.asked("/explain").length).toBe(1);
  await page.getByLabel(en.wishes.maxChanges).selectOption("2");
  await expectPlan(page, german, { max_changes: 2, features: { duration: { locked: true } } });
  expect(requests.asked("/explain")).toHaveLength(2);
  expect(aborted).toHaveLength(1);
  expect(JSON.parse(aborted[0]!).wishes).toEqual({ features: { duration: { locked: true } } });
  await end();
});

test("another applicant while one is being computed shows only the other", async ({ page, german }) => {
  await openApplicant(page, german);
  const end = await slow(page, "explain", 700);
  await lock(page).check();
  await expect(page.locator("#result")).toHaveAttribute("aria-busy", "true");
  await page.evaluate(() => (location.hash = "#/applicant/11"));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(en.application.ofRow("11"));
  await expectPlan(page, german, {}, 11);
  await end();
});

test("far down the page, a bar keeps the result in sight and leads back to the plan", async ({ page, german }) => {
  await openApplicant(page, german);
  const bar = page.getByRole("region", { name: en.solving.bar });
  await expect(bar).toHaveCount(0);
  await page.locator("details.fixed > summary").scrollIntoViewIfNeeded();
  await page.mouse.wheel(0, 3000);
  await expect(bar).toBeVisible();
  await expect(bar.locator("p").first()).toHaveText((await page.locator("#result .sentence").textContent()) ?? "");
  await page.getByLabel(en.wishes.maxChanges).selectOption("1");
  await settled(page);
  expect(wishesOf(page)).toEqual({ max_changes: 1 });
  await expect(bar.locator("p").first()).toHaveText((await page.locator("#result .sentence").textContent()) ?? "");
  await bar.getByRole("button", { name: en.solving.seePlan }).click();
  await expect(page.locator("#result")).toBeFocused();
  await expect(page.locator("#result")).toBeInViewport();
});

test("while the first plan is being computed, the decision and the wishes are there, and Cancel says what it did", async ({ page, german }) => {
  const { application } = await api(german, "applicants/5");
  const end = await slow(page, "explain", 30_000);
  for (const path of [address(german, "applicant/5"), address(german, "application", { a: { ...application, duration: 40 } })]) {
    await page.goto(path);
    await expect(page.locator(".decision .verdict")).toHaveText(en.decision.rejected);
    await expect(page.locator("#result .spinner-line")).toBeVisible();
    await expect(lock(page)).toBeVisible();
    await page.locator("#result").getByRole("button", { name: en.cancel }).click();
    await expect(page.locator("#result .notice")).toContainText(en.solving.cancelledFirst);
    await expect(page.locator("#result")).not.toContainText(en.solving.cancelled);
    await expect(lock(page)).toBeVisible();
  }
  await end();
  await page.locator("#result").getByRole("button", { name: en.solving.again }).click();
  await expect(planTable(page)).toBeVisible();
});
