// Wishes that the schema does not allow, as a link may have them: found here, so that the server need not be asked.
import { computed } from "@preact/signals";
import type { Feature, FeatureWish, WishKey, Wishes } from "../api/types";
import { words } from "../i18n";
import { isNumeric, show, title } from "../text/labels";
import { wishes } from "./question";
import { about, feature, schema } from "./server";
import { WISH_KEYS } from "./wishes";

export interface RefusedWish {
  /** Null where it is about the number of changes, or about no feature that there is. */
  feature: string | null;
  text: string;
}

/** What is wrong with a wish of a feature, in words. */
function problemOf(feature: Feature, wish: FeatureWish, key: WishKey): string | null {
  const w = words.value.wishes.refusals;
  const name = title(feature);
  if (key === "locked") return null;
  if (feature.change === "immutable") return w.fixed(name);
  switch (key) {
    case "range": {
      if (!isNumeric(feature)) return w.noNumbers(name);
      const [low, high] = wish.range ?? [0, 0];
      if (low > high) return w.crossed(name, show(feature, low), show(feature, high));
      const [least, most] = feature.range ?? [-Infinity, Infinity];
      return high < least || low > most ? w.beyond(name, show(feature, least), show(feature, most)) : null;
    }
    case "change":
      return feature.change === "free" || feature.change === wish.change ? null : w.direction(name);
    case "levels": {
      if (isNumeric(feature)) return w.noLevels(name);
      const known = [...feature.levels, ...feature.codes].map(({ value }) => value);
      const unknown = wish.levels?.find((level) => !known.includes(level));
      return unknown === undefined ? null : w.level(name, unknown);
    }
    default:
      return null;
  }
}

export function refusalsOf(all: Wishes, most: number): RefusedWish[] {
  const w = words.value.wishes.refusals;
  const count = all.max_changes !== undefined && all.max_changes > most ? [{ feature: null, text: w.most(most) }] : [];
  const ofFeatures = Object.entries(all.features ?? {}).flatMap(([name, wish]): RefusedWish[] => {
    const of = feature(name);
    if (!of) return [{ feature: null, text: w.unknown(name) }];
    const texts = WISH_KEYS.filter((key) => wish[key] !== undefined).map((key) => problemOf(of, wish, key));
    return [...new Set(texts)].flatMap((text) => (text === null ? [] : [{ feature: name, text }]));
  });
  return [...count, ...ofFeatures];
}

/** What the schema does not allow of the wishes; null as long as the schema is not known. */
export const refusedWishes = computed<RefusedWish[] | null>(() => (schema.value && about.value ? refusalsOf(wishes.value, about.value.max_changes) : null));
