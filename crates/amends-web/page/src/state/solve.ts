// Asking for the plan: every new question cancels the one before, and the previous answer stays until the next one is there.
import { computed, effect, signal, untracked } from "@preact/signals";
import { type ApiError, asApiError, isAbort, request } from "../api/client";
import type { Answer, Application, ApplicantWithApplication, Decision, Reason, ReasonBasis, Subject, Wishes } from "../api/types";
import { type Question, question, subject, wishes } from "./question";
import { refusedWishes } from "./refused-wishes";
import { isEmpty } from "./wishes";

/** A spinner before this, in milliseconds, would only flicker. */
const SPINNER_AFTER = 200;
/** From here on, people want to be able to cancel. */
const CANCEL_AFTER = 2000;

export interface Answered {
  key: string;
  /** Whom it is about. */
  subjectKey: string;
  wishes: Wishes;
  plans: number;
  answer: Answer;
}

export type Progress = "idle" | "busy" | "spinner" | "long";

export const answered = signal<Answered | null>(null);
export const progress = signal<Progress>("idle");
export const solveError = signal<ApiError | null>(null);
export const cancelled = signal(false);

const keyOf = (value: Question): string => JSON.stringify(value);
const subjectKeyOf = (value: Subject | null): string => JSON.stringify(value);

export const subjectKey = computed(() => subjectKeyOf(subject.value));

/** The answer about the applicant of this view, to these or to earlier wishes. */
export const current = computed(() => (answered.value?.subjectKey === subjectKeyOf(subject.value) ? answered.value : null));

/** Whether the answer belongs to the wishes as they are now. */
export const isFresh = computed(() => {
  const asked = question.value;
  return asked !== null && current.value?.key === keyOf(asked);
});

/**
 * The principal reasons, and whether the lender's rules let the applicant act on them: asked for once per applicant, without
 * wishes, which would count a feature that the applicant locked as one that can't be changed.
 */
export const reasons = signal<{ subjectKey: string; reasons: Reason[]; basis: ReasonBasis | null } | null>(null);

const row = signal<ApplicantWithApplication | null>(null);
export const applicantError = signal<ApiError | null>(null);

/** The application that this view is about. */
export const application = computed<Application | null>(() => {
  const who = subject.value;
  if (!who) return null;
  if ("application" in who) return who.application;
  return row.value?.row === who.row ? row.value.application : null;
});

/** The decision on an application that was typed in, where its plan takes long. */
const scored = signal<{ subjectKey: string; decision: Decision } | null>(null);

/** The decision, which is known long before a plan that takes long. */
export const decision = computed<Decision | null>(() => {
  if (current.value) return current.value.answer;
  const who = subject.value;
  if (who && "row" in who) return row.value?.row === who.row ? row.value : null;
  return scored.value?.subjectKey === subjectKeyOf(who) ? scored.value.decision : null;
});

let running: AbortController | null = null;

/** Asks again, as after an error or a cancelled question. */
export const solve = (): void => {
  const asked = question.peek();
  if (asked) void start(asked);
};

export function cancel(): void {
  running?.abort();
  running = null;
  progress.value = "idle";
  cancelled.value = true;
}

async function start(asked: Question): Promise<void> {
  running?.abort();
  const mine = new AbortController();
  running = mine;
  cancelled.value = false;
  solveError.value = null;
  progress.value = "busy";
  const later = (state: Progress, after: number): number =>
    window.setTimeout(() => {
      if (running === mine) progress.value = state;
    }, after);
  const timers = [later("spinner", SPINNER_AFTER), later("long", CANCEL_AFTER)];
  const subjectKey = subjectKeyOf(asked.subject);
  const withReasons = isEmpty(asked.wishes) && reasons.peek()?.subjectKey !== subjectKey;
  try {
    const body = { ...asked.subject, wishes: asked.wishes, plans: asked.plans, reasons: withReasons };
    const answer = await request<Answer>("/explain", body, mine.signal);
    if (running !== mine) return;
    if (withReasons) reasons.value = { subjectKey, reasons: answer.reasons ?? [], basis: answer.reason_basis };
    answered.value = { key: keyOf(asked), subjectKey, wishes: asked.wishes, plans: asked.plans, answer };
    if (!answer.accepted && reasons.peek()?.subjectKey !== subjectKey) void fetchReasons(asked.subject);
  } catch (error) {
    if (running === mine && !isAbort(error)) solveError.value = asApiError(error);
  } finally {
    timers.forEach(clearTimeout);
    if (running === mine) {
      running = null;
      progress.value = "idle";
    }
  }
}

/** Where the address had wishes from the start. Without an answer the list is missing, and the plan is still there. */
async function fetchReasons(who: Subject): Promise<void> {
  try {
    const answer = await request<Answer>("/explain", { ...who, reasons: true, why_none: false });
    reasons.value = { subjectKey: subjectKeyOf(who), reasons: answer.reasons ?? [], basis: answer.reason_basis };
  } catch {
    // The next question asks again.
  }
}

async function fetchDecision(who: Subject & { application: Application }): Promise<void> {
  try {
    const found = await request<Decision>("/score", { application: who.application });
    scored.value = { subjectKey: subjectKeyOf(who), decision: found };
  } catch {
    // What is wrong with the application is in the answer about its plan.
  }
}

async function fetchRow(number: number): Promise<void> {
  applicantError.value = null;
  try {
    const fetched = await request<ApplicantWithApplication>(`/applicants/${number}`);
    const who = subject.peek();
    if (who && "row" in who && who.row === number) row.value = fetched;
  } catch (error) {
    applicantError.value = asApiError(error);
  }
}

/** Follows the address from now on. */
export function followQuestion(): void {
  // Wishes that the schema does not allow are no question; before the schema is there, nobody knows.
  const isAllowed = computed(() => isEmpty(wishes.value) || refusedWishes.value?.length === 0);
  const key = computed(() => (question.value && isAllowed.value ? keyOf(question.value) : null));
  effect(() => {
    const wanted = key.value;
    untracked(() => {
      if (wanted === null) {
        running?.abort();
        running = null;
        progress.value = "idle";
        cancelled.value = false;
        solveError.value = null;
      } else if (wanted === answered.peek()?.key) {
        // Back to what is shown, perhaps while another question was under way.
        running?.abort();
        running = null;
        progress.value = "idle";
        cancelled.value = false;
        solveError.value = null;
      } else {
        solve();
      }
    });
  });
  effect(() => {
    const who = subject.value;
    const takesLong = progress.value === "spinner" || solveError.value !== null || cancelled.value || !isAllowed.value;
    untracked(() => {
      if (takesLong && who && "application" in who && decision.peek() === null) void fetchDecision(who);
    });
  });
  const rowNumber = computed(() => (subject.value && "row" in subject.value ? subject.value.row : null));
  effect(() => {
    const wanted = rowNumber.value;
    untracked(() => {
      if (wanted !== null && row.peek()?.row !== wanted) void fetchRow(wanted);
    });
  });
}

export const retryApplicant = (): void => {
  const who = subject.peek();
  if (who && "row" in who) void fetchRow(who.row);
  solve();
};
