// What is under way: a spinner once it takes noticeably long, a button to cancel, and what to do after an error.
import { words } from "../i18n";
import { refusedWishes } from "../state/refused-wishes";
import { cancel, cancelled, current, progress, solve, solveError } from "../state/solve";
import { ErrorBox } from "./error-box";

export function SolveState({ compact = false }: { compact?: boolean }) {
  const w = words.value;
  const state = progress.value;
  const refused = refusedWishes.value ?? [];
  // What is in sight is the answer to other wishes than those of now.
  const earlier = current.value ? w.solving.earlier : undefined;
  if (refused.length > 0) {
    if (compact) return <p class="problem">{w.wishes.refusals.heading}</p>;
    return (
      <div class="notice bad" role="alert">
        <p><strong>{w.wishes.refusals.heading}</strong></p>
        <ul>{refused.map(({ text }) => <li key={text}>{text}</li>)}</ul>
        {earlier && <p>{earlier}</p>}
      </div>
    );
  }
  if (solveError.value) {
    const retry = solveError.value.status !== 422 && <button type="button" onClick={solve}>{w.tryAgain}</button>;
    if (compact) return <p class="problem">{w.errors.heading}. {retry}</p>;
    // Asking the same again would be refused again: the wishes have to change.
    return <ErrorBox error={solveError.value} retry={solveError.value.status === 422 ? undefined : solve} more={earlier} />;
  }
  if (cancelled.value) {
    return <p class="notice" role="status">{earlier ? w.solving.cancelled : w.solving.cancelledFirst} <button type="button" onClick={solve}>{w.solving.again}</button></p>;
  }
  if (state !== "spinner" && state !== "long") return null;
  return (
    <p class="spinner-line" role="status">
      <span class="spinner" aria-hidden="true" />
      {w.solving.busy} {state === "long" && <>{w.solving.long} <button type="button" onClick={cancel}>{w.cancel}</button></>}
    </p>
  );
}
