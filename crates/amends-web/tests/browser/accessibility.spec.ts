// Every view by the rules of axe-core, light and dark; what is announced; and what a narrow screen, paper and calm motion need.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "@playwright/test";
import { address, card, de, en, openApplicant, settled } from "./helpers";
import { expect, test, type Running } from "./server";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const RULES = ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"];

/** What depends on the colours alone. */
const COLOURS = ["color-contrast"];

async function violations(page: Page, only: { type: "tag" | "rule"; values: string[] } = { type: "tag", values: RULES }): Promise<string[]> {
  // The page's policy forbids scripts of others, but not what the browser's tools evaluate.
  await page.evaluate(AXE);
  return page.evaluate(async (runOnly) => {
    const { violations } = await (window as any).axe.run(document, { runOnly });
    return violations.flatMap((one: any) => one.nodes.map((node: any) => `${one.id}: ${node.target.join(" ")}: ${node.failureSummary}`));
  }, only);
}

/** The levels of the headings in sight, in their order. */
const headings = (page: Page): Promise<number[]> =>
  page.locator("h1, h2, h3, h4, h5, h6").evaluateAll((all) => all.filter((one) => one.checkVisibility()).map((one) => Number(one.tagName[1])));

const WISHES = { max_changes: 3, features: { duration: { range: [6, 40] }, telephone: { locked: true }, savings: { effort: 4 } } };
const KEPT = [{ changes: { duration: 10 }, cost: 3, probability: 0.5, score: 0 }];

const VIEWS: [string, string, Record<string, unknown>][] = [
  ["the list", "", {}],
  ["the form", "new", {}],
  ["an applicant", "applicant/5", {}],
  ["wishes, prices and a kept plan", "applicant/5", { wishes: WISHES, keep: KEPT }],
  ["questions", "applicant/5", { mode: "guided", step: "3" }],
  ["trying", "applicant/5", { tab: "whatIf", try: { duration: 20 } }],
  ["the trade-off", "applicant/114", { tab: "tradeoff" }],
  ["documents", "applicant/5", { tab: "documents" }],
  ["no plan", "applicant/11", { wishes: { max_changes: 1, features: { duration: { locked: true } } } }],
  ["an accepted application", "applicant/1", {}],
  ["a row that is not there", "applicant/99999", {}],
  ["audits", "audits", {}],
  ["an audit that the server does not know", "audits/0", {}],
  ["an address that leads nowhere", "nowhere", {}],
];

async function open(page: Page, running: Running, path: string, query: Record<string, unknown>): Promise<void> {
  await page.goto(address(running, path, query));
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await page.waitForLoadState("networkidle");
  for (const summary of await page.locator("summary").all()) await summary.click();
}

for (const [view, path, query] of VIEWS) {
  test(`${view}: no violation, light and dark, and headings in order`, async ({ page, german }) => {
    await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
    await open(page, german, path, query);
    expect(await violations(page)).toEqual([]);
    const levels = await headings(page);
    expect(levels.filter((level) => level === 1)).toHaveLength(1);
    expect(levels[0]).toBe(1);
    for (let index = 1; index < levels.length; index += 1) expect(levels[index]! - levels[index - 1]!).toBeLessThanOrEqual(1);
    await page.emulateMedia({ colorScheme: "dark" });
    await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
    expect(await violations(page, { type: "rule", values: COLOURS })).toEqual([]);
  });

  test(`${view}: fits a screen of 360 pixels, in both languages`, async ({ page, german }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    for (const lang of ["en", "de"]) {
      await open(page, german, path, { ...query, lang });
      const { width, wide } = await page.evaluate(() => ({
        width: document.documentElement.scrollWidth,
        wide: [...document.querySelectorAll("body *")].filter((one) => one.getBoundingClientRect().right > 361 && !one.closest(".scroll, .visually-hidden")).map((one) => `${one.tagName}.${one.getAttribute("class")} ${one.textContent?.slice(0, 40)}`),
      }));
      expect(wide, lang).toEqual([]);
      expect(width, lang).toBeLessThanOrEqual(360);
      await page.goto("about:blank");
    }
  });
}

test("an error and a slow answer have no violation either", async ({ page, german }) => {
  await openApplicant(page, german);
  await page.route("**/api/v1/explain", async (route) => {
    await new Promise((done) => setTimeout(done, 20_000));
    await route.abort().catch(() => undefined);
  });
  await card(page, "Telephone").getByLabel(en.wishes.lock).check();
  await expect(page.locator("#result").getByRole("button", { name: en.cancel })).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await page.unroute("**/api/v1/explain");
  await page.route("**/api/v1/explain", (route) => route.abort());
  await page.getByLabel(en.wishes.maxChanges).selectOption("2");
  await expect(page.locator("#result").getByRole("alert")).toBeVisible();
  expect(await violations(page)).toEqual([]);
});

test("the switch of colours works against the system's, and is remembered", async ({ page, german }) => {
  await page.emulateMedia({ colorScheme: "light" });
  await openApplicant(page, german);
  const ground = (): Promise<string> => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const light = await ground();
  await page.getByRole("button", { name: en.theme.toDark }).click();
  expect(await ground()).not.toBe(light);
  const dark = await ground();
  await page.reload();
  await settled(page);
  expect(await ground()).toBe(dark);
  expect(await violations(page)).toEqual([]);
  await page.getByRole("button", { name: en.theme.toLight }).click();
  expect(await ground()).toBe(light);
});

test("a screen reader hears each new result, once it is there", async ({ page, german }) => {
  await openApplicant(page, german);
  const live = page.locator("[aria-live=polite]");
  await card(page, "Duration of the credit").getByLabel(en.wishes.lock).check();
  await settled(page);
  await expect(live).toHaveText(en.solving.changed((await page.locator("#result .sentence").textContent())!));
  await page.goto(address(german, "applicant/11", { wishes: { max_changes: 1 } }));
  await settled(page);
  await expect(live).toHaveText(en.solving.changed(en.none.proven));
});

test("who wants little motion gets none", async ({ page, german }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await openApplicant(page, german);
  await page.route("**/api/v1/explain", () => undefined);
  await card(page, "Telephone").getByLabel(en.wishes.lock).check();
  await expect(page.locator(".spinner").first()).toBeVisible();
  const moving = await page.evaluate(() => document.getAnimations().filter((one) => one.playState === "running" && Number(one.effect?.getComputedTiming().duration) > 10).length);
  expect(moving).toBe(0);
});

test("on paper there are plan, reasons, wishes and distributions, and no controls", async ({ page, german }) => {
  await openApplicant(page, german, 5, { wishes: WISHES });
  await expect(page.locator("ol.reasons > li").first()).toBeVisible();
  await page.emulateMedia({ media: "print" });
  for (const part of [".decision", "#result .sentence", "#result .plan-table", "#result .proof", "ol.reasons", ".print-only .distribution"]) await expect(page.locator(part).first()).toBeVisible();
  await expect(page.locator(".print-only").first()).toContainText(en.wishes.sayLocked("Telephone"));
  await expect(page.getByRole("tablist")).toBeHidden();
  const controls = page.locator("input:visible, select:visible, summary:visible, button:visible");
  const left = await controls.evaluateAll((all) => all.filter((one) => !one.hasAttribute("aria-pressed")).map((one) => one.outerHTML.slice(0, 100)));
  expect(left).toEqual([]);
  await expect(page.getByText(de.plan.heading)).toHaveCount(0);
  const light = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  expect(light).toBe("rgb(255, 255, 255)");
});
