// What a plan changes: now, then, and the difference. On phones each row becomes two lines, and browsers then
// forget that it is a table unless its roles are given.
import type { Change } from "../api/types";
import { words } from "../i18n";
import { feature } from "../state/server";
import { difference, showWithUnit, title } from "../text/labels";
import { Scroll } from "./scroll";

export function PlanTable({ changes, caption }: { changes: readonly Change[]; caption: string }) {
  const w = words.value.plan;
  return (
    <Scroll label={caption}>
      <table class="plan-table" role="table">
        <caption>{caption}</caption>
        <thead role="rowgroup">
          <tr role="row">
            <th scope="col" role="columnheader">{w.feature}</th>
            <th scope="col" role="columnheader">{w.now}</th>
            <th scope="col" role="columnheader">{w.then}</th>
            <th scope="col" role="columnheader">{w.difference}</th>
          </tr>
        </thead>
        <tbody role="rowgroup">
          {changes.map((change) => {
            const of = feature(change.feature);
            const name = of ? title(of) : change.title;
            return (
              <tr key={change.feature} role="row">
                <th scope="row" role="rowheader">{name}{change.together && <span class="hint"> ({w.together(change.together)})</span>}</th>
                <td role="cell">{of ? showWithUnit(of, change.before) : change.before}</td>
                <td role="cell"><strong>{of ? showWithUnit(of, change.after) : change.after}</strong></td>
                <td role="cell">{(of && difference(of, change.before, change.after)) ?? w.other}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </Scroll>
  );
}
