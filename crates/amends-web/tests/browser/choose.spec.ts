// Choosing an application from the table, or typing one.

import { address, cells, de, en, features, number, planTable, record, settled } from "./helpers";
import { api, expect, test } from "./server";

const ROWS = ".rows";

/** What the list must show for a page of applicants. */
const expected = (applicants: any[]): string[][] =>
  applicants.map(({ row, accepted, probability }) => [number(row), accepted ? en.decision.accepted : en.decision.rejected, expect.stringMatching(new RegExp(`^${number(probability * 100, 1).replace(".", "\\.")}`))] as string[]);

test("the list of rejected applicants shows what the API answers, page by page", async ({ page, german }) => {
  await page.goto(german.url);
  const first = await api(german, "applicants?decision=rejected&offset=0&limit=20");
  await expect(page.locator(`${ROWS} tbody tr`)).toHaveCount(20);
  expect(await cells(page.locator(ROWS))).toEqual(expected(first.applicants));
  await expect(page.getByText(en.applications.range("1", "20", number(first.total)))).toBeVisible();

  await page.getByRole("button", { name: en.applications.next }).click();
  await expect(page.getByText(en.applications.page("2", number(Math.ceil(first.total / 20))))).toBeVisible();
  const second = await api(german, "applicants?decision=rejected&offset=20&limit=20");
  await expect.poll(() => cells(page.locator(ROWS))).toEqual(expected(second.applicants));

  await page.getByRole("button", { name: en.applications.previous }).click();
  await expect.poll(() => cells(page.locator(ROWS))).toEqual(expected(first.applicants));
  await expect(page.getByRole("button", { name: en.applications.previous })).toBeDisabled();
});

test("accepted applicants and all of them can be listed, and the last page ends where the table does", async ({ page, german }) => {
  await page.goto(german.url);
  for (const [name, decision] of [[en.applications.accepted, "accepted"], [en.applications.all, "all"]] as const) {
    await page.getByRole("group", { name: en.applications.show }).getByText(name, { exact: true }).click();
    const { total, applicants } = await api(german, `applicants?decision=${decision}&offset=0&limit=20`);
    await expect.poll(() => cells(page.locator(ROWS))).toEqual(expected(applicants));
    await expect(page.getByText(en.applications.range("1", "20", number(total)))).toBeVisible();
  }
  const { total } = await api(german, "applicants?decision=all&limit=1");
  const last = Math.ceil(total / 20);
  await page.goto(address(german, "", { decision: "all", page: String(last + 7) }));
  await expect(page.getByText(en.applications.page(number(last), number(last)))).toBeVisible();
  await expect(page.getByRole("button", { name: en.applications.next })).toBeDisabled();
});

test("a row of the list opens its application", async ({ page, german }) => {
  await page.goto(german.url);
  const { applicants } = await api(german, "applicants?decision=rejected&limit=20");
  const { row } = applicants[3];
  await page.getByRole("link", { name: en.applications.openRow(number(row)), exact: true }).click();
  await settled(page);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(en.application.ofRow(number(row)));
  expect(new URL(page.url()).hash).toBe(`#/applicant/${row}`);
});

test("a row number opens its application; what is no row number is refused, and a row that is not there is named so", async ({ page, german }) => {
  await page.goto(german.url);
  const field = page.getByLabel(en.applications.goTo);
  for (const wrong of ["", "x", "0", "-3", "1.5"]) {
    await field.fill(wrong);
    await field.press("Enter");
    await expect(page.getByRole("alert")).toHaveText(en.applications.noRow);
    await expect(field).toHaveAttribute("aria-invalid", "true");
  }
  await field.fill("12");
  await page.getByRole("button", { name: en.applications.open, exact: true }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(en.application.ofRow("12"));

  await page.goto(address(german, "applicant/100000"));
  await expect(page.getByRole("alert")).toHaveText(en.application.notFound);
  await page.getByRole("link", { name: en.application.choose }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(en.applications.heading);
});

test("a typed application is checked at its fields, and then decided on as the API does", async ({ page, german }) => {
  const known = Object.values(await features(german));
  const { application } = await api(german, "applicants/10");
  await page.goto(german.url);
  await page.getByRole("link", { name: en.nav.create }).first().click();
  const submit = page.getByRole("button", { name: en.application.submit });
  await submit.click();
  await expect(page.getByRole("alert")).toHaveText(en.application.problems(known.length));
  await expect(page.locator(".problem")).toHaveCount(known.length);
  await expect(page.locator(`#value-${known[0].name}`)).toBeFocused();

  for (const { name, kind } of known) {
    const field = page.locator(`#value-${name}`);
    if (kind === "integer" || kind === "continuous") await field.fill(String(application[name]));
    else await field.selectOption(application[name]);
  }
  await expect(page.locator(".problem")).toHaveCount(0);

  const duration = page.locator("#value-duration");
  await duration.fill("12.5");
  await submit.click();
  await expect(duration).toBeFocused();
  await expect(page.locator("#value-duration-problem")).toHaveText(en.application.notWhole);
  await expect(duration).toHaveAttribute("aria-invalid", "true");
  await expect(duration).toHaveAttribute("aria-describedby", /value-duration-problem/);
  await duration.fill("300");
  await expect(page.locator("#value-duration-warning")).toHaveText(en.application.outside("4", "60"));
  await duration.fill(String(application.duration));

  await submit.click();
  await settled(page);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(en.application.own);
  const answer = await api(german, "explain", { application, wishes: {}, plans: 3 });
  expect(answer.plans.length).toBeGreaterThan(0);
  expect((await cells(planTable(page))).map((row) => row[0])).toEqual(answer.plans[0].changes.map((change: any) => change.title));
});

test("on a German page, what the server says against a field is behind a German sentence", async ({ page, german }) => {
  await page.goto(address(german, "new", { lang: "de", from: "10" }));
  await expect(page.locator("#value-duration")).not.toHaveValue("");
  const message = "this value is refused by the server";
  await page.route("**/api/v1/score", (route) =>
    route.fulfill({ status: 422, json: { error: { code: "unprocessable", message: "x", remedy: null, problems: [{ feature: "age", message, remedy: null }] } } }),
  );
  await page.getByRole("button", { name: de.application.submit }).click();
  await expect(page.locator("#value-age-problem")).toHaveText(de.application.refusedValue);
  await expect(page.getByText(message)).toBeHidden();
  await page.getByText(de.errors.details).click();
  await expect(page.getByText(message)).toBeVisible();
});

test("what the server says against a field is shown at that field", async ({ page, german }) => {
  await page.goto(address(german, "new", { from: "10" }));
  await expect(page.locator("#value-duration")).not.toHaveValue("");
  const message = "this value is refused by the server";
  await page.route("**/api/v1/score", (route) =>
    route.fulfill({ status: 422, json: { error: { code: "unprocessable", message: "x", remedy: null, problems: [{ feature: "age", message, remedy: "give another" }] } } }),
  );
  await page.getByRole("button", { name: en.application.submit }).click();
  await expect(page.locator("#value-age-problem")).toHaveText(`${message}: give another`);
  await expect(page.locator("#value-age")).toBeFocused();
  await page.unroute("**/api/v1/score");
  await page.locator("#value-age").fill("40");
  await page.getByRole("button", { name: en.application.submit }).click();
  await settled(page);
});

test("editing starts from the application that is shown", async ({ page, german }) => {
  const { application } = await api(german, "applicants/5");
  await page.goto(address(german, "applicant/5"));
  await settled(page);
  await page.getByRole("link", { name: en.application.edit }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(en.application.editHeading);
  for (const [name, value] of Object.entries(application)) await expect(page.locator(`#value-${name}`)).toHaveValue(String(value));
  await page.locator("#value-duration").fill("36");
  await page.getByRole("button", { name: en.application.submit }).click();
  await settled(page);
  const hash = new URL(page.url()).hash;
  expect(JSON.parse(new URLSearchParams(hash.split("?")[1]).get("a") ?? "")).toEqual({ ...application, duration: 36 });
});

test("the start view and a plan take few requests, each of them once", async ({ page, german }) => {
  const requests = record(page);
  await page.goto(german.url);
  await expect(page.locator(`${ROWS} tbody tr`)).toHaveCount(20);
  await page.waitForLoadState("networkidle");
  // The browser may ask for the icon twice: as the picture of the tab and of the header.
  const paths = (): string[] => requests.all.map((request) => new URL(request.url()).pathname).filter((path) => path !== "/icon.svg").sort();
  expect(paths()).toEqual(["/", "/api/v1/about", "/api/v1/applicants", "/api/v1/schema", "/app.css", "/app.js"]);
  requests.all.length = 0;
  await page.getByRole("link", { name: en.applications.openRow("5"), exact: true }).click();
  await settled(page);
  await page.waitForLoadState("networkidle");
  expect(paths()).toEqual(["/api/v1/applicants/5", "/api/v1/explain"]);
});
