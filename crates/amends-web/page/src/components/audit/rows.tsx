// The applicants of an audit, one by one, each with a link to their own page.
import { useEffect, useState } from "preact/hooks";
import { type AuditRow, FILTERS, type Filter, type Summary } from "../../api/audits";
import { type ApiError, asApiError, isAbort, request } from "../../api/client";
import { figure, language, list, number, words } from "../../i18n";
import { address, href, update } from "../../state/address";
import { columnTitle, featureTitle, groupText } from "../../text/audit";
import { ErrorBox } from "../error-box";
import { Spinner } from "../spinner";
import { Scroll } from "../scroll";

const PAGE = 20;

interface Page {
  total: number;
  rows: AuditRow[];
}

/** What of the address the rows depend on, and a link to an applicant takes along for the way back. */
export const ROW_KEYS = ["filter", "column", "group", "page"] as const;

export function AuditRows({ id, summary, done }: { id: string; summary: Summary; done: number }) {
  const w = words.value.audit.rows;
  const { query } = address.value;
  const filter: Filter = FILTERS.find((one) => one === query["filter"]) ?? "rejected";
  const { column, group } = query;
  const page = Math.max(1, Math.trunc(Number(query["page"] ?? 1)) || 1);
  const inGroup = column !== undefined && group !== undefined;
  const offered = FILTERS.filter((one) => one !== "no-reason-actionable" || summary.overall.principal_reasons);
  return (
    <section class="card" id="rows" tabIndex={-1} aria-labelledby="rows-heading">
      <h2 id="rows-heading">{w.heading}</h2>
      <div class="toolbar no-print">
        <label class="field">
          <span class="label">{w.filter}</span>
          <select value={filter} onChange={(event) => update({ filter: event.currentTarget.value === "rejected" ? undefined : event.currentTarget.value, page: undefined })}>
            {offered.map((one) => <option key={one} value={one}>{w.filters[one]}</option>)}
          </select>
        </label>
        {summary.by.length > 0 && <GroupChoice summary={summary} chosen={inGroup ? JSON.stringify([column, group]) : ""} />}
      </div>
      <Rows key={id} id={id} filter={filter} column={inGroup ? column : undefined} group={inGroup ? group : undefined} page={page} done={done} />
    </section>
  );
}

function GroupChoice({ summary, chosen }: { summary: Summary; chosen: string }) {
  const w = words.value.audit.rows;
  const choose = (text: string): void => {
    const [column, group] = text ? (JSON.parse(text) as [string, string]) : [undefined, undefined];
    update({ column, group, page: undefined });
  };
  return (
    <label class="field">
      <span class="label">{w.group}</span>
      <select value={chosen} onChange={(event) => choose(event.currentTarget.value)}>
        <option value="">{w.anyGroup}</option>
        {summary.by.map(({ column, groups }) => (
          <optgroup key={column} label={columnTitle(column)}>
            {groups.map(({ group }) => <option key={group} value={JSON.stringify([column, group])}>{w.groupOf(columnTitle(column), groupText(column, group))}</option>)}
          </optgroup>
        ))}
      </select>
    </label>
  );
}

interface RowsProps {
  id: string;
  filter: Filter;
  column: string | undefined;
  group: string | undefined;
  page: number;
  /** Rows are asked for again when more are done. */
  done: number;
}

function Rows({ id, filter, column, group, page, done }: RowsProps) {
  const w = words.value.audit.rows;
  const [rows, setRows] = useState<Page | null>(null);
  const [error, setError] = useState<ApiError | null>(null);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    const abort = new AbortController();
    const parameters = new URLSearchParams({ filter, offset: String((page - 1) * PAGE), limit: String(PAGE) });
    if (column !== undefined && group !== undefined) {
      parameters.set("column", column);
      parameters.set("group", group);
    }
    setError(null);
    request<Page>(`/audits/${encodeURIComponent(id)}/rows?${parameters}`, undefined, abort.signal)
      .then((found) => {
        if (found.rows.length || !found.total) setRows(found);
        else update({ page: String(Math.ceil(found.total / PAGE)) }, "page");
      })
      .catch((reason: unknown) => {
        if (!isAbort(reason)) setError(asApiError(reason));
      });
    return () => abort.abort();
  }, [id, filter, column, group, page, done, attempt]);
  if (error) return <ErrorBox error={error} retry={() => setAttempt(attempt + 1)} />;
  if (!rows) return <Spinner text={words.value.loading} />;
  if (rows.total === 0) return <p>{w.none}</p>;
  return (
    <>
      <Scroll label={words.value.audit.table(w.heading)}>
        <RowTable rows={rows.rows} id={id} />
      </Scroll>
      <Paging page={page} shown={rows.rows.length} total={rows.total} />
    </>
  );
}

function RowTable({ rows, id }: { rows: readonly AuditRow[]; id: string }) {
  const w = words.value.audit.rows;
  const withReasons = rows.some((row) => row.reasons !== null);
  const { query } = address.value;
  const kept = Object.fromEntries(ROW_KEYS.flatMap((key) => (query[key] === undefined ? [] : [[key, query[key]]])));
  const english = language.value === "en" ? undefined : "en";
  return (
    <table class="rows">
      <caption class="visually-hidden">{w.heading}</caption>
      <thead>
        <tr>
          <th scope="col">{w.row}</th>
          <th scope="col">{w.result}</th>
          <th scope="col" class="number">{w.effort}</th>
          <th scope="col">{w.changed}</th>
          {withReasons && <th scope="col">{w.reasons}</th>}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.row}>
            <td><a class="row-link" href={href(["applicant", String(row.row)], { audit: id, ...kept })} aria-label={words.value.applications.openRow(number(row.row))}>{number(row.row)}</a></td>
            <td>
              {w.results[row.status]}
              {(row.why_none ?? row.message) && <span class="small" lang={english}>{row.why_none ?? row.message}</span>}
            </td>
            <td class="number">{row.cost === null ? "" : figure(row.cost)}</td>
            <td>{row.changed ? list(row.changed.map(featureTitle)) : ""}</td>
            {withReasons && (
              <td>
                <Reasons row={row} which={(actionable) => actionable !== false} />
                <Reasons row={row} which={(actionable) => actionable === false} title={w.cannot} />
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Reasons({ row, which, title }: { row: AuditRow; which: (actionable: boolean | null) => boolean; title?: string }) {
  const reasons = row.reasons?.filter(({ actionable }) => which(actionable)) ?? [];
  if (!reasons.length) return null;
  const text = list(reasons.map(({ feature }) => featureTitle(feature)));
  return title ? <span class="small">{title}: {text}</span> : <>{text}</>;
}

function Paging({ page, shown, total }: { page: number; shown: number; total: number }) {
  const w = words.value.applications;
  const pages = Math.max(1, Math.ceil(total / PAGE));
  const first = (page - 1) * PAGE + 1;
  return (
    <div class="paging">
      <button type="button" disabled={page <= 1} onClick={() => update({ page: page === 2 ? undefined : String(page - 1) })}>{w.previous}</button>
      <span>{w.page(number(page), number(pages))} · {w.range(number(first), number(first + shown - 1), number(total))}</span>
      <button type="button" disabled={page >= pages} onClick={() => update({ page: String(page + 1) })}>{w.next}</button>
    </div>
  );
}
