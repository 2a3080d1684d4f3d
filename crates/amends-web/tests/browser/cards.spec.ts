// The cards: each control is a wish, and the plan under it follows with exactly one question.

import type { Page } from "@playwright/test";
import { card, cells, en, expectPlan, explain, features, openApplicant, planTable, record, settled, shown, wishesOf, type Wishes } from "./helpers";
import { api, expect, test, type Running } from "./server";

/** Does something, after which the page must have asked exactly once, with these wishes, and show the answer. */
async function wishing(page: Page, running: Running, wishes: Wishes, act: () => Promise<void>, row = 5): Promise<any> {
  const requests = record(page);
  await act();
  await expect.poll(() => wishesOf(page)).toEqual(wishes);
  const answer = await expectPlan(page, running, wishes, row);
  await page.waitForLoadState("networkidle");
  expect(requests.asked("/explain").map(({ body }) => body.wishes)).toEqual([wishes]);
  return answer;
}

test("keeping a feature takes it out of the plan, and letting it go brings the plan back", async ({ page, german }) => {
  await openApplicant(page, german);
  const lock = card(page, "Duration of the credit").getByLabel(en.wishes.lock);
  const { plans } = await wishing(page, german, { features: { duration: { locked: true } } }, () => lock.check());
  expect(plans[0].changes.map((change: any) => change.feature)).not.toContain("duration");
  await expect(card(page, "Duration of the credit").getByRole("slider")).toHaveCount(0);
  const requests = record(page);
  await lock.uncheck();
  await expectPlan(page, german, {});
  expect(requests.asked("/explain")).toHaveLength(1);
});

test("a range holds by its fields", async ({ page, german }) => {
  await openApplicant(page, german);
  const duration = card(page, "Duration of the credit");
  const low = duration.getByRole("spinbutton", { name: en.wishes.lowOf("Duration of the credit") });
  const high = duration.getByRole("spinbutton", { name: en.wishes.highOf("Duration of the credit") });
  const answer = await wishing(page, german, { features: { duration: { range: [12, 60] } } }, async () => {
    await low.fill("12");
    await low.press("Enter");
  });
  const after = answer.plans[0].changes.find((change: any) => change.feature === "duration")?.after;
  expect(after === undefined || after >= 12).toBe(true);
  await wishing(page, german, { features: { duration: { range: [12, 20] } } }, async () => {
    await high.fill("20");
    await high.press("Tab");
  });
  // Ends that cross: the one that was moved wins.
  await wishing(page, german, { features: { duration: { range: [22, 22] } } }, async () => {
    await low.fill("22");
    await low.press("Enter");
  });
  await expect(high).toHaveValue("22");
  // Beyond what the data has, the field goes back to the bound.
  await low.fill("-5");
  await low.press("Enter");
  await expect(low).toHaveValue("4");
  expect(wishesOf(page)).toEqual({ features: { duration: { range: [4, 22] } } });
});

test("dragging a slider asks once, when it is released", async ({ page, german }) => {
  await openApplicant(page, german);
  const name = en.wishes.highOf("Credit amount");
  const slider = card(page, "Credit amount").getByRole("slider", { name });
  await slider.scrollIntoViewIfNeeded();
  const box = (await slider.boundingBox())!;
  const requests = record(page);
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + box.width - 8, y);
  await page.mouse.down();
  for (const share of [0.8, 0.6, 0.4, 0.3]) await page.mouse.move(box.x + box.width * share, y, { steps: 4 });
  const dragged = Number(await slider.inputValue());
  expect(dragged).toBeLessThan(9000);
  await expect(card(page, "Credit amount").getByRole("spinbutton", { name })).toHaveValue(String(dragged));
  expect(requests.asked("/explain")).toHaveLength(0);
  expect(wishesOf(page)).toEqual({});
  await page.mouse.up();
  const range = [250, dragged];
  await expect.poll(() => wishesOf(page)).toEqual({ features: { credit_amount: { range } } });
  await settled(page);
  await page.waitForLoadState("networkidle");
  expect(requests.asked("/explain").map(({ body }) => body.wishes)).toEqual([{ features: { credit_amount: { range } } }]);
  await expectPlan(page, german, { features: { credit_amount: { range } } });
});

test("a direction is kept, and where the lender gives one there is nothing to choose", async ({ page, german }) => {
  await openApplicant(page, german);
  const direction = card(page, "Duration of the credit").getByLabel(en.wishes.direction);
  await wishing(page, german, { features: { duration: { change: "increase" } } }, async () => void (await direction.selectOption("increase")));
  await wishing(page, german, { features: { duration: { change: "decrease" } } }, async () => void (await direction.selectOption("decrease")));
  await wishing(page, german, {}, async () => void (await direction.selectOption("")));
  await expect(card(page, "Credit amount")).toContainText(en.wishes.lenderDown);
  await expect(card(page, "Credit amount").getByLabel(en.wishes.direction)).toHaveCount(0);
});

test("levels are those that the schema allows from the present one, and the plan keeps to what is left of them", async ({ page, german }) => {
  await openApplicant(page, german, 15);
  const known = await features(german);
  const { application } = await api(german, "applicants/15");
  const savings = card(page, known.savings.title);
  const allowed: string[] = known.savings.moves.find((move: any) => move.from === application.savings).to;
  await expect(savings.getByRole("group").getByRole("checkbox")).toHaveCount(allowed.length);
  const [{ changes }] = (await explain(german, {}, 15)).plans;
  const planned = changes.find((change: any) => change.feature === "savings").after;
  const rest = allowed.filter((value: string) => value !== planned);
  await wishing(page, german, { features: { savings: { levels: rest } } }, () => savings.getByLabel(shown(known.savings, planned), { exact: true }).uncheck(), 15);
  // All of them is no wish, and none of them means to keep it.
  await wishing(page, german, {}, () => savings.getByLabel(shown(known.savings, planned), { exact: true }).check(), 15);
  for (const level of allowed) await savings.getByLabel(shown(known.savings, level), { exact: true }).click();
  await expect.poll(() => wishesOf(page)).toEqual({ features: { savings: { locked: true } } });
  await expect(savings.getByLabel(en.wishes.lock)).toBeChecked();
});

test("the five steps of effort are the API's factors", async ({ page, german }) => {
  await openApplicant(page, german);
  const effort = card(page, "Duration of the credit").getByRole("slider", { name: en.wishes.effort });
  await expect(effort).toHaveAttribute("aria-valuetext", en.wishes.efforts[2]!);
  await wishing(page, german, { features: { duration: { effort: 2 } } }, () => effort.press("ArrowRight"));
  await wishing(page, german, { features: { duration: { effort: 4 } } }, () => effort.press("ArrowRight"));
  await expect(effort).toHaveAttribute("aria-valuetext", en.wishes.efforts[4]!);
  await wishing(page, german, { features: { duration: { effort: 0.25 } } }, () => effort.press("Home"));
  await wishing(page, german, { features: { duration: { effort: 0.5 } } }, () => effort.press("ArrowRight"));
  await wishing(page, german, {}, () => effort.press("ArrowRight"));
});

test("at most so many changes, up to the lender's own limit", async ({ page, german }) => {
  await openApplicant(page, german);
  const most = page.getByLabel(en.wishes.maxChanges);
  const { max_changes } = await api(german, "about");
  await expect(most.locator("option")).toHaveText([en.wishes.unlimited(max_changes), ...Array.from({ length: max_changes - 1 }, (_, index) => String(index + 1))]);
  const { plans } = await wishing(page, german, { max_changes: 1 }, async () => void (await most.selectOption("1")));
  expect(plans[0].moves).toBe(1);
  await wishing(page, german, {}, async () => void (await most.selectOption("")));
});

test("a rule of an adviser is a wish, and a rule that the server does not understand is explained", async ({ page, german }) => {
  await openApplicant(page, german);
  await page.getByText(en.wishes.rules, { exact: true }).click();
  const field = page.getByLabel(en.wishes.ruleText, { exact: true });
  await wishing(page, german, { rules: ["credit_amount stays"] }, async () => {
    await field.fill("credit_amount stays");
    await field.press("Enter");
  });
  const before = await cells(planTable(page));
  await field.fill("no such thing");
  await page.getByRole("button", { name: en.wishes.addRule }).click();
  const refused = await api(german, "explain", { row: 5, wishes: { rules: ["credit_amount stays", "no such thing"] } });
  await expect(page.getByRole("alert").first()).toContainText(refused.error.problems[0].message);
  // The plan before is still there, and the wish can be dropped.
  expect(await cells(planTable(page))).toEqual(before);
  await page.getByRole("button", { name: en.wishes.dropWish(en.wishes.sayRule("no such thing")) }).click();
  await expectPlan(page, german, { rules: ["credit_amount stays"] });
});

test("wishes are listed, dropped one by one, and reset for a feature or all at once", async ({ page, german }) => {
  await openApplicant(page, german);
  const duration = card(page, "Duration of the credit");
  const list = page.locator(".wish-list li");
  await expect(list).toHaveCount(0);
  await duration.getByRole("slider", { name: en.wishes.effort }).press("ArrowRight");
  await duration.getByLabel(en.wishes.direction).selectOption("decrease");
  await card(page, "Telephone").getByLabel(en.wishes.lock).check();
  await page.getByLabel(en.wishes.maxChanges).selectOption("3");
  const hard = en.wishes.sayEffort("Duration of the credit", en.wishes.efforts[3]!);
  await expect(list.locator("strong")).toHaveText([en.wishes.sayMax(3), en.wishes.sayDown("Duration of the credit"), hard, en.wishes.sayLocked("Telephone")]);
  await page.getByRole("button", { name: en.wishes.dropWish(hard) }).click();
  await expectPlan(page, german, { max_changes: 3, features: { duration: { change: "decrease" }, telephone: { locked: true } } });
  await duration.getByRole("button", { name: en.wishes.resetOf("Duration of the credit") }).click();
  await expectPlan(page, german, { max_changes: 3, features: { telephone: { locked: true } } });
  await page.locator(".wish-list").getByRole("button", { name: en.wishes.resetAll }).click();
  await expectPlan(page, german, {});
  await expect(page.getByText(en.wishes.noneActive)).toBeVisible();
});

test("fixed features say why they can't be changed, and offer no control", async ({ page, german }) => {
  await openApplicant(page, german);
  const known = await features(german);
  await page.locator("details.fixed > summary").click();
  for (const feature of Object.values(known).filter((one) => one.change === "immutable")) {
    const fixed = card(page, feature.title);
    await expect(fixed.locator(".why-fixed")).toHaveText(feature.protected ? en.wishes.protectedReason : en.wishes.immutable);
    await expect(fixed.locator("input, select, button")).toHaveCount(0);
  }
  // A level from which the lender's rules lead nowhere.
  const { application } = await api(german, "applicants/5");
  expect(application.other_installment_plans).toBe("none");
  await expect(card(page, known.other_installment_plans.title).locator(".why-fixed")).toHaveText(en.wishes.noMoves);
});
