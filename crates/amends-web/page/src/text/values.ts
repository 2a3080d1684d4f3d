// From what was typed to a value of the table, and what is wrong with it.
import type { Application, Feature, Value } from "../api/types";
import { words } from "../i18n";
import { isNumeric, show } from "./labels";

/** A code as the API has it: codes that are numbers as numbers. */
export const codeValue = (text: string): Value => (/^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text);

export const isCodeText = (feature: Feature, text: string): boolean => feature.codes.some((code) => code.value === text);

/** The value that a text stands for; null where it is none. */
export function valueOf(feature: Feature, text: string): Value | null {
  if (isCodeText(feature, text)) return isNumeric(feature) ? codeValue(text) : text;
  if (!isNumeric(feature)) return feature.levels.some((level) => level.value === text) ? text : null;
  const number = Number(text);
  if (text.trim() === "" || !Number.isFinite(number)) return null;
  return feature.kind === "integer" && !Number.isInteger(number) ? null : number;
}

/** What is wrong with a text, in words; null where nothing is. */
export function problemOf(feature: Feature, text: string): string | null {
  const w = words.value.application;
  if (text.trim() === "") return w.required;
  if (valueOf(feature, text) !== null) return null;
  return isNumeric(feature) && Number.isFinite(Number(text)) ? w.notWhole : w.notNumber;
}

/** A number that no row of the data has, in words: it can be asked about, but the model never saw the like. */
export function outsideText(feature: Feature, text: string): string | null {
  const bounds = feature.number;
  const value = valueOf(feature, text);
  if (!bounds || typeof value !== "number" || isCodeText(feature, text)) return null;
  return value < bounds.least || value > bounds.most ? words.value.application.outside(show(feature, bounds.least), show(feature, bounds.most)) : null;
}

/** The texts of an application's form. */
export const textsOf = (features: readonly Feature[], application: Application): Record<string, string> =>
  Object.fromEntries(features.map(({ name }) => [name, application[name] === undefined ? "" : String(application[name])]));
