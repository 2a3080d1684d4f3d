// The figures of everybody: decisions, plans, and what stands in their way.
import type { Figures, Quantiles } from "../../api/audits";
import { figure, language, number, words } from "../../i18n";
import { featureTitle } from "../../text/audit";
import { ShareTable } from "./share-table";
import { Scroll } from "../scroll";

export function Overall({ figures }: { figures: Figures }) {
  const w = words.value.audit;
  return (
    <>
      <section class="card" aria-labelledby="decided">
        <h2 id="decided">{w.decided}</h2>
        <ShareTable
          caption={w.people(number(figures.applicants))}
          counted={w.count}
          lines={[
            { key: "accepted", name: w.accepted, share: figures.accepted, kind: "good" },
            { key: "rejected", name: w.rejected, share: figures.rejected, kind: "bad" },
          ]}
        />
        <ShareTable
          caption={w.able}
          counted={w.count}
          lines={[
            { key: "plan", name: w.withPlan, share: figures.with_plan, kind: "good" },
            { key: "optimal", name: w.optimal, share: figures.optimal, depth: 1, kind: "good" },
            { key: "feasible", name: w.feasible, share: figures.feasible, depth: 1, kind: "good" },
            { key: "infeasible", name: w.infeasible, share: figures.infeasible, kind: "bad" },
            { key: "timeout", name: w.timeout, share: figures.timeout },
          ]}
        />
      </section>
      <section class="card" aria-labelledby="take">
        <h2 id="take">{w.take.heading}</h2>
        <Costs figures={figures} />
        {figures.features.length > 0 && (
          <ShareTable
            caption={w.change.heading}
            counted={w.change.plans}
            lines={figures.features.map(({ feature, plans }) => ({ key: feature, name: featureTitle(feature), share: plans }))}
          />
        )}
        {figures.reasons.length > 0 && (
          <ShareTable
            caption={w.why.heading}
            counted={w.count}
            lines={figures.reasons.map(({ reason, people }) => ({ key: reason, name: <span lang={language.value === "en" ? undefined : "en"}>{reason}</span>, share: people, kind: "bad" }))}
          />
        )}
      </section>
    </>
  );
}

function Costs({ figures: { costs } }: { figures: Figures }) {
  const w = words.value.audit.take;
  const lines: [string, Quantiles | null][] = [[w.objective, costs.objective], [w.changes, costs.changes], [w.seconds, costs.seconds]];
  if (!costs.objective && !costs.seconds) return <p>{w.none}</p>;
  return (
    <Scroll label={words.value.audit.table(w.heading)}>
      <table class="quantiles">
        <caption class="visually-hidden">{w.heading}</caption>
        <thead>
          <tr><td />{w.level.map((level) => <th scope="col" class="number" key={level}>{level}</th>)}</tr>
        </thead>
        <tbody>
          {lines.map(([name, found]) => found && (
            <tr key={name}>
              <th scope="row">{name}</th>
              {[found.p5, found.p25, found.p50, found.p75, found.p95].map((value, index) => <td class="number" key={index}>{figure(value, name === w.seconds ? 2 : 3)}</td>)}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}
