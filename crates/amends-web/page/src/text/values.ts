// From what was typed or chosen to a value of the table, and what is wrong with it.
import type { Application, Feature, Value } from "../api/types";
import { type Language, language, words } from "../i18n";
import { isCode, isNumeric, show } from "./labels";
import { plainNumber, readNumber } from "./numbers";

/** What a field holds: a value that was chosen or set, or a text with the language that it was typed in. */
export type Entry = { value: Value } | { text: string; language: Language };

export const typed = (text: string): Entry => ({ text, language: language.peek() });

export const EMPTY: Entry = { text: "", language: "en" };

/** A code as the API has it: codes that are numbers as numbers. */
export const codeValue = (text: string): Value => (/^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text);

const isLevel = (feature: Feature, value: Value): boolean => feature.levels.some((level) => level.value === value);

/** A chosen code of a number, such as one for what is missing; a number that was typed is none. */
export const chosenCode = (feature: Feature, entry: Entry): boolean => "value" in entry && isCode(feature, entry.value);

/** The value that a field stands for; null where it is none. */
export function valueOf(feature: Feature, entry: Entry): Value | null {
  if ("value" in entry) {
    const { value } = entry;
    if (isCode(feature, value)) return isNumeric(feature) ? codeValue(String(value)) : value;
    if (isNumeric(feature)) return typeof value === "number" && isWhole(feature, value) ? value : null;
    return isLevel(feature, value) ? value : null;
  }
  if (!isNumeric(feature)) return null;
  const read = readNumber(entry.text, entry.language);
  const isNumber = read.kind === "number" || (read.kind === "ambiguous" && !isUnclear(feature, read));
  return isNumber && isWhole(feature, read.value) ? read.value : null;
}

const isWhole = (feature: Feature, value: number): boolean => feature.kind !== "integer" || Number.isInteger(value);

/** Nobody writes the decimals of a whole number, so that "5.000" on an English page is most likely meant as 5,000. */
const isUnclear = (feature: Feature, read: { value: number; other: number }): boolean =>
  feature.kind === "integer" && Math.abs(read.value) < Math.abs(read.other);

/** What a field shows of a number: as it was typed, and in the language of the page where that has changed since. */
export function textOf(feature: Feature, entry: Entry): string {
  if (!("value" in entry) && entry.language === language.value) return entry.text;
  const value = valueOf(feature, entry);
  if (typeof value === "number") return plainNumber(value);
  return "value" in entry ? String(entry.value) : entry.text;
}

/** What is wrong with a field, in words; null where nothing is. */
export function problemOf(feature: Feature, entry: Entry): string | null {
  const w = words.value.application;
  if (valueOf(feature, entry) !== null) return null;
  if (!isNumeric(feature)) return w.required;
  if ("value" in entry) return typeof entry.value === "number" ? w.notWhole : entry.value === "" ? w.required : w.notNumber;
  if (entry.text.trim() === "") return w.required;
  const read = readNumber(entry.text, entry.language);
  switch (read.kind) {
    case "number":
      return w.notWhole;
    case "ambiguous":
      return isUnclear(feature, read) ? w.ambiguous(plainNumber(read.value), plainNumber(read.other)) : w.notWhole;
    case "other-language":
      return isWhole(feature, read.other) ? w.otherMarks(plainNumber(read.other)) : w.notWhole;
    default:
      return w.notNumber;
  }
}

/** What a number was read as, where its separators could mean another one. */
export function readAs(feature: Feature, entry: Entry): string | null {
  if ("value" in entry || !isNumeric(feature) || feature.kind === "integer") return null;
  const read = readNumber(entry.text, entry.language);
  return read.kind === "ambiguous" ? words.value.application.readAs(plainNumber(read.value)) : null;
}

/** The least and the largest number of the data; the schema may allow fewer. */
function boundsOf(feature: Feature): [number, number] | null {
  const bins = feature.distribution?.bins;
  if (bins) return [bins.least, bins.most];
  return feature.number && [feature.number.least, feature.number.most];
}

/** A number that no row of the data has, in words: it can be asked about, but the model never saw the like. */
export function outsideText(feature: Feature, value: Value | null): string | null {
  const bounds = boundsOf(feature);
  if (!bounds || typeof value !== "number" || isCode(feature, value)) return null;
  return value < bounds[0] || value > bounds[1] ? words.value.application.outside(show(feature, bounds[0]), show(feature, bounds[1])) : null;
}

/** The entries of an application's form. */
export const entriesOf = (features: readonly Feature[], application: Application): Map<string, Entry> =>
  new Map(features.map(({ name }): [string, Entry] => {
    const value = Object.hasOwn(application, name) ? application[name] : undefined;
    return [name, value === undefined ? EMPTY : { value }];
  }));
