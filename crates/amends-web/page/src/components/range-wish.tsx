// Acceptable numbers: two fields and two sliders for the same wish. It takes effect when a control is released.
import { useState } from "preact/hooks";
import type { Feature, FeatureWish } from "../api/types";
import { words } from "../i18n";
import { setWish } from "../state/wishes";
import { show, showWithUnit, title, unit } from "../text/labels";
import { plainNumber } from "../text/numbers";
import { problemOf, readAs, typed, valueOf } from "../text/values";
import { NumberField } from "./number-field";

/** What a field of an end was left with: a text that is no number, or a number beyond the data that was moved to its end. */
interface Left {
  text: string | null;
  problem: string | null;
  note: string | null;
}

const NOTHING: Left = { text: null, problem: null, note: null };

export function RangeWish({ feature, wish }: { feature: Feature; wish: FeatureWish }) {
  const w = words.value.wishes;
  const [draft, setDraft] = useState<[number, number] | null>(null);
  const [left, setLeft] = useState<[Left, Left]>([NOTHING, NOTHING]);
  const bounds = feature.number;
  if (!bounds) return null;
  const { least, most } = bounds;
  const range = draft ?? wish.range ?? [least, most];
  const step = bounds.step > 0 ? bounds.step : 10 ** -bounds.decimals;
  const leave = (index: 0 | 1, what: Left): void => setLeft(index === 0 ? [what, left[1]] : [left[0], what]);
  const commit = ([low, high]: [number, number], end: 0 | 1): void => {
    setDraft(null);
    // The end that was moved wins where they cross.
    const ordered: [number, number] = low <= high ? [low, high] : end === 0 ? [low, low] : [high, high];
    const whole = ordered[0] <= least && ordered[1] >= most;
    setWish(feature.name, { range: whole ? undefined : ordered }, `range-${feature.name}`);
  };
  const moved = (value: number, end: 0 | 1): [number, number] => {
    const inside = Math.min(Math.max(value, least), most);
    return end === 0 ? [inside, range[1]] : [range[0], inside];
  };
  /** Takes over what was typed; an empty field is no limit, and what is no number stays in sight with what is wrong. */
  const take = (text: string, index: 0 | 1): void => {
    const entry = typed(text);
    const empty = text.trim() === "";
    const value = empty ? (index === 0 ? least : most) : valueOf(feature, entry);
    if (typeof value !== "number") return leave(index, { text, problem: problemOf(feature, entry), note: null });
    const isBeyond = value < least || value > most;
    leave(index, { ...NOTHING, note: isBeyond ? w.beyond(show(feature, least), show(feature, most)) : readAs(feature, entry) });
    commit(moved(value, index), index);
  };
  const end = (index: 0 | 1, name: string) => {
    const { text, problem, note } = left[index];
    const id = `range-${index}-${feature.name}`;
    return (
      <div class="field">
        <label>
          <span class="small">{index === 0 ? w.low : w.high}</span>
          <NumberField
            feature={feature}
            text={text ?? plainNumber(range[index])}
            number={range[index]}
            aria-label={name}
            aria-invalid={problem !== null}
            aria-describedby={problem ?? note ? id : undefined}
            step={(value) => { leave(index, NOTHING); commit(moved(value, index), index); }}
            onInput={(event) => leave(index, { text: event.currentTarget.value, problem: null, note: null })}
            onChange={(event) => take(event.currentTarget.value, index)}
          />
        </label>
        {(problem ?? note) && <p class={problem ? "problem" : "hint"} id={id} role="status">{problem ?? note}</p>}
      </div>
    );
  };
  const slider = (index: 0 | 1, name: string) => (
    <input
      type="range"
      min={least}
      max={most}
      step={step}
      value={range[index]}
      aria-label={name}
      aria-valuetext={showWithUnit(feature, range[index])}
      onInput={(event) => { leave(index, NOTHING); setDraft(moved(Number(event.currentTarget.value), index)); }}
      onChange={(event) => commit(moved(Number(event.currentTarget.value), index), index)}
    />
  );
  return (
    <fieldset class="range-wish">
      <legend>{w.range}{unit(feature) ? ` (${unit(feature)})` : ""}</legend>
      <div class="range-fields">{end(0, w.lowOf(title(feature)))}{end(1, w.highOf(title(feature)))}</div>
      <div class="dual">
        <div class="dual-track"><span style={{ left: `${(100 * (range[0] - least)) / (most - least || 1)}%`, right: `${(100 * (most - range[1])) / (most - least || 1)}%` }} /></div>
        {slider(0, w.lowOf(title(feature)))}
        {slider(1, w.highOf(title(feature)))}
      </div>
      <div class="ends hint" aria-hidden="true"><span>{show(feature, least)}</span><span>{show(feature, most)}</span></div>
    </fieldset>
  );
}
