// A field for a value: a number with its range and unit, a level, or one of the codes for what is no number.
import type { Feature, Value } from "../api/types";
import { words } from "../i18n";
import { isNumeric, show, title, unit } from "../text/labels";
import { type Entry, chosenCode, codeValue, outsideText, readAs, textOf, typed, valueOf } from "../text/values";
import { NumberField } from "./number-field";

interface Props {
  feature: Feature;
  entry: Entry;
  set: (entry: Entry) => void;
  /** A slider beside the field, for trying values. */
  slider?: boolean;
  problem?: string | null | undefined;
  /** What to know before typing. */
  hint?: string | null | undefined;
}

export function ValueInput({ feature, entry, set, slider = false, problem, hint }: Props) {
  const id = `value-${feature.name}`;
  const value = valueOf(feature, entry);
  const warning = problem ? null : outsideText(feature, value);
  const reading = problem ? null : readAs(feature, entry);
  const notes = [
    { key: "problem", text: problem, name: "problem" },
    { key: "reading", text: reading, name: "hint" },
    { key: "warning", text: warning, name: "warning" },
    { key: "hint", text: warning ? null : hint, name: "hint" },
  ].filter(({ text }) => text);
  const described = notes.map(({ key }) => `${id}-${key}`).join(" ") || undefined;
  const shared = { id, "aria-invalid": Boolean(problem), "aria-describedby": described };
  return (
    <div class="field value-input">
      <label class="label" for={id}>{title(feature)}</label>
      {isNumeric(feature) ? (
        <NumberInput feature={feature} entry={entry} value={value} set={set} slider={slider} shared={shared} />
      ) : (
        <Options feature={feature} chosen={value} set={set} shared={shared} />
      )}
      {notes.map(({ key, text, name }) => <p key={key} class={name} id={`${id}-${key}`}>{text}</p>)}
    </div>
  );
}

/** What a list holds where nothing of the table is chosen. A level or code may be an empty text, but no control character. */
const NONE = "\u0001";

interface Shared {
  id: string;
  "aria-invalid": boolean;
  "aria-describedby": string | undefined;
}

function NumberInput({ feature, entry, value, set, slider, shared }: { feature: Feature; entry: Entry; value: Value | null; set: (entry: Entry) => void; slider: boolean; shared: Shared }) {
  const w = words.value.application;
  const isCode = chosenCode(feature, entry);
  const bounds = feature.number;
  const counts = unit(feature);
  const number = typeof value === "number" && !isCode ? value : null;
  const code = isCode && "value" in entry ? String(entry.value) : NONE;
  return (
    <>
      <div class="value-line">
        <NumberField {...shared} feature={feature} text={isCode ? "" : textOf(feature, entry)} number={number} disabled={isCode} step={(next) => set({ value: next })} onInput={(event) => set(typed(event.currentTarget.value))} />
        {counts && <span class="soft">{counts}</span>}
        {feature.codes.length > 0 && (
          <select aria-label={`${title(feature)}: ${w.numberOrCode}`} value={code} onChange={({ currentTarget: { value: chosen } }) => set(chosen === NONE ? typed("") : { value: codeValue(chosen) })}>
            <option value={NONE}>{w.aNumber}</option>
            {feature.codes.map((one) => <option key={one.value} value={one.value}>{show(feature, one.value)}</option>)}
          </select>
        )}
      </div>
      {slider && bounds && !isCode && (
        <input type="range" min={bounds.least} max={bounds.most} step={bounds.step > 0 ? bounds.step : "any"} value={number ?? bounds.least} aria-label={title(feature)} onInput={(event) => set({ value: Number(event.currentTarget.value) })} />
      )}
    </>
  );
}

/** The levels and codes of a feature. */
function Options({ feature, chosen, set, shared }: { feature: Feature; chosen: Value | null; set: (entry: Entry) => void; shared: Shared }) {
  return (
    <select {...shared} value={chosen === null ? NONE : String(chosen)} onChange={(event) => set({ value: event.currentTarget.value })}>
      {chosen === null && <option value={NONE}>{words.value.application.pick}</option>}
      {[...feature.levels, ...feature.codes].map(({ value }) => <option key={value} value={value}>{show(feature, value)}</option>)}
    </select>
  );
}
