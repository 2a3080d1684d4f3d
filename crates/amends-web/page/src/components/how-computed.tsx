// The figures behind a plan, for those who want them.
import type { ComponentChildren } from "preact";
import type { Plan } from "../api/types";
import { figure, words } from "../i18n";
import { about } from "../state/server";

export function HowComputed({ plan, before }: { plan: Plan; before: number }) {
  const w = words.value.status;
  const rows: [string, ComponentChildren][] = [
    [w.cost, figure(plan.objective, 6)],
    [w.bound, plan.bound === null ? "–" : figure(plan.bound, 6)],
    [w.gap, plan.gap === null ? "–" : figure(plan.gap, 2)],
    [w.distance, figure(plan.distance, 6)],
    [w.outlier, figure(plan.outlier, 6)],
    [w.changeCost, figure(plan.change_cost, 6)],
    [w.mahalanobis, figure(plan.mahalanobis, 6)],
    [w.lof, figure(plan.lof, 6)],
    [w.score, `${figure(before, 6)} → ${figure(plan.score_after, 6)}`],
    [w.seconds, figure(plan.seconds)],
    [w.engine, plan.engine],
  ];
  const remarks = [...(plan.remark ? [plan.remark] : []), ...plan.notes, ...(about.value?.header ?? [])];
  return (
    <details class="how">
      <summary>{w.how}</summary>
      <p class="hint">{words.value.plan.costHelp}</p>
      <dl class="figures">
        {rows.map(([name, value]) => <div key={name}><dt>{name}</dt><dd>{value}</dd></div>)}
      </dl>
      {remarks.map((remark) => <p key={remark} class="hint" lang="en">{remark}</p>)}
    </details>
  );
}
