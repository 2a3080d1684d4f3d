// How much changes against how usual the result is: the plans that no other beats in both.
import { useEffect, useState } from "preact/hooks";
import { type ApiError, asApiError, isAbort, request } from "../api/client";
import type { Tradeoff as Answer, Plan } from "../api/types";
import { TradeoffCurve } from "../charts/tradeoff-curve";
import { probability, words } from "../i18n";
import { address, update } from "../state/address";
import { isKept, keepPlan, question } from "../state/question";
import { refusedWishes } from "../state/refused-wishes";
import { about } from "../state/server";
import { planSentence } from "../text/plan";
import { ErrorBox } from "./error-box";
import { PlanTable } from "./plan-table";
import { SolveState } from "./solve-state";
import { Spinner } from "./spinner";

export function Tradeoff() {
  const w = words.value;
  const [answer, setAnswer] = useState<Answer | null>(null);
  const [error, setError] = useState<ApiError | null>(null);
  const [attempt, setAttempt] = useState(0);
  const asked = question.value;
  // Wishes that can't be met as they are have no plans to weigh up.
  const refused = (refusedWishes.value ?? []).length > 0;
  const body = asked && !refused && JSON.stringify({ ...asked.subject, wishes: asked.wishes });
  useEffect(() => {
    if (!body) return undefined;
    const abort = new AbortController();
    setError(null);
    setAnswer(null);
    request<Answer>("/tradeoff", JSON.parse(body), abort.signal)
      .then(setAnswer)
      .catch((reason: unknown) => { if (!isAbort(reason)) setError(asApiError(reason)); });
    return () => abort.abort();
  }, [body, attempt]);
  return (
    <>
      <h2>{w.tradeoff.heading}</h2>
      {refused ? <SolveState /> : error ? <ErrorBox error={error} retry={() => setAttempt(attempt + 1)} /> : answer ? <Front answer={answer} /> : <Spinner text={w.solving.busy} />}
    </>
  );
}

function Front({ answer }: { answer: Answer }) {
  const w = words.value.tradeoff;
  const plans = [...answer.plans].sort((one, other) => one.distance - other.distance);
  const wanted = Math.trunc(Number(address.value.query["point"] ?? 1)) - 1;
  const chosen = Math.min(Math.max(wanted || 0, 0), plans.length - 1);
  const plan = plans[chosen];
  if (!plan) return <p>{w.none}</p>;
  return (
    <>
      {plans.length === 1 ? <p>{w.single}</p> : (
        <>
          <p class="lead">{w.intro}</p>
          <TradeoffCurve plans={plans} chosen={chosen} choose={(index) => update({ point: index === 0 ? undefined : String(index + 1) }, "point")} />
        </>
      )}
      <PickedPlan plan={plan} name={words.value.plan.oneOf(chosen + 1, plans.length)} />
      {plans.length > 1 && <p class="hint">{endText(answer)}</p>}
    </>
  );
}

function PickedPlan({ plan, name }: { plan: Plan; name: string }) {
  const w = words.value.plan;
  const after = plan.probability_after;
  const changes = Object.fromEntries(plan.changes.map((change) => [change.feature, change.after]));
  return (
    <>
      <h3>{name}</h3>
      <p class="sentence" role="status">{planSentence(plan.changes)}</p>
      {after !== null && <p>{w.afterwards(probability(after, about.value?.cut_probability ?? null))}</p>}
      <PlanTable changes={plan.changes} caption={`${name}: ${w.changes(plan.moves)}`} />
      <div class="plan-tools"><button type="button" disabled={isKept(changes)} onClick={() => keepPlan(changes)}>{w.keep}</button></div>
    </>
  );
}

function endText(answer: Answer): string {
  const w = words.value.tradeoff;
  switch (answer.end_kind) {
    case "complete":
      return w.complete;
    case "capped":
      return w.capped;
    case "stopped":
      return w.stopped;
    default:
      return "";
  }
}
