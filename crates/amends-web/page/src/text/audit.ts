// Audits in words: who is audited, groups and their titles, times and intervals.
import type { AuditRequest, Column, Estimate, Share } from "../api/audits";
import { figure, language, list, number, percent, signed, words } from "../i18n";
import { feature } from "../state/server";
import { title, unit } from "./labels";
import { readNumber } from "./numbers";

/** A column of the table: a feature's title, or its name. */
export function columnTitle(name: string): string {
  const of = feature(name);
  if (!of) return name;
  const counts = unit(of);
  return counts ? `${title(of)} (${counts})` : title(of);
}

/** A feature without what its numbers count: for lists of changes and reasons. */
export function featureTitle(name: string): string {
  const of = feature(name);
  return of ? title(of) : name;
}

/** A column without its cut points; a name may have a colon of its own. */
export function columnOf(by: string, known: (name: string) => boolean): string {
  if (known(by)) return by;
  const end = by.lastIndexOf(":");
  return end > 0 ? by.slice(0, end) : by;
}

const byTitles = (by: readonly string[]): string => list(by.map((one) => columnTitle(columnOf(one, (name) => feature(name) !== undefined))));

/** Whom an audit is about. */
export function whoText(request: AuditRequest): string {
  const w = words.value.audit.who;
  const most = request.rejected === null ? [] : [w.upTo(number(request.rejected))];
  const by = request.by.length ? [w.by(byTitles(request.by))] : [];
  return [w[request.rows], ...most, ...by].join(", ");
}

/** A group in the language of the page: a level or code of a feature, or an interval of numbers. */
export function groupText(column: string, group: string): string {
  const w = words.value.audit.groups;
  if (group === "(empty)") return w.empty;
  const of = feature(column);
  const translation = of?.translations?.[language.value];
  const code = of?.codes.find(({ label }) => label === group);
  const own = code ? translation?.codes?.[code.value] : translation?.levels?.[group];
  if (own) return own;
  const text = (digits: string): string => (Number.isFinite(Number(digits)) ? number(Number(digits), 6) : digits);
  const under = /^under (\S+)$/.exec(group);
  const between = /^(\S+) to under (\S+)$/.exec(group);
  const over = /^(\S+) and over$/.exec(group);
  if (under?.[1]) return w.under(text(under[1]));
  if (between?.[1] && between[2]) return w.between(text(between[1]), text(between[2]));
  return over?.[1] ? w.over(text(over[1])) : group;
}

/** How many groups a column makes, or why it can't be used. */
export function columnHint(column: Column): string {
  const w = words.value.audit.start;
  const counts = column.count === null ? w.tooMany : w.groupCount(number(column.count));
  return [counts, ...(column.protected ? [w.protected] : []), ...(column.feature ? [] : [w.other])].join(", ");
}

/** Seconds as people say them. */
export function duration(seconds: number): string {
  const w = words.value.audit.progress;
  if (seconds >= 90) return w.minutes(number(seconds / 60, 0));
  return w.seconds(seconds < 10 ? figure(Math.max(seconds, 0), 2) : number(seconds, 0));
}

/** A share of people, with a decimal where it is close to nobody or to everybody. */
export const shareText = ({ share }: Share): string => (share === null ? "–" : percent(share, share < 0.1 || share > 0.9 ? 1 : 0));

export const intervalText = ({ low, high }: { low: number; high: number }): string =>
  words.value.audit.intervalText(percent(low, 1), percent(high, 1));

/** A difference of shares in points, with its interval. */
export function pointsText(estimate: Estimate | null): string {
  if (!estimate) return "–";
  const w = words.value.audit;
  const points = (value: number): string => signed(100 * value, 1);
  const high = estimate.high === null ? "" : ` (${w.intervalText(points(estimate.low), points(estimate.high))})`;
  return w.groups.points(points(estimate.value)) + high;
}

/** A ratio of medians, with its interval where there is one. */
export function ratioText(estimate: Estimate | null): string {
  if (!estimate) return "–";
  const w = words.value.audit;
  const high = estimate.high === null ? "" : ` (${w.intervalText(number(estimate.low), number(estimate.high))})`;
  return w.groups.times(number(estimate.value)) + high;
}

/** A part of a list of numbers, in either language; null where it is none, or could be two of them: "5.000". */
function cutOf(part: string): number | null {
  const read = readNumber(part);
  return read.kind === "number" ? read.value : read.kind === "other-language" ? read.other : null;
}

/** Cut points as they were typed, for the server; null where they are none. Between semicolons, commas are those of decimals. */
export function cutsOf(text: string): string | null {
  const cuts = text.split(text.includes(";") ? ";" : ",").map(cutOf);
  const rising = cuts.every((cut, index) => cut !== null && (index === 0 || cut > (cuts[index - 1] ?? cut)));
  return rising ? cuts.join(",") : null;
}
