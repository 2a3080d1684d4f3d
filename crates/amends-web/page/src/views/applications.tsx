// The rows of the table, to choose one.
import { useEffect, useState } from "preact/hooks";
import { type ApiError, asApiError, isAbort, request } from "../api/client";
import type { ApplicantPage } from "../api/types";
import { ErrorBox } from "../components/error-box";
import { PageTitle } from "../components/page-title";
import { Spinner } from "../components/spinner";
import { Verdict } from "../components/verdict";
import { figure, number, probability, words } from "../i18n";
import { address, go, href, update } from "../state/address";
import { about } from "../state/server";

const PAGE = 20;
const CHOICES = ["rejected", "accepted", "all"] as const;
type Choice = (typeof CHOICES)[number];

export function ApplicationsView() {
  const w = words.value.applications;
  const { query } = address.value;
  const choice: Choice = CHOICES.find((one) => one === query["decision"]) ?? "rejected";
  const page = Math.max(1, Math.trunc(Number(query["page"] ?? 1)) || 1);
  return (
    <>
      <PageTitle text={w.heading} />
      <p class="lead">{words.value.tagline}. {w.intro}</p>
      <section class="card">
        <div class="toolbar">
          <fieldset class="segmented">
            <legend>{w.show}</legend>
            {CHOICES.map((one) => (
              <label key={one}>
                <input type="radio" name="decision" checked={one === choice} onChange={() => update({ decision: one === "rejected" ? undefined : one, page: undefined })} />
                <span>{w[one]}</span>
              </label>
            ))}
          </fieldset>
          <GoToRow />
          <a class="button" href={href(["new"])}>{w.create}</a>
        </div>
        <Rows choice={choice} page={page} />
      </section>
    </>
  );
}

function GoToRow() {
  const w = words.value.applications;
  const [text, setText] = useState("");
  const [wrong, setWrong] = useState(false);
  const open = (event: Event): void => {
    event.preventDefault();
    const row = Number(text);
    const valid = Number.isInteger(row) && row > 0;
    setWrong(!valid);
    if (valid) go(["applicant", String(row)]);
  };
  return (
    <form class="inline" onSubmit={open} noValidate>
      <label class="field">
        <span class="label">{w.goTo}</span>
        <input inputMode="numeric" size={6} value={text} aria-invalid={wrong} aria-describedby={wrong ? "row-problem" : undefined} onInput={(event) => setText(event.currentTarget.value)} />
      </label>
      <button type="submit">{w.open}</button>
      {wrong && <p id="row-problem" class="problem" role="alert">{w.noRow}</p>}
    </form>
  );
}

function Rows({ choice, page }: { choice: Choice; page: number }) {
  const w = words.value.applications;
  const [rows, setRows] = useState<ApplicantPage | null>(null);
  const [error, setError] = useState<ApiError | null>(null);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    const abort = new AbortController();
    setError(null);
    request<ApplicantPage>(`/applicants?decision=${choice}&offset=${(page - 1) * PAGE}&limit=${PAGE}`, undefined, abort.signal)
      .then((found) => {
        // Beyond the last page, as after other rows were chosen: the last one.
        if (found.applicants.length || !found.total) setRows(found);
        else update({ page: String(Math.ceil(found.total / PAGE)) }, "page");
      })
      .catch((reason: unknown) => {
        if (!isAbort(reason)) setError(asApiError(reason));
      });
    return () => abort.abort();
  }, [choice, page, attempt]);
  if (error) return <ErrorBox error={error} retry={() => setAttempt(attempt + 1)} />;
  if (!rows) return <Spinner text={words.value.loading} />;
  if (rows.total === 0) return <p>{w.none}</p>;
  const pages = Math.max(1, Math.ceil(rows.total / PAGE));
  const first = (page - 1) * PAGE + 1;
  const hasProbability = rows.applicants.some((row) => row.probability !== null);
  const cut = about.value?.cut_probability ?? null;
  return (
    <>
      <table class="rows">
        <caption class="visually-hidden">{w.heading}</caption>
        <thead>
          <tr>
            <th scope="col">{w.row}</th>
            <th scope="col">{w.decision}</th>
            <th scope="col" class="number">{hasProbability ? w.probability : w.score}</th>
          </tr>
        </thead>
        <tbody>
          {rows.applicants.map((row) => (
            <tr key={row.row}>
              <td><a class="row-link" href={href(["applicant", String(row.row)])} aria-label={w.openRow(number(row.row))}>{number(row.row)}</a></td>
              <td><Verdict accepted={row.accepted} /></td>
              <td class="number">{row.probability === null ? figure(row.score) : probability(row.probability, cut)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <div class="paging">
        <button type="button" disabled={page <= 1} onClick={() => update({ page: page === 2 ? undefined : String(page - 1) })}>{w.previous}</button>
        <span>{w.page(number(page), number(pages))} · {w.range(number(first), number(first + rows.applicants.length - 1), number(rows.total))}</span>
        <button type="button" disabled={page >= pages} onClick={() => update({ page: String(page + 1) })}>{w.next}</button>
      </div>
    </>
  );
}
