// Numbers as people type them, in the language of the page: "5.000,50" is German for "5,000.50".
import { type Language, language } from "../i18n";

const MARKS: Readonly<Record<Language, { decimal: string; group: string }>> = { en: { decimal: ".", group: "," }, de: { decimal: ",", group: "." } };

/** A number without separators of thousands, as a field shows it. */
export const plainNumber = (value: number, of: Language = language.value): string =>
  new Intl.NumberFormat(of === "de" ? "de-DE" : "en-GB", { useGrouping: false, maximumFractionDigits: 20 }).format(value);

/** What a text means in a language; null where it is no number of that language. */
function inLanguage(text: string, of: Language): number | null {
  const { decimal, group } = MARKS[of];
  // Thousands are parted by the language's own mark or by a space, all of them or none.
  const parts = new RegExp(`^([-+]?)(\\d+|[1-9]\\d{0,2}(?:([ \\${group}])\\d{3})(?:\\3\\d{3})*)?(?:\\${decimal}(\\d*))?$`).exec(text);
  if (!parts || !(parts[2] || parts[4])) return null;
  const value = Number(`${parts[1]}${(parts[2] ?? "0").replace(/\D/g, "")}.${parts[4] || "0"}`);
  return Number.isFinite(value) ? value : null;
}

/** Without what looks the same: spaces of any width, the minus sign. */
const tidied = (text: string): string => text.trim().replace(/\s/g, " ").replace(/\u2212/g, "-").replace(/^([-+]) /, "$1");

export type ReadNumber =
  | { kind: "number"; value: number }
  /** Separators that the other language reads as another number: "5.000". */
  | { kind: "ambiguous"; value: number; other: number }
  /** A number of the other language alone. */
  | { kind: "other-language"; other: number }
  | { kind: "none" };

/** What a text is read as in the language of the page. */
export function readNumber(text: string, of: Language = language.value): ReadNumber {
  const plain = tidied(text);
  const value = inLanguage(plain, of);
  const other = inLanguage(plain, of === "de" ? "en" : "de");
  if (value === null) return other === null ? { kind: "none" } : { kind: "other-language", other };
  return other === null || other === value ? { kind: "number", value } : { kind: "ambiguous", value, other };
}
