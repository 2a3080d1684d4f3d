// How a feature is distributed among accepted and rejected applicants, with where this one is and where the plan goes.
import type { Counts, Distribution as Data, Feature, Value } from "../api/types";
import { number, percent, words } from "../i18n";
import { isCode, isNumeric, show, showWithUnit, title } from "../text/labels";

interface Props {
  feature: Feature;
  now: Value;
  then?: Value | undefined;
}

export function Distribution({ feature, now, then }: Props) {
  const data = feature.distribution;
  if (!data) return null;
  return (
    <figure class="distribution">
      {isNumeric(feature) ? <Histogram feature={feature} data={data} now={now} then={then} /> : null}
      <Bars feature={feature} data={data} now={now} then={then} />
    </figure>
  );
}

const share = (count: number, all: number): number => (all > 0 ? count / all : 0);

const asNumber = (feature: Feature, value: Value | undefined): number | null =>
  typeof value === "number" && !isCode(feature, value) ? value : null;

/** The share of accepted applicants with at most this number; within an interval, as if they were spread evenly. */
export function standing(data: Data, value: number, step: number): number {
  const { bins, rows } = data;
  if (!bins) return 0;
  const upTo = (value + step - bins.first) / bins.width;
  const below = bins.counts.reduce((sum, count, index) => sum + count.accepted * Math.min(Math.max(upTo - index, 0), 1), 0);
  return share(below, rows.accepted);
}

const HALF = 44;

function Histogram({ feature, data, now, then }: Props & { data: Data }) {
  const w = words.value.distribution;
  const { bins, rows } = data;
  if (!bins) return <p class="hint">{w.noNumbers}</p>;
  const width = 100 / bins.counts.length;
  const shares = bins.counts.map((count) => ({ accepted: share(count.accepted, rows.accepted), rejected: share(count.rejected, rows.rejected) }));
  const most = Math.max(...shares.flatMap((one) => [one.accepted, one.rejected]), 1e-9);
  const ends = bins.width * bins.counts.length;
  const spot = (value: number): number => Math.min(Math.max((100 * (value - bins.first)) / ends, 0.5), 99.5);
  // The ends also count what lies beyond them.
  const last = bins.first + ends - (feature.kind === "integer" && bins.width === 1 ? 1 : 0);
  // A whole number is the middle of what its interval counts.
  const centre = feature.kind === "integer" ? Math.min(0.5, bins.width / 2) : 0;
  const here = asNumber(feature, now);
  const there = asNumber(feature, then);
  const text = here === null ? title(feature) : w.standing(showWithUnit(feature, here), percent(standing(data, here, feature.kind === "integer" ? 1 : 0)));
  return (
    <>
      <svg class="histogram" width="100%" height={2 * HALF + 26} role="img" aria-label={`${text} ${w.scale}.`}>
        <g aria-hidden="true">
          {shares.map((one, index) => (
            <g key={index}>
              <rect class="accepted" x={`${index * width + 0.3}%`} width={`${width - 0.6}%`} y={13 + HALF * (1 - one.accepted / most)} height={(HALF * one.accepted) / most} />
              <rect class="rejected" x={`${index * width + 0.3}%`} width={`${width - 0.6}%`} y={13 + HALF} height={(HALF * one.rejected) / most} />
            </g>
          ))}
          <line class="axis" x1="0" x2="100%" y1={13 + HALF} y2={13 + HALF} />
          {here !== null && <Mark at={spot(here + centre)} name={w.now} kind="now" y={10} />}
          {there !== null && there !== here && <Mark at={spot(there + centre)} name={w.then} kind="then" y={2 * HALF + 25} />}
        </g>
      </svg>
      <div class="ends" aria-hidden="true">
        <span>{bins.least < bins.first ? "≤ " : ""}{number(bins.first)}</span>
        <span>{bins.most > last ? "≥ " : ""}{number(last)}</span>
      </div>
      <Legend />
      {here !== null && <figcaption>{text}</figcaption>}
    </>
  );
}

function Mark({ at, name, kind, y }: { at: number; name: string; kind: "now" | "then"; y: number }) {
  const anchor = at < 10 ? "start" : at > 90 ? "end" : "middle";
  return (
    <>
      <line class="halo" x1={`${at}%`} x2={`${at}%`} y1="13" y2={13 + 2 * HALF} />
      <line class={`mark ${kind}`} x1={`${at}%`} x2={`${at}%`} y1="13" y2={13 + 2 * HALF} />
      <text x={`${at}%`} y={y} text-anchor={anchor}>{name}</text>
    </>
  );
}

function Legend() {
  const w = words.value.distribution;
  return (
    <p class="legend">
      <span class="key accepted" aria-hidden="true" /> {w.above} <span class="key rejected" aria-hidden="true" /> {w.below}
    </p>
  );
}

/** A pair of bars per level, or per code of a number. */
function Bars({ feature, data, now, then }: Props & { data: Data }) {
  const w = words.value.distribution;
  const codes = feature.codes.map((code, index) => ({ value: code.value, counts: data.codes[index] }));
  const levels = feature.levels.map((level, index) => ({ value: level.value, counts: data.levels[index] }));
  const rows = [...levels, ...codes.filter(({ value, counts }) => (counts && counts.accepted + counts.rejected > 0) || value === String(now))];
  if (!rows.length) return null;
  const most = Math.max(...rows.flatMap(({ counts }) => (counts ? [share(counts.accepted, data.rows.accepted), share(counts.rejected, data.rows.rejected)] : [0])), 1e-9);
  const bar = (counts: Counts | undefined, which: keyof Counts) => {
    const part = share(counts?.[which] ?? 0, data.rows[which]);
    return (
      <span class="bar-line">
        <svg width="100%" height="8" aria-hidden="true"><rect class={which} width={`${(100 * part) / most}%`} height="8" rx="2" /></svg>
        <span class="bar-share"><span class="visually-hidden">{w[which]} </span>{percent(part)}</span>
      </span>
    );
  };
  return (
    <>
      <ul class="bars">
        {rows.map(({ value, counts }) => (
          <li key={value} class={value === String(now) ? "is-now" : value === String(then) ? "is-then" : ""}>
            <span class="bar-label">
              {show(feature, value)}
              {value === String(now) && <b class="tag now">{w.now}</b>}
              {then !== undefined && then !== now && value === String(then) && <b class="tag then">{w.then}</b>}
            </span>
            {bar(counts, "accepted")}
            {bar(counts, "rejected")}
          </li>
        ))}
      </ul>
      {!isNumeric(feature) && <p class="legend"><span class="key accepted" aria-hidden="true" /> {w.accepted} <span class="key rejected" aria-hidden="true" /> {w.rejected}</p>}
    </>
  );
}
