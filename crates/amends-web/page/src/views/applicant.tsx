// The view of one applicant: decision, plan and reasons, then what they wish, try and take home.
import { useEffect } from "preact/hooks";
import type { Answer, Application, Decision } from "../api/types";
import { ScoreBar } from "../charts/score-bar";
import { Distribution } from "../charts/distribution";
import { CompareTable } from "../components/compare-table";
import { ROW_KEYS } from "../components/audit/rows";
import { Documents } from "../components/documents";
import { ErrorBox } from "../components/error-box";
import { NoPlan } from "../components/no-plan";
import { PageTitle } from "../components/page-title";
import { PlanSection } from "../components/plan-section";
import { Reasons } from "../components/reasons";
import { SolveState } from "../components/solve-state";
import { Tabs } from "../components/tabs";
import { Tradeoff } from "../components/tradeoff";
import { Verdict } from "../components/verdict";
import { WhatIf } from "../components/what-if";
import { WishList } from "../components/wish-list";
import { WishesPanel } from "../components/wishes-panel";
import { number, words } from "../i18n";
import { address, href, update } from "../state/address";
import { announce } from "../state/announce";
import { chosenPlan, droppedWishes, subject, wishes } from "../state/question";
import { feature, schema } from "../state/server";
import { type Answered, applicantError, application, current, decision, isFresh, progress, retryApplicant, solveError, subjectKey } from "../state/solve";
import { showWithUnit, title } from "../text/labels";
import { isEmpty, items } from "../state/wishes";
import { resultSentence } from "../text/plan";
import { outsideText } from "../text/values";
import { wishText } from "../text/wishes";

export function ApplicantView() {
  const w = words.value;
  const who = subject.value;
  const answered = current.value;
  const shown = application.value;
  const text = who && "row" in who ? w.application.ofRow(number(who.row)) : w.application.own;
  useEffect(() => {
    if (answered) announce(w.solving.changed(resultSentence(answered.answer)));
  }, [answered, w]);
  const notFound = applicantError.value?.status === 404;
  const known = decision.value;
  // Once the decision is known, what is wrong with the question is said beside the plan.
  const error = applicantError.value ?? (known ? null : solveError.value);
  const dropped = droppedWishes.value;
  return (
    <>
      <div class="heading-line">
        <PageTitle text={text} />
        <nav class="no-print buttons" aria-label={text}>
          <BackToAudit />
          <a class="button" href={href([])}>{w.application.choose}</a>
          {shown && <a class="button" href={who && "row" in who ? href(["new"], { from: String(who.row), ...kept() }) : href(["new"], { a: JSON.stringify(shown), ...kept() })}>{w.application.edit}</a>}
        </nav>
      </div>
      {!who && <p class="notice bad" role="alert">{w.application.broken}</p>}
      {who && dropped.length > 0 && <p class="notice bad" role="alert">{w.wishes.dropped(dropped.map(w.quoted).join(", "))}</p>}
      {who && (notFound ? <p class="notice bad" role="alert">{w.application.notFound}</p> : error ? <><ErrorBox error={error} retry={error.status === 422 ? undefined : retryApplicant} />{error.status === 422 && !isEmpty(wishes.value) && <WishList />}</> : null)}
      {who && !error && (known && shown ? <Result answered={answered} decision={known} application={shown} /> : <SolveState />)}
    </>
  );
}

/** Whoever came from an audit goes back to the same rows of it. */
function BackToAudit() {
  const { query } = address.value;
  const { audit } = query;
  if (audit === undefined) return null;
  const rows = Object.fromEntries(ROW_KEYS.flatMap((key) => (query[key] === undefined ? [] : [[key, query[key]]])));
  return <a class="button" href={href(["audits", audit], rows)}>{words.value.audit.backTo}</a>;
}

/** What editing takes along. */
function kept(): Record<string, string> {
  const { wishes, plans } = address.value.query;
  return { ...(wishes ? { wishes } : {}), ...(plans ? { plans } : {}) };
}

/** The decision, and the plan as soon as it is there; until then everything that does not need it. */
function Result({ answered, decision, application }: { answered: Answered | null; decision: Decision; application: Application }) {
  const w = words.value;
  const answer = answered?.answer;
  const plan = answer?.plans[Math.min(chosenPlan.value, answer.plans.length - 1)];
  return (
    <>
      <section class="card decision" aria-labelledby="decision">
        <div class="heading-line">
          <h2 id="decision">{w.decision.heading}</h2>
          <Verdict accepted={decision.accepted} />
        </div>
        <p>{decision.accepted ? w.decision.acceptedText : w.decision.rejectedText}</p>
        <ScoreBar decision={decision} after={plan && { score: plan.score_after, probability: plan.probability_after }} />
        <Outside application={application} />
        <AllValues application={application} />
      </section>
      {!decision.accepted && (
        <div class="columns">
          <section class={`card plan ${isFresh.value ? "" : "stale"}`} id="result" tabIndex={-1} aria-labelledby="plan-heading" aria-busy={progress.value !== "idle"}>
            <h2 id="plan-heading" tabIndex={-1}>{plan || !answer ? w.plan.heading : w.none.heading}</h2>
            <SolveState />
            <div class="plan-body">
              {plan && answer ? (
                <PlanSection answer={answer} application={application} asked={answered.plans} wished={!isEmpty(answered.wishes)} />
              ) : (
                <>{answer && <NoPlan answer={answer} wishes={answered.wishes} />}<CompareTable plans={[]} chosen={-1} application={application} /></>
              )}
            </div>
          </section>
          <Reasons />
        </div>
      )}
      {plan && <PrintedStanding application={application} names={plan.changes.map((change) => change.feature)} after={plan.application} />}
      <More answer={answer} decision={decision} application={application} />
    </>
  );
}

/** Numbers that no row of the data has: the model may never have seen the like. */
function Outside({ application }: { application: Application }) {
  const outside = (schema.value?.features ?? []).flatMap((one) => {
    const text = outsideText(one, application[one.name] ?? null);
    return text === null ? [] : [{ name: one.name, text: `${title(one)} (${showWithUnit(one, application[one.name] ?? "")}): ${text}` }];
  });
  return <>{outside.map(({ name, text }) => <p key={name} class="warning">{text}</p>)}</>;
}

function AllValues({ application }: { application: Application }) {
  return (
    <details>
      <summary>{words.value.application.values}</summary>
      <dl class="figures">
        {schema.value?.features.map((one) => {
          const value = application[one.name];
          return value === undefined ? null : <div key={one.name}><dt>{title(one)}</dt><dd>{showWithUnit(one, value)}</dd></div>;
        })}
      </dl>
    </details>
  );
}

/** Only on paper: on the screen, wishes and the cards with the distributions are controls. */
function PrintedStanding({ application, names, after }: { application: Application; names: readonly string[]; after: Application }) {
  const own = items(wishes.value);
  return (
    <section class="print-only" aria-hidden="true">
      {own.length > 0 && <h2>{words.value.wishes.active}</h2>}
      <ul>{own.map((item) => <li key={JSON.stringify(item)}>{wishText(item, wishes.value)}</li>)}</ul>
      <h2>{words.value.plan.standing}</h2>
      <div class="grid">
        {names.map((name) => {
          const of = feature(name);
          const now = application[name];
          return of && now !== undefined ? <div key={name}><h3>{title(of)}</h3><Distribution feature={of} now={now} then={after[name]} /></div> : null;
        })}
      </div>
    </section>
  );
}

const TABS = ["wishes", "whatIf", "tradeoff", "documents"] as const;
type Tab = (typeof TABS)[number];

function More({ answer, decision, application }: { answer: Answer | undefined; decision: Decision; application: Application }) {
  const w = words.value.tabs;
  const offered: readonly Tab[] = decision.accepted ? ["whatIf", "documents"] : TABS;
  const wanted = address.value.query["tab"];
  const chosen = offered.find((tab) => tab === wanted) ?? offered[0] ?? "whatIf";
  const plan = answer?.plans[Math.min(chosenPlan.value, answer.plans.length - 1)];
  return (
    <div class="no-print">
      <Tabs label={w.label} tabs={offered.map((key) => ({ key, text: w[key] }))} chosen={chosen} choose={(tab) => update({ tab: tab === offered[0] ? undefined : tab }, "tab")}>
        {chosen === "wishes" && <WishesPanel application={application} plan={plan} />}
        {chosen === "whatIf" && <WhatIf key={subjectKey.value} application={application} plan={plan} decision={decision} />}
        {chosen === "tradeoff" && <Tradeoff />}
        {chosen === "documents" && answer && <Documents answer={answer} application={application} />}
      </Tabs>
    </div>
  );
}
