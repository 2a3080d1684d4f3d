// Which levels a feature may become, of those that the lender's rules allow from the present one.
import type { Feature, FeatureWish, Value } from "../api/types";
import { words } from "../i18n";
import { setWish } from "../state/wishes";
import { reachableLevels, show } from "../text/labels";
import { focusOn } from "./focus";

export function LevelsWish({ feature, now, wish }: { feature: Feature; now: Value; wish: FeatureWish }) {
  const w = words.value.wishes;
  const reachable = reachableLevels(feature, now);
  const allowed = wish.levels ?? reachable;
  const toggle = (level: string): void => {
    const next = allowed.includes(level) ? allowed.filter((one) => one !== level) : reachable.filter((one) => one === level || allowed.includes(one));
    const all = reachable.every((one) => next.includes(one));
    // Nothing left to become: it stays as it is.
    if (next.length === 0) focusOn(`feature-${feature.name}`, "guided-question");
    setWish(feature.name, next.length === 0 ? { levels: undefined, locked: true } : { levels: all ? undefined : next });
  };
  return (
    <fieldset>
      <legend>{w.levels}</legend>
      {reachable.map((level) => (
        <label key={level} class="check">
          <input type="checkbox" checked={allowed.includes(level)} onChange={() => toggle(level)} />
          <span>{show(feature, level)}</span>
        </label>
      ))}
    </fieldset>
  );
}
