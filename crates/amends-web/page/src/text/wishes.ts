// Wishes, prices and what would have to give way, in words.
import type { Drop, Price, Prices, Wishes } from "../api/types";
import { figure, list, percent, words } from "../i18n";
import { feature } from "../state/server";
import { type WishItem, featureWish } from "../state/wishes";
import { show, showWithUnit, title } from "./labels";

export const EFFORTS: readonly number[] = [0.25, 0.5, 1, 2, 4];

/** The step of an effort factor: the nearest of the five. */
export function effortStep(effort: number | undefined): number {
  const wanted = Math.log(effort ?? 1);
  const distances = EFFORTS.map((step) => Math.abs(Math.log(step) - wanted));
  return distances.indexOf(Math.min(...distances));
}

export const effortName = (effort: number | undefined): string => words.value.wishes.efforts[effortStep(effort)] ?? "";

/** A wish in words. */
export function wishText(item: WishItem, all: Wishes): string {
  const w = words.value.wishes;
  if ("max_changes" in item) return w.sayMax(item.max_changes);
  if ("rule" in item) return w.sayRule(item.rule);
  const of = feature(item.feature);
  const wish = featureWish(all, item.feature);
  if (!of) return item.feature;
  const name = title(of);
  switch (item.key) {
    case "locked":
      return w.sayLocked(name);
    case "range":
      return w.sayRange(name, show(of, wish.range?.[0] ?? ""), showWithUnit(of, wish.range?.[1] ?? ""));
    case "change":
      return wish.change === "increase" ? w.sayUp(name) : w.sayDown(name);
    case "effort":
      return w.sayEffort(name, effortName(wish.effort));
    case "levels":
      return w.sayLevels(name, list((wish.levels ?? []).map((level) => words.value.quoted(show(of, level)))));
  }
}

/** A share as people say it: "a third" rather than 33 %. */
export function fraction(share: number): string {
  const near = Object.entries(words.value.prices.fractions).find(([value]) => Math.abs(Number(value) - share) <= 0.015);
  return near ? near[1] : percent(share);
}

/** Prices below this share of the cost are no more than the solver's tolerance. */
const NOTHING = 1e-4;

/** What a wish costs, in a sentence. */
export function priceText(price: Price, all: Prices): string {
  const w = words.value.prices;
  if ("key" in price.wish && price.wish.key === "effort") return all.objective === null && price.objective !== null ? w.unlocks : w.effort;
  if (price.objective === null && price.status === "timeout") return w.unproven;
  const proven = price.proven ? "" : ` ${w.unproven}`;
  if (all.objective === null) return (price.objective === null ? w.still : w.unlocks) + proven;
  if (price.saves === null) return w.unproven;
  const share = price.saves / all.objective;
  if (share < NOTHING) return w.free + proven;
  return w.saves(figure(price.saves, 2), figure(all.objective), fraction(share)) + proven;
}

/** A rule of the lender that would have to give way. */
export function lenderRuleText(rule: { feature?: string; key?: string; rule?: string }): string {
  const w = words.value.none;
  const of = rule.feature === undefined ? undefined : feature(rule.feature);
  const name = of ? title(of) : (rule.feature ?? "");
  if (rule.rule !== undefined) return w.rule(rule.rule);
  switch (rule.key) {
    case "harmless":
      return w.harmless;
    case "change":
      return of && of.change !== "immutable" ? w.direction(name) : w.change(name);
    case "moves":
    case "one_step":
    case "leave":
    case "enter":
      return w.moves(name);
    case "max_change":
    case "least_change":
      return w.size(name);
    default:
      return w.range(name);
  }
}

/** Whether only the lender could let this give way. */
export const isLenders = (drop: Drop, most: number): boolean => "schema" in drop || ("max_changes" in drop && drop.max_changes > most);
