// Changing the wishes: each change is a new address, which is a new question.
import type { Drop, FeatureWish, WishKey, WishName, Wishes } from "../api/types";
import { update } from "./address";
import { wishes } from "./question";

export const WISH_KEYS: readonly WishKey[] = ["locked", "range", "change", "levels", "effort"];

/** A wish as it is listed: about a feature, about the number of changes, or a rule. */
export type WishItem = { feature: string; key: WishKey } | { max_changes: number } | { rule: string; index: number };

/** The wishes without anything that says nothing. */
export function tidy({ max_changes, features = {}, rules = [] }: Wishes): Wishes {
  const kept = Object.entries(features).filter(([, wish]) => Object.keys(wish).length > 0);
  return {
    ...(max_changes === undefined ? {} : { max_changes }),
    ...(kept.length ? { features: Object.fromEntries(kept) } : {}),
    ...(rules.length ? { rules } : {}),
  };
}

export const isEmpty = (all: Wishes): boolean => Object.keys(tidy(all)).length === 0;

/** The wishes of a feature. A column may have the name of something that every object has, such as `constructor`. */
export const featureWish = ({ features = {} }: Wishes, name: string): FeatureWish => (Object.hasOwn(features, name) ? (features[name] ?? {}) : {});

export const wishOf = (name: string): FeatureWish => featureWish(wishes.value, name);

function write(all: Wishes, control = ""): void {
  const text = JSON.stringify(tidy(all));
  update({ wishes: text === "{}" ? undefined : text, plan: undefined }, control);
}

/** Sets wishes of a feature; undefined takes one away. */
export function setWish(name: string, change: { [K in WishKey]?: FeatureWish[K] | undefined }, control = ""): void {
  const wish: Record<string, unknown> = { ...wishOf(name), ...change };
  for (const key of Object.keys(wish)) if (wish[key] === undefined) delete wish[key];
  write({ ...wishes.value, features: { ...wishes.value.features, [name]: wish as FeatureWish } }, control);
}

export const resetFeature = (name: string): void => write({ ...wishes.value, features: { ...wishes.value.features, [name]: {} } });

export const resetAll = (): void => write({});

export function setMaxChanges(most: number | undefined): void {
  const { max_changes: _, ...rest } = wishes.value;
  write(most === undefined ? rest : { ...rest, max_changes: most });
}

export const setRules = (rules: string[]): void => write({ ...wishes.value, rules });

/** All wishes, one by one. */
export function items(all: Wishes): WishItem[] {
  const keys = Object.entries(all.features ?? {}).flatMap(([feature, wish]) =>
    WISH_KEYS.filter((key) => wish[key] !== undefined).map((key) => ({ feature, key })),
  );
  const most = all.max_changes === undefined ? [] : [{ max_changes: all.max_changes }];
  return [...most, ...keys, ...(all.rules ?? []).map((rule, index) => ({ rule, index }))];
}

/** Whether the name of a wish in an answer means this one. */
export function isNamed(item: WishItem, name: WishName): boolean {
  if ("max_changes" in item) return "key" in name && name.key === "max_changes";
  if ("rule" in item) return "rule" in name && name.rule === item.index;
  return "feature" in name && name.feature === item.feature && name.key === item.key;
}

/** The wishes without one of them. */
export function without(all: Wishes, item: WishItem): Wishes {
  if ("max_changes" in item) {
    const { max_changes: _, ...rest } = all;
    return rest;
  }
  if ("rule" in item) return { ...all, rules: (all.rules ?? []).filter((_, index) => index !== item.index) };
  const { [item.key]: _, ...wish } = featureWish(all, item.feature);
  return { ...all, features: { ...all.features, [item.feature]: wish } };
}

export const dropWish = (item: WishItem): void => write(without(wishes.value, item));

/** The wishes after what a way names has given way. What only the lender can change stays. */
export function applyDrops(all: Wishes, drops: readonly Drop[]): Wishes {
  return drops.reduce<Wishes>((rest, drop) => {
    if ("max_changes" in drop) return { ...rest, max_changes: drop.max_changes };
    if ("wish" in drop) return without(rest, drop.wish);
    if ("rule" in drop) return { ...rest, rules: (rest.rules ?? []).filter((rule) => rule.trim() !== drop.rule.trim()) };
    return rest;
  }, all);
}

export const dropAll = (list: readonly WishItem[]): void => write([...list].reverse().reduce(without, wishes.value));

export const drop = (drops: readonly Drop[]): void => write(applyDrops(wishes.value, drops));
