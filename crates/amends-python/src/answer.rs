//! An answer as JSON for the Python side, which puts its frame's own values beside the texts.

use amends::answer::{Answer, FrontEndNames, PlanRecord, PlanWords, ReasonWords, WhyWords, Words};
use amends::data::Record;
use amends::explain::Explainer;
use amends_report::Card;
use serde::Serialize;

/// What the sentences of an answer refer to.
const NAMES: FrontEndNames =
    FrontEndNames { time_limit: "time_limit", all_ways: "all are in why_none.ways" };

/// The records that every front end shares, with the sentences about them: Python shows answers long after they were found.
#[derive(Serialize)]
struct PythonAnswer<'a> {
    verdict: String,
    plans: Vec<PythonPlan<'a>>,
    /// How the search for more than one plan ended, in words.
    end: Option<String>,
    /// Whether it is proven that a trade-off has no further plan.
    complete: bool,
    /// Why there is no plan, in words.
    why: Option<WhyWords>,
    /// The principal reasons of the rejection, in words.
    reason_words: Option<ReasonWords>,
    /// The answer as reports show it, as JSON; without the applicant's name, which Python knows.
    card: String,
}

#[derive(Serialize)]
struct PythonPlan<'a> {
    #[serde(flatten)]
    record: PlanRecord<'a>,
    words: Option<PlanWords>,
    proof: Option<String>,
}

/// One applicant's answer.
pub fn json(answer: &Answer, applicant: &Record, explainer: &Explainer) -> String {
    let words = Words::new(explainer, NAMES);
    let (first, count) = (answer.first(), answer.plans().len());
    let records = PlanRecord::of_answer(answer, explainer);
    let plans = records.into_iter().zip(answer.plans()).enumerate();
    let plan = |(index, (record, explanation))| PythonPlan {
        record,
        words: words.plan(explanation, index + 1, count),
        proof: words.proof(explanation, index + 1),
    };
    serde_json::json!(PythonAnswer {
        verdict: words.verdict(answer),
        plans: plans.map(plan).collect(),
        end: answer.end_in_words(),
        complete: answer.end().is_complete_front(),
        why: first.why_none.as_ref().map(|why| words.why_none(why, first)),
        reason_words: words.reasons(answer),
        card: serde_json::json!(Card::of(String::new(), answer, applicant, explainer, &words))
            .to_string(),
    })
    .to_string()
}
