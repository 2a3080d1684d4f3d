// How hard a change is, in five steps.
import { useState } from "preact/hooks";
import type { Feature, FeatureWish } from "../api/types";
import { words } from "../i18n";
import { setWish } from "../state/wishes";
import { EFFORTS, effortStep } from "../text/wishes";
import { title } from "../text/labels";

const NORMAL = 2;

export function EffortWish({ feature, wish, legend }: { feature: Feature; wish: FeatureWish; legend?: string }) {
  const w = words.value.wishes;
  const [draft, setDraft] = useState<number | null>(null);
  const step = draft ?? effortStep(wish.effort);
  const name = w.efforts[step] ?? "";
  const commit = (value: number): void => {
    setDraft(null);
    setWish(feature.name, { effort: value === NORMAL ? undefined : EFFORTS[value] }, `effort-${feature.name}`);
  };
  return (
    <label class="field effort">
      <span class="label">{legend ?? w.effort} <output>{name}</output></span>
      <input
        type="range"
        min="0"
        max="4"
        step="1"
        value={step}
        aria-label={`${title(feature)}: ${w.effort}`}
        aria-valuetext={name}
        onInput={(event) => setDraft(Number(event.currentTarget.value))}
        onChange={(event) => commit(Number(event.currentTarget.value))}
      />
      <span class="ends hint" aria-hidden="true"><span>{w.efforts[0]}</span><span>{w.efforts[4]}</span></span>
    </label>
  );
}
