// The page in German: every word, numbers with German separators, and the language in the address.

import type { Page } from "@playwright/test";
import { address, card, cells, de, en, explain, features, figure, number, openApplicant, planTable, queryOf, settled, shown } from "./helpers";
import { api, expect, test } from "./server";

/** The texts of a dictionary by their path; those that take values are called with what is unlikely to occur otherwise. */
function texts(words: unknown, path = ""): [string, string[]][] {
  if (typeof words === "string") return [[path, [words]]];
  if (typeof words === "function") {
    const marked = (words as (...values: unknown[]) => string)(...Array.from({ length: words.length }, () => "\0"));
    return [[path, marked.split("\0")]];
  }
  return Object.entries(words as object).flatMap(([key, value]) => texts(value, `${path}.${key}`));
}

const german = new Map(texts(de));

/** Parts of English sentences that German doesn't share; long enough to be no part of a German word or of the data. */
const ENGLISH: [string, string][] = texts(en).flatMap(([path, parts]) =>
  parts
    .map((part) => part.trim())
    .filter((part) => part.length >= 8 && !german.get(path)!.some((other) => other.includes(part)) && / |[a-z]{8}/.test(part))
    .map((part): [string, string] => [path, part]),
);

/** All that people read or hear, without what is marked as English. */
function seen(page: Page): Promise<string> {
  return page.evaluate(() => {
    const found: string[] = [document.title];
    const walk = (element: Element): void => {
      if (element.getAttribute("lang") === "en") return;
      for (const name of ["aria-label", "aria-valuetext", "title", "alt", "placeholder"]) found.push(element.getAttribute(name) ?? "");
      for (const child of element.childNodes) {
        if (child.nodeType === Node.TEXT_NODE) found.push(child.textContent ?? "");
        if (child instanceof Element && !["SCRIPT", "STYLE", "NOSCRIPT"].includes(child.tagName)) walk(child);
      }
    };
    walk(document.body);
    return found.join("\n");
  });
}

async function expectNoEnglish(page: Page, view: string): Promise<void> {
  const text = await seen(page);
  const left = ENGLISH.filter(([, part]) => text.includes(part));
  expect(left, view).toEqual([]);
}

const NONE = { max_changes: 1, features: { duration: { locked: true } } };

for (const [view, path, query] of [
  ["the list", "", {}],
  ["the form", "new", { from: "5" }],
  ["an applicant", "applicant/5", {}],
  ["wishes with prices", "applicant/5", { wishes: { max_changes: 3, features: { duration: { range: [6, 40], change: "decrease" }, savings: { levels: [">= 1000 DM"], effort: 2 } }, rules: ["telephone stays"] } }],
  ["questions", "applicant/5", { mode: "guided" }],
  ["limits in questions", "applicant/5", { mode: "guided", step: "3" }],
  ["trying", "applicant/5", { tab: "whatIf", try: { duration: 20 } }],
  ["the trade-off", "applicant/10", { tab: "tradeoff" }],
  ["documents", "applicant/5", { tab: "documents" }],
  ["no plan", "applicant/11", { wishes: NONE }],
  ["an accepted application", "applicant/1", {}],
  ["a row that is not there", "applicant/99999", {}],
  ["an address that leads nowhere", "nowhere", {}],
] as [string, string, Record<string, unknown>][]) {
  test(`${view}: no English sentence is left`, async ({ page, german: running }) => {
    await page.goto(address(running, path, { lang: "de", ...query }));
    await page.waitForLoadState("networkidle");
    await expect(page.locator("html")).toHaveAttribute("lang", "de");
    for (const summary of await page.locator("summary").all()) await summary.click();
    await expectNoEnglish(page, view);
  });
}

test("the check finds English where there is some", async ({ page, german: running }) => {
  await openApplicant(page, running);
  const text = await seen(page);
  expect(ENGLISH.filter(([, part]) => text.includes(part)).length).toBeGreaterThan(30);
  expect(ENGLISH.length).toBeGreaterThan(200);
});

test("the language is chosen in the header, kept in the address, and stays from view to view", async ({ page, german: running }) => {
  await page.goto(running.url);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(en.applications.heading);
  await page.getByLabel(en.language).selectOption("de");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(de.applications.heading);
  await expect(page.locator("html")).toHaveAttribute("lang", "de");
  expect(queryOf(page).get("lang")).toBe("de");
  await page.getByRole("link", { name: de.applications.openRow("5"), exact: true }).click();
  await settled(page);
  expect(queryOf(page).get("lang")).toBe("de");
  await page.reload();
  await settled(page);
  await expect(page.locator("#plan-heading")).toHaveText(de.plan.heading);
  await page.goBack();
  await page.goBack();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(en.applications.heading);
});

test.describe("in a German browser", () => {
  test.use({ locale: "de-DE" });
  test("the page is German from the start", async ({ page, german: running }) => {
    await page.goto(running.url);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(de.applications.heading);
    expect(queryOf(page).get("lang")).toBeNull();
  });
});

/** A feature as the schema has it in German. */
function inGerman(feature: any): any {
  const { unit = feature.unit, levels = {} } = feature.translations?.de ?? {};
  return { ...feature, unit, levels: feature.levels.map(({ value, label }: any) => ({ value, label: levels[value] ?? label })) };
}

test("numbers have German separators: amounts, shares, costs, differences", async ({ page, german: running }) => {
  await openApplicant(page, running, 5, { lang: "de" });
  const known = Object.fromEntries(Object.entries(await features(running)).map(([name, feature]) => [name, inGerman(feature)]));
  const { plans, probability } = await explain(running);
  const rows = await cells(planTable(page));
  expect(rows.map((row) => row.slice(1, 3))).toEqual(plans[0].changes.map((change: any) => [shown(known[change.feature], change.before, "de-DE"), shown(known[change.feature], change.after, "de-DE")]));
  expect(rows.flat().join(" ")).toContain("4.870 DM");
  await expect(page.locator(".decision figcaption")).toContainText(`${number(probability * 100, 1, "de-DE")}\u00a0%`);
  await expect(page.locator("#result")).toContainText(de.plan.costOf(figure(plans[0].objective, 3, "de-DE")));
  expect(figure(plans[0].objective, 3, "de-DE")).toContain(",");
  await page.locator("details.how summary").click();
  await expect(page.locator("details.how")).toContainText(figure(plans[0].bound, 6, "de-DE"));
  const { total } = await api(running, "applicants?decision=all&limit=1");
  await page.goto(address(running, "", { lang: "de", decision: "all" }));
  await expect(page.getByText(de.applications.range("1", "20", number(total, 0, "de-DE")))).toBeVisible();
});

test("a new plan is announced in German, and errors are", async ({ page, german: running }) => {
  await openApplicant(page, running, 5, { lang: "de" });
  await card(page, "Laufzeit des Kredits").getByLabel(de.wishes.lock).check();
  await settled(page);
  await expect(page.locator("[aria-live=polite]")).toContainText("Neues Ergebnis. Der Antrag würde angenommen, wenn");
  await page.route("**/api/v1/explain", (route) => route.fulfill({ status: 429, headers: { "Retry-After": "4" }, json: {} }));
  await page.getByLabel(de.wishes.maxChanges).selectOption("2");
  await expect(page.locator("#result").getByRole("alert")).toContainText(de.errors.busyFor("4"));
  await expectNoEnglish(page, "an error");
});
