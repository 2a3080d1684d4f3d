// A few questions that fill in the same wishes as the cards.
import type { Application, Feature, Value } from "../api/types";
import { words } from "../i18n";
import { address, update } from "../state/address";
import { schema } from "../state/server";
import { setWish, wishOf } from "../state/wishes";
import { isChangeable, isNumeric, showWithUnit, title } from "../text/labels";
import { EffortWish } from "./effort-wish";
import { focusOn } from "./focus";
import { LevelsWish } from "./levels-wish";
import { MaxChanges } from "./max-changes";
import { RangeWish } from "./range-wish";

const STEPS = 4;

export function Guided({ application }: { application: Application }) {
  const w = words.value.guided;
  const step = Math.min(Math.max(Math.trunc(Number(address.value.query["step"] ?? 1)) || 1, 1), STEPS);
  const nowOf = (feature: Feature): Value => application[feature.name] ?? "";
  const changeable = (schema.value?.features ?? []).filter((feature) => isChangeable(feature, nowOf(feature)));
  const open = changeable.filter((feature) => !wishOf(feature.name).locked);
  const go = (to: number): void => {
    update({ step: to === 1 ? undefined : String(to) });
    focusOn("guided-question");
  };
  const [question, help] = [[w.which, w.whichHelp], [w.hard, w.hardHelp], [w.limits, w.limitsHelp], [w.many, ""]][step - 1] ?? ["", ""];
  return (
    <section class="card guided" aria-labelledby="guided-question">
      <p class="hint">{w.step(step, STEPS)}</p>
      <progress max={STEPS} value={step} aria-label={w.step(step, STEPS)} />
      <h3 id="guided-question" tabIndex={-1}>{question}</h3>
      {help && <p class="hint">{help}</p>}
      {step === 1 && changeable.map((feature) => <CouldChange key={feature.name} feature={feature} now={nowOf(feature)} />)}
      {step > 1 && open.length === 0 && <p class="notice">{w.none}</p>}
      {step === 2 && <div class="grid">{open.map((feature) => <EffortWish key={feature.name} feature={feature} wish={wishOf(feature.name)} legend={`${title(feature)}:`} />)}</div>}
      {step === 3 && <div class="grid">{open.map((feature) => <Limits key={feature.name} feature={feature} now={nowOf(feature)} />)}</div>}
      {step === 4 && <MaxChanges />}
      <div class="plan-tools">
        {step > 1 && <button type="button" onClick={() => go(step - 1)}>{words.value.back}</button>}
        {step < STEPS && <button type="button" class="primary" onClick={() => go(step + 1)}>{words.value.next}</button>}
        {step === STEPS && <button type="button" class="primary" onClick={() => focusOn("result")}>{w.done}</button>}
      </div>
    </section>
  );
}

function CouldChange({ feature, now }: { feature: Feature; now: Value }) {
  const locked = wishOf(feature.name).locked === true;
  return (
    <label class="check">
      <input type="checkbox" checked={!locked} onChange={() => setWish(feature.name, { locked: locked ? undefined : true })} />
      <span>{title(feature)} <span class="hint">({words.value.guided.now(showWithUnit(feature, now))})</span></span>
    </label>
  );
}

function Limits({ feature, now }: { feature: Feature; now: Value }) {
  const wish = wishOf(feature.name);
  return (
    <div>
      <h4>{title(feature)} <span class="hint">({words.value.guided.now(showWithUnit(feature, now))})</span></h4>
      {isNumeric(feature) ? <RangeWish feature={feature} wish={wish} /> : <LevelsWish feature={feature} now={now} wish={wish} />}
    </div>
  );
}
