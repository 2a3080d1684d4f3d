// What is under way: a spinner once it takes noticeably long, a button to cancel, and what to do after an error.
import { words } from "../i18n";
import { cancel, cancelled, progress, solve, solveError } from "../state/solve";
import { ErrorBox } from "./error-box";

export function SolveState({ compact = false }: { compact?: boolean }) {
  const w = words.value;
  const state = progress.value;
  if (solveError.value) {
    const retry = solveError.value.status !== 422 && <button type="button" onClick={solve}>{w.tryAgain}</button>;
    if (compact) return <p class="problem">{w.errors.heading}. {retry}</p>;
    // Asking the same again would be refused again: the wishes have to change.
    return <ErrorBox error={solveError.value} retry={solveError.value.status === 422 ? undefined : solve} />;
  }
  if (cancelled.value) {
    return <p class="notice" role="status">{w.solving.cancelled} <button type="button" onClick={solve}>{w.solving.again}</button></p>;
  }
  if (state !== "spinner" && state !== "long") return null;
  return (
    <p class="spinner-line" role="status">
      <span class="spinner" aria-hidden="true" />
      {w.solving.busy} {state === "long" && <>{w.solving.long} <button type="button" onClick={cancel}>{w.cancel}</button></>}
    </p>
  );
}
