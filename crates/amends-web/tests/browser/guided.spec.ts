// The guided mode: four questions that lead to the same wishes as the cards.

import type { Page } from "@playwright/test";
import { card, en, expectPlan, features, openApplicant, settled, wishesOf } from "./helpers";
import { api, expect, test } from "./server";

const panel = (page: Page) => page.locator(".guided");
const next = (page: Page) => panel(page).getByRole("button", { name: en.next }).click();
const mode = (page: Page, name: string) => page.getByRole("group", { name: en.wishes.mode }).getByText(name, { exact: true }).click();

test("the questions fill in the same wishes as the cards, and end at the plan", async ({ page, german }) => {
  await openApplicant(page, german);
  await mode(page, en.wishes.guided);
  const question = page.locator("#guided-question");
  await expect(question).toHaveText(en.guided.which);
  await expect(panel(page)).toContainText(en.guided.step(1, 4));
  await panel(page).getByLabel("Telephone").uncheck();
  await expect.poll(() => wishesOf(page)).toEqual({ features: { telephone: { locked: true } } });

  await next(page);
  await expect(question).toHaveText(en.guided.hard);
  await expect(question).toBeFocused();
  await expect(panel(page).getByRole("slider", { name: /Telephone/ })).toHaveCount(0);
  await panel(page).getByRole("slider", { name: "Duration of the credit" }).press("End");

  await next(page);
  await expect(question).toHaveText(en.guided.limits);
  const high = panel(page).getByRole("spinbutton", { name: en.wishes.highOf("Credit amount") });
  await high.fill("4500");
  await high.press("Enter");
  await panel(page).getByLabel("500 to 1000 DM").uncheck();

  await next(page);
  await expect(question).toHaveText(en.guided.many);
  await panel(page).getByLabel(en.wishes.maxChanges).selectOption("3");
  const { moves } = (await features(german)).savings;
  const { application } = await api(german, "applicants/5");
  const levels = moves.find((move: any) => move.from === application.savings).to.filter((level: string) => level !== "500 to 1000 DM");
  await expectPlan(page, german, {
    max_changes: 3,
    features: { telephone: { locked: true }, duration: { effort: 4 }, credit_amount: { range: [250, 4500] }, savings: { levels } },
  });
  await panel(page).getByRole("button", { name: en.guided.done }).click();
  await expect(page.locator("#result")).toBeFocused();

  // The cards show the same wishes.
  await mode(page, en.wishes.free);
  await expect(card(page, "Telephone").getByLabel(en.wishes.lock)).toBeChecked();
  await expect(card(page, "Duration of the credit").getByRole("slider", { name: en.wishes.effort })).toHaveAttribute("aria-valuetext", en.wishes.efforts[4]!);
  await expect(card(page, "Credit amount").getByRole("spinbutton", { name: en.wishes.highOf("Credit amount") })).toHaveValue("4500");
});

test("the first question has every feature that may change from its present value, and no other", async ({ page, german }) => {
  await openApplicant(page, german);
  const cards = page.locator("article.feature:has(.controls)");
  const titles = await cards.getByRole("heading", { level: 3 }).allTextContents();
  const { application } = await api(german, "applicants/5");
  const known = Object.values(await features(german));
  const changeable = known.filter((one) => one.change !== "immutable" && (one.number || !one.moves.length || one.moves.some((move: any) => move.from === application[one.name])));
  expect(titles).toEqual(changeable.map(({ title }) => title));
  await mode(page, en.wishes.guided);
  await expect(panel(page).getByRole("checkbox")).toHaveCount(titles.length);
  const labels = await panel(page).locator("label").allTextContents();
  for (const [index, title] of titles.entries()) expect(labels[index]).toContain(title);
});

test("back leads to the question before, by button and by the browser", async ({ page, german }) => {
  await openApplicant(page, german);
  await mode(page, en.wishes.guided);
  await next(page);
  await next(page);
  const question = page.locator("#guided-question");
  await expect(question).toHaveText(en.guided.limits);
  await panel(page).getByRole("button", { name: en.back }).click();
  await expect(question).toHaveText(en.guided.hard);
  await expect(question).toBeFocused();
  await page.goBack();
  await expect(question).toHaveText(en.guided.limits);
  await page.reload();
  await settled(page);
  await expect(question).toHaveText(en.guided.limits);
});

test("where nothing may change, the guide says so and the page has no plan", async ({ page, german }) => {
  await openApplicant(page, german);
  await mode(page, en.wishes.guided);
  const boxes = panel(page).getByRole("checkbox");
  for (let index = 0; index < (await boxes.count()); index += 1) await boxes.nth(index).uncheck();
  await next(page);
  await expect(panel(page)).toContainText(en.guided.none);
  await expect(page.locator("#plan-heading")).toHaveText(en.none.heading);
});
