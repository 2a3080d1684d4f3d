// Trying values and watching the decision, apart from the wishes and the plan.
import { useEffect, useState } from "preact/hooks";
import { type ApiError, asApiError, isAbort, request } from "../api/client";
import type { Application, Decision, Plan, Value } from "../api/types";
import { ScoreBar } from "../charts/score-bar";
import { words } from "../i18n";
import { address, format, replace } from "../state/address";
import { applicationHref } from "../state/question";
import { schema } from "../state/server";
import { valueOf } from "../text/values";
import { ErrorBox } from "./error-box";
import { ValueInput } from "./value-input";
import { Verdict } from "./verdict";

/** While a slider moves, ask at most this often, in milliseconds. */
const DEBOUNCE = 80;

function tried(): Record<string, Value> {
  try {
    return JSON.parse(address.value.query["try"] ?? "{}") as Record<string, Value>;
  } catch {
    return {};
  }
}

export function WhatIf({ application, plan, decision }: { application: Application; plan: Plan | undefined; decision: Decision }) {
  const w = words.value.whatIf;
  const changes = tried();
  const features = schema.value?.features ?? [];
  // What is typed at the moment, where it is no value yet.
  const [drafts, setDrafts] = useState<Record<string, string>>({});
  const combined: Application = { ...application, ...changes };
  const count = features.filter(({ name }) => combined[name] !== application[name]).length;
  const { scored, error, retry } = useScore(combined, count === 0, decision);
  const write = (next: Record<string, Value>): void => {
    const differing = Object.entries(next).filter(([name, value]) => value !== application[name]);
    const { try: _, ...query } = address.value.query;
    replace(format({ path: address.value.path, query: differing.length ? { ...query, try: JSON.stringify(Object.fromEntries(differing)) } : query }));
  };
  const set = (name: string, text: string): void => {
    const feature = features.find((one) => one.name === name);
    const value = feature ? valueOf(feature, text) : null;
    const { [name]: _, ...rest } = drafts;
    setDrafts(value === null ? { ...drafts, [name]: text } : rest);
    if (value !== null) write({ ...tried(), [name]: value });
  };
  return (
    <>
      <h2>{w.heading}</h2>
      <p class="lead">{w.intro}</p>
      <div class="what-if-result">
        <div class="heading-line">
          <Verdict accepted={scored.accepted} />
          <span class="hint" role="status">{w.changed(count)}</span>
        </div>
        <ScoreBar decision={scored} />
      </div>
      {error && <ErrorBox error={error} retry={retry} />}
      <div class="plan-tools">
        {plan && <button type="button" onClick={() => { setDrafts({}); write(plan.application); }}>{w.fromPlan}</button>}
        <button type="button" disabled={count === 0} onClick={() => { setDrafts({}); write({}); }}>{w.reset}</button>
        <button type="button" class="primary" disabled={count === 0} onClick={() => { location.hash = applicationHref(combined); }}>{w.use}</button>
      </div>
      <div class="grid">
        {features.map((feature) => {
          const value = combined[feature.name];
          return (
            <div key={feature.name} class={value === application[feature.name] ? "" : "tried"}>
              <ValueInput feature={feature} slider text={drafts[feature.name] ?? String(value ?? "")} set={(text) => set(feature.name, text)} />
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
