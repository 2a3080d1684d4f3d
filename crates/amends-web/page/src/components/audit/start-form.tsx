// What an audit is asked: whom, by which groups, how long per applicant.
import { useEffect, useState } from "preact/hooks";
import type { Audit, Column } from "../../api/audits";
import { type ApiError, asApiError, request } from "../../api/client";
import { words } from "../../i18n";
import { go } from "../../state/address";
import { about } from "../../state/server";
import { columnHint, columnTitle, cutsOf } from "../../text/audit";
import { plainNumber, readNumber } from "../../text/numbers";
import { ErrorBox } from "../error-box";
import { Segmented } from "../segmented";

/** A column that is chosen, with its cut points as they were typed. */
type Chosen = Readonly<Record<string, string>>;

export function StartForm() {
  const w = words.value.audit.start;
  const heldOut = (about.value?.applicants.held_out ?? 0) > 0;
  const mostSeconds = about.value?.time_limit ?? 10;
  const [rows, setRows] = useState(heldOut ? "held-out" : "all");
  const [most, setMost] = useState("");
  const [chosen, setChosen] = useState<Chosen>({});
  const [reasons, setReasons] = useState(true);
  const [seconds, setSeconds] = useState(plainNumber(mostSeconds));
  const [checked, setChecked] = useState(false);
  const [error, setError] = useState<ApiError | null>(null);
  const [busy, setBusy] = useState(false);
  const wrongMost = most.trim() !== "" && !/^[1-9]\d{0,8}$/.test(most.trim());
  const read = readNumber(seconds);
  const limit = read.kind === "number" ? read.value : read.kind === "other-language" ? read.other : NaN;
  const wrongSeconds = !(limit > 0 && limit <= mostSeconds);
  const wrongCuts = (name: string): boolean => (chosen[name] ?? "").trim() !== "" && cutsOf(chosen[name] ?? "") === null;
  const begin = async (): Promise<void> => {
    setChecked(true);
    setError(null);
    const badCuts = Object.keys(chosen).find(wrongCuts);
    const bad = wrongMost ? "most" : wrongSeconds ? "seconds" : badCuts === undefined ? null : `cuts-${badCuts}`;
    if (bad) return document.getElementById(bad)?.focus();
    setBusy(true);
    try {
      const by = Object.entries(chosen).map(([name, cuts]) => (cuts.trim() ? `${name}:${cutsOf(cuts) ?? ""}` : name));
      const asked = { rows, by, reasons, time_limit: limit, ...(most.trim() ? { rejected: Number(most) } : {}) };
      const audit = await request<Audit>("/audits", asked);
      go(["audits", audit.id]);
    } catch (reason) {
      setError(asApiError(reason));
      setBusy(false);
    }
  };
  const field = (id: string, label: string, value: string, set: (text: string) => void, wrong: boolean, problem: string, hint: string) => (
    <div class="field">
      <label class="label" for={id}>{label}</label>
      <input id={id} inputMode="decimal" size={8} value={value} aria-invalid={checked && wrong} aria-describedby={`${id}-hint`} onInput={(event) => set(event.currentTarget.value)} />
      <p id={`${id}-hint`} class={checked && wrong ? "problem" : "hint"}>{checked && wrong ? problem : hint}</p>
    </div>
  );
  return (
    <form class="card audit-form" aria-labelledby="start" noValidate onSubmit={(event) => { event.preventDefault(); void begin(); }}>
      <h2 id="start">{w.heading}</h2>
      <div class="toolbar">
        {heldOut && <Segmented name="rows" legend={w.rows} value={rows} options={[{ value: "held-out", text: w.heldOut }, { value: "all", text: w.all }]} choose={setRows} />}
        {field("most", w.most, most, setMost, wrongMost, w.wrongCount, w.mostHelp)}
        {field("seconds", w.timeLimit, seconds, setSeconds, wrongSeconds, w.wrongNumber(String(mostSeconds)), "")}
      </div>
      <p class="hint">{heldOut ? w.heldOutHelp : w.noHeldOut}</p>
      <label class="check">
        <input type="checkbox" checked={reasons} onChange={() => setReasons(!reasons)} />
        <span>{w.reasons}</span>
      </label>
      <Columns chosen={chosen} set={setChosen} wrong={(name) => checked && wrongCuts(name)} />
      {error && <ErrorBox error={error} retry={() => void begin()} />}
      <p class="form-end"><button type="submit" class="primary" disabled={busy}>{w.button}</button></p>
    </form>
  );
}

function Columns({ chosen, set, wrong }: { chosen: Chosen; set: (chosen: Chosen) => void; wrong: (name: string) => boolean }) {
  const w = words.value.audit.start;
  const [columns, setColumns] = useState<Column[] | null>(null);
  const [error, setError] = useState<ApiError | null>(null);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    setError(null);
    request<{ columns: Column[] }>("/columns").then((found) => setColumns(found.columns), (reason: unknown) => setError(asApiError(reason)));
  }, [attempt]);
  if (error) return <ErrorBox error={error} retry={() => setAttempt(attempt + 1)} />;
  const toggle = (name: string): void => set(name in chosen ? Object.fromEntries(Object.entries(chosen).filter(([one]) => one !== name)) : { ...chosen, [name]: "" });
  // Protected attributes first: groups are mostly compared by those.
  const shown = [...(columns ?? [])].sort((a, b) => Number(b.protected) - Number(a.protected));
  return (
    <fieldset class="by">
      <legend>{w.by}</legend>
      <div class="check-grid">
        {shown.map((column) => (
          <div key={column.name}>
            <label class="check">
              <input type="checkbox" checked={column.name in chosen} disabled={column.count === null} onChange={() => toggle(column.name)} />
              <span>{columnTitle(column.name)} <span class="small">{columnHint(column)}</span></span>
            </label>
            {column.name in chosen && isNumeric(column) && <Cuts column={column} text={chosen[column.name] ?? ""} set={(text) => set({ ...chosen, [column.name]: text })} wrong={wrong(column.name)} />}
          </div>
        ))}
      </div>
    </fieldset>
  );
}

/** Whether a column has numbers, by its groups: cut into intervals, or one per number. */
const isNumeric = ({ groups }: Column): boolean => groups !== null && groups.some((group) => /^under |to under | and over$/.test(group) || Number.isFinite(Number(group)));

function Cuts({ column, text, set, wrong }: { column: Column; text: string; set: (text: string) => void; wrong: boolean }) {
  const w = words.value.audit.start;
  const id = `cuts-${column.name}`;
  return (
    <div class="cuts">
      <label class="label" for={id}>{w.cuts(columnTitle(column.name))}</label>
      <input id={id} value={text} aria-invalid={wrong} aria-describedby={`${id}-hint`} onInput={(event) => set(event.currentTarget.value)} />
      <p id={`${id}-hint`} class={wrong ? "problem" : "hint"}>{wrong ? w.wrongCuts : w.cutsHelp}</p>
    </div>
  );
}
