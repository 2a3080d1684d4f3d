// What tests of all areas need: opening the page, recording its requests, and what it should show for an answer of the API.

import type { Locator, Page, Request } from "@playwright/test";
// The page's own words, so that a better wording breaks no test.
import { de } from "../../page/src/i18n/de";
import { en } from "../../page/src/i18n/en";
import { api, expect, type Running } from "./server";

export { de, en };

/** An applicant whom the usual model rejects, with a plan of two changes under no wishes. */
export const ROW = 5;

export type Wishes = Record<string, any>;

/** The address of a view, written as the page writes it. */
export function address(running: Running, path: string, query: Record<string, unknown> = {}): string {
  const parts = Object.entries(query).map(([key, value]) => `${key}=${encodeURIComponent(typeof value === "string" ? value : JSON.stringify(value))}`);
  return `${running.url}#/${path}${parts.length ? `?${parts.join("&")}` : ""}`;
}

/** Opens an applicant, and waits for the answer. */
export async function openApplicant(page: Page, running: Running, row = ROW, query: Record<string, unknown> = {}): Promise<void> {
  await page.goto(address(running, `applicant/${row}`, query));
  await settled(page);
}

/** Waits until the answer belongs to the wishes. */
export async function settled(page: Page): Promise<void> {
  await expect(page.locator("#decision")).toBeVisible();
  if (await page.locator("#result").count()) await expect(page.locator("#result")).toHaveAttribute("aria-busy", "false");
}

/** What the page asks the server: the address below /api/v1, and the body. */
export interface Asked {
  path: string;
  body: any;
  request: Request;
}

/** Records every request of a page from now on, of pages and files, too. */
export function record(page: Page): { all: Request[]; asked: (path: string) => Asked[] } {
  const all: Request[] = [];
  page.on("request", (request) => all.push(request));
  const asked = (path: string): Asked[] =>
    all
      .map((request) => ({ path: new URL(request.url()).pathname.replace("/api/v1", ""), body: request.postDataJSON(), request }))
      .filter((one) => one.path === path);
  return { all, asked };
}

/** The wishes that the address holds. */
export function wishesOf(page: Page): Wishes {
  return JSON.parse(queryOf(page).get("wishes") ?? "{}");
}

export function queryOf(page: Page): URLSearchParams {
  return new URLSearchParams(new URL(page.url()).hash.split("?")[1] ?? "");
}

export function explain(running: Running, wishes: Wishes = {}, row = ROW, plans = 3): Promise<any> {
  return api(running, "explain", { row, wishes, plans, reasons: false });
}

const numbers: Record<string, Intl.NumberFormat> = {};

/** A number as people of a language write it. */
export function number(value: number, decimals = 2, locale = "en-GB"): string {
  return (numbers[locale + decimals] ??= new Intl.NumberFormat(locale, { maximumFractionDigits: decimals })).format(value);
}

/** Three significant digits, as costs have them. */
export const figure = (value: number, digits = 3, locale = "en-GB"): string => new Intl.NumberFormat(locale, { maximumSignificantDigits: digits }).format(value);

/** A value of a feature with its unit, as the table of the plan has it. */
export function shown(feature: any, value: number | string, locale = "en-GB"): string {
  if (typeof value === "number") {
    // Units of time are named for several.
    const unit = Math.abs(value) === 1 && locale === "en-GB" ? feature.unit?.replace(/^(year|month|week|day|hour)s$/, "$1") : feature.unit;
    return number(value, feature.number?.decimals ?? 6, locale) + (unit ? ` ${unit}` : "");
  }
  return feature.levels.find((level: any) => level.value === value)?.label ?? value;
}

export async function features(running: Running): Promise<Record<string, any>> {
  const schema = await api(running, "schema");
  return Object.fromEntries(schema.features.map((feature: any) => [feature.name, feature]));
}

/** The cells of a table's body, row by row. */
export function cells(table: Locator): Promise<string[][]> {
  return table.locator("tbody tr").evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent ?? "")));
}

/** The rows that the table of a plan must have. */
export function planRows(known: Record<string, any>, plan: any): string[][] {
  return plan.changes.map((change: any) => {
    const feature = known[change.feature];
    const numeric = typeof change.before === "number" && typeof change.after === "number";
    const by = change.after - change.before;
    const difference = numeric ? `${by > 0 ? "+" : "−"}${shown(feature, Math.abs(by))}` : en.plan.other;
    return [feature.title, shown(feature, change.before), shown(feature, change.after), difference];
  });
}

/** The table of the plan that is shown; the trade-off has another one. */
export const planTable = (page: Page): Locator => page.locator("#result .plan-table");

/** The page shows what the API answers to these wishes; gives the answer. */
export async function expectPlan(page: Page, running: Running, wishes: Wishes, row = ROW): Promise<any> {
  await settled(page);
  expect(wishesOf(page)).toEqual(wishes);
  const answer = await explain(running, wishes, row);
  expect(answer.plans.length).toBeGreaterThan(0);
  expect(await cells(planTable(page))).toEqual(planRows(await features(running), answer.plans[0]));
  await expect(page.locator("#result .plan-body")).toContainText(en.plan.costOf(figure(answer.plans[0].objective)));
  return answer;
}

/** The card of a feature, by its title. */
export const card = (page: Page, title: string): Locator => page.getByRole("article", { name: title, exact: true });

export const tab = (page: Page, name: keyof typeof en.tabs): Locator => page.getByRole("tab", { name: en.tabs[name], exact: true });

/** Delays every answer of one address by so many milliseconds; gives a function that ends it. */
export async function slow(page: Page, path: string, milliseconds: number): Promise<() => Promise<void>> {
  const pattern = `**/api/v1/${path}`;
  await page.route(pattern, async (route) => {
    await new Promise((done) => setTimeout(done, milliseconds));
    // The page may have given the question up meanwhile.
    await route.continue().catch(() => undefined);
  });
  return () => page.unroute(pattern);
}
