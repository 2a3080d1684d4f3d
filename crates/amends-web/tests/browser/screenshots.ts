// Takes the pictures of docs/serve.md, into the folder that AMENDS_PICTURES names: run it with scripts/page-screenshots.sh.

import { join } from "node:path";
import type { Page } from "@playwright/test";
import { address, card, de, openApplicant } from "./helpers";
import { expect, test } from "./server";

const folder = process.env.AMENDS_PICTURES;
test.skip(!folder, "pictures are only taken by scripts/page-screenshots.sh");

const WISHES = { max_changes: 3, features: { duration: { range: [12, 60] }, credit_amount: { effort: 2 }, telephone: { locked: true } } };

async function take(page: Page, name: string, height: number): Promise<void> {
  await page.waitForLoadState("networkidle");
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await page.setViewportSize({ width: page.viewportSize()!.width, height });
  await page.screenshot({ path: join(folder!, `${name}.png`), animations: "disabled" });
}

for (const colorScheme of ["light", "dark"] as const) {
  test(`a plan, ${colorScheme}`, async ({ page, german }) => {
    await page.emulateMedia({ colorScheme });
    await openApplicant(page, german, 5);
    await take(page, `plan-${colorScheme}`, 1000);
  });
}

test("cards with wishes", async ({ page, german }) => {
  await openApplicant(page, german, 5, { wishes: WISHES });
  await expect(page.locator(".price").first()).toBeVisible();
  await page.setViewportSize({ width: 1280, height: 1000 });
  await page.locator("#tab-wishes").evaluate((tabs) => scrollTo(0, tabs.getBoundingClientRect().top + scrollY - 12));
  await expect(card(page, "Duration of the credit")).toBeInViewport();
  await take(page, "wishes", 1000);
});

test("no plan", async ({ page, german }) => {
  await openApplicant(page, german, 11, { wishes: { max_changes: 1, features: { duration: { locked: true } } } });
  await expect(page.locator("#result .ways button").first()).toBeVisible();
  await page.locator("#result").evaluate((plan) => scrollTo(0, plan.getBoundingClientRect().top + scrollY - 12));
  await take(page, "no-plan", 720);
});

test("the trade-off", async ({ page, german }) => {
  await page.goto(address(german, "applicant/10", { tab: "tradeoff", point: "2" }));
  await expect(page.getByRole("radio", { checked: true }).last()).toBeVisible();
  await page.setViewportSize({ width: 1280, height: 760 });
  await page.locator("#tab-tradeoff").evaluate((tabs) => scrollTo(0, tabs.getBoundingClientRect().top + scrollY - 12));
  await take(page, "trade-off", 760);
});

test("a phone, in German", async ({ page, german }) => {
  await page.setViewportSize({ width: 360, height: 1100 });
  await openApplicant(page, german, 5, { lang: "de" });
  await expect(page.locator("#plan-heading")).toHaveText(de.plan.heading);
  await take(page, "phone-german", 1100);
});
