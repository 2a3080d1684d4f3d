// The address holds what is shown, and nothing of it reaches the server but what is asked.

import type { Page } from "@playwright/test";
import { address, card, cells, de, en, expectPlan, features, openApplicant, planTable, queryOf, record, settled, tab, wishesOf } from "./helpers";
import { api, expect, test } from "./server";

const DURATION = "Duration of the credit";

/** What a reload has to bring back. */
async function view(page: Page): Promise<unknown> {
  return {
    plan: await cells(planTable(page)),
    beside: await cells(page.locator(".compare table")),
    wishes: await page.locator(".wish-list strong").allTextContents(),
    heading: await page.getByRole("heading", { level: 1 }).textContent(),
    tab: await page.locator("[role=tab][aria-selected=true]").textContent(),
  };
}

test("a reload, and the same address in another tab, show the same", async ({ page, german, context }) => {
  await openApplicant(page, german, 11);
  await card(page, DURATION).getByRole("slider", { name: en.wishes.effort }).press("ArrowRight");
  await settled(page);
  await page.locator("#result").getByRole("button", { name: en.plan.keep }).click();
  await page.getByLabel(en.wishes.maxChanges).selectOption("3");
  await settled(page);
  await page.getByLabel(en.plan.number).selectOption("2");
  await settled(page);
  await page.getByRole("group", { name: en.plan.tabs }).getByText(en.plan.one(2), { exact: true }).click();
  await expect.poll(() => queryOf(page).get("plan")).toBe("2");
  const before = await view(page);
  await page.reload();
  await settled(page);
  expect(await view(page)).toEqual(before);
  const other = await context.newPage();
  await other.goto(page.url());
  await settled(other);
  expect(await view(other)).toEqual(before);
});

test("back and forward go through the wishes, one control at a time", async ({ page, german }) => {
  await openApplicant(page, german);
  const steps: Record<string, unknown>[] = [{}];
  await card(page, DURATION).getByLabel(en.wishes.lock).check();
  steps.push({ features: { duration: { locked: true } } });
  await expectPlan(page, german, steps[1]!);
  await page.getByLabel(en.wishes.maxChanges).selectOption("3");
  steps.push({ ...steps[1], max_changes: 3 });
  await expectPlan(page, german, steps[2]!);
  await card(page, "Telephone").getByLabel(en.wishes.lock).check();
  steps.push({ features: { duration: { locked: true }, telephone: { locked: true } }, max_changes: 3 });
  await expectPlan(page, german, steps[3]!);
  for (const step of [2, 1, 0]) {
    await page.goBack();
    await expect.poll(() => wishesOf(page)).toEqual(steps[step]);
    await expectPlan(page, german, steps[step]!);
  }
  await expect(card(page, DURATION).getByLabel(en.wishes.lock)).not.toBeChecked();
  for (const step of [1, 2, 3]) {
    await page.goForward();
    await expect.poll(() => wishesOf(page)).toEqual(steps[step]);
    await expectPlan(page, german, steps[step]!);
  }
  await expect(card(page, DURATION).getByLabel(en.wishes.lock)).toBeChecked();
});

test("a slider that goes through several steps is one step of the back button", async ({ page, german }) => {
  await openApplicant(page, german);
  const effort = card(page, DURATION).getByRole("slider", { name: en.wishes.effort });
  await effort.focus();
  for (const key of ["ArrowLeft", "ArrowLeft", "ArrowRight"]) await page.keyboard.press(key);
  await expectPlan(page, german, { features: { duration: { effort: 0.5 } } });
  await page.goBack();
  await expectPlan(page, german, {});
});

test("back leads from an applicant to the list, page and choice as they were", async ({ page, german }) => {
  await page.goto(address(german, "", { decision: "accepted", page: "3" }));
  const rows = page.locator(".rows tbody tr");
  await expect(rows).toHaveCount(20);
  const before = await cells(page.locator(".rows"));
  await rows.nth(4).getByRole("link").click();
  await settled(page);
  await page.goBack();
  await expect.poll(() => cells(page.locator(".rows"))).toEqual(before);
});

test("no address that is requested holds anything of the application, and no other host is asked", async ({ page, german }) => {
  const requests = record(page);
  const { application } = await api(german, "applicants/5");
  await page.goto(address(german, "application", { a: { ...application, age: 52, credit_amount: 4871 } }));
  await settled(page);
  await card(page, DURATION).getByLabel(en.wishes.lock).check();
  await settled(page);
  for (const name of ["whatIf", "tradeoff", "documents"] as const) {
    await tab(page, name).click();
    await page.waitForLoadState("networkidle");
  }
  await page.getByRole("link", { name: en.application.edit }).click();
  await page.getByRole("button", { name: en.application.submit }).click();
  await settled(page);
  await page.reload();
  await settled(page);
  await page.waitForLoadState("networkidle");
  const values = [...Object.values(application), 4871].map(String).filter((value) => value.length > 3 && value !== "none");
  const names = Object.keys(await features(german));
  expect(requests.all.length).toBeGreaterThan(10);
  for (const request of requests.all) {
    const url = new URL(request.url());
    if (url.protocol === "blob:") continue;
    expect(url.origin).toBe(new URL(german.url).origin);
    // Playwright shows the fragment of a page's address, which browsers don't send.
    const sent = decodeURIComponent(url.pathname + url.search);
    for (const text of [...values, ...names]) expect(sent).not.toContain(text);
    expect(url.search).toBe("");
    expect((await request.allHeaders())["referer"] ?? "").not.toContain("#");
  }
});

test("an edited address breaks nothing", async ({ page, german }) => {
  const errors: Error[] = [];
  page.on("pageerror", (error) => errors.push(error));
  for (const query of ["wishes={", "wishes=[1]", "wishes={%22features%22:{%22duration%22:7}}", "plans=99&plan=-3", "plan=7", "tab=nothing&step=x", "keep=[{}]", "keep=[{%22changes%22:{},%22cost%22:1}]", "lang=xx", "try={", "point=9&tab=tradeoff", "mode=guided&step=99"]) {
    await page.goto(`${german.url}#/applicant/5?${query}`);
    await page.reload();
    await settled(page);
    await expect(planTable(page), query).toBeVisible();
  }
  await page.goto(`${german.url}#/application?a={%22x%22:1}`);
  await expect(page.getByRole("alert").first()).toBeVisible();
  await page.goto(`${german.url}#/application?a=nonsense`);
  await expect(page.getByRole("alert").first()).toContainText(en.application.broken);
  await page.goto(`${german.url}#/applicant/abc`);
  await expect(page.getByRole("alert").first()).toBeVisible();
  await page.goto(`${german.url}#/nowhere`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(en.errors.notFound);
  await page.getByRole("link", { name: en.errors.home }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(en.applications.heading);
  expect(errors).toEqual([]);
});

test("a wish in the address that the schema does not allow is explained without asking the server, and can be dropped", async ({ page, german }) => {
  const wishes = { features: { age: { range: [20, 30] }, telephone: { locked: true } } };
  const requests = record(page);
  await page.goto(address(german, "applicant/5", { wishes }));
  await expect(page.locator("#result").getByRole("alert")).toContainText(en.wishes.refusals.fixed("Age"));
  await expect(page.locator("#decision")).toBeVisible();
  await expect(card(page, DURATION)).toBeVisible();
  await page.waitForLoadState("networkidle");
  expect(requests.asked("/explain").filter(({ body }) => body.wishes?.features)).toEqual([]);
  await page.getByRole("button", { name: en.wishes.dropWish(en.wishes.sayRange("Age", "20", "30 years")) }).click();
  await expectPlan(page, german, { features: { telephone: { locked: true } } });
});

test("a range whose ends cross keeps decision and cards in sight, in German words at its card", async ({ page, german }) => {
  await page.goto(address(german, "applicant/5", { lang: "de", wishes: { features: { duration: { range: [40, 10] } } } }));
  const term = "Laufzeit des Kredits";
  const text = de.wishes.refusals.crossed(term, "40", "10");
  await expect(page.locator("#result").getByRole("alert")).toContainText(text);
  await expect(card(page, term).getByRole("alert")).toContainText(text);
  await expect(page.locator("#decision")).toBeVisible();
  // With a plan of earlier wishes in sight, it says whose it is.
  await openApplicant(page, german, 5, { lang: "de" });
  await page.evaluate(() => (location.hash = '#/applicant/5?lang=de&wishes={"features":{"duration":{"range":[40,10]}}}'));
  await expect(page.locator("#result").getByRole("alert")).toContainText(de.solving.earlier);
  await expect(page.locator("#result")).toHaveClass(/stale/);
});

test("what can't be read of the wishes in an address is named", async ({ page, german }) => {
  for (const [wishes, names] of [["{", ["wishes"]], ['{"max_changes":"two","features":{"duration":7,"telephone":{"locked":true}}}', ["max_changes", "duration"]]] as const) {
    await page.goto(address(german, "applicant/5", { wishes }));
    await page.reload();
    await settled(page);
    await expect(page.locator("main > .notice")).toHaveText(en.wishes.dropped(names.map(en.quoted).join(", ")));
  }
});
