// A plan in sentences.
import type { Answer, Change, Plan } from "../api/types";
import { list, number, percent, words } from "../i18n";
import { feature } from "../state/server";
import { isCode, show, showWithUnit, title } from "./labels";

function clause(change: Change): string {
  const w = words.value.plan;
  const of = feature(change.feature);
  if (!of) return w.becomes(change.title, String(change.before), String(change.after));
  const { before, after } = change;
  const numbers = typeof before === "number" && typeof after === "number" && !isCode(of, before) && !isCode(of, after);
  if (!numbers) return w.becomes(title(of), showWithUnit(of, before), showWithUnit(of, after));
  return (after > before ? w.rises : w.falls)(title(of), show(of, before), showWithUnit(of, after));
}

/** "The application would be accepted if ..."; several features that change together are one part of it. */
export function planSentence(changes: readonly Change[]): string {
  const w = words.value.plan;
  const sizeOf = (group: string | null): number => (group === null ? 1 : changes.filter((change) => change.together === group).length);
  const leads = changes.filter(({ together }, index) => sizeOf(together) === 1 || changes.findIndex((change) => change.together === together) === index);
  return w.sentence(list(leads.map((change) => (change.together !== null && sizeOf(change.together) > 1 ? w.group(change.together, sizeOf(change.together)) : clause(change)))));
}

/** What is proven about a plan; `index` counts the plans from 0. Under wishes only plans that respect them are compared. */
export function planStatus(plan: Plan, index: number, wished: boolean): string {
  const w = words.value.status;
  const offered = plan.values_offered;
  if (plan.status === "feasible") {
    const share = plan.bound === null || plan.objective <= 0 ? null : 1 - plan.bound / plan.objective;
    return share === null ? w.feasibleUnknown : w.feasible(percent(Math.max(share, 0), share < 0.01 ? 2 : 0));
  }
  if (offered === null) return index > 0 ? (wished ? w.alternativeWished : w.alternative) : wished ? w.optimalWished : w.optimal;
  const among = index > 0 ? (wished ? w.alternativeAmongWished : w.alternativeAmong) : wished ? w.optimalAmongWished : w.optimalAmong;
  return among(number(offered));
}

/** What is proven where there is no plan. */
export function noPlanStatus({ status, values_offered }: Answer): string {
  const w = words.value;
  if (status === "timeout") return w.status.timeout;
  return values_offered === null ? w.none.proven : w.status.infeasibleAmong(number(values_offered));
}

/** The result of a question in a sentence, for the bar at the bottom and for screen readers. */
export function resultSentence(answer: Answer): string {
  const w = words.value;
  const plan = answer.plans[0];
  if (answer.status === "already-accepted") return w.status.accepted;
  if (plan) return planSentence(plan.changes);
  return noPlanStatus(answer);
}
