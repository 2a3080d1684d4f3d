// Everything by keyboard alone, with the focus in sight and where it makes sense.

import type { Page } from "@playwright/test";
import { address, card, cells, en, expectPlan, openApplicant, planTable, settled, tab, wishesOf } from "./helpers";
import { expect, test } from "./server";

/** The name of what has the focus, as far as the tests look for it. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const one = document.activeElement as HTMLElement | null;
    if (!one || one === document.body) return "";
    const label = one instanceof HTMLInputElement || one instanceof HTMLSelectElement ? [...(one.labels ?? [])].map((text) => text.textContent).join(" ") : "";
    return one.getAttribute("aria-label") ?? (label || one.textContent || one.id);
  });

/** Whether the focus is in the window, and drawn. */
async function expectVisibleFocus(page: Page): Promise<void> {
  const state = await page.evaluate(() => {
    const one = document.activeElement!;
    const box = one.getBoundingClientRect();
    const drawn = [one, one.nextElementSibling, one.querySelector(".ring"), one.parentElement].some((part) => {
      if (!part) return false;
      const style = getComputedStyle(part);
      return (style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2) || (part.matches(".ring") && style.stroke !== "none");
    });
    // The two sliders of a range lie on each other: their thumbs are outlined, which scripts can't see.
    const thumb = one.matches(".dual input[type=range]");
    return { what: one.outerHTML.slice(0, 120), inSight: box.bottom > 0 && box.top < innerHeight && box.width > 0, drawn: drawn || thumb };
  });
  expect(state).toMatchObject({ inSight: true, drawn: true });
}

/** Goes on with the tab key until something has the focus; each stop on the way must show it. */
async function tabTo(page: Page, name: string | RegExp, most = 80): Promise<void> {
  for (let press = 0; press < most; press += 1) {
    await page.keyboard.press("Tab");
    await expectVisibleFocus(page);
    const now = await focused(page);
    if (typeof name === "string" ? now.includes(name) : name.test(now)) return;
  }
  throw new Error(`${name} was not reached within ${most} steps`);
}

test("from the start page to a plan under a wish, with Tab, Enter, Space and arrows", async ({ page, german }) => {
  await page.goto(german.url);
  await expect(page.locator(".rows tbody tr")).toHaveCount(20);
  await tabTo(page, en.applications.openRow("5"));
  await page.keyboard.press("Enter");
  await settled(page);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(en.application.ofRow("5"));
  // The next view begins with its content, not in the menu.
  await expect(page.locator("main")).toBeFocused();
  const before = await cells(planTable(page));
  await tabTo(page, en.wishes.lock);
  await page.keyboard.press("Space");
  await expectPlan(page, german, { features: { duration: { locked: true } } });
  expect(await cells(planTable(page))).not.toEqual(before);
  await page.keyboard.press("Space");
  await tabTo(page, `Duration of the credit: ${en.wishes.effort}`);
  await page.keyboard.press("ArrowRight");
  await expectPlan(page, german, { features: { duration: { effort: 2 } } });
  await expect(card(page, "Duration of the credit").getByRole("slider", { name: en.wishes.effort })).toBeFocused();
});

test("the skip link is the first stop, and leads past the menu", async ({ page, german }) => {
  await page.goto(german.url);
  await expect(page.locator(".rows tbody tr")).toHaveCount(20);
  await page.keyboard.press("Tab");
  expect(await focused(page)).toBe(en.skip);
  await expectVisibleFocus(page);
  await page.keyboard.press("Enter");
  await expect(page.locator("main")).toBeFocused();
  expect(page.url()).toBe(german.url);
  await page.keyboard.press("Tab");
  await expect(page.locator("main :focus")).toHaveCount(1);
});

test("arrow keys, Home and End go through the tabs, and the focus follows", async ({ page, german }) => {
  await openApplicant(page, german);
  await tab(page, "wishes").focus();
  for (const [key, name] of [["ArrowRight", "whatIf"], ["ArrowRight", "tradeoff"], ["End", "documents"], ["ArrowRight", "wishes"], ["ArrowLeft", "documents"], ["Home", "wishes"]] as const) {
    await page.keyboard.press(key);
    await expect(tab(page, name)).toBeFocused();
    await expect(tab(page, name)).toHaveAttribute("aria-selected", "true");
    await expect(page.getByRole("tabpanel")).toHaveAccessibleName(en.tabs[name]);
  }
});

test("the focus is never lost where a button goes away with its own use", async ({ page, german }) => {
  const wishes = { max_changes: 3, features: { duration: { effort: 2 }, telephone: { locked: true } } };
  const keep = [{ changes: { duration: 10 }, cost: 3, probability: 0.5, score: 0 }];
  const uses: [string, (page: Page) => Promise<void>][] = [
    ["dropping a wish", (page) => page.getByRole("button", { name: en.wishes.dropWish(en.wishes.sayLocked("Telephone")) }).press("Enter")],
    ["resetting a feature", (page) => page.getByRole("button", { name: en.wishes.resetOf("Telephone") }).press("Enter")],
    ["resetting all", (page) => page.locator(".wish-list").getByRole("button", { name: en.wishes.resetAll }).press("Enter")],
    ["removing a kept plan", (page) => page.getByRole("button", { name: `${en.plan.unkeep}: ${en.plan.kept} 1` }).press("Enter")],
    ["keeping a plan", (page) => page.locator("#result").getByRole("button", { name: en.plan.keep }).press("Enter")],
  ];
  for (const [name, use] of uses) {
    await page.goto("about:blank");
    await openApplicant(page, german, 5, { wishes, keep });
    await page.waitForLoadState("networkidle");
    await use(page);
    await settled(page);
    await page.waitForLoadState("networkidle");
    expect(await focused(page), name).not.toBe("");
  }
});

test("where there is no plan, dropping a wish leads to the new plan", async ({ page, german }) => {
  await openApplicant(page, german, 15, { wishes: { max_changes: 1 } });
  await page.locator("#result .drops button").first().press("Enter");
  await expectPlan(page, german, wishesOf(page), 15);
  await expect(page.locator("#result")).toBeFocused();
});

test("the last level that is left out keeps the focus in its card", async ({ page, german }) => {
  await openApplicant(page, german, 15);
  const levels = card(page, "Savings").getByRole("group").getByRole("checkbox");
  for (let left = await levels.count(); left > 0; left -= 1) {
    await levels.nth(left - 1).focus();
    await page.keyboard.press("Space");
    await settled(page);
  }
  await expect(card(page, "Savings").getByLabel(en.wishes.lock)).toBeChecked();
  await expect(card(page, "Savings").locator(":focus")).toHaveCount(1);
});

test("targets are at least 24 pixels high and wide", async ({ page, german }) => {
  for (const [path, query] of [["", {}], ["applicant/5", {}], ["applicant/5", { tab: "whatIf" }], ["applicant/5", { tab: "tradeoff" }], ["new", {}]] as const) {
    await page.goto(address(german, path, query));
    await page.waitForLoadState("networkidle");
    const small = await page.locator("button, select, summary, input:not([type=range]):not([type=radio]):not([type=checkbox]), label:has([type=radio]), label:has([type=checkbox]), a.button, a.row-link, nav a").evaluateAll((all) =>
      all.filter((one) => one.checkVisibility()).map((one) => ({ name: one.outerHTML.slice(0, 80), box: one.getBoundingClientRect() })).filter(({ box }) => box.width > 0 && (box.height < 23.9 || box.width < 23.9)).map(({ name, box }) => `${name} ${box.width}x${box.height}`),
    );
    expect(small, path).toEqual([]);
  }
});
