// Several plans: one chosen, all side by side, and plans that are kept while wishes change.

import type { Page } from "@playwright/test";
import { address, card, cells, en, explain, expectPlan, features, figure, number, openApplicant, planRows, planTable, queryOf, settled, shown } from "./helpers";
import { api, expect, test } from "./server";

const table = (page: Page) => page.locator(".compare table");
const after = (plan: any): Record<string, any> => Object.fromEntries(plan.changes.map((change: any) => [change.feature, change.after]));

test("plans stand side by side as the API has them, and what differs from the one shown is marked", async ({ page, german }) => {
  await openApplicant(page, german);
  const { plans } = await explain(german);
  expect(plans).toHaveLength(3);
  const known = await features(german);
  const names = Object.keys(known).filter((name) => plans.some((plan: any) => name in after(plan)));
  const rows = await cells(table(page));
  expect(rows.slice(0, names.length).map((row) => row[0])).toEqual(names.map((name) => known[name].title));
  for (const [at, name] of names.entries()) {
    for (const [index, plan] of plans.entries()) {
      const value = after(plan)[name];
      const cell = table(page).locator("tbody tr").nth(at).locator("td").nth(index + 1);
      await expect(cell).toContainText(value === undefined ? en.plan.unchanged : shown(known[name], value));
      const differs = value !== after(plans[0])[name];
      await expect(cell.locator(".differs-mark")).toHaveCount(differs ? 1 : 0);
      if (differs) await expect(cell).toContainText(en.plan.differs);
    }
  }
  expect(rows[names.length]!.slice(2)).toEqual(plans.map((plan: any) => figure(plan.objective)));
});

test("choosing a plan shows its table and its proof, and is part of the address", async ({ page, german }) => {
  await openApplicant(page, german);
  const { plans } = await explain(german);
  const known = await features(german);
  await page.getByRole("group", { name: en.plan.tabs }).getByText(en.plan.one(2), { exact: true }).click();
  await expect.poll(() => cells(planTable(page))).toEqual(planRows(known, plans[1]));
  await expect(page.locator("#result .proof")).toHaveText(en.status.alternative);
  expect(queryOf(page).get("plan")).toBe("2");
  // By the heading of its column, too.
  await table(page).getByRole("button", { name: en.plan.one(3), exact: true }).click();
  await expect.poll(() => cells(planTable(page))).toEqual(planRows(known, plans[2]));
  await expect(table(page).getByRole("button", { name: en.plan.one(3), exact: true })).toHaveAttribute("aria-pressed", "true");
  // The cards follow the chosen plan.
  for (const { feature, title } of plans[2].changes) await expect(card(page, title).locator(".now-then")).toContainText(shown(known[feature], after(plans[2])[feature]));
});

test("one to five plans can be asked for, and fewer are explained", async ({ page, german }) => {
  await openApplicant(page, german, 60);
  const count = page.getByLabel(en.plan.number);
  await expect(count.locator("option")).toHaveText(["1", "2", "3", "4", "5"]);
  await count.selectOption("5");
  await settled(page);
  const answer = await explain(german, {}, 60, 5);
  expect(answer.plans.length).toBeLessThan(5);
  expect(answer.end_kind).toBe("no-further");
  await expect(page.locator("#result")).toContainText(`${en.status.fewer(String(answer.plans.length), "5")} ${en.status.noFurther}`);

  await openApplicant(page, german, 5);
  await count.selectOption("5");
  await settled(page);
  expect(queryOf(page).get("plans")).toBe("5");
  const { plans } = await explain(german, {}, 5, 5);
  await expect(table(page).locator("thead th")).toHaveCount(2 + plans.length);
  await count.selectOption("1");
  await settled(page);
  await expect(table(page)).toHaveCount(0);
});

test("a kept plan stays beside the plans under other wishes, and can be removed", async ({ page, german }) => {
  await openApplicant(page, german);
  const [first] = (await explain(german)).plans;
  const keep = page.locator("#result").getByRole("button", { name: en.plan.keep });
  await keep.click();
  await expect(keep).toBeDisabled();
  await card(page, "Duration of the credit").getByLabel(en.wishes.lock).check();
  const { plans } = await expectPlan(page, german, { features: { duration: { locked: true } } });
  await expect(keep).toBeEnabled();
  const known = await features(german);
  const heads = await table(page).locator("thead th").allTextContents();
  expect(heads).toHaveLength(2 + plans.length + 1);
  expect(heads.at(-1)).toContain(`${en.plan.kept} 1`);
  const rows = await cells(table(page));
  for (const [name, value] of Object.entries(after(first))) {
    const row = rows.find(([title]) => title === known[name].title)!;
    expect(row.at(-1)).toContain(shown(known[name], value));
  }
  // Its figures are those of the server, now: the effort depends on the wishes that it was found under.
  expect(rows.find(([title]) => title === en.plan.cost)!.at(-1)).toBe(`– ${en.plan.costOfKept}`);
  await expect.poll(async () => (await cells(table(page))).find(([title]) => title === en.plan.probability)!.at(-1)).toBe(`${number(100 * first.probability_after, 1)}%`);
  expect(JSON.parse(queryOf(page).get("keep")!)).toEqual([{ changes: after(first) }]);
  // It survives a reload, and its removal is a click.
  await page.reload();
  await settled(page);
  await expect(table(page).locator("thead")).toContainText(en.plan.kept);
  await table(page).getByRole("button", { name: `${en.plan.unkeep}: ${en.plan.kept} 1` }).click();
  await expect(page.locator("#result")).not.toContainText(en.plan.kept);
  expect(queryOf(page).get("keep")).toBeNull();
});

test("a kept plan stays in sight where the wishes leave no plan", async ({ page, german }) => {
  await openApplicant(page, german, 11);
  const [first] = (await explain(german, {}, 11)).plans;
  await page.locator("#result").getByRole("button", { name: en.plan.keep }).click();
  await page.getByLabel(en.wishes.maxChanges).selectOption("1");
  await expect(page.locator("#plan-heading")).toHaveText(en.none.heading);
  await expect(page.locator("#result")).toContainText(`${en.plan.kept} 1`);
  await expect(page.locator("#result .compare")).toContainText(`${number(100 * first.probability_after, 1)}%`);
});

test("a link can't plant figures, forbidden changes or dozens of kept plans", async ({ page, german }) => {
  const keep = [{ changes: { duration: 35 }, cost: 0.01, probability: 0.999, score: 9 }, { changes: { age: 40 }, cost: 0.01, probability: 0.999 }, { changes: { duration: "<b>x" } }];
  await page.goto(address(german, "applicant/60", { keep }));
  await settled(page);
  const { application } = await api(german, "applicants/60");
  const { probability, accepted } = await api(german, "score", { application: { ...application, duration: 35 } });
  expect(accepted).toBe(false);
  const heads = table(page).locator("thead th");
  await expect(heads.last()).toContainText(`${en.plan.kept} 1`);
  await expect(heads.last()).toContainText(en.decision.rejected);
  await expect(page.locator("#result")).toContainText(en.plan.keptRefused(2));
  await expect(table(page)).toContainText(`${number(100 * probability, 1)}%`);
  await expect(page.locator("#result")).not.toContainText("99.9%");
  await expect(page.locator("#result")).not.toContainText(`${en.plan.kept} 2`);
  const many = Array.from({ length: 60 }, (_, index) => ({ changes: { credit_amount: 300 + index } }));
  await page.goto(address(german, "applicant/60", { keep: many }));
  await page.reload();
  await settled(page);
  await expect(table(page).getByRole("button", { name: en.plan.unkeep })).toHaveCount(5);
});
