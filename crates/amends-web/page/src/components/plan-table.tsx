// What a plan changes: now, then, and the difference.
import type { Change } from "../api/types";
import { words } from "../i18n";
import { feature } from "../state/server";
import { difference, showWithUnit, title } from "../text/labels";

export function PlanTable({ changes, caption }: { changes: readonly Change[]; caption: string }) {
  const w = words.value.plan;
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={caption}>
      <table class="plan-table">
        <caption>{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{w.feature}</th>
            <th scope="col">{w.now}</th>
            <th scope="col">{w.then}</th>
            <th scope="col">{w.difference}</th>
          </tr>
        </thead>
        <tbody>
          {changes.map((change) => {
            const of = feature(change.feature);
            const name = of ? title(of) : change.title;
            return (
              <tr key={change.feature}>
                <th scope="row">{name}{change.together && <span class="hint"> ({w.together(change.together)})</span>}</th>
                <td>{of ? showWithUnit(of, change.before) : change.before}</td>
                <td><strong>{of ? showWithUnit(of, change.after) : change.after}</strong></td>
                <td>{(of && difference(of, change.before, change.after)) ?? w.other}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
