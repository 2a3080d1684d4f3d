// Where every small way to a plan also needs the lender: wishes of the applicant's own that are enough to drop.
import { useEffect, useState } from "preact/hooks";
import { request } from "../api/client";
import type { Answer, Change, Plan, Subject, Value, Wishes } from "../api/types";
import { type WishItem, featureWish, items, without } from "./wishes";

export interface OwnWay {
  drops: WishItem[];
  changes: Change[];
}

/** Whether a plan goes against a wish; rules between features can't be judged here and count as broken. */
export function isBroken(item: WishItem, all: Wishes, plan: Pick<Plan, "changes" | "moves">): boolean {
  if ("max_changes" in item) return plan.moves > item.max_changes;
  if ("rule" in item) return true;
  const wish = featureWish(all, item.feature);
  const change = plan.changes.find((one) => one.feature === item.feature);
  if (!change) return false;
  const { before, after } = change;
  const isNumber = (value: Value): value is number => typeof value === "number";
  switch (item.key) {
    case "locked":
      return true;
    case "range":
      return !isNumber(after) || !wish.range || after < wish.range[0] || after > wish.range[1];
    case "change":
      return !isNumber(after) || !isNumber(before) || (wish.change === "increase" ? after < before : after > before);
    case "levels":
      return !wish.levels?.includes(String(after));
    case "effort":
      return false;
  }
}

/**
 * The wishes that the best plan without any of them breaks are enough to drop; those of them that a plan can keep after all
 * are kept. So none of the wishes that remain could be kept as well, but a smaller choice of others may exist.
 */
async function find(subject: Subject, all: Wishes, signal: AbortSignal): Promise<OwnWay | null> {
  const planWith = async (wishes: Wishes): Promise<Plan | null> => {
    const answer = await request<Answer>("/explain", { ...subject, wishes, why_none: false }, signal);
    return answer.plans[0] ?? null;
  };
  let plan = await planWith({});
  if (!plan) return null;
  const free = plan;
  let drops = items(all).filter((item) => isBroken(item, all, free));
  // Rules have numbers: the last one is dropped first, so that the others keep theirs.
  const rest = (dropped: readonly WishItem[]): Wishes => [...dropped].reverse().reduce(without, all);
  plan = await planWith(rest(drops));
  for (const item of drops) {
    const fewer = drops.filter((one) => one !== item);
    const found = await planWith(rest(fewer));
    if (found) [drops, plan] = [fewer, found];
  }
  return plan && drops.length ? { drops, changes: plan.changes } : null;
}

/** The way of an applicant's own, once it is found; null as long as it is not wanted. */
export function useOwnWay(subject: Subject | null, all: Wishes, wanted: boolean): OwnWay | null {
  const [way, setWay] = useState<OwnWay | null>(null);
  const key = wanted ? JSON.stringify([subject, all]) : "";
  useEffect(() => {
    setWay(null);
    if (!key || !subject) return undefined;
    const abort = new AbortController();
    find(subject, all, abort.signal).then(setWay, () => undefined);
    return () => abort.abort();
  }, [key]);
  return way;
}
