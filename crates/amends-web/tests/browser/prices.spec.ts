// The price of each wish, beside it and in the list, as the API has it.

import type { Page } from "@playwright/test";
import { card, en, expectPlan, figure, openApplicant, record, settled, slow, wishesOf, type Wishes } from "./helpers";
import { api, expect, test, type Running } from "./server";

/** What a price must say. */
function sentence(price: any, all: any): string | RegExp {
  const w = en.prices;
  if (price.wish.key === "effort") return w.effort;
  if (all.objective === null) return price.objective === null ? w.still : w.unlocks;
  if (price.saves / all.objective < 1e-4) return w.free;
  const [before, after] = w.saves(figure(price.saves, 2), figure(all.objective), "\0").split("\0");
  const quoted = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`^${quoted(before!)}([a-z ]+|\\d+%)${quoted(after!)}$`);
}

const lines = (page: Page) => page.locator(".wish-list li");

async function expectPrices(page: Page, running: Running, wishes: Wishes, row = 5): Promise<any> {
  await settled(page);
  const all = await api(running, "prices", { row, wishes });
  await expect(lines(page).locator(".price")).toHaveCount(all.prices.length);
  // The list has features in the order of the wishes, as the API has; only the number of changes comes first.
  const order = [...all.prices].sort((one, other) => Number(other.wish.key === "max_changes") - Number(one.wish.key === "max_changes"));
  await expect(lines(page).locator(".price")).toHaveText(order.map((price) => sentence(price, all)));
  return all;
}

const WISHES = { max_changes: 2, features: { duration: { range: [12, 60] }, telephone: { locked: true }, savings: { effort: 2 } }, rules: ["checking_account stays"] };

test("every wish shows what it costs, once the plan is there", async ({ page, german }) => {
  await openApplicant(page, german, 5, { wishes: WISHES });
  const all = await expectPrices(page, german, WISHES);
  expect(all.prices.some((price: any) => price.saves > 0.01), "one of the wishes costs something").toBe(true);
  const duration = all.prices.find((price: any) => price.wish.feature === "duration");
  await expect(card(page, "Duration of the credit").locator(".price")).toHaveText(sentence(duration, all));
});

test("a share is said as people say it", async ({ page, german }) => {
  await page.route("**/api/v1/prices", (route) =>
    route.fulfill({ json: { objective: 2.4, status: "optimal", prices: [{ wish: { feature: "duration", key: "locked" }, status: "optimal", objective: 1.6, saves: 0.8, proven: true }] } }),
  );
  await openApplicant(page, german, 5, { wishes: { features: { duration: { locked: true } } } });
  await expect(lines(page).locator(".price")).toHaveText(en.prices.saves("0.8", "2.4", en.prices.fractions["0.333"]!));
});

test("a price that is not proven says so", async ({ page, german }) => {
  await page.route("**/api/v1/prices", (route) =>
    route.fulfill({ json: { objective: 2, status: "feasible", prices: [{ wish: { feature: "duration", key: "locked" }, status: "feasible", objective: 1, saves: 1, proven: false }] } }),
  );
  await openApplicant(page, german, 5, { wishes: { features: { duration: { locked: true } } } });
  await expect(lines(page).locator(".price")).toContainText(en.prices.unproven);
});

test("dropping a wish from the list gives the plan without it, at the price that was named", async ({ page, german }) => {
  await openApplicant(page, german, 5, { wishes: WISHES });
  const all = await expectPrices(page, german, WISHES);
  const name = en.wishes.sayRange("Duration of the credit", "12", "60 months");
  await page.getByRole("button", { name: en.wishes.dropWish(name) }).click();
  const { duration: _, ...features } = WISHES.features;
  const rest = { ...WISHES, features };
  const answer = await expectPlan(page, german, rest);
  const price = all.prices.find((one: any) => one.wish.feature === "duration");
  expect(answer.plans[0].objective).toBeCloseTo(all.objective - price.saves, 4);
  await expectPrices(page, german, rest);
});

test("prices of earlier wishes are never shown beside new ones", async ({ page, german }) => {
  await openApplicant(page, german, 5, { wishes: { features: { duration: { locked: true } } } });
  await expect(lines(page).locator(".price")).toHaveCount(1);
  const end = await slow(page, "prices", 1500);
  const requests = record(page);
  await page.getByLabel(en.wishes.maxChanges).selectOption("2");
  await settled(page);
  await expect(page.locator(".wish-list")).toContainText(en.prices.loading);
  await expect(lines(page).locator(".price")).toHaveCount(0);
  await card(page, "Telephone").getByLabel(en.wishes.lock).check();
  const wishes = { max_changes: 2, features: { duration: { locked: true }, telephone: { locked: true } } };
  await expectPrices(page, german, wishes);
  expect(requests.asked("/prices").map(({ body }) => body.wishes).at(-1)).toEqual(wishes);
  await end();
});

test("where prices can't be had, the plan stays and they can be asked for again", async ({ page, german }) => {
  await page.route("**/api/v1/prices", (route) => route.fulfill({ status: 503, json: { error: { code: "x", message: "x", remedy: null, problems: [] } } }));
  const wishes = { features: { duration: { locked: true } } };
  await openApplicant(page, german, 5, { wishes });
  await expect(page.getByText(en.prices.failed)).toBeVisible();
  await expectPlan(page, german, wishes);
  await page.unroute("**/api/v1/prices");
  await page.locator(".wish-list").getByRole("button", { name: en.tryAgain }).click();
  await expectPrices(page, german, wishes);
  expect(wishesOf(page)).toEqual(wishes);
});
