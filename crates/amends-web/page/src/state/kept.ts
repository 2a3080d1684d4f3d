// Kept plans with what the model says of them now. The address only has their changes; the server is asked for the decision.
import { computed, effect, signal, untracked } from "@preact/signals";
import { isAbort, request } from "../api/client";
import type { Application, Decision } from "../api/types";
import { isPermitted } from "../text/labels";
import { type KeptPlan, keptPlans } from "./question";
import { feature } from "./server";
import { application } from "./solve";

export interface JudgedPlan {
  changes: KeptPlan;
  /** Null as long as it is not known. */
  decision: Decision | null;
}

/** The decisions by application, as texts; null where the server refused to decide. */
const decisions = signal<ReadonlyMap<string, Decision | null>>(new Map());

const changed = (base: Application, plan: KeptPlan): string => JSON.stringify(Object.fromEntries([...Object.entries(base), ...Object.entries(plan)]));

/** Whether the lender's rules let an applicant make these changes, as far as they are about single features. */
function isPlan(base: Application, plan: KeptPlan): boolean {
  return Object.entries(plan).every(([name, after]) => {
    const of = feature(name);
    const now = Object.hasOwn(base, name) ? base[name] : undefined;
    return of !== undefined && now !== undefined && isPermitted(of, now, after);
  });
}

const permitted = computed<KeptPlan[]>(() => {
  const base = application.value;
  return base ? keptPlans.value.filter((plan) => isPlan(base, plan)) : [];
});

export const judgedPlans = computed<JudgedPlan[]>(() => {
  const base = application.value;
  if (!base) return [];
  return permitted.value
    .filter((plan) => decisions.value.get(changed(base, plan)) !== null)
    .map((plan) => ({ changes: plan, decision: decisions.value.get(changed(base, plan)) ?? null }));
});

/** How many kept plans of the address are none: changes that the lender's rules forbid, or values that do not exist. */
export const refusedPlans = computed(() => (application.value ? keptPlans.value.length - judgedPlans.value.length : 0));

const asked = new Set<string>();

async function ask(text: string): Promise<void> {
  if (asked.has(text)) return;
  asked.add(text);
  try {
    const decision = await request<Decision>("/score", { application: JSON.parse(text) });
    decisions.value = new Map(decisions.peek()).set(text, decision);
  } catch (error) {
    // Without an answer it is asked for with the next plan that is kept.
    asked.delete(text);
    if (!isAbort(error) && (error as { status?: number }).status === 422) decisions.value = new Map(decisions.peek()).set(text, null);
  }
}

/** Follows the kept plans from now on. */
export function followKept(): void {
  effect(() => {
    const base = application.value;
    const plans = permitted.value;
    untracked(() => {
      if (base) for (const plan of plans) if (!decisions.peek().has(changed(base, plan))) void ask(changed(base, plan));
    });
  });
}
