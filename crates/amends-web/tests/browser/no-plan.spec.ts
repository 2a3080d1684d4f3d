// Where there is no plan: what would have to give way, each wish a button that really leads to a plan.

import type { Page } from "@playwright/test";
import { address, en, explain, expectPlan, features, openApplicant, settled, wishesOf, type Wishes } from "./helpers";
import { api, expect, serve, stop, test, type Running } from "./server";

const ways = (page: Page) => page.locator("#result .ways > li");

/** Everything that may change is kept, but for one of them. */
async function allLocked(running: Running, ...free: string[]): Promise<Wishes> {
  const locked = Object.values(await features(running)).filter((one) => one.change !== "immutable" && !free.includes(one.name));
  return { features: Object.fromEntries(locked.map(({ name }) => [name, { locked: true }])) };
}

/** Clicks every button within the proposals, each from the start again: all of them must lead to a plan, or at least to other wishes. */
async function buttonsLead(page: Page, running: Running, wishes: Wishes, row: number, selector: string): Promise<number> {
  const buttons = page.locator(selector).getByRole("button");
  const count = await buttons.count();
  for (let index = 0; index < count; index += 1) {
    const name = await buttons.nth(index).textContent();
    await buttons.nth(index).click();
    await settled(page);
    await expect.poll(() => wishesOf(page), `${name} changes the wishes`).not.toEqual(wishes);
    await expectPlan(page, running, wishesOf(page), row);
    await page.goBack();
    await expect(page.locator("#plan-heading")).toHaveText(en.none.heading);
    await settled(page);
    expect(wishesOf(page)).toEqual(wishes);
  }
  return count;
}

test("too few changes: the page says what is proven, and offers exactly the API's ways", async ({ page, german }) => {
  const wishes = { max_changes: 1, features: { duration: { locked: true }, credit_amount: { locked: true } } };
  await openApplicant(page, german, 11, { wishes });
  const answer = await explain(german, wishes, 11);
  expect(answer.plans).toEqual([]);
  await expect(page.locator("#plan-heading")).toHaveText(en.none.heading);
  await expect(page.locator("#result .proof")).toHaveText(en.none.proven);
  const more = page.locator("#result").getByRole("button", { name: /^Show \d+ more$/ });
  if (await more.count()) await more.click();
  await expect(ways(page)).toHaveCount(answer.why_none.ways.length);
  await expect(ways(page).locator(".drops > li")).toHaveCount(answer.why_none.ways.flatMap((way: any) => way.drops).length);
  await expect(page.locator("#result").getByRole("table")).toHaveCount(0);
});

for (const [row, wishes] of [
  [2, { features: { credit_amount: { range: [5900, 18424] }, duration: { locked: true }, telephone: { locked: true }, checking_account: { locked: true }, savings: { locked: true }, other_debtors: { locked: true } } }],
  [5, { max_changes: 1, features: { duration: { change: "increase" }, checking_account: { locked: true } } }],
  [15, { max_changes: 1 }],
  [11, { max_changes: 2, features: { savings: { levels: ["500 to 1000 DM"] } } }],
] as [number, Wishes][]) {
  test(`row ${row}: each way of one's own wishes leads to a plan`, async ({ page, german }) => {
    expect((await explain(german, wishes, row)).plans).toEqual([]);
    await openApplicant(page, german, row, { wishes });
    await page.waitForLoadState("networkidle");
    const own = (await explain(german, wishes, row)).why_none.ways.filter((way: any) => way.drops.every((drop: any) => !("schema" in drop)));
    if (own.length) {
      // A way of several wishes has one button for all of them; each alone need not be enough.
      const item = ways(page).filter({ hasNot: page.getByText(en.none.lender) });
      for (let index = 0; index < (await item.count()); index += 1) {
        const buttons = item.nth(index).getByRole("button");
        const decisive = (await buttons.count()) > 1 ? item.nth(index).locator("button.primary") : buttons;
        await decisive.click();
        await expectPlan(page, german, wishesOf(page), row);
        await page.goBack();
        await settled(page);
      }
    } else {
      expect(await buttonsLead(page, german, wishes, row, "#result .drops:not(.ways .drops)")).toBeGreaterThan(0);
    }
  });
}

test("everything kept: the wishes that are enough alone come first, before what only the lender could change", async ({ page, german }) => {
  const wishes = await allLocked(german);
  await openApplicant(page, german, 2, { wishes });
  const answer = await explain(german, wishes, 2);
  const own = answer.why_none.ways.filter((way: any) => way.drops.every((drop: any) => "wish" in drop));
  expect(own.length).toBeGreaterThan(1);
  expect(own.length).toBeLessThan(answer.why_none.ways.length);
  await page.locator("#result").getByRole("button", { name: en.none.more(answer.why_none.ways.length - 3) }).click();
  const lenders = await ways(page).evaluateAll((items, lender) => items.map((item) => item.textContent!.includes(lender)), en.none.lender);
  expect(lenders).toEqual(answer.why_none.ways.map((_: unknown, index: number) => index >= own.length));
  for (let index = 0; index < own.length; index += 1) {
    const more = page.locator("#result").getByRole("button", { name: /^Show \d+ more$/ });
    if (await more.count()) await more.click();
    await ways(page).nth(index).getByRole("button").first().click();
    await expectPlan(page, german, wishesOf(page), 2);
    expect(Object.keys(wishesOf(page)["features"])).toHaveLength(Object.keys(wishes["features"]).length - 1);
    await page.goBack();
    await expect(page.locator("#plan-heading")).toHaveText(en.none.heading);
  }
});

test("where no single wish is enough, the page finds several that are", async ({ page, german }) => {
  const wishes = await allLocked(german);
  await openApplicant(page, german, 12, { wishes });
  await expect(page.locator("#result")).toContainText(en.none.own);
  const drops = page.locator("#result .drops:not(.ways .drops)").getByRole("button");
  expect(await drops.count()).toBeGreaterThan(1);
  await page.locator("#result .plan-body > p > button.primary").click();
  await expectPlan(page, german, wishesOf(page), 12);
  // The remaining wishes are the others, as they were.
  for (const [name, wish] of Object.entries(wishesOf(page)["features"])) expect(wish).toEqual(wishes["features"][name]);
});

test("what only the lender could change is named, and can't be clicked", async ({ page, german }) => {
  const wishes = await allLocked(german);
  await openApplicant(page, german, 2, { wishes });
  await page.locator("#result").getByRole("button", { name: /^Show \d+ more$/ }).click();
  const lenders = ways(page).locator(".drops > li", { hasText: en.none.lender });
  expect(await lenders.count()).toBeGreaterThan(0);
  await expect(lenders.getByRole("button")).toHaveCount(0);
  const answer = await explain(german, wishes, 2);
  const known = await features(german);
  const named = answer.why_none.ways.flatMap((way: any) => way.drops).filter((drop: any) => drop.schema?.key === "change").map((drop: any) => known[drop.schema.feature].title);
  const shownText = (await lenders.allTextContents()).join("\n");
  expect(named.length).toBeGreaterThan(0);
  for (const title of named) expect(shownText).toContain(en.none.change(title));
});

test("a rule of the lender that leaves no plan is named as theirs, and a rule of one's own can be dropped", async ({ page }) => {
  const running = await serve("--rule", "duration stays", "--rule", "credit_amount stays", "--max-changes", "1");
  try {
    const { applicants } = await api(running, "applicants?decision=rejected&limit=100");
    let row = 0;
    for (const one of applicants) {
      const { why_none } = await explain(running, {}, one.row);
      if (why_none?.ways.some((way: any) => way.drops.some((drop: any) => drop.schema?.rule ?? drop.schema?.key))) {
        row = one.row;
        break;
      }
    }
    expect(row).toBeGreaterThan(0);
    await openApplicant(page, running, row);
    await expect(page.locator("#plan-heading")).toHaveText(en.none.heading);
    await expect(ways(page).first()).toContainText(en.none.lender);
    await expect(ways(page).getByRole("button")).toHaveCount(0);

    const easy = applicants.find((one: any) => one.row !== row && one.score > -0.1);
    const free = await explain(running, {}, easy.row);
    expect(free.plans.length).toBeGreaterThan(0);
    const rules = free.plans.map((plan: any) => `${plan.changes[0].feature} stays`);
    const kept = { rules: [...new Set(["telephone stays", "checking_account stays", "savings stays", "other_debtors stays", "other_installment_plans stays", ...rules])] };
    expect((await explain(running, kept, easy.row)).plans).toEqual([]);
    await page.goto(address(running, `applicant/${easy.row}`, { wishes: kept }));
    await settled(page);
    await expect(page.locator("#plan-heading")).toHaveText(en.none.heading);
    const drops = page.locator("#result .drops button");
    await expect(drops.first()).toBeVisible();
    await drops.first().click();
    await expectPlan(page, running, wishesOf(page), easy.row);
    expect(wishesOf(page)["rules"]).toHaveLength(kept.rules.length - 1);
  } finally {
    await stop(running);
  }
});

test("all wishes can be reset where they leave no plan", async ({ page, german }) => {
  await openApplicant(page, german, 11, { wishes: { max_changes: 1, features: { duration: { locked: true } } } });
  await page.locator("#result").getByRole("button", { name: en.wishes.resetAll }).click();
  await expectPlan(page, german, {}, 11);
});
