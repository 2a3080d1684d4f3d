// Tables with names that no schema of ours has: long ones without a break, and those that every object of JavaScript has.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { address, en, settled, wishesOf } from "./helpers";
import { api, expect, serve, stop, test as base, type Running } from "./server";

const LONG = "a_name_of_a_column_that_has_no_break_at_all_in_56_signs_";
const LEVEL = "with-family-and-all-that-belongs-to-it-".repeat(3);

/** The example of loans with other names. */
const test = base.extend<{}, { odd: Running }>({
  odd: [
    async ({}, use) => {
      const folder = mkdtempSync(join(tmpdir(), "amends-"));
      const example = (name: string): string => readFileSync(join(process.env.AMENDS_REPOSITORY!, "docs/examples", name), "utf8");
      const data = example("loans.csv").replaceAll("with family", LEVEL).replace("years_employed,amount,savings", `__proto__,${LONG},constructor`);
      const schema = example("loans.toml")
        .replaceAll("with family", LEVEL)
        .replace('name = "years_employed"', 'name = "__proto__"')
        .replace('name = "amount"\nkind = "integer"\nstep = 100\nlabel = "Amount asked for"', `name = "${LONG}"\nkind = "integer"`)
        .replace('name = "savings"', 'name = "constructor"');
      writeFileSync(join(folder, "odd.csv"), data);
      writeFileSync(join(folder, "odd.toml"), schema);
      const running = await serve("--data", join(folder, "odd.csv"), "--schema", join(folder, "odd.toml"));
      await use(running);
      await stop(running);
      rmSync(folder, { recursive: true });
    },
    { scope: "worker" },
  ],
});

test("long names fit a screen of 360 pixels", async ({ page, odd }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const { applicants } = await api(odd, "applicants?decision=rejected&limit=1");
  const path = `applicant/${applicants[0].row}`;
  for (const [view, query] of [[path, {}], [path, { mode: "guided", step: "3" }], [path, { tab: "whatIf" }], [path, { tab: "documents" }], ["new", {}], ["audits", {}]] as const) {
    await page.goto("about:blank");
    await page.goto(address(odd, view, query));
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await page.waitForLoadState("networkidle");
    for (const summary of await page.locator("summary").all()) await summary.click();
    expect(await page.evaluate(() => document.documentElement.scrollWidth), `${view} ${JSON.stringify(query)}`).toBeLessThanOrEqual(360);
  }
});

test("buttons beside each other do not touch on a phone", async ({ page, odd }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const { applicants } = await api(odd, "applicants?decision=rejected&limit=1");
  await page.goto(address(odd, `applicant/${applicants[0].row}`));
  await settled(page);
  const boxes = await page.locator("main nav .button").evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON()));
  expect(boxes).toHaveLength(2);
  const [one, other] = boxes;
  expect(Math.max(other.left - one.right, other.top - one.bottom)).toBeGreaterThanOrEqual(6);
});

test("columns may have the names of what every object has", async ({ page, odd }) => {
  const errors: Error[] = [];
  page.on("pageerror", (error) => errors.push(error));
  const { applicants } = await api(odd, "applicants?decision=rejected");
  const all = await Promise.all(applicants.map(({ row }: any) => api(odd, `applicants/${row}`)));
  // From the highest level there is nothing to wish for.
  const { row, application } = all.find((one) => one.application["constructor"] === "none");
  await page.goto(address(odd, `applicant/${row}`));
  await settled(page);
  for (const name of ["__proto__", "constructor"]) {
    const lock = page.locator(`article[aria-labelledby="feature-${name}"]`).getByLabel(en.wishes.lock);
    await lock.check();
    await settled(page);
    await expect(lock).toBeChecked();
    expect(Object.keys(wishesOf(page).features)).toContain(name);
    await page.reload();
    await settled(page);
    await expect(lock).toBeChecked();
  }
  expect(await page.evaluate(() => Object.keys(Object.prototype).length + Number(({} as any).locked === true))).toBe(0);
  await page.getByRole("link", { name: en.application.edit }).click();
  for (const name of ["__proto__", "constructor"]) await expect(page.locator(`[id="value-${name}"]`)).toHaveValue(String(Object.entries(application).find(([key]) => key === name)![1]));
  await page.getByRole("button", { name: en.application.submit }).click();
  await expect(page.locator("#decision")).toBeVisible();
  expect(errors).toEqual([]);
});
