// Features and their values as people read them: raw units and the schema's labels, in the language of the page where it has them.
import type { Feature, Translation, Value } from "../api/types";
import { language, number, signed, words } from "../i18n";

const translation = (feature: Feature): Translation => feature.translations?.[language.value] ?? {};

export const title = (feature: Feature): string => translation(feature).label ?? feature.title;

export const unit = (feature: Feature): string | null => translation(feature).unit ?? feature.unit;

/** Units of time are named for several; what one of them is called. */
const ONE: Record<string, string> = {
  years: "year", months: "month", weeks: "week", days: "day", hours: "hour",
  Jahre: "Jahr", Monate: "Monat", Wochen: "Woche", Tage: "Tag", Stunden: "Stunde",
};

/** What so many are counted in. */
const unitOf = (feature: Feature, count: number): string | null => {
  const counts = unit(feature);
  return counts && Math.abs(count) === 1 ? (ONE[counts] ?? counts) : counts;
};

export const isNumeric = (feature: Feature): boolean => feature.kind === "integer" || feature.kind === "continuous";

const codeOf = (feature: Feature, value: Value) => feature.codes.find((code) => code.value === String(value));

export const isCode = (feature: Feature, value: Value): boolean => codeOf(feature, value) !== undefined;

/** A number with the decimals of its feature. */
const plain = (feature: Feature, value: number): string => number(value, feature.number?.decimals ?? 6);

/** A value without its unit. */
export function show(feature: Feature, value: Value): string {
  const code = codeOf(feature, value);
  if (code) return translation(feature).codes?.[code.value] ?? code.label;
  if (typeof value === "number") return plain(feature, value);
  const level = feature.levels.find((one) => one.value === value);
  return translation(feature).levels?.[value] ?? level?.label ?? value;
}

/** A value with its unit, where it is a number. */
export function showWithUnit(feature: Feature, value: Value): string {
  const counts = typeof value === "number" && !isCode(feature, value) ? unitOf(feature, value) : null;
  return counts ? `${show(feature, value)} ${counts}` : show(feature, value);
}

/** The difference between two numbers; null where one of them is none. */
export function difference(feature: Feature, before: Value, after: Value): string | null {
  if (typeof before !== "number" || typeof after !== "number" || isCode(feature, before) || isCode(feature, after)) return null;
  // The difference between two shares is one of points: from 40 % to 20 % is half as much.
  const isShare = ["%", "percent", "Prozent"].includes(unit(feature) ?? "");
  const counts = isShare ? words.value.percentagePoints(Math.abs(after - before)) : unitOf(feature, after - before);
  const text = signed(after - before, feature.number?.decimals ?? 6);
  return counts ? `${text} ${counts}` : text;
}

/** The levels that the lender's rules allow from a value, itself left out. */
export function reachableLevels(feature: Feature, now: Value): string[] {
  if (feature.change === "immutable" || isNumeric(feature)) return [];
  const all = feature.levels.map((level) => level.value);
  const position = all.indexOf(String(now));
  const targets = feature.moves.length ? (feature.moves.find((move) => move.from === now)?.to ?? []) : all;
  return targets.filter((level) => {
    if (level === now) return false;
    if (feature.kind !== "ordinal" || position < 0) return true;
    const at = all.indexOf(level);
    return feature.change === "increase" ? at > position : feature.change === "decrease" ? at < position : true;
  });
}

/** Whether any plan may change it from this value. */
export const isChangeable = (feature: Feature, now: Value): boolean =>
  feature.change !== "immutable" && (isNumeric(feature) || reachableLevels(feature, now).length > 0);

/** Whether the lender's rules for this feature let it go from one value to another. */
export function isPermitted(feature: Feature, now: Value, after: Value): boolean {
  if (feature.change === "immutable" || after === now) return false;
  if (!isNumeric(feature)) return reachableLevels(feature, now).includes(String(after)) || isCode(feature, after);
  if (isCode(feature, after)) return true;
  if (typeof after !== "number" || !Number.isFinite(after) || (feature.kind === "integer" && !Number.isInteger(after))) return false;
  const { range, max_change, least_change, change } = feature;
  if (range && (after < range[0] || after > range[1])) return false;
  if (typeof now !== "number" || isCode(feature, now)) return true;
  const size = Math.abs(after - now);
  if ((change === "increase" && after < now) || (change === "decrease" && after > now)) return false;
  return size <= (max_change ?? Infinity) && size >= (least_change ?? 0);
}
