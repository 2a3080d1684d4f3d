// What can go wrong on the way: said in words, with a way on, and without losing what was there.

import type { Page, Route } from "@playwright/test";
import { card, cells, en, expectPlan, openApplicant, planTable, record } from "./helpers";
import { expect, serve, stop, test } from "./server";

const refusal = (status: number, headers: Record<string, string> = {}) => (route: Route) =>
  route.fulfill({ status, headers, json: { error: { code: "x", message: "in English", remedy: null, problems: [] } } });

const lock = (page: Page) => card(page, "Duration of the credit").getByLabel(en.wishes.lock);
const LOCKED = { features: { duration: { locked: true } } };

for (const [name, answer, words] of [
  ["the server is busy for a known time", refusal(429, { "Retry-After": "3" }), en.errors.busyFor("3")],
  ["the server is busy", refusal(429), en.errors.busy],
  ["the server is shutting down", refusal(503), en.errors.stopping],
  ["the server is out of reach", (route: Route) => route.abort("connectionrefused"), en.errors.offline],
  ["something went wrong on the server", refusal(500), en.errors.internal],
  ["the address is refused", refusal(403), en.errors.forbidden],
  ["the answer is cut off", (route: Route) => route.fulfill({ status: 200, contentType: "application/json", body: '{"accepted":' }), en.errors.offline],
] as [string, (route: Route) => Promise<void>, string][]) {
  test(`${name}: the page says so, keeps the earlier plan, and trying again leads to the new one`, async ({ page, german }) => {
    await openApplicant(page, german);
    const before = await cells(planTable(page));
    await page.route("**/api/v1/explain", answer);
    await lock(page).check();
    const alert = page.locator("#result").getByRole("alert");
    await expect(alert).toContainText(words);
    await expect(alert).toContainText(en.errors.heading);
    await expect(alert).not.toContainText("in English");
    expect(await cells(planTable(page))).toEqual(before);
    await expect(lock(page)).toBeChecked();
    await page.unroute("**/api/v1/explain");
    await alert.getByRole("button", { name: en.tryAgain }).click();
    await expectPlan(page, german, LOCKED);
    await expect(alert).toHaveCount(0);
  });
}

test("a wish that is refused is named at its feature, and asking the same again is not offered", async ({ page, german }) => {
  await openApplicant(page, german);
  const message = "the feature may not be locked";
  await page.route("**/api/v1/explain", (route) =>
    route.fulfill({ status: 422, json: { error: { code: "refused", message, remedy: null, problems: [{ feature: "duration", message, remedy: "leave it out" }] } } }),
  );
  await lock(page).check();
  await expect(page.locator("#result").getByRole("alert")).toContainText(`${message}: leave it out`);
  await expect(card(page, "Duration of the credit").getByRole("alert")).toContainText(message);
  await expect(page.locator("#result").getByRole("button", { name: en.tryAgain })).toHaveCount(0);
  await page.unroute("**/api/v1/explain");
  await lock(page).uncheck();
  await expectPlan(page, german, {});
  await expect(page.getByRole("alert")).toHaveCount(0);
});

for (const [name, path] of [["the schema", "schema"], ["the server's settings", "about"]] as const) {
  test(`${name} can't be had at the start: the page says so and tries again`, async ({ page, german }) => {
    await page.route(`**/api/v1/${path}`, (route) => route.abort());
    await page.goto(`${german.url}#/applicant/5`);
    await expect(page.getByRole("alert")).toContainText(en.errors.offline);
    await page.unroute(`**/api/v1/${path}`);
    await page.getByRole("button", { name: en.tryAgain }).click();
    await expectPlan(page, german, {});
  });
}

test("the list can't be had: the page says so and tries again", async ({ page, german }) => {
  await page.route("**/api/v1/applicants?*", refusal(429, { "Retry-After": "5" }));
  await page.goto(german.url);
  await expect(page.getByRole("alert")).toContainText(en.errors.busyFor("5"));
  await page.unroute("**/api/v1/applicants?*");
  await page.getByRole("button", { name: en.tryAgain }).click();
  await expect(page.locator(".rows tbody tr")).toHaveCount(20);
});

test("the row can't be had: the page says so and tries again", async ({ page, german }) => {
  await page.route("**/api/v1/applicants/5", (route) => route.abort());
  await page.goto(`${german.url}#/applicant/5`);
  await expect(page.getByRole("alert")).toContainText(en.errors.offline);
  await page.unroute("**/api/v1/applicants/5");
  await page.getByRole("button", { name: en.tryAgain }).click();
  await expectPlan(page, german, {});
});

test("a server that stops while the page is open is missed, and found again when it is back", async ({ page }) => {
  const running = await serve();
  const port = new URL(running.url).port;
  await openApplicant(page, running);
  await stop(running);
  await lock(page).check();
  const alert = page.locator("#result").getByRole("alert");
  await expect(alert).toContainText(en.errors.offline);
  const again = await serve("--port", port);
  try {
    await alert.getByRole("button", { name: en.tryAgain }).click();
    await expectPlan(page, again, LOCKED);
  } finally {
    await stop(again);
  }
});

test("reasons that could not be had are asked for again with the next wish", async ({ page, german }) => {
  let refused = 0;
  await page.route("**/api/v1/explain", (route) => {
    if (!route.request().postDataJSON().reasons) return route.continue();
    refused += 1;
    return refusal(429)(route);
  });
  await page.goto(`${german.url}#/applicant/5?wishes=${encodeURIComponent(JSON.stringify(LOCKED))}`);
  await expectPlan(page, german, LOCKED);
  await expect.poll(() => refused).toBe(1);
  await expect(page.locator("#reasons")).toHaveCount(0);
  await page.unroute("**/api/v1/explain");
  const requests = record(page);
  await page.getByLabel(en.wishes.maxChanges).selectOption("3");
  await expect(page.locator("ol.reasons > li")).not.toHaveCount(0);
  expect(requests.asked("/explain").filter(({ body }) => body.reasons)).toHaveLength(1);
});
