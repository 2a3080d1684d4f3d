// The trade-off between how much changes and how unusual the result is, by mouse and by keyboard.

import type { Page } from "@playwright/test";
import { address, card, cells, en, features, figure, number, openApplicant, planRows, queryOf, record, tab } from "./helpers";
import { api, expect, test, type Running } from "./server";

const points = (page: Page) => page.getByRole("radiogroup", { name: en.tradeoff.heading }).getByRole("radio");
const table = (page: Page) => page.getByRole("tabpanel").locator(".plan-table");

/** The plans of the API, the one that changes least first, of an applicant who has several. */
async function front(running: Running, least = 3): Promise<{ row: number; plans: any[]; end: string }> {
  const { applicants } = await api(running, "applicants?decision=rejected&limit=60");
  for (const { row } of applicants) {
    const { plans, end_kind } = await api(running, "tradeoff", { row, wishes: {} });
    if (plans.length >= least) return { row, plans: plans.sort((one: any, other: any) => one.distance - other.distance), end: end_kind };
  }
  throw new Error(`no applicant has ${least} plans to weigh up`);
}

test("each plan of the API is a point where its figures say, and choosing it by mouse shows its table", async ({ page, german }) => {
  const { row, plans, end } = await front(german);
  const known = await features(german);
  await openApplicant(page, german, row);
  const requests = record(page);
  await tab(page, "tradeoff").click();
  await expect(points(page)).toHaveCount(plans.length);
  for (const [index, plan] of plans.entries()) {
    await expect(points(page).nth(index)).toHaveAccessibleName(en.tradeoff.point(index + 1, plans.length, figure(plan.distance), figure(plan.outlier)));
  }
  await expect(points(page).first()).toHaveAttribute("aria-checked", "true");
  expect(await cells(table(page))).toEqual(planRows(known, plans[0]));
  for (let index = plans.length - 1; index > 0; index -= 1) {
    await points(page).nth(index).locator("circle.dot").click();
    await expect(points(page).nth(index)).toHaveAttribute("aria-checked", "true");
    await expect.poll(() => cells(table(page))).toEqual(planRows(known, plans[index]));
    expect(queryOf(page).get("point")).toBe(String(index + 1));
  }
  // Further right is more change, further down is more usual.
  const spots = await points(page).evaluateAll((list) => list.map((point) => point.querySelector(".dot")!.getBoundingClientRect()).map(({ x, y }) => ({ x, y })));
  for (let index = 1; index < spots.length; index += 1) {
    expect(spots[index]!.x).toBeGreaterThan(spots[index - 1]!.x);
    expect(spots[index]!.y).toBeGreaterThan(spots[index - 1]!.y);
  }
  expect(requests.asked("/tradeoff")).toHaveLength(1);
  await expect(page.getByRole("tabpanel")).toContainText(en.tradeoff[end as "complete" | "capped" | "stopped"]);
});

test("arrow keys go from point to point, with the focus, and only one point is in the order of the tab key", async ({ page, german }) => {
  const { row, plans } = await front(german);
  const known = await features(german);
  await page.goto(address(german, `applicant/${row}`, { tab: "tradeoff" }));
  await expect(points(page)).toHaveCount(plans.length);
  await points(page).first().focus();
  await page.keyboard.press("ArrowRight");
  await expect(points(page).nth(1)).toBeFocused();
  await expect(points(page).nth(1)).toHaveAttribute("aria-checked", "true");
  expect(await cells(table(page))).toEqual(planRows(known, plans[1]));
  await page.keyboard.press("ArrowDown");
  await expect(points(page).nth(2)).toBeFocused();
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowUp");
  await expect(points(page).first()).toBeFocused();
  await page.keyboard.press("ArrowLeft");
  await expect(points(page).last()).toBeFocused();
  expect(await points(page).evaluateAll((list) => list.filter((point) => point.getAttribute("tabindex") === "0").length)).toBe(1);
});

test("the trade-off is under the wishes, follows them, and says where nothing is to be weighed up", async ({ page, german }) => {
  await page.goto(address(german, "applicant/5", { tab: "tradeoff", wishes: { features: { duration: { locked: true } } } }));
  const asked = await api(german, "tradeoff", { row: 5, wishes: { features: { duration: { locked: true } } } });
  if (asked.plans.length > 1) await expect(points(page)).toHaveCount(asked.plans.length);
  else await expect(page.getByRole("tabpanel")).toContainText(en.tradeoff.single);
  expect(asked.plans.flatMap((plan: any) => plan.changes).some((change: any) => change.feature === "duration")).toBe(false);
  await expect(table(page)).not.toContainText("Duration of the credit");

  const known = Object.values(await features(german)).filter((one) => one.change !== "immutable");
  const locked = { features: Object.fromEntries(known.map(({ name }) => [name, { locked: true }])) };
  await page.goto(address(german, "applicant/5", { tab: "tradeoff", wishes: locked }));
  await expect(page.getByRole("tabpanel")).toContainText(en.tradeoff.none);
});

test("a plan of the trade-off can be kept to compare", async ({ page, german }) => {
  const { row, plans } = await front(german);
  await page.goto(address(german, `applicant/${row}`, { tab: "tradeoff", point: "3" }));
  await expect(points(page)).toHaveCount(plans.length);
  await page.getByRole("tabpanel").getByRole("button", { name: en.plan.keep }).click();
  const kept = page.locator(".compare table");
  await expect(kept.locator("thead")).toContainText(`${en.plan.kept} 1`);
  await expect(kept.locator("tbody tr", { hasText: en.plan.probability })).toContainText(`${number(100 * plans[2].probability_after, 1)}%`);
  await tab(page, "wishes").click();
  await expect(card(page, "Duration of the credit")).toBeVisible();
  await expect(kept.locator("thead")).toContainText(`${en.plan.kept} 1`);
});

test("where the trade-off can't be had, it says so and tries again", async ({ page, german }) => {
  await page.route("**/api/v1/tradeoff", (route) => route.fulfill({ status: 429, headers: { "Retry-After": "7" }, json: { error: { code: "busy", message: "x", remedy: null, problems: [] } } }));
  await openApplicant(page, german);
  await tab(page, "tradeoff").click();
  await expect(page.getByRole("tabpanel").getByRole("alert")).toContainText(en.errors.busyFor("7"));
  await page.unroute("**/api/v1/tradeoff");
  await page.getByRole("tabpanel").getByRole("button", { name: en.tryAgain }).click();
  await expect(table(page)).toBeVisible();
});

test("on a phone, points that are close together can each be chosen", async ({ page, german }) => {
  const row = 114;
  const plans = (await api(german, "tradeoff", { row, wishes: {} })).plans.sort((one: any, other: any) => one.distance - other.distance);
  const known = await features(german);
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(address(german, `applicant/${row}`, { tab: "tradeoff" }));
  await expect(points(page)).toHaveCount(plans.length);
  for (let index = plans.length - 1; index >= 0; index -= 1) {
    const dot = points(page).nth(index).locator("circle.dot");
    await dot.scrollIntoViewIfNeeded();
    const box = (await dot.boundingBox())!;
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    await expect(points(page).nth(index)).toHaveAttribute("aria-checked", "true");
    await expect.poll(() => cells(table(page))).toEqual(planRows(known, plans[index]));
  }
});
