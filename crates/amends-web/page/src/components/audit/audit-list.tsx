// The audits that the server knows, the newest first.
import { useEffect, useState } from "preact/hooks";
import { type Audit, hasEnded } from "../../api/audits";
import { type ApiError, asApiError, isAbort, request, send } from "../../api/client";
import { dateTime, number, words } from "../../i18n";
import { href } from "../../state/address";
import { whoText } from "../../text/audit";
import { ErrorBox } from "../error-box";
import { Spinner } from "../spinner";

/** While one runs, the list is read again after so many milliseconds. */
const AGAIN = 2000;

export function AuditList() {
  const w = words.value.audit;
  const [audits, setAudits] = useState<Audit[] | null>(null);
  const [error, setError] = useState<ApiError | null>(null);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    const abort = new AbortController();
    setError(null);
    request<{ audits: Audit[] }>("/audits", undefined, abort.signal)
      .then((found) => setAudits([...found.audits].reverse()))
      .catch((reason: unknown) => {
        if (!isAbort(reason)) setError(asApiError(reason));
      });
    return () => abort.abort();
  }, [attempt]);
  useEffect(() => {
    if (!audits?.some(({ state }) => !hasEnded(state))) return undefined;
    const timer = setTimeout(() => setAttempt(attempt + 1), AGAIN);
    return () => clearTimeout(timer);
  }, [audits]);
  const remove = async (id: string): Promise<void> => {
    try {
      await send(`/audits/${encodeURIComponent(id)}`, undefined, undefined, "DELETE");
    } catch (reason) {
      setError(asApiError(reason));
    }
    setAttempt(attempt + 1);
  };
  return (
    <section class="card" aria-labelledby="list">
      <h2 id="list">{w.list.heading}</h2>
      {error && <ErrorBox error={error} retry={() => setAttempt(attempt + 1)} />}
      {!audits && !error && <Spinner text={words.value.loading} />}
      {audits?.length === 0 && <p>{w.list.none}</p>}
      {audits && audits.length > 0 && (
        <table class="rows">
          <caption class="visually-hidden">{w.list.heading}</caption>
          <thead>
            <tr>
              <th scope="col">{w.list.who}</th>
              <th scope="col">{w.list.state}</th>
              <th scope="col" class="wide-only">{w.list.begun}</th>
              <td />
            </tr>
          </thead>
          <tbody>
            {audits.map((audit) => (
              <tr key={audit.id}>
                <td><a href={href(["audits", audit.id])} aria-label={w.list.open(whoText(audit.request))}>{whoText(audit.request)}</a></td>
                <td class="state">{w.states[audit.state]}{!hasEnded(audit.state) && <span class="small">{w.progress.running(number(audit.progress.done), number(audit.progress.asked))}</span>}</td>
                <td class="wide-only">{dateTime(new Date(audit.created))}</td>
                <td><button type="button" class="plain no-print state" aria-label={w.list.removeOf(whoText(audit.request))} onClick={() => void remove(audit.id)}>{w.list.remove}</button></td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
