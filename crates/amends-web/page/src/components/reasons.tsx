// The principal reasons of the rejection: a list of its own, apart from the plan.
import type { Reason } from "../api/types";
import { number, percent, words } from "../i18n";
import { feature } from "../state/server";
import { reasons, subjectKey } from "../state/solve";
import { showWithUnit, title } from "../text/labels";

export function Reasons() {
  const w = words.value.reasons;
  const known = reasons.value;
  if (known?.subjectKey !== subjectKey.value || !known) return null;
  const { basis } = known;
  return (
    <section class="card" aria-labelledby="reasons">
      <h2 id="reasons">{w.heading}</h2>
      {known.reasons.length === 0 ? <p>{w.empty}</p> : <p class="hint">{w.intro}</p>}
      <ol class="reasons">{known.reasons.map((reason) => <ReasonItem key={reason.feature} reason={reason} />)}</ol>
      {basis && <p class="hint">{w.group[basis.group](number(basis.members))}</p>}
      {basis && basis.used < basis.members && <p class="hint">{w.used(number(basis.used), number(basis.members))}</p>}
      {basis?.method.kind === "sampled" && <p class="hint">{w.sampled(number(basis.method.permutations))}</p>}
    </section>
  );
}

function ReasonItem({ reason }: { reason: Reason }) {
  const w = words.value.reasons;
  const of = feature(reason.feature);
  if (!of) return null;
  const value = showWithUnit(of, reason.value);
  const typical = showWithUnit(of, reason.typical);
  const { actionable, flips } = reason;
  const sign = actionable === true ? "yes" : actionable === false ? "no" : "open";
  return (
    <li>
      <h3>{title(of)}</h3>
      <p>{value === typical ? w.asTypical(value) : w.value(value, typical)}</p>
      <div class="share">
        <svg width="100%" height="8" aria-hidden="true"><rect class="track" width="100%" height="8" rx="2" /><rect class="rejected" width={`${100 * reason.share}%`} height="8" rx="2" /></svg>
        <span class="hint">{w.share(reason.share > 0 && reason.share < 0.005 ? w.lessThan(percent(0.01)) : percent(reason.share))}</span>
      </div>
      <p class={`actionable ${sign}`}>
        <span aria-hidden="true">{actionable === true ? "✓" : actionable === false ? "–" : "?"}</span>{" "}
        {actionable === true ? w.actionable : actionable === false ? w.notActionable : w.unsettled}
        {flips && flips.moves > 0 && <span class="hint"> {w.enough(number(flips.moves), number(flips.of))}</span>}
      </p>
    </li>
  );
}
