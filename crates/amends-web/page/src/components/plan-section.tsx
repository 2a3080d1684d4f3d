// The plan: what is proven, one sentence, a table, and the other plans beside it.
import type { Answer, Application, Plan } from "../api/types";
import { figure, number, probability, words } from "../i18n";
import { update } from "../state/address";
import { type KeptPlan, MOST_PLANS, choosePlan, chosenPlan, isKept, keepPlan, planCount, setPlanCount } from "../state/question";
import { about } from "../state/server";
import { planSentence, planStatus } from "../text/plan";
import { CompareTable } from "./compare-table";
import { focusOn } from "./focus";
import { HowComputed } from "./how-computed";
import { PlanTable } from "./plan-table";
import { Segmented } from "./segmented";

const changesOf = (plan: Plan): KeptPlan => Object.fromEntries(plan.changes.map(({ feature, after }) => [feature, after]));

export function PlanSection({ answer, application, asked, wished }: { answer: Answer; application: Application; asked: number; wished: boolean }) {
  const w = words.value.plan;
  const index = Math.min(chosenPlan.value, answer.plans.length - 1);
  const plan = answer.plans[index];
  if (!plan) return null;
  return (
    <>
      {answer.plans.length > 1 && (
        <Segmented name="plan" legend={w.tabs} value={String(index)} choose={(value) => choosePlan(Number(value))} options={answer.plans.map((_, at) => ({ value: String(at), text: w.one(at + 1) }))} />
      )}
      <p class="sentence">{planSentence(plan.changes)}</p>
      <p>{afterwards(plan)} <span class="soft">{w.costOf(figure(plan.objective))}.</span></p>
      <p class={`proof ${plan.status}`}>{planStatus(plan, index, wished)}</p>
      <PlanTable changes={plan.changes} caption={plan.moves < plan.changes.length ? `${w.caption(plan.moves)} (${w.countOnce})` : w.caption(plan.moves)} />
      <div class="plan-tools no-print">
        <button type="button" disabled={isKept(changesOf(plan))} onClick={() => { keepPlan(changesOf(plan)); focusOn("plan-heading"); }}>{w.keep}</button>
        <button type="button" onClick={toWishes}>{w.toWishes}</button>
        <label class="inline-label">
          {w.number}
          <select value={String(planCount.value)} onChange={(event) => setPlanCount(Number(event.currentTarget.value))}>
            {Array.from({ length: MOST_PLANS }, (_, at) => <option key={at} value={String(at + 1)}>{number(at + 1)}</option>)}
          </select>
        </label>
      </div>
      {answer.plans.length < asked && <p class="hint">{words.value.status.fewer(number(answer.plans.length), number(asked))} {endText(answer, wished)}</p>}
      <CompareTable plans={answer.plans} chosen={index} application={application} />
      <HowComputed plan={plan} before={answer.score} />
    </>
  );
}

/** The wishes are further down, behind their tab. */
function toWishes(): void {
  update({ tab: undefined });
  requestAnimationFrame(() => {
    const panel = document.getElementById("tab-panel");
    panel?.scrollIntoView();
    panel?.focus({ preventScroll: true });
  });
}

function afterwards(plan: Plan): string {
  const w = words.value.plan;
  return plan.probability_after === null
    ? w.afterwardsScore(figure(plan.score_after))
    : w.afterwards(probability(plan.probability_after, about.value?.cut_probability ?? null));
}

function endText(answer: Answer, wished: boolean): string {
  const w = words.value.status;
  if (answer.end_kind === "no-further") return wished ? w.noFurtherWished : w.noFurther;
  return answer.end_kind === "stopped" ? w.stopped : "";
}
