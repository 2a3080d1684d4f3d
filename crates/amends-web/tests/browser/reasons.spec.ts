// The principal reasons: a list of its own, with whether the applicant can act on each.

import type { Page } from "@playwright/test";
import { address, card, en, features, number, openApplicant, record, settled, shown } from "./helpers";
import { api, expect, serve, stop, test } from "./server";

const list = (page: Page) => page.locator("ol.reasons > li");

for (const row of [2, 5, 45, 60]) {
  test(`the reasons for row ${row} are those of the API, in its order, with what can be done about each`, async ({ page, german }) => {
    const { reasons, reason_basis } = await api(german, "explain", { row, reasons: true });
    const known = await features(german);
    await openApplicant(page, german, row);
    await expect(list(page)).toHaveCount(reasons.length);
    for (const [index, reason] of reasons.entries()) {
      const item = list(page).nth(index);
      const feature = known[reason.feature];
      const [value, typical] = [shown(feature, reason.value), shown(feature, reason.typical)];
      await expect(item.getByRole("heading")).toHaveText(feature.title);
      await expect(item).toContainText(value === typical ? en.reasons.asTypical(value) : en.reasons.value(value, typical));
      await expect(item).toContainText(en.reasons.share(reason.share < 0.005 ? en.reasons.lessThan("1%") : `${number(reason.share * 100, 0)}%`));
      const words = { true: en.reasons.actionable, false: en.reasons.notActionable, null: en.reasons.unsettled }[String(reason.actionable)]!;
      await expect(item.locator(".actionable")).toContainText(words);
      const flips = item.getByText(en.reasons.enough(number(reason.flips.moves), number(reason.flips.of)));
      await expect(flips).toHaveCount(reason.flips.moves > 0 ? 1 : 0);
    }
    await expect(page.locator("#reasons").locator("..")).toContainText(en.reasons.group[reason_basis.group as "near-cut"](number(reason_basis.members)));
  });
}

test("reasons that were not settled are not called anything else", async ({ page, german }) => {
  await page.route("**/api/v1/explain", async (route) => {
    const answer = await (await route.fetch()).json();
    answer.reasons?.forEach((reason: any) => Object.assign(reason, { actionable: null, flips: null }));
    await route.fulfill({ json: answer });
  });
  await openApplicant(page, german);
  await expect(list(page).locator(".actionable")).toHaveText([1, 2, 3, 4].map(() => `? ${en.reasons.unsettled}`));
});

test("the reasons stay as they are whatever the applicant wishes", async ({ page, german }) => {
  const { reasons } = await api(german, "explain", { row: 2, reasons: true });
  await openApplicant(page, german, 2);
  await expect(list(page)).toHaveCount(reasons.length);
  const before = await list(page).allTextContents();
  const requests = record(page);
  await card(page, "Duration of the credit").getByLabel(en.wishes.lock).check();
  await settled(page);
  expect(await list(page).allTextContents()).toEqual(before);
  expect(requests.asked("/explain").map(({ body }) => body.reasons)).toEqual([false]);
  // An address that has wishes from the start shows the same.
  await page.reload();
  await expect(list(page)).toHaveCount(reasons.length);
  expect(await list(page).allTextContents()).toEqual(before);
});

test("a locked feature is still one that the applicant can act on", async ({ page, german }) => {
  const { reasons } = await api(german, "explain", { row: 2, reasons: true });
  expect(reasons.find((reason: any) => reason.feature === "duration").actionable).toBe(true);
  await page.goto(address(german, "applicant/2", { wishes: { features: { duration: { locked: true } } } }));
  const item = list(page).filter({ hasText: "Duration of the credit" });
  await expect(item.locator(".actionable")).toContainText(en.reasons.actionable);
});

test("an accepted application has no reasons", async ({ page, german }) => {
  await openApplicant(page, german, 1);
  await page.waitForLoadState("networkidle");
  await expect(page.locator("#reasons")).toHaveCount(0);
});

test("the group that the server compares with is named", async ({ page }) => {
  const running = await serve("--reason-group", "all", "--max-reasons", "2");
  try {
    const { reasons, reason_basis } = await api(running, "explain", { row: 5, reasons: true });
    expect(reasons).toHaveLength(2);
    await openApplicant(page, running);
    await expect(list(page)).toHaveCount(2);
    await expect(page.locator("#reasons").locator("..")).toContainText(en.reasons.group.all(number(reason_basis.members)));
  } finally {
    await stop(running);
  }
});
