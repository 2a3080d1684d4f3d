// Plans and kept plans side by side, a column each; what differs from the plan shown is marked.
import type { Application, Plan, Value } from "../api/types";
import { figure, probability, words } from "../i18n";
import { judgedPlans, refusedPlans } from "../state/kept";
import { choosePlan, removeKept } from "../state/question";
import { about, feature, schema } from "../state/server";
import { showWithUnit, title } from "../text/labels";
import { focusOn } from "./focus";
import { Verdict } from "./verdict";
import { Scroll } from "./scroll";

interface Column {
  name: string;
  changes: Readonly<Record<string, Value>>;
  /** Null where it is not known: that of a kept plan depends on the wishes that it was found under. */
  cost: number | null;
  probability: number | null;
  rejected?: boolean;
  choose?: () => void;
  remove?: () => void;
}

const changesOf = (plan: Plan): Record<string, Value> => Object.fromEntries(plan.changes.map(({ feature, after }) => [feature, after]));

export function CompareTable({ plans, chosen, application }: { plans: readonly Plan[]; chosen: number; application: Application }) {
  const w = words.value.plan;
  const columns: Column[] = [
    ...plans.map((plan, index) => ({ name: w.one(index + 1), changes: changesOf(plan), cost: plan.objective, probability: plan.probability_after, choose: () => choosePlan(index) })),
    ...judgedPlans.value.map(({ changes, decision }, index) => ({ name: `${w.kept} ${index + 1}`, changes, cost: null, probability: decision?.probability ?? null, rejected: decision?.accepted === false, remove: () => removeKept(changes) })),
  ];
  const refused = refusedPlans.value > 0 && <p class="notice bad" role="status">{w.keptRefused(refusedPlans.value)}</p>;
  // Where there is no plan, those that were kept are still worth seeing.
  if (columns.length < (plans.length ? 2 : 1)) return refused || null;
  const shown = columns[chosen];
  const names = (schema.value?.features ?? []).map((one) => one.name).filter((name) => columns.some((column) => Object.hasOwn(column.changes, name)));
  const hasProbability = columns.some((column) => column.probability !== null);
  const cut = about.value?.cut_probability ?? null;
  const value = (column: Column, name: string): Value | undefined => (Object.hasOwn(column.changes, name) ? column.changes[name] : undefined);
  const cell = (column: Column, name: string) => {
    const of = feature(name);
    const after = value(column, name);
    const differs = shown && column !== shown && after !== value(shown, name);
    return (
      <td key={column.name} class={differs ? "differs" : ""}>
        {after === undefined || !of ? <span class="soft">{w.unchanged}</span> : <strong>{showWithUnit(of, after)}</strong>}
        {differs && <span class="differs-mark" title={w.differs}>≠<span class="visually-hidden"> {w.differs}</span></span>}
      </td>
    );
  };
  return (
    <>
      {refused}
      <Scroll class={`compare ${judgedPlans.value.length ? "has-kept" : ""}`} label={w.sideBySide}>
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
                  {column.rejected && <Verdict accepted={false} />}
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
              {columns.map((column) => <td key={column.name}>{column.cost === null ? <span class="soft" title={w.costOfKept}>–<span class="visually-hidden"> {w.costOfKept}</span></span> : figure(column.cost)}</td>)}
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
      </Scroll>
    </>
  );
}
