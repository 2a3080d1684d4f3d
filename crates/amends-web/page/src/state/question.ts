// What is asked: an applicant with wishes, read from the address.
import { computed } from "@preact/signals";
import type { Application, FeatureWish, Subject, Value, Wishes } from "../api/types";
import { address, href, update } from "./address";

export interface Question {
  subject: Subject;
  wishes: Wishes;
  plans: number;
}

/** A plan that was kept to compare it: what it changes, and its figures. */
export interface KeptPlan {
  changes: Record<string, Value>;
  cost: number;
  probability: number | null;
  score: number;
}

export const MOST_PLANS = 5;
const DEFAULT_PLANS = 3;
const MOST_KEPT = 3;

function json<T>(text: string | undefined, otherwise: T): T {
  if (!text) return otherwise;
  try {
    const value: unknown = JSON.parse(text);
    return value !== null && typeof value === typeof otherwise && Array.isArray(value) === Array.isArray(otherwise) ? (value as T) : otherwise;
  } catch {
    return otherwise;
  }
}

// Each of these is compared as text, so that moving to another tab is no new question.
const subjectText = computed(() => {
  const { path, query } = address.value;
  if (path[0] === "applicant") return path[1] && /^[1-9]\d{0,8}$/.test(path[1]) ? path[1] : "";
  return path[0] === "application" ? (query["a"] ?? "") : "";
});
const wishesText = computed(() => address.value.query["wishes"] ?? "");
const plansText = computed(() => address.value.query["plans"] ?? "");
const keptText = computed(() => address.value.query["keep"] ?? "");

export const subject = computed<Subject | null>(() => {
  const text = subjectText.value;
  if (text === "") return null;
  if (/^\d+$/.test(text)) return { row: Number(text) };
  const application = json<Application>(text, {});
  return Object.keys(application).length ? { application } : null;
});

export const wishes = computed<Wishes>(() => readWishes(json<Record<string, unknown>>(wishesText.value, {})));

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);

/** The wishes of an address that somebody may have edited: parts of another shape are left out, and the server checks the rest. */
export function readWishes({ max_changes, features, rules }: Record<string, unknown>): Wishes {
  const known = isObject(features) ? Object.entries(features).filter(([, wish]) => isObject(wish)) : [];
  const texts = Array.isArray(rules) ? rules.filter((rule) => typeof rule === "string") : [];
  return {
    ...(typeof max_changes === "number" ? { max_changes } : {}),
    ...(known.length ? { features: Object.fromEntries(known) as Record<string, FeatureWish> } : {}),
    ...(texts.length ? { rules: texts } : {}),
  };
}

export const planCount = computed(() => {
  const count = Math.trunc(Number(plansText.value));
  return count >= 1 && count <= MOST_PLANS ? count : DEFAULT_PLANS;
});

export const question = computed<Question | null>(() =>
  subject.value ? { subject: subject.value, wishes: wishes.value, plans: planCount.value } : null,
);

/** The plan that is shown, counted from 0. */
export const chosenPlan = computed(() => Math.max(0, Math.trunc(Number(address.value.query["plan"] ?? 1)) - 1 || 0));

export const keptPlans = computed<KeptPlan[]>(() => json<KeptPlan[]>(keptText.value, []).filter((plan) => isObject(plan) && isObject(plan.changes) && Number.isFinite(plan.cost)));

export const choosePlan = (index: number): void => update({ plan: index === 0 ? undefined : String(index + 1) }, "plan");

export const setPlanCount = (count: number): void =>
  update({ plans: count === DEFAULT_PLANS ? undefined : String(count), plan: undefined });

export const keepPlan = (plan: KeptPlan): void => update({ keep: JSON.stringify([...keptPlans.value, plan].slice(-MOST_KEPT)) });

export function removeKept(index: number): void {
  const rest = keptPlans.value.filter((_, other) => other !== index);
  update({ keep: rest.length ? JSON.stringify(rest) : undefined });
}

/** The address of an application that was typed in; the wishes of this view come along. */
export function applicationHref(application: Application): string {
  const { wishes: own, plans } = address.value.query;
  const query: Record<string, string> = { a: JSON.stringify(application) };
  if (own) query["wishes"] = own;
  if (plans) query["plans"] = plans;
  return href(["application"], query);
}
