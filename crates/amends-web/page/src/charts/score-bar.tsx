// Where the score, or the probability, lies against the cut.
import type { Decision } from "../api/types";
import { figure, probability, words } from "../i18n";
import { about } from "../state/server";

/** Marks that are closer than this, in percent of the bar, share the space of their labels. */
const CLOSE = 15;

interface Props {
  decision: Decision;
  /** The same with the plan. */
  after?: { score: number; probability: number | null } | undefined;
}

export function ScoreBar({ decision, after }: Props) {
  const w = words.value.decision;
  const server = about.value;
  if (!server) return null;
  const cutProbability = server.cut_probability;
  const inShares = decision.probability !== null && cutProbability !== null;
  const cut = inShares ? cutProbability : server.cut;
  const now = inShares ? (decision.probability ?? 0) : decision.score;
  const then = after ? (inShares ? after.probability : after.score) : null;
  const text = (value: number): string => (inShares ? probability(value, cut) : figure(value));
  // Scores have no natural ends: the bar then reaches somewhat beyond what it shows.
  const shown = [now, cut, ...(then === null ? [] : [then])];
  const spare = 0.15 * (Math.max(...shown) - Math.min(...shown) || 1);
  const low = inShares ? 0 : Math.min(...shown) - spare;
  const high = inShares ? 1 : Math.max(...shown) + spare;
  const at = (value: number): number => (100 * (value - low)) / (high - low);
  const anchor = (x: number, before: boolean): "start" | "end" => (x < 25 ? "start" : x > 75 ? "end" : before ? "end" : "start");
  // Close to each other, the labels keep apart; else each lines up with its mark.
  const gap = then !== null && Math.abs(at(then) - at(now)) < CLOSE ? -12 : 6;
  const label = (value: number, name: string, before: boolean) => {
    const side = anchor(at(value), before);
    return <text x={`${at(value)}%`} dx={side === "end" ? gap : -gap} y="74" text-anchor={side}>{name} {text(value)}</text>;
  };
  return (
    <figure class="score-bar">
      <svg width="100%" height="82" role="img" aria-label={w.bar(text(now), text(cut))}>
        <rect class="track" x="0" y="28" width="100%" height="20" rx="4" />
        <rect class="good" x={`${at(cut)}%`} y="28" width={`${100 - at(cut)}%`} height="20" rx="4" />
        <line class="cut" x1={`${at(cut)}%`} x2={`${at(cut)}%`} y1="20" y2="54" />
        <text x={`${at(cut)}%`} y="13" text-anchor="middle">{w.cut} {text(cut)}</text>
        {then !== null && <circle class="then" cx={`${at(then)}%`} cy="38" r="9" />}
        <circle class={`now ${decision.accepted ? "accepted" : "rejected"}`} cx={`${at(now)}%`} cy="38" r="8" />
        {label(now, w.now, now <= (then ?? now))}
        {then !== null && label(then, w.withPlan, then < now)}
      </svg>
      <figcaption>{(inShares ? w.probability : w.score)(text(now), text(cut))}</figcaption>
    </figure>
  );
}
