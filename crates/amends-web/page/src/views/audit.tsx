// One audit: how far it is, its figures, its groups, and its applicants one by one.
import { useEffect, useState } from "preact/hooks";
import { type AuditWithSummary, hasEnded } from "../api/audits";
import { type ApiError, asApiError, isAbort, request } from "../api/client";
import { ByColumn } from "../components/audit/by-column";
import { Downloads } from "../components/audit/downloads";
import { Overall } from "../components/audit/overall";
import { PrincipalReasons } from "../components/audit/principal-reasons";
import { AuditProgress } from "../components/audit/progress";
import { AuditRows } from "../components/audit/rows";
import { ErrorBox } from "../components/error-box";
import { PageTitle } from "../components/page-title";
import { Spinner } from "../components/spinner";
import { words } from "../i18n";
import { href, update } from "../state/address";
import { announce } from "../state/announce";
import { whoText } from "../text/audit";

/** An audit that has not ended is read again after so many milliseconds. */
const AGAIN = 1000;

export function AuditView({ id }: { id: string }) {
  const w = words.value.audit;
  const [audit, setAudit] = useState<AuditWithSummary | null>(null);
  const [error, setError] = useState<ApiError | null>(null);
  const [attempt, setAttempt] = useState(0);
  const again = (): void => setAttempt((before) => before + 1);
  useEffect(() => {
    const abort = new AbortController();
    request<AuditWithSummary>(`/audits/${encodeURIComponent(id)}`, undefined, abort.signal)
      .then((found) => {
        setError(null);
        setAudit((before) => {
          if (before && !hasEnded(before.state) && hasEnded(found.state)) announce(w.progress.announceEnd(w.states[found.state]));
          return found;
        });
      })
      .catch((reason: unknown) => {
        if (!isAbort(reason)) setError(asApiError(reason));
      });
    return () => abort.abort();
  }, [id, attempt]);
  useEffect(() => {
    if (!audit || hasEnded(audit.state) || error) return undefined;
    const timer = setTimeout(again, AGAIN);
    return () => clearTimeout(timer);
  }, [audit, error]);
  const cancel = async (): Promise<void> => {
    try {
      await request(`/audits/${encodeURIComponent(id)}/cancel`, {});
      again();
    } catch (reason) {
      setError(asApiError(reason));
    }
  };
  return (
    <>
      <div class="heading-line">
        <PageTitle text={audit ? w.of(whoText(audit.request)) : w.heading} />
        <nav class="no-print" aria-label={w.back}><a class="button" href={href(["audits"])}>{w.back}</a></nav>
      </div>
      {error?.status === 404 ? <p class="notice bad" role="alert">{w.forgotten}</p> : error && <ErrorBox error={error} retry={again} />}
      {!audit && !error && <Spinner text={words.value.loading} />}
      {audit && <Shown audit={audit} cancel={() => void cancel()} />}
    </>
  );
}

function Shown({ audit, cancel }: { audit: AuditWithSummary; cancel: () => void }) {
  const { summary, progress } = audit;
  const toRows = (changes: Readonly<Record<string, string | undefined>>): void => {
    update({ page: undefined, ...changes });
    const rows = document.getElementById("rows");
    rows?.scrollIntoView();
    rows?.focus({ preventScroll: true });
  };
  return (
    <>
      <AuditProgress audit={audit} cancel={cancel} />
      {progress.done > 0 && (
        <>
          <Overall figures={summary.overall} />
          <PrincipalReasons data={summary.overall.principal_reasons} show={() => toRows({ filter: "no-reason-actionable", column: undefined, group: undefined })} />
          {summary.by.map((column) => (
            <ByColumn key={column.column} column={column} all={summary.overall} smallGroup={summary.small_group} show={(group) => toRows({ column: column.column, group })} />
          ))}
          <AuditRows id={audit.id} summary={summary} done={progress.done} />
          <Downloads id={audit.id} />
        </>
      )}
    </>
  );
}
