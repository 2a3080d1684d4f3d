// Plans and kept plans side by side, a column each; what differs from the plan shown is marked.
import type { Application, Plan, Value } from "../api/types";
import { figure, probability, words } from "../i18n";
import { choosePlan, keptPlans, removeKept } from "../state/question";
import { about, feature, schema } from "../state/server";
import { showWithUnit, title } from "../text/labels";
import { focusOn } from "./focus";

interface Column {
  name: string;
  changes: Readonly<Record<string, Value>>;
  cost: number;
  probability: number | null;
  score: number;
  choose?: () => void;
  remove?: () => void;
}

const changesOf = (plan: Plan): Record<string, Value> => Object.fromEntries(plan.changes.map(({ feature, after }) => [feature, after]));

export function CompareTable({ plans, chosen, application }: { plans: readonly Plan[]; chosen: number; application: Application }) {
  const w = words.value.plan;
  const columns: Column[] = [
    ...plans.map((plan, index) => ({ name: w.one(index + 1), changes: changesOf(plan), cost: plan.objective, probability: plan.probability_after, score: plan.score_after, choose: () => choosePlan(index) })),
    ...keptPlans.value.map((plan, index) => ({ ...plan, name: `${w.kept} ${index + 1}`, remove: () => removeKept(index) })),
  ];
  // Where there is no plan, those that were kept are still worth seeing.
  if (columns.length < (plans.length ? 2 : 1)) return null;
  const shown = columns[chosen];
  const names = (schema.value?.features ?? []).map((one) => one.name).filter((name) => columns.some((column) => name in column.changes));
  const hasProbability = columns.some((column) => column.probability !== null);
  const cut = about.value?.cut_probability ?? null;
  const cell = (column: Column, name: string) => {
    const of = feature(name);
    const value = column.changes[name];
    const differs = shown && column !== shown && value !== shown.changes[name];
    return (
      <td key={column.name} class={differs ? "differs" : ""}>
        {value === undefined || !of ? <span class="soft">{w.unchanged}</span> : <strong>{showWithUnit(of, value)}</strong>}
        {differs && <span class="differs-mark" title={w.differs}>≠<span class="visually-hidden"> {w.differs}</span></span>}
      </td>
    );
  };
  return (
    <div class={`scroll compare ${keptPlans.value.length ? "has-kept" : ""}`} tabIndex={0} role="region" aria-label={w.sideBySide}>
      <table>
        <caption>{w.sideBySide}</caption>
        <thead>
          <tr>
            <th scope="col">{w.feature}</th>
            <th scope="col">{w.now}</th>
            {columns.map((column, index) => (
              <th scope="col" key={column.name} class={index === chosen ? "chosen" : ""}>
                {column.choose ? <button type="button" class="plain" aria-pressed={index === chosen} onClick={column.choose}>{column.name}</button> : column.name}
                {column.remove && <button type="button" class="plain" onClick={() => { column.remove?.(); focusOn("plan-heading"); }} aria-label={`${w.unkeep}: ${column.name}`}>× {w.unkeep}</button>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {names.map((name) => {
            const of = feature(name);
            return (
              <tr key={name}>
                <th scope="row">{of ? title(of) : name}</th>
                <td>{of && application[name] !== undefined ? showWithUnit(of, application[name]) : ""}</td>
                {columns.map((column) => cell(column, name))}
              </tr>
            );
          })}
          <tr>
            <th scope="row">{w.cost}</th>
            <td />
            {columns.map((column) => <td key={column.name}>{figure(column.cost)}</td>)}
          </tr>
          {hasProbability && (
            <tr>
              <th scope="row">{w.probability}</th>
              <td />
              {columns.map((column) => <td key={column.name}>{column.probability === null ? "" : probability(column.probability, cut)}</td>)}
            </tr>
          )}
        </tbody>
      </table>
    </div>
  );
}
