// A field for a value: a number with its range and unit, a level, or one of the codes for what is no number.
import type { Feature } from "../api/types";
import { words } from "../i18n";
import { isNumeric, show, title, unit } from "../text/labels";
import { isCodeText } from "../text/values";

interface Props {
  feature: Feature;
  text: string;
  set: (text: string) => void;
  /** A slider beside the field, for trying values. */
  slider?: boolean;
  problem?: string | null | undefined;
  /** What to know before typing. */
  hint?: string | null | undefined;
}

export function ValueInput({ feature, text, set, slider = false, problem, hint }: Props) {
  const w = words.value.application;
  const id = `value-${feature.name}`;
  const described = [problem ? `${id}-problem` : "", hint ? `${id}-hint` : ""].join(" ").trim() || undefined;
  const shared = { id, "aria-invalid": Boolean(problem), "aria-describedby": described };
  const isCode = isCodeText(feature, text);
  const bounds = feature.number;
  const counts = unit(feature);
  return (
    <div class="field value-input">
      <label class="label" for={id}>{title(feature)}</label>
      {isNumeric(feature) ? (
        <>
          <div class="value-line">
            <input {...shared} type="number" step="any" value={isCode ? "" : text} disabled={isCode} onInput={(event) => set(event.currentTarget.value)} />
            {counts && <span class="soft">{counts}</span>}
            {feature.codes.length > 0 && (
              <select aria-label={`${title(feature)}: ${w.numberOrCode}`} value={isCode ? text : ""} onChange={(event) => set(event.currentTarget.value)}>
                <option value="">{w.aNumber}</option>
                {feature.codes.map((code) => <option key={code.value} value={code.value}>{show(feature, code.value)}</option>)}
              </select>
            )}
          </div>
          {slider && bounds && !isCode && (
            <input type="range" min={bounds.least} max={bounds.most} step={bounds.step > 0 ? bounds.step : "any"} value={text} aria-label={title(feature)} onInput={(event) => set(event.currentTarget.value)} />
          )}
        </>
      ) : (
        <select {...shared} value={text} onChange={(event) => set(event.currentTarget.value)}>
          {text === "" && <option value="">{w.pick}</option>}
          {[...feature.levels, ...feature.codes].map(({ value }) => <option key={value} value={value}>{show(feature, value)}</option>)}
        </select>
      )}
      {hint && <p class="hint" id={`${id}-hint`}>{hint}</p>}
      {problem && <p class="problem" id={`${id}-problem`}>{problem}</p>}
    </div>
  );
}
