// What is asked: an applicant with wishes, read from the address.
import { computed } from "@preact/signals";
import type { Application, FeatureWish, Subject, Value, WishKey, Wishes } from "../api/types";
import { address, href, update } from "./address";

export interface Question {
  subject: Subject;
  wishes: Wishes;
  plans: number;
}

/** What a plan changes that was kept to compare it. The address says no more of it: whoever passes it on could write what they want. */
export type KeptPlan = Readonly<Record<string, Value>>;

export const MOST_PLANS = 5;
const DEFAULT_PLANS = 3;
const MOST_KEPT = 5;

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

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);

const readWishesText = computed<ReadWishes>(() => {
  const text = wishesText.value;
  if (text === "") return { wishes: {}, dropped: [] };
  const value = json<Record<string, unknown>>(text, {});
  return Object.keys(value).length === 0 && text.trim() !== "{}" ? { wishes: {}, dropped: ["wishes"] } : readWishes(value);
});

export const wishes = computed<Wishes>(() => readWishesText.value.wishes);

/** The parts of the address's wishes that can't be read and don't count, by their names. */
export const droppedWishes = computed<readonly string[]>(() => readWishesText.value.dropped);

export interface ReadWishes {
  wishes: Wishes;
  dropped: string[];
}

const SHAPES: Readonly<Record<WishKey, (value: unknown) => boolean>> = {
  locked: (value) => typeof value === "boolean",
  range: (value) => Array.isArray(value) && value.length === 2 && value.every((end) => Number.isFinite(end)),
  change: (value) => value === "increase" || value === "decrease" || value === "free",
  levels: (value) => Array.isArray(value) && value.length > 0 && value.every((level) => typeof level === "string"),
  effort: (value) => typeof value === "number" && value >= 0.001 && value <= 1000,
};

/** The wishes of an address that somebody may have edited: parts of another shape are left out, and named. */
export function readWishes({ max_changes, features, rules, ...rest }: Record<string, unknown>): ReadWishes {
  const dropped = Object.keys(rest);
  const wishes: { max_changes?: number; features?: Record<string, FeatureWish>; rules?: string[] } = {};
  if (typeof max_changes === "number" && Number.isInteger(max_changes) && max_changes > 0) wishes.max_changes = max_changes;
  else if (max_changes !== undefined) dropped.push("max_changes");
  const known: [string, FeatureWish][] = [];
  for (const [name, wish] of isObject(features) ? Object.entries(features) : []) {
    if (!isObject(wish)) {
      dropped.push(name);
      continue;
    }
    const fits = ([key, value]: [string, unknown]): boolean => Object.hasOwn(SHAPES, key) && SHAPES[key as WishKey](value);
    dropped.push(...Object.entries(wish).filter((one) => !fits(one)).map(([key]) => `${name}.${key}`));
    known.push([name, Object.fromEntries(Object.entries(wish).filter(fits))]);
  }
  if (features !== undefined && !isObject(features)) dropped.push("features");
  if (known.length) wishes.features = Object.fromEntries(known);
  const texts = Array.isArray(rules) ? rules.filter((rule) => typeof rule === "string") : [];
  if (rules !== undefined && (!Array.isArray(rules) || texts.length < rules.length)) dropped.push("rules");
  if (texts.length) wishes.rules = texts;
  return { wishes, dropped };
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

export const keptPlans = computed<KeptPlan[]>(() => readKept(json<unknown[]>(keptText.value, [])));

/** The kept plans of an address that somebody may have edited. */
export function readKept(list: readonly unknown[]): KeptPlan[] {
  const changes = list.map((plan) => (isObject(plan) && isObject(plan["changes"]) ? plan["changes"] : {}));
  const isValue = (value: unknown): boolean => typeof value === "string" || Number.isFinite(value);
  const whole = changes.filter((one) => Object.keys(one).length > 0 && Object.values(one).every(isValue)) as KeptPlan[];
  const texts = whole.map(textOfKept);
  return whole.filter((_, index) => texts.indexOf(texts[index] ?? "") === index).slice(0, MOST_KEPT);
}

const textOfKept = (plan: KeptPlan): string => JSON.stringify(Object.entries(plan).sort(([one], [other]) => (one < other ? -1 : 1)));

export const isKept = (plan: KeptPlan): boolean => keptPlans.value.some((kept) => textOfKept(kept) === textOfKept(plan));

export const choosePlan = (index: number): void => update({ plan: index === 0 ? undefined : String(index + 1) }, "plan");

export const setPlanCount = (count: number): void =>
  update({ plans: count === DEFAULT_PLANS ? undefined : String(count), plan: undefined });

export const keepPlan = (plan: KeptPlan): void => writeKept([...keptPlans.value, plan].slice(-MOST_KEPT));

export const removeKept = (plan: KeptPlan): void => writeKept(keptPlans.value.filter((kept) => kept !== plan));

const writeKept = (plans: readonly KeptPlan[]): void => update({ keep: plans.length ? JSON.stringify(plans.map((changes) => ({ changes }))) : undefined });

/** The address of an application that was typed in; the wishes of this view come along. */
export function applicationHref(application: Application): string {
  const { wishes: own, plans } = address.value.query;
  const query: Record<string, string> = { a: JSON.stringify(application) };
  if (own) query["wishes"] = own;
  if (plans) query["plans"] = plans;
  return href(["application"], query);
}
