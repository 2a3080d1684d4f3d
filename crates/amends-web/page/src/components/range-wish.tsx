// Acceptable numbers: two fields and two sliders for the same wish. It takes effect when a control is released.
import { useState } from "preact/hooks";
import type { Feature, FeatureWish } from "../api/types";
import { words } from "../i18n";
import { setWish } from "../state/wishes";
import { show, showWithUnit, title, unit } from "../text/labels";

export function RangeWish({ feature, wish }: { feature: Feature; wish: FeatureWish }) {
  const w = words.value.wishes;
  const [draft, setDraft] = useState<[number, number] | null>(null);
  const bounds = feature.number;
  if (!bounds) return null;
  const { least, most } = bounds;
  const range = draft ?? wish.range ?? [least, most];
  const step = bounds.step > 0 ? bounds.step : 10 ** -bounds.decimals;
  const commit = ([low, high]: [number, number], end: 0 | 1): void => {
    setDraft(null);
    // The end that was moved wins where they cross.
    const ordered: [number, number] = low <= high ? [low, high] : end === 0 ? [low, low] : [high, high];
    const whole = ordered[0] <= least && ordered[1] >= most;
    setWish(feature.name, { range: whole ? undefined : ordered }, `range-${feature.name}`);
  };
  const moved = (text: string, end: 0 | 1): [number, number] => {
    const value = text.trim() === "" || !Number.isFinite(Number(text)) ? (end === 0 ? least : most) : Math.min(Math.max(Number(text), least), most);
    return end === 0 ? [value, range[1]] : [range[0], value];
  };
  const end = (index: 0 | 1, name: string) => (
    <label class="field">
      <span class="small">{index === 0 ? w.low : w.high}</span>
      <input type="number" min={least} max={most} step="any" value={range[index]} aria-label={name} onChange={(event) => commit(moved(event.currentTarget.value, index), index)} />
    </label>
  );
  const slider = (index: 0 | 1, name: string) => (
    <input
      type="range"
      min={least}
      max={most}
      step={step}
      value={range[index]}
      aria-label={name}
      aria-valuetext={showWithUnit(feature, range[index])}
      onInput={(event) => setDraft(moved(event.currentTarget.value, index))}
      onChange={(event) => commit(moved(event.currentTarget.value, index), index)}
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
