// Trying values and watching the decision, apart from the wishes and the plan.
import { useEffect, useState } from "preact/hooks";
import { type ApiError, asApiError, isAbort, request } from "../api/client";
import type { Application, Decision, Feature, Plan, Value } from "../api/types";
import { ScoreBar } from "../charts/score-bar";
import { words } from "../i18n";
import { address, format, replace } from "../state/address";
import { applicationHref } from "../state/question";
import { schema } from "../state/server";
import { type Entry, problemOf, valueOf } from "../text/values";
import { ErrorBox } from "./error-box";
import { ValueInput } from "./value-input";
import { Verdict } from "./verdict";

/** While a slider moves, ask at most this often, in milliseconds. */
const DEBOUNCE = 80;

function tried(): Record<string, Value> {
  try {
    const values: unknown = JSON.parse(address.value.query["try"] ?? "{}");
    return typeof values === "object" && values !== null ? (values as Record<string, Value>) : {};
  } catch {
    return {};
  }
}

export function WhatIf({ application, plan, decision }: { application: Application; plan: Plan | undefined; decision: Decision }) {
  const w = words.value.whatIf;
  const changes = tried();
  const features = schema.value?.features ?? [];
  // What was typed, in the language that it was typed in. What is no value yet is nowhere else.
  const [drafts, setDrafts] = useState<ReadonlyMap<string, Entry>>(new Map());
  const combined: Application = { ...application, ...changes };
  const entryOf = (name: string): Entry => drafts.get(name) ?? { value: combined[name] ?? "" };
  const wrong = features.filter((feature) => problemOf(feature, entryOf(feature.name)) !== null).length;
  const count = features.filter(({ name }) => combined[name] !== application[name]).length;
  const { scored, error, retry } = useScore(combined, count === 0, decision);
  const write = (next: Record<string, Value>): void => {
    const differing = Object.entries(next).filter(([name, value]) => value !== application[name]);
    const { try: _, ...query } = address.value.query;
    replace(format({ path: address.value.path, query: differing.length ? { ...query, try: JSON.stringify(Object.fromEntries(differing)) } : query }));
  };
  const startFrom = (next: Record<string, Value>): void => {
    setDrafts(new Map());
    write(next);
  };
  const set = (feature: Feature, entry: Entry): void => {
    const rest = new Map(drafts);
    if ("text" in entry) rest.set(feature.name, entry);
    else rest.delete(feature.name);
    setDrafts(rest);
    const value = valueOf(feature, entry);
    if (value !== null) write({ ...tried(), [feature.name]: value });
  };
  const unknown = wrong > 0 || error !== null;
  return (
    <>
      <h2>{w.heading}</h2>
      <p class="lead">{w.intro}</p>
      <div class={`what-if-result ${unknown ? "stale" : ""}`}>
        <div class="heading-line">
          <Verdict accepted={scored.accepted} />
          <span class="hint" role="status">{w.changed(count)}</span>
        </div>
        {wrong > 0 && <p class="problem" role="status">{w.wrong(wrong)}</p>}
        <div class="what-if-score"><ScoreBar decision={scored} /></div>
      </div>
      {error && <ErrorBox error={error} retry={retry} />}
      <div class="plan-tools">
        {plan && <button type="button" onClick={() => startFrom(plan.application)}>{w.fromPlan}</button>}
        <button type="button" disabled={count === 0 && wrong === 0} onClick={() => startFrom({})}>{w.reset}</button>
        <button type="button" class="primary" disabled={count === 0 || wrong > 0} onClick={() => { location.hash = applicationHref(combined); }}>{w.use}</button>
      </div>
      <div class="grid">
        {features.map((feature) => {
          const value = combined[feature.name];
          return (
            <div key={feature.name} class={value === application[feature.name] ? "" : "tried"}>
              <ValueInput feature={feature} slider entry={entryOf(feature.name)} set={(entry) => set(feature, entry)} problem={problemOf(feature, entryOf(feature.name))} />
            </div>
          );
        })}
      </div>
    </>
  );
}

/** The decision on an application as it is being changed: the last one asked about wins. */
function useScore(application: Application, unchanged: boolean, decision: Decision) {
  const [scored, setScored] = useState<Decision>(decision);
  const [error, setError] = useState<ApiError | null>(null);
  const [attempt, setAttempt] = useState(0);
  const text = JSON.stringify(application);
  useEffect(() => {
    if (unchanged) {
      setError(null);
      return undefined;
    }
    const abort = new AbortController();
    const timer = setTimeout(() => {
      request<Decision>("/score", { application: JSON.parse(text) }, abort.signal)
        .then((answer) => { setScored(answer); setError(null); })
        .catch((reason: unknown) => { if (!isAbort(reason)) setError(asApiError(reason)); });
    }, DEBOUNCE);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [text, unchanged, attempt]);
  return { scored: unchanged ? decision : scored, error, retry: () => setAttempt(attempt + 1) };
}
