// What each wish costs, asked for once the plan is there.
import { effect, signal, untracked } from "@preact/signals";
import { isAbort, request } from "../api/client";
import type { Prices } from "../api/types";
import { question } from "./question";
import { answered, isFresh } from "./solve";
import { isEmpty } from "./wishes";

export const prices = signal<{ key: string; prices: Prices } | null>(null);
export const pricesState = signal<"none" | "loading" | "failed">("none");

let running: AbortController | null = null;

async function load(): Promise<void> {
  const asked = question.peek();
  const answer = answered.peek();
  if (!asked || !answer) return;
  const mine = new AbortController();
  running = mine;
  pricesState.value = "loading";
  try {
    const found = await request<Prices>("/prices", { ...asked.subject, wishes: asked.wishes }, mine.signal);
    if (running !== mine) return;
    prices.value = { key: answer.key, prices: found };
    pricesState.value = "none";
  } catch (error) {
    if (running === mine && !isAbort(error)) pricesState.value = "failed";
  }
}

export const retryPrices = (): void => void load();

/** Follows the answers from now on. */
export function followAnswers(): void {
  effect(() => {
    const fresh = isFresh.value;
    const answer = answered.value;
    untracked(() => {
      running?.abort();
      running = null;
      pricesState.value = "none";
      const priced = fresh && answer && !isEmpty(answer.wishes) && answer.answer.status !== "already-accepted";
      if (priced && prices.peek()?.key !== answer.key) void load();
    });
  });
}
