// A share by group, as bars with intervals; the table below has the same numbers.
import type { Share } from "../api/audits";
import { percent, words } from "../i18n";
import { shareText } from "../text/audit";
import { ShareBar } from "./share-bar";

export interface GroupShare {
  name: string;
  share: Share;
  /** Whether this is everybody rather than a group. */
  everybody?: boolean;
}

export function GroupChart({ measure, groups, kind }: { measure: string; groups: readonly GroupShare[]; kind: string }) {
  const w = words.value.audit.groups;
  const shown = groups.filter(({ share }) => share.share !== null);
  const rows = shown.map(({ name, share }) => w.chartRow(name, shareText(share), percent(share.low, 1), percent(share.high, 1)));
  return (
    <figure class="group-chart" role="img" aria-label={w.chart(measure, rows.join("; "))}>
      <div aria-hidden="true">
        {groups.map(({ name, share, everybody }) => (
          <div key={name} class={everybody ? "group-line everybody" : "group-line"}>
            <span class="group-name">{name}</span>
            <ShareBar share={share} kind={kind} />
            <span class="number">{shareText(share)}</span>
          </div>
        ))}
      </div>
    </figure>
  );
}
