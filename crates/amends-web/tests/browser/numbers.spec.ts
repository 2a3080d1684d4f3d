// Typing numbers: in the language of the page, or missing, and never silently as another number.

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { address, card, de, en, openApplicant, queryOf, record, settled, wishesOf } from "./helpers";
import { api, expect, serve, stop, test } from "./server";

const DURATION = "Duration of the credit";

test("a number that is missing in the table can be entered, as a number and as missing, and edited", async ({ page }) => {
  const folder = mkdtempSync(join(tmpdir(), "amends-"));
  const schema = join(folder, "messy.toml");
  const data = join(process.env.AMENDS_REPOSITORY!, "docs/examples/messy.csv");
  execFileSync(process.env.AMENDS!, ["init", data, "--target", "outcome", "--output", schema], { stdio: "ignore" });
  const running = await serve("--data", data, "--schema", schema);
  try {
    const { features } = await api(running, "schema");
    const gaps = features.filter((one: any) => one.number && one.codes.some((code: any) => code.value === ""));
    expect(gaps.length).toBeGreaterThan(0);
    const { applicants } = await api(running, "applicants?decision=all&limit=1000");
    let row = 0;
    let before: any = null;
    for (const one of applicants) {
      const { application } = await api(running, `applicants/${one.row}`);
      if (application[gaps[0].name] === "") [row, before] = [one.row, application];
      if (row) break;
    }
    expect(row).toBeGreaterThan(0);
    const field = page.locator(`#value-${gaps[0].name}`);
    const kind = page.getByLabel(`${gaps[0].title}: ${en.application.numberOrCode}`);
    const submit = page.getByRole("button", { name: en.application.submit });
    // Editing keeps what is missing, and a number takes its place.
    await page.goto(address(running, "new", { from: String(row) }));
    await expect(kind.locator("option:checked")).toHaveText(gaps[0].codes.find((code: any) => code.value === "").label);
    await expect(field).toBeDisabled();
    await submit.click();
    await expect(page.locator("#decision")).toBeVisible();
    expect(JSON.parse(queryOf(page).get("a")!)).toEqual(before);
    await page.goBack();
    await expect(field).toBeDisabled();
    await kind.selectOption({ label: en.application.aNumber });
    await expect(field).toBeEnabled();
    await submit.click();
    await expect(page.locator(`#value-${gaps[0].name}-problem`)).toHaveText(en.application.required);
    await field.fill("1234.5");
    await submit.click();
    await expect(page.locator("#decision")).toBeVisible();
    expect(JSON.parse(queryOf(page).get("a")!)).toEqual({ ...before, [gaps[0].name]: 1234.5 });
    // Trying values knows the same.
    await page.goto(address(running, `applicant/${row}`, { tab: "whatIf" }));
    await expect(field).toBeDisabled();
    await expect(page.locator(".problem")).toHaveCount(0);
    await kind.selectOption({ label: en.application.aNumber });
    await field.fill("20");
    await expect.poll(() => JSON.parse(queryOf(page).get("try") ?? "{}")).toEqual({ [gaps[0].name]: 20 });
    await kind.selectOption({ index: 1 });
    await expect.poll(() => queryOf(page).get("try")).toBeNull();
    // A new form has numbers, none of them missing unless that is chosen.
    await page.goto(address(running, "new"));
    for (const { name } of gaps) await expect(page.locator(`#value-${name}`)).toBeEnabled();
  } finally {
    await stop(running);
    rmSync(folder, { recursive: true });
  }
});

test("a German page reads German numbers, and refuses English ones at their field", async ({ page, german }) => {
  const { application } = await api(german, "applicants/5");
  await page.goto(address(german, "new", { lang: "de", from: "5" }));
  const amount = page.locator("#value-credit_amount");
  await expect(amount).toHaveValue(String(application.credit_amount));
  const problem = page.locator("#value-credit_amount-problem");
  for (const [text, message] of [["5000,50", de.application.notWhole], ["5,000", de.application.ambiguous("5", "5000")], ["5 %", de.application.notNumber], ["5,000.00", de.application.otherMarks("5000")]] as const) {
    await amount.fill(text);
    await expect(problem).toHaveText(message);
    await expect(amount).toHaveAttribute("aria-describedby", /value-credit_amount-problem/);
    await expect(amount).toHaveValue(text);
  }
  await amount.fill("5.000");
  await expect(problem).toHaveCount(0);
  await page.locator("#value-duration").fill("24,0");
  await page.getByRole("button", { name: de.application.submit }).click();
  await settled(page);
  expect(JSON.parse(queryOf(page).get("a")!)).toEqual({ ...application, credit_amount: 5000, duration: 24 });
});

test("an English page refuses a number that could be another one", async ({ page, german }) => {
  await page.goto(address(german, "new", { from: "5" }));
  const amount = page.locator("#value-credit_amount");
  await amount.fill("5.000");
  await expect(page.locator("#value-credit_amount-problem")).toHaveText(en.application.ambiguous("5", "5000"));
  await page.getByRole("button", { name: en.application.submit }).click();
  await expect(amount).toBeFocused();
  await amount.fill("5,000");
  await page.getByRole("button", { name: en.application.submit }).click();
  await settled(page);
  expect(JSON.parse(queryOf(page).get("a")!).credit_amount).toBe(5000);
});

test("ranges and values that are tried are read in the language of the page", async ({ page, german }) => {
  await openApplicant(page, german, 5, { lang: "de" });
  const amount = card(page, "Kreditbetrag");
  const high = amount.getByRole("spinbutton", { name: de.wishes.highOf("Kreditbetrag") });
  await high.fill("4.500");
  await high.press("Enter");
  await expect.poll(() => wishesOf(page)).toEqual({ features: { credit_amount: { range: [250, 4500] } } });
  await expect(high).toHaveValue("4500");
  await high.fill("4,500");
  await high.press("Enter");
  await expect(high).toHaveAttribute("aria-invalid", "true");
  await expect(amount).toContainText(de.application.ambiguous("4,5", "4500"));
  expect(wishesOf(page)).toEqual({ features: { credit_amount: { range: [250, 4500] } } });
  await page.getByRole("tab", { name: de.tabs.whatIf, exact: true }).click();
  const field = page.locator("#value-credit_amount");
  await field.fill("1.500");
  await expect.poll(() => JSON.parse(queryOf(page).get("try") ?? "{}")).toEqual({ credit_amount: 1500 });
  await page.getByLabel(de.language).selectOption("en");
  await expect(field).toHaveValue("1500");
});

test("arrow keys go up and down by a step, and what lies beyond the data is no wish that stays in the field", async ({ page, german }) => {
  await openApplicant(page, german);
  const low = card(page, DURATION).getByRole("spinbutton", { name: en.wishes.lowOf(DURATION) });
  await low.press("ArrowUp");
  await expect.poll(() => wishesOf(page)).toEqual({ features: { duration: { range: [5, 60] } } });
  await low.press("ArrowDown");
  await expect.poll(() => wishesOf(page)).toEqual({});
  await low.fill("-5");
  const requests = record(page);
  await low.press("Enter");
  await expect(low).toHaveValue("4");
  await expect(card(page, DURATION)).toContainText(en.wishes.beyond("4", "60"));
  expect(requests.asked("/explain")).toHaveLength(0);
});
