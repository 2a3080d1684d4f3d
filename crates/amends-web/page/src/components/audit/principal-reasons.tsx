// The principal reasons of the rejections, and whether people can act on them.
import type { PrincipalReasons as Data } from "../../api/audits";
import { words } from "../../i18n";
import { featureTitle, shareText } from "../../text/audit";
import { ShareTable } from "./share-table";

export function PrincipalReasons({ data, show }: { data: Data | undefined; show: () => void }) {
  const w = words.value.audit.reasons;
  return (
    <section class="card" aria-labelledby="reasons">
      <h2 id="reasons">{w.heading}</h2>
      {!data && <p class="hint">{w.notAsked}</p>}
      {data && (
        <>
          <ShareTable caption="" counted={words.value.audit.count} lines={[{ key: "none", name: w.none, share: data.none_actionable, kind: "bad" }]} />
          {data.none_actionable.count > 0
            ? <p><button type="button" class="no-print" onClick={show}>{w.show}</button></p>
            : <p class="hint">{w.nobody}</p>}
          <ShareTable
            caption={w.feature}
            counted={words.value.audit.count}
            more={w.actionable}
            lines={data.features.map(({ feature, people, actionable }) => ({ key: feature, name: featureTitle(feature), share: people, kind: "bad", more: shareText(actionable) }))}
          />
        </>
      )}
    </section>
  );
}
