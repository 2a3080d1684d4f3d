// The decision and the plan: what is shown is what the API answers, and what is said about the proof fits its status.

import { address, card, cells, de, en, explain, expectPlan, features, figure, number, openApplicant, planRows, planTable, settled, shown } from "./helpers";
import { api, expect, serve, stop, test } from "./server";

/** How a decision's share reads at the least: its first decimals, as later ones depend on the cut. */
const percent = (share: number): RegExp => new RegExp(number(Math.floor(share * 100), 0));

test("the decision is shown in words and as a bar with a text alternative", async ({ page, german }) => {
  await openApplicant(page, german);
  const { probability, score, accepted } = await explain(german);
  const about = await api(german, "about");
  const decision = page.locator(".decision");
  expect(accepted).toBe(false);
  await expect(decision.locator(".verdict")).toHaveText(en.decision.rejected);
  await expect(decision).toContainText(en.decision.rejectedText);
  const text = `${number(probability * 100, 1)}%`;
  const cut = `${number(about.cut_probability * 100, 1)}%`;
  await expect(decision.locator("figcaption")).toHaveText(en.decision.probability(text, cut));
  await expect(decision.getByRole("img")).toHaveAccessibleName(en.decision.bar(text, cut));
  // The marks are where the numbers say, in per cent of the width.
  const at = (selector: string, attribute: string): Promise<number> => decision.locator(selector).evaluate((mark, name) => parseFloat(mark.getAttribute(name) ?? ""), attribute);
  expect(await at("circle.now", "cx")).toBeCloseTo(probability * 100, 4);
  expect(await at("line.cut", "x1")).toBeCloseTo(about.cut_probability * 100, 4);
  const { plans } = await explain(german);
  expect(await at("circle.then", "cx")).toBeCloseTo(plans[0].probability_after * 100, 4);
  expect(score).toBeLessThan(about.cut);
});

test("an accepted application needs no plan, and says so", async ({ page, german }) => {
  await openApplicant(page, german, 1);
  await expect(page.locator(".decision .verdict")).toHaveText(en.decision.accepted);
  await expect(page.locator(".decision")).toContainText(en.decision.acceptedText);
  await expect(page.locator("#result")).toHaveCount(0);
  await expect(page.getByRole("tab")).toHaveText([en.tabs.whatIf, en.tabs.documents]);
});

test("all values of the application can be unfolded", async ({ page, german }) => {
  await openApplicant(page, german);
  const known = await features(german);
  const { application } = await api(german, "applicants/5");
  await page.getByText(en.application.values).click();
  const terms = page.locator(".decision dl > div");
  await expect(terms).toHaveCount(Object.keys(known).length);
  for (const [index, name] of Object.keys(known).entries()) {
    await expect(terms.nth(index)).toHaveText(known[name].title + shown(known[name], application[name]));
  }
});

for (const row of [2, 5, 11, 18, 60]) {
  test(`the plan for row ${row} is that of the API, as a sentence and as a table, and is called proven`, async ({ page, german }) => {
    await openApplicant(page, german, row);
    const answer = await expectPlan(page, german, {}, row);
    const plan = answer.plans[0];
    const known = await features(german);
    const clauses = plan.changes.map((change: any) => {
      const feature = known[change.feature];
      const [before, after] = [shown(feature, change.before), shown(feature, change.after)];
      if (typeof change.before === "string") return en.plan.becomes(feature.title, before, after);
      return (change.after > change.before ? en.plan.rises : en.plan.falls)(feature.title, number(change.before), after);
    });
    await expect(page.locator("#result .sentence")).toHaveText(en.plan.sentence(new Intl.ListFormat("en-GB").format(clauses)));
    expect(plan.status).toBe("optimal");
    await expect(page.locator("#result .proof")).toHaveText(en.status.optimal);
    await expect(page.locator("#result caption").first()).toHaveText(en.plan.caption(plan.moves));
    await expect(page.locator("#result .plan-body > p").nth(1)).toContainText(percent(plan.probability_after));
  });
}

test("how it was computed is one click away, with the API's figures", async ({ page, german }) => {
  await openApplicant(page, german);
  const { plans, score } = await explain(german);
  const [plan] = plans;
  const details = page.locator("details.how");
  await expect(details.locator("dl")).toBeHidden();
  await details.locator("summary").click();
  const figures = Object.fromEntries(await details.locator("dl > div").evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.textContent ?? ""))));
  const w = en.status;
  expect(figures).toMatchObject({
    [w.cost]: figure(plan.objective, 6),
    [w.bound]: figure(plan.bound, 6),
    [w.gap]: figure(plan.gap, 2),
    [w.distance]: figure(plan.distance, 6),
    [w.outlier]: figure(plan.outlier, 6),
    [w.changeCost]: figure(plan.change_cost, 6),
    [w.mahalanobis]: figure(plan.mahalanobis, 6),
    [w.lof]: figure(plan.lof, 6),
    [w.score]: `${figure(score, 6)} → ${figure(plan.score_after, 6)}`,
    [w.engine]: plan.engine,
  });
  // Terms of the method stand nowhere else.
  const rest = await page.locator("#result").evaluate((section) => [...section.querySelectorAll(".plan-body > :not(details)")].map((one) => one.textContent).join(" "));
  expect(rest).not.toMatch(/Mahalanobis|LOF|outlier|bound/i);
});

test("where time runs out, the page says how much smaller a plan could be, and calls nothing proven", async ({ page }) => {
  const running = await serve("--model", "rf", "--time-limit", "0.001");
  try {
    const { applicants } = await api(running, "applicants?decision=rejected&limit=40");
    for (const { row } of applicants) {
      // Asked again, it may end otherwise: the page is compared with its own answer.
      const response = page.waitForResponse("**/api/v1/explain");
      await page.goto(address(running, `applicant/${row}`, { plans: "1" }));
      const [plan] = (await (await response).json()).plans;
      if (plan?.status !== "feasible") continue;
      const share = 1 - plan.bound / plan.objective;
      await expect(page.locator("#result .proof")).toHaveText(en.status.feasible(`${number(share * 100, share < 0.01 ? 2 : 0)}%`));
      await expect(page.locator("#result .plan-body")).not.toContainText(en.status.optimal);
      return;
    }
    expect(false, "one of the applicants takes longer than a millisecond").toBe(true);
  } finally {
    await stop(running);
  }
});

test("a search that ends without any plan is not called a proof that there is none", async ({ page, german }) => {
  await page.route("**/api/v1/explain", async (route) => {
    const answer = await (await route.fetch()).json();
    await route.fulfill({ json: { ...answer, status: "timeout", plans: [], end_kind: "stopped", why_none: null } });
  });
  await openApplicant(page, german);
  await expect(page.locator("#result .proof")).toHaveText(en.status.timeout);
  await expect(page.locator("#result")).not.toContainText(en.none.proven);
});

test("where only some values were tried, the page does not speak of all of them", async ({ page }) => {
  const running = await serve("--options", "5");
  try {
    await openApplicant(page, running);
    const { plans } = await explain(running);
    expect(plans[0].values_offered).toBe(5);
    expect(await cells(planTable(page))).toEqual(planRows(await features(running), plans[0]));
    await expect(page.locator("#result .proof")).toHaveText(en.status.optimalAmong("5"));
    const locked = Object.fromEntries(Object.values(await features(running)).filter((one: any) => one.change !== "immutable").map((one: any) => [one.name, { locked: true }]));
    await page.goto(address(running, "applicant/5", { wishes: { features: locked } }));
    await expect(page.locator("#result .proof")).toHaveText(en.status.infeasibleAmong("5"));
  } finally {
    await stop(running);
  }
});

test("a model without probabilities is shown by its score", async ({ page }) => {
  const running = await serve("--model", "svm");
  try {
    const about = await api(running, "about");
    expect(about.cut_probability).toBeNull();
    const { applicants } = await api(running, "applicants?decision=rejected&limit=1");
    await openApplicant(page, running, applicants[0].row);
    await expect(page.locator(".decision figcaption")).toHaveText(en.decision.score(figure(applicants[0].score), figure(about.cut)));
    const { plans } = await explain(running, {}, applicants[0].row);
    await expect(page.locator("#result")).toContainText(en.plan.afterwardsScore(figure(plans[0].score_after)));
    await expect(card(page, plans[0].changes[0].title)).toBeVisible();
    await expect(page.getByText(de.plan.heading)).toHaveCount(0);
  } finally {
    await stop(running);
  }
});
