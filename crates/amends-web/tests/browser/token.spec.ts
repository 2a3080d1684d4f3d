// A server with a token: the page takes it from the fragment of its address, or asks for it.

import { en, expectPlan, record, settled } from "./helpers";
import { expect, serveWithToken, stop, test as base, type Running } from "./server";

const TOKEN = "a-token-of-the-tests-with-41-letters-in-it";

const test = base.extend<{}, { guarded: Running }>({
  guarded: [
    async ({}, use) => {
      const running = await serveWithToken(TOKEN);
      await use(running);
      await stop(running);
    },
    { scope: "worker" },
  ],
});

test("the token of the address is taken, used for every question, and removed from the address", async ({ page, guarded }) => {
  const requests = record(page);
  await page.goto(`${guarded.url}#token=${TOKEN}`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(en.applications.heading);
  expect(page.url()).not.toContain(TOKEN);
  await page.goto(`${guarded.url}#/applicant/5`);
  await expectPlan(page, guarded, {});
  const asked = requests.all.filter((request) => request.url().includes("/api/"));
  expect(asked.length).toBeGreaterThan(3);
  for (const request of asked) {
    expect((await request.allHeaders())["authorization"]).toBe(`Bearer ${TOKEN}`);
    expect(request.url()).not.toContain(TOKEN);
  }
  // It lives as long as the tab, and is kept nowhere else.
  await page.reload();
  await settled(page);
  expect(await page.evaluate(() => JSON.stringify(localStorage) + document.cookie)).not.toContain(TOKEN);
});

test("a token and a view in one address lead to that view", async ({ page, guarded }) => {
  await page.goto(`${guarded.url}#token=${TOKEN}&/applicant/5`);
  await settled(page);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(en.application.ofRow("5"));
  expect(page.url()).toBe(`${guarded.url}#/applicant/5`);
});

test("a token with signs of base64 leaves nothing of itself in the address", async ({ page }) => {
  const token = "ab/cd+ef/gh=ij+kl/mn=op+qr/st=uv==";
  const running = await serveWithToken(token);
  try {
    for (const written of [token, encodeURIComponent(token)]) {
      await page.goto("about:blank");
      await page.goto(`${running.url}#token=${written}`);
      await expect(page.getByRole("heading", { level: 1 })).toHaveText(en.applications.heading);
      expect(page.url()).toBe(running.url);
    }
  } finally {
    await stop(running);
  }
});

test("without the token the page asks for it, refuses a wrong one, and goes on with the right one", async ({ page, guarded }) => {
  await page.goto(`${guarded.url}#/applicant/5`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(en.errors.token);
  const field = page.getByLabel(en.errors.tokenLabel);
  await expect(field).toHaveAttribute("type", "password");
  await field.fill("a-wrong-token");
  await page.getByRole("button", { name: en.errors.tokenSend }).click();
  await expect(page.getByRole("alert")).toHaveText(en.errors.tokenWrong);
  await field.fill(TOKEN);
  await field.press("Enter");
  await settled(page);
  await expectPlan(page, guarded, {});
  await expect(page.getByRole("alert")).toHaveCount(0);
});

test("another tab does not know the token", async ({ page, guarded, context }) => {
  await page.goto(`${guarded.url}#token=${TOKEN}`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(en.applications.heading);
  const other = await context.newPage();
  await other.goto(guarded.url);
  await expect(other.getByRole("heading", { level: 1 })).toHaveText(en.errors.token);
});
