// The pictures of the cards: how accepted and rejected applicants are distributed, with now and the plan marked.

import { card, en, explain, features, number, openApplicant, shown } from "./helpers";
import { api, expect, test } from "./server";

const width = (bar: { evaluate: (read: (one: Element) => number) => Promise<number> }): Promise<number> => bar.evaluate((one) => parseFloat(one.getAttribute("width") ?? ""));

test("a histogram has a pair of bars per interval, as high as the shares of the API", async ({ page, german }) => {
  await openApplicant(page, german);
  const { distribution, title } = (await features(german)).duration;
  const { bins, rows } = distribution;
  const shares = (which: "accepted" | "rejected"): number[] => bins.counts.map((count: any) => count[which] / rows[which]);
  const most = Math.max(...shares("accepted"), ...shares("rejected"));
  for (const which of ["accepted", "rejected"] as const) {
    const heights = await card(page, title).locator(`.histogram rect.${which}`).evaluateAll((all) => all.map((bar) => parseFloat(bar.getAttribute("height")!)));
    expect(heights).toHaveLength(bins.counts.length);
    const top = Math.max(...heights, ...(await card(page, title).locator(".histogram rect").evaluateAll((all) => all.map((bar) => parseFloat(bar.getAttribute("height")!)))));
    for (const [index, share] of shares(which).entries()) expect(heights[index]! / top).toBeCloseTo(share / most, 6);
  }
});

test("now and the plan are marked where their values are, and the text says where now stands", async ({ page, german }) => {
  await openApplicant(page, german);
  const { duration } = await features(german);
  const { application } = await api(german, "applicants/5");
  const [plan] = (await explain(german)).plans;
  const { bins, rows } = duration.distribution;
  const spot = (value: number): number => (100 * (value + 0.5 - bins.first)) / (bins.width * bins.counts.length);
  const picture = card(page, duration.title).locator(".histogram");
  const at = (kind: string): Promise<number> => picture.locator(`line.${kind}`).evaluate((line) => parseFloat(line.getAttribute("x1")!));
  expect(await at("now")).toBeCloseTo(spot(application.duration), 4);
  expect(await at("then")).toBeCloseTo(spot(plan.application.duration), 4);
  // Counted from the intervals, the one of the value itself taken as evenly spread.
  let below = 0;
  for (const [index, count] of bins.counts.entries()) below += count.accepted * Math.min(Math.max((application.duration + 1 - bins.first) / bins.width - index, 0), 1);
  const text = en.distribution.standing(shown(duration, application.duration), `${number((100 * below) / rows.accepted, 0)}%`);
  await expect(card(page, duration.title).locator("figcaption")).toHaveText(text);
  await expect(picture).toHaveAccessibleName(`${text} ${en.distribution.scale}.`);
});

test("levels have bars with their shares, in words and in length, and tags for now and the plan", async ({ page, german }) => {
  await openApplicant(page, german, 15);
  const { savings } = await features(german);
  const { application } = await api(german, "applicants/15");
  const [plan] = (await explain(german, {}, 15)).plans;
  expect(plan.application.savings).not.toBe(application.savings);
  const { rows, levels } = savings.distribution;
  const most = Math.max(...levels.flatMap((count: any) => [count.accepted / rows.accepted, count.rejected / rows.rejected]));
  const items = card(page, savings.title).locator(".bars > li");
  await expect(items).toHaveCount(savings.levels.length);
  for (const [index, { value, label }] of savings.levels.entries()) {
    const item = items.nth(index);
    await expect(item).toContainText(label);
    for (const which of ["accepted", "rejected"] as const) {
      const share = levels[index][which] / rows[which];
      await expect(item).toContainText(`${en.distribution[which]} ${number(share * 100, 0)}%`);
      expect(await width(item.locator(`rect.${which}`))).toBeCloseTo((100 * share) / most, 4);
    }
    await expect(item.locator(".tag.now")).toHaveCount(value === application.savings ? 1 : 0);
    await expect(item.locator(".tag.then")).toHaveCount(value === plan.application.savings ? 1 : 0);
  }
});

test("features can be searched by their title", async ({ page, german }) => {
  await openApplicant(page, german);
  await page.getByLabel(en.wishes.search).fill("amount");
  await expect(page.locator("article.feature")).toHaveCount(1);
  await expect(card(page, "Credit amount")).toBeVisible();
  await page.getByLabel(en.wishes.search).fill("nothing like it");
  await expect(page.locator("article.feature")).toHaveCount(0);
  await page.getByLabel(en.wishes.search).fill("");
  await expect(card(page, "Savings")).toBeVisible();
});
