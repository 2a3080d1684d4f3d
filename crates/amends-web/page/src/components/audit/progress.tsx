// How far an audit is, and how it ended.
import type { Audit } from "../../api/audits";
import { number, words } from "../../i18n";
import { duration } from "../../text/audit";

export function AuditProgress({ audit, cancel }: { audit: Audit; cancel: () => void }) {
  const w = words.value.audit.progress;
  const { state, progress } = audit;
  const { asked, done, rejected, rejected_of, errors, seconds, rest } = progress;
  const errorText = errors > 0 && <p class="notice bad">{w.errors(number(errors))}</p>;
  if (state === "cancelled") return <>{errorText}<p class="notice">{w.cancelled(number(done), number(asked))}</p></>;
  if (state === "failed") return <>{errorText}<p class="notice bad" role="alert">{w.failed}</p></>;
  if (state === "finished") return errorText || null;
  const parts = [w.running(number(done), number(asked)), w.rejected(number(rejected), number(rejected_of)), w.time(duration(seconds)), ...(rest === null ? [] : [w.rest(duration(rest))])];
  return (
    <section class="card no-print" aria-labelledby="progress">
      {/* The rejected take the time; the accepted are done at once. */}
      <h2 id="progress">{words.value.audit.states[state]}</h2>
      <progress aria-labelledby="progress" max={Math.max(rejected_of, 1)} value={state === "queued" ? 0 : rejected} />
      <p>{state === "queued" ? w.queued : parts.join(" · ")}</p>
      {state === "running" && <p class="hint">{w.soFar}</p>}
      <button type="button" onClick={cancel}>{w.cancel}</button>
    </section>
  );
}
