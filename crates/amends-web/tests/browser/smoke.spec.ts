import { expect, test } from "./server";

test("the page opens", async ({ page, german }) => {
  await page.goto(german.url);
  await expect(page).toHaveTitle(/amends/i);
});
