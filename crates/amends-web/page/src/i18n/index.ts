// The language of the page, its words, and numbers as that language writes them.
import { computed, effect } from "@preact/signals";
import { address, update } from "../state/address";
import { de } from "./de";
import { en, type Words } from "./en";

export type Language = "en" | "de";
export const LANGUAGES: readonly { code: Language; name: string }[] = [
  { code: "en", name: "English" },
  { code: "de", name: "Deutsch" },
];

/** As the address says, or else the browser. */
export const language = computed<Language>(() => {
  const lang = address.value.query["lang"];
  if (lang === "de" || lang === "en") return lang;
  return navigator.language.toLowerCase().startsWith("de") ? "de" : "en";
});

export const words = computed<Words>(() => (language.value === "de" ? de : en));

/** British English: day before month, as in the documents. */
const locale = computed(() => (language.value === "de" ? "de-DE" : "en-GB"));

const formats = new Map<string, Intl.NumberFormat>();

function formatOf(options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = locale.value + JSON.stringify(options);
  let format = formats.get(key);
  if (!format) {
    format = new Intl.NumberFormat(locale.value, options);
    formats.set(key, format);
  }
  return format;
}

export const setLanguage = (code: Language): void => update({ lang: code });

/** A number with at most so many decimals. */
export const number = (value: number, decimals = 2): string => formatOf({ maximumFractionDigits: decimals }).format(value);

/** A number with its sign, as for differences. */
export const signed = (value: number, decimals = 2): string =>
  formatOf({ maximumFractionDigits: decimals, signDisplay: "exceptZero" }).format(value).replace("-", "−");

/** A few significant digits: for figures such as costs. */
export const figure = (value: number, digits = 3): string => formatOf({ maximumSignificantDigits: digits }).format(value);

export const percent = (share: number, decimals = 0): string =>
  formatOf({ style: "percent", maximumFractionDigits: decimals }).format(share);

/**
 * A probability beside a cut: never rounded across it, so that 49.96 % does not read as 50 % where 50 % is needed.
 */
export function probability(value: number, cut: number | null): string {
  for (let decimals = 1; decimals < 6; decimals += 1) {
    const scale = 10 ** (decimals + 2);
    const rounded = Math.round(value * scale) / scale;
    if (cut === null || value >= cut === rounded >= cut) return percent(value, decimals);
  }
  return percent(value, 6);
}

export const list = (items: readonly string[]): string => new Intl.ListFormat(locale.value, { type: "conjunction" }).format(items);

export const dateTime = (date: Date): string => new Intl.DateTimeFormat(locale.value, { dateStyle: "long", timeStyle: "short" }).format(date);

effect(() => {
  document.documentElement.lang = language.value;
});
