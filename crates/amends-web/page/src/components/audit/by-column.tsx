// The groups of one column: a chart of one measure at a time, and a table with all of them and their differences.
import { useState } from "preact/hooks";
import type { Figures, GroupedColumn, Share } from "../../api/audits";
import { GroupChart } from "../../charts/group-chart";
import { number, words } from "../../i18n";
import { columnTitle, groupText, intervalText, pointsText, ratioText, shareText } from "../../text/audit";
import { Segmented } from "../segmented";
import { Scroll } from "../scroll";

type Measure = "rejected" | "infeasible" | "stuck";

interface Props {
  column: GroupedColumn;
  all: Figures;
  smallGroup: number;
  show: (group: string) => void;
}

export function ByColumn({ column, all, smallGroup, show }: Props) {
  const w = words.value.audit.groups;
  const [measure, setMeasure] = useState<Measure>("rejected");
  const name = columnTitle(column.column);
  const id = `by-${column.column}`;
  const offered: readonly Measure[] = all.principal_reasons ? ["rejected", "infeasible", "stuck"] : ["rejected", "infeasible"];
  const shareOf = (figures: Figures): Share => {
    if (measure === "stuck") return figures.principal_reasons?.none_actionable ?? { count: 0, of: 0, share: null, low: 0, high: 1 };
    return figures[measure];
  };
  const star = (small: boolean): string => (small ? " *" : "");
  return (
    <section class="card" aria-labelledby={id}>
      <h2 id={id}>{w.heading(name)}</h2>
      <div class="no-print">
        <Segmented name={id} legend={w.measure} value={measure} options={offered.map((value) => ({ value, text: w.measures[value] }))} choose={(value) => setMeasure(offered.find((one) => one === value) ?? "rejected")} />
      </div>
      <GroupChart
        measure={w.measures[measure]}
        kind="bad"
        groups={[
          { name: w.everybody, share: shareOf(all), everybody: true },
          ...column.groups.map(({ group, small, figures }) => ({ name: groupText(column.column, group) + star(small), share: shareOf(figures) })),
        ]}
      />
      <Scroll label={words.value.audit.table(w.heading(name))}>
        <table class="groups">
          <caption class="visually-hidden">{w.heading(name)}</caption>
          <thead>
            <tr>
              <th scope="col">{w.group}</th>
              <th scope="col" class="number">{words.value.audit.count}</th>
              <th scope="col">{w.measures.rejected}</th>
              <th scope="col">{w.difference}</th>
              <th scope="col">{w.measures.infeasible}</th>
              <th scope="col">{w.difference}</th>
              <th scope="col">{w.ratio}</th>
            </tr>
          </thead>
          <tbody>
            {column.groups.map(({ group, small, figures, rejected_difference, infeasible_difference, cost_ratio }) => (
              <tr key={group}>
                <th scope="row"><button type="button" class="plain link" onClick={() => show(group)}>{groupText(column.column, group)}</button>{star(small)}</th>
                <td class="number">{number(figures.applicants)}</td>
                <td><ShareWithInterval share={figures.rejected} /></td>
                <td>{pointsText(rejected_difference)}</td>
                <td><ShareWithInterval share={figures.infeasible} /></td>
                <td>{pointsText(infeasible_difference)}</td>
                <td>{ratioText(cost_ratio)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      <p class="hint">{w.notSure} {column.groups.some(({ small }) => small) && w.small(number(smallGroup))}</p>
    </section>
  );
}

function ShareWithInterval({ share }: { share: Share }) {
  if (share.share === null) return <>–</>;
  return <>{shareText(share)} <span class="small">{intervalText(share)}</span></>;
}
