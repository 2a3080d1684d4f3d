// What can be taken home: the lender's letter, a signed receipt, the data, a print.

import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Download, Page } from "@playwright/test";
import { address, en, explain, features, openApplicant, record, settled, tab } from "./helpers";
import { api, expect, serve, stop, test, type Running } from "./server";

const run = promisify(execFile);
const REPOSITORY = process.env.AMENDS_REPOSITORY ?? "";
const WISHES = { features: { duration: { range: [12, 60] } } };

async function saved(page: Page, button: string): Promise<{ download: Download; text: string }> {
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: button }).click()]);
  return { download, text: await readFile(await download.path(), "utf8") };
}

/** Works in a folder of its own. */
async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "amends-"));
  try {
    await work(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function withLender(work: (running: Running) => Promise<void>, ...args: string[]): Promise<void> {
  const running = await serve("--lender", join(REPOSITORY, "docs/samples/lender.toml"), ...args);
  try {
    await work(running);
  } finally {
    await stop(running);
  }
}

test("the data that is downloaded is what is shown", async ({ page, german }) => {
  await openApplicant(page, german, 5, { wishes: WISHES });
  await tab(page, "documents").click();
  const { download, text } = await saved(page, en.documents.downloadJson);
  expect(download.suggestedFilename()).toBe("amends.json");
  const data = JSON.parse(text);
  const answer = await explain(german, WISHES);
  expect(data.application).toEqual((await api(german, "applicants/5")).application);
  expect(data.question).toEqual({ subject: { row: 5 }, wishes: WISHES, plans: 3 });
  const timeless = (plan: any) => ({ ...plan, seconds: 0 });
  expect(data.answer.plans.map(timeless)).toEqual(answer.plans.map(timeless));
  expect(data.answer.status).toBe(answer.status);
  const { reasons } = await api(german, "explain", { row: 5, reasons: true });
  expect(data.reasons).toEqual(reasons);
});

test("where the lender set up neither letters nor receipts, none are offered", async ({ page, german }) => {
  await openApplicant(page, german);
  await tab(page, "documents").click();
  await expect(page.getByRole("heading", { name: en.documents.json })).toBeVisible();
  await expect(page.getByRole("heading", { name: en.documents.letter })).toHaveCount(0);
  await expect(page.getByRole("heading", { name: en.documents.receipt })).toHaveCount(0);
});

test("printing is one button", async ({ page, german }) => {
  await page.addInitScript(() => (window.print = () => void (document.title = "printed")));
  await openApplicant(page, german);
  await tab(page, "documents").click();
  await page.getByRole("button", { name: en.documents.print }).click();
  await expect(page).toHaveTitle("printed");
});

test("the letter comes in each format and language, with the reasons and the plan under the wishes", async ({ page }) => {
  await withLender(async (running) => {
    const { letter_formats } = await api(running, "about");
    const plan = (await explain(running, WISHES)).plans[0];
    const { reasons } = await api(running, "explain", { row: 5, reasons: true });
    const known = await features(running);
    await openApplicant(page, running, 5, { wishes: WISHES, tab: "documents" });
    const form = page.locator("form", { has: page.getByRole("heading", { name: en.documents.letter }) });
    await expect(form.getByLabel(en.documents.format).locator("option")).toHaveCount(letter_formats.length);
    const requests = record(page);
    for (const format of letter_formats) {
      await form.getByLabel(en.documents.format).selectOption(format);
      const { download, text } = await saved(page, en.documents.download);
      expect(download.suggestedFilename()).toBe(`letter.${{ html: "html", text: "txt", markdown: "md" }[format as "html"]}`);
      expect(text).toContain("Example Savings Bank");
      for (const { title } of plan.changes) expect(text).toContain(title);
      for (const { feature } of reasons) expect(text.toLowerCase()).toContain(known[feature].title.toLowerCase().replace(/ \(.*/, ""));
      expect(/^\s*<!doctype html>/i.test(text)).toBe(format === "html");
      await expect(form.getByRole("status")).toHaveText(en.documents.done);
    }
    expect(requests.asked("/letter").map(({ body }) => body.wishes)).toEqual(letter_formats.map(() => WISHES));
    await form.getByLabel(en.documents.format).selectOption("text");
    await form.getByLabel(en.documents.language).selectOption("de");
    const { text } = await saved(page, en.documents.download);
    expect(requests.asked("/letter").at(-1)!.body.language).toBe("de");
    expect(text).toMatch(/ [Ii]hr|Antrag|Kredit/);
  });
});

test("what the letter needs of the recipient is asked for, and a letter that is refused says why", async ({ page }) => {
  await inFolder(async (folder) => {
    const lender = join(folder, "lender.toml");
    const sample = await readFile(join(REPOSITORY, "docs/samples/lender.toml"), "utf8");
    await writeFile(lender, sample.replace("[applicant]", '[applicant]\nname = "name"\naddress = ["street", "town"]'));
    const running = await serve("--lender", lender);
    try {
      const { letter_columns } = await api(running, "about");
      expect(letter_columns).toEqual(expect.arrayContaining(["name", "street", "town"]));
      await openApplicant(page, running, 5, { tab: "documents" });
      const recipient = page.getByRole("group", { name: en.documents.recipient });
      await expect(recipient.getByRole("textbox")).toHaveCount(letter_columns.length);
      const message = "column `name` is needed";
      await page.route("**/api/v1/letter", (route) => route.fulfill({ status: 422, json: { error: { code: "refused", message, remedy: "give it", problems: [] } } }));
      await page.getByRole("button", { name: en.documents.download }).click();
      await expect(page.getByRole("tabpanel").getByRole("alert")).toContainText(`${message}: give it`);
      await page.unroute("**/api/v1/letter");
      for (const column of letter_columns) await recipient.getByLabel(column, { exact: true }).fill(`Ms ${column} <b>`);
      const { text } = await saved(page, en.documents.download);
      for (const column of letter_columns) expect(text).toContain(`Ms ${column} &lt;b&gt;`);
      await expect(page.getByRole("tabpanel").getByRole("alert")).toHaveCount(0);
    } finally {
      await stop(running);
    }
  });
});

test("the receipt that is downloaded is verified by the program, and a changed one is not", async ({ page }) => {
  const program = process.env.AMENDS!;
  await inFolder(async (folder) => {
    const key = join(folder, "key.pem");
    await run(program, ["receipt-key", key]);
    const running = await serve("--receipt-key", key, "--receipt-days", "20");
    try {
      const { public_key } = await api(running, "about");
      await openApplicant(page, running, 5, { wishes: WISHES, tab: "documents" });
      await expect(page.getByRole("tabpanel")).toContainText(en.documents.receiptIntro("20"));
      const { text } = await saved(page, en.documents.downloadReceipt);
      const file = join(folder, "receipt.json");
      await writeFile(file, text);
      const { stdout } = await run(program, ["verify-receipt", file, "--public-key", public_key]);
      const receipt = JSON.parse(JSON.parse(text).receipt);
      expect(stdout).toContain(receipt.number);
      await expect(page.locator(".receipt-number")).toContainText(receipt.number);
      const [plan] = (await explain(running, WISHES)).plans;
      expect(receipt.plan.application).toEqual(plan.application);
      await writeFile(file, text.replace(receipt.number.slice(0, 4), "0000"));
      await expect(run(program, ["verify-receipt", file, "--public-key", public_key])).rejects.toThrow();

      // Without a plan there is nothing to confirm.
      await page.goto(address(running, "applicant/11", { wishes: { max_changes: 1 }, tab: "documents" }));
      await settled(page);
      await expect(page.getByRole("tabpanel")).toContainText(en.documents.needsPlan);
      await expect(page.getByRole("button", { name: en.documents.downloadReceipt })).toBeDisabled();
    } finally {
      await stop(running);
    }
  });
});
