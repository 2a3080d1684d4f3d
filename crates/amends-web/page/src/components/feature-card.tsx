// A feature: where the applicant stands among others, and what they wish of it.
import type { Feature, FeatureWish, Value } from "../api/types";
import { Distribution } from "../charts/distribution";
import { words } from "../i18n";
import { refusedWishes } from "../state/refused-wishes";
import { solveError } from "../state/solve";
import { WISH_KEYS, resetFeature, setWish, wishOf } from "../state/wishes";
import { isChangeable, isNumeric, showWithUnit, title } from "../text/labels";
import { EffortWish } from "./effort-wish";
import { focusOn } from "./focus";
import { LevelsWish } from "./levels-wish";
import { RangeWish } from "./range-wish";
import { ServerTexts } from "./server-texts";
import { WishPrice } from "./wish-price";

interface Props {
  feature: Feature;
  now: Value;
  then: Value | undefined;
}

export function FeatureCard({ feature, now, then }: Props) {
  const w = words.value.wishes;
  const wish = wishOf(feature.name);
  const active = WISH_KEYS.filter((key) => wish[key] !== undefined);
  const changed = then !== undefined && then !== now;
  return (
    <article class={`card feature ${changed ? "changed" : ""}`} aria-labelledby={`feature-${feature.name}`}>
      <div class="heading-line">
        <h3 id={`feature-${feature.name}`} tabIndex={-1}>{title(feature)}</h3>
        {active.length > 0 && <button type="button" class="plain" aria-label={w.resetOf(title(feature))} onClick={() => { resetFeature(feature.name); focusOn(`feature-${feature.name}`); }}>{w.reset}</button>}
      </div>
      <p class="now-then">
        {showWithUnit(feature, now)}
        {changed && <> → <strong>{showWithUnit(feature, then)}</strong> <b class="tag then">{words.value.distribution.then}</b></>}
      </p>
      <Distribution feature={feature} now={now} then={changed ? then : undefined} />
      {isChangeable(feature, now) ? <Controls feature={feature} now={now} wish={wish} /> : <p class="why-fixed">{whyFixed(feature)}</p>}
      {active.map((key) => <WishPrice key={key} item={{ feature: feature.name, key }} />)}
      <Refusal name={feature.name} />
    </article>
  );
}

function whyFixed(feature: Feature): string {
  const w = words.value.wishes;
  if (feature.change !== "immutable") return w.noMoves;
  return feature.protected ? w.protectedReason : w.immutable;
}

function Controls({ feature, now, wish }: { feature: Feature; now: Value; wish: FeatureWish }) {
  const w = words.value.wishes;
  const locked = wish.locked === true;
  return (
    <div class="controls">
      <label class="check lock">
        <input type="checkbox" checked={locked} onChange={() => setWish(feature.name, { locked: locked ? undefined : true })} />
        <span>{w.lock}<span class="visually-hidden">: {title(feature)}</span></span>
      </label>
      {!locked && isNumeric(feature) && <DirectionWish feature={feature} wish={wish} />}
      {!locked && isNumeric(feature) && <RangeWish feature={feature} wish={wish} />}
      {!locked && !isNumeric(feature) && <LevelsWish feature={feature} now={now} wish={wish} />}
      {!locked && <EffortWish feature={feature} wish={wish} />}
    </div>
  );
}

function DirectionWish({ feature, wish }: { feature: Feature; wish: FeatureWish }) {
  const w = words.value.wishes;
  if (feature.change === "increase") return <p class="hint">{w.lenderUp}</p>;
  if (feature.change === "decrease") return <p class="hint">{w.lenderDown}</p>;
  const set = (value: string): void => setWish(feature.name, { change: value === "increase" || value === "decrease" ? value : undefined });
  return (
    <label class="field">
      <span class="label">{w.direction}<span class="visually-hidden">: {title(feature)}</span></span>
      <select value={wish.change ?? ""} onChange={(event) => set(event.currentTarget.value)}>
        <option value="">{w.both}</option>
        <option value="increase">{w.up}</option>
        <option value="decrease">{w.down}</option>
      </select>
    </label>
  );
}

/** What the schema or the server has against a wish of this feature. */
function Refusal({ name }: { name: string }) {
  const own = refusedWishes.value?.filter((one) => one.feature === name) ?? [];
  const problems = solveError.value?.problems.filter((problem) => problem.feature === name) ?? [];
  if (!problems.length && !own.length) return null;
  return (
    <div class="problem" role="alert">
      {own.map(({ text }) => <p key={text}>{text}</p>)}
      {problems.length > 0 && words.value.wishes.refused}
      <ServerTexts texts={problems.map(({ message, remedy }) => (remedy ? `${message}: ${remedy}` : message))} />
    </div>
  );
}
