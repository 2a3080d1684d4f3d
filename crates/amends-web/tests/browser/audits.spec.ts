// The validator's view: an audit is started, followed and cancelled, its figures are those of the API, and its rows lead to applicants and back.

import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { address, cells, de, en, number } from "./helpers";
import { api, expect, serve, stop, test, type Running } from "./server";

const w = en.audit;

/** Starts an audit by the form: everybody, by age with cut points and by housing. */
async function start(page: Page, running: Running): Promise<string> {
  await page.goto(address(running, "audits", {}));
  await page.getByText(w.start.all, { exact: true }).click();
  await page.getByRole("checkbox", { name: /^Age/ }).check();
  await page.getByRole("checkbox", { name: /^Housing/ }).check();
  await page.getByLabel(w.start.cuts("Age (years)")).fill("30, 50");
  await page.getByRole("button", { name: w.start.button, exact: true }).click();
  await expect(page).toHaveURL(/#\/audits\/[0-9a-f]{16}/);
  return /audits\/([0-9a-f]{16})/.exec(page.url())![1]!;
}

/** Waits until an audit has ended. */
async function ended(page: Page, running: Running, id: string): Promise<any> {
  await expect.poll(async () => (await api(running, `audits/${id}`)).state, { timeout: 50_000 }).toBe("finished");
  await expect(page.getByRole("progressbar")).toHaveCount(0);
  return api(running, `audits/${id}`);
}

test("an audit is started by the form, and shows the figures of the API", async ({ page, german }) => {
  const id = await start(page, german);
  const audit = await ended(page, german, id);
  expect(audit.request).toMatchObject({ rows: "all", by: ["age:30,50", "housing"], reasons: true, rejected: null });
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(w.of("All rows, by Age (years) and Housing"));
  const { overall, by } = audit.summary;
  const decided = page.getByRole("region", { name: w.decided });
  const counts = async (name: string): Promise<string> => (await decided.getByRole("row", { name }).getByRole("cell").first().textContent()) ?? "";
  expect(await counts(w.accepted)).toBe(number(overall.accepted.count));
  expect(await counts(w.withPlan)).toBe(number(overall.with_plan.count));
  expect(await counts(w.infeasible)).toBe(number(overall.infeasible.count));
  const groups = page.getByRole("region", { name: w.groups.heading("Age (years)"), exact: true });
  const shown = await groups.locator("tbody tr th").allTextContents();
  expect(shown).toEqual(by[0].groups.map(({ group, small }: any) => group + (small ? " *" : "")));
  // The chart says the same to whoever can't see it.
  await expect(groups.getByRole("img")).toHaveAttribute("aria-label", new RegExp(`^${w.groups.measures.rejected} by group\\. Everybody: .*under 30: `));
  await groups.getByText(w.groups.measures.infeasible, { exact: true }).first().click();
  await expect(groups.getByRole("img")).toHaveAttribute("aria-label", /^No plan/);
});

test("the rows of an audit are filtered, lead to an applicant, and back to the same rows", async ({ page, german }) => {
  const id = await start(page, german);
  const { summary } = await ended(page, german, id);
  const rows = page.locator("#rows");
  await expect(rows.locator("tbody tr")).toHaveCount(20);
  await rows.getByLabel(w.rows.filter).selectOption("no-plan");
  await expect(rows.locator("tbody tr")).toHaveCount(summary.overall.infeasible.count);
  await rows.getByLabel(w.rows.filter).selectOption("rejected");
  await page.getByRole("button", { name: "rent", exact: true }).click();
  const { total, rows: found } = await api(german, `audits/${id}/rows?filter=rejected&column=housing&group=rent&limit=20`);
  await expect(rows.getByText(en.applications.range("1", number(Math.min(20, total)), number(total)))).toBeVisible();
  const numbers = async (): Promise<string[]> => (await cells(rows.locator("table"))).map(([row]) => row!);
  await expect.poll(numbers).toEqual(found.map(({ row }: any) => number(row)));
  await rows.getByRole("link").nth(2).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(en.application.ofRow(number(found[2].row)));
  await page.getByRole("link", { name: w.backTo }).click();
  await expect.poll(numbers).toEqual(found.map(({ row }: any) => number(row)));
  expect(page.url()).toContain("group=rent");
});

test("every format is downloaded", async ({ page, german }) => {
  const id = await start(page, german);
  const { summary } = await ended(page, german, id);
  for (const [format, text] of Object.entries(w.download.formats)) {
    const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: text, exact: true }).click()]);
    expect(file.suggestedFilename()).toBe(format.startsWith("rows") ? format : `audit.${format}`);
    const content = readFileSync(await file.path(), "utf8");
    if (format === "json") expect(JSON.parse(content)).toEqual(summary);
    if (format === "rows.csv") expect(content.trim().split("\n")).toHaveLength(summary.overall.applicants + 1);
  }
});

test("what is wrong is said at its field, and nothing is started", async ({ page, german }) => {
  const before = (await api(german, "audits")).audits.length;
  await page.goto(address(german, "audits", {}));
  await page.getByLabel(w.start.most).fill("-3");
  await page.getByLabel(w.start.timeLimit).fill("1000");
  await page.getByRole("checkbox", { name: /^Age/ }).check();
  await page.getByLabel(w.start.cuts("Age (years)")).fill("50, 30");
  await page.getByRole("button", { name: w.start.button, exact: true }).click();
  await expect(page.getByLabel(w.start.most)).toBeFocused();
  for (const text of [w.start.wrongCount, w.start.wrongNumber("10"), w.start.wrongCuts]) await expect(page.getByText(text)).toBeVisible();
  expect((await api(german, "audits")).audits).toHaveLength(before);
});

test("an audit runs while one looks at applicants, and is cancelled and forgotten", async ({ page }) => {
  // Plans of many changes of nearly all features take long.
  const running = await serve("--model", "rf", "--threads", "1", "--german-schema", "free", "--max-changes", "8");
  try {
    const id = await start(page, running);
    await expect(page.getByRole("progressbar")).toBeVisible();
    await page.goto(address(running, "applicant/5", {}));
    await expect(page.locator("#decision")).toBeVisible();
    expect((await api(running, `audits/${id}`)).state).toBe("running");
    await page.goto(address(running, `audits/${id}`, {}));
    await page.getByRole("button", { name: w.progress.cancel }).click();
    await expect(page.getByText(/^Stopped after/)).toBeVisible();
    expect((await api(running, `audits/${id}`)).summary.complete).toBe(false);
    await page.getByRole("link", { name: w.back }).click();
    await page.getByRole("button", { name: new RegExp(`^${w.list.remove}:`) }).click();
    await expect(page.getByText(w.list.none)).toBeVisible();
    await page.goto(address(running, `audits/${id}`, {}));
    await expect(page.getByRole("alert")).toHaveText(w.forgotten);
  } finally {
    await stop(running);
  }
});

test("German groups, figures and words", async ({ page, german }) => {
  const { id } = await api(german, "audits", { rows: "all", rejected: 40, by: ["age:30,50", "housing"], reasons: true });
  await page.goto(address(german, `audits/${id}`, { lang: "de" }));
  await ended(page, german, id);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(de.audit.of("Alle Zeilen, bis zu den ersten 40 abgelehnten, nach Alter (Jahre) und Wohnen"));
  for (const group of ["unter 30", "30 bis unter 50", "ab 50", "Eigentum", "Miete"]) await expect(page.getByRole("button", { name: group, exact: true })).toBeVisible();
  await expect(page.getByRole("rowheader", { name: "Girokonto" }).first()).toBeVisible();
});
