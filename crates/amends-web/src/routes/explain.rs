//! The best plans for an applicant, or why there is none.

use amends::answer::{Answer, Ask, PlanRecord};
use amends::plans::SeveralSettings;
use amends::{Error, Result};
use axum::Json;
use axum::extract::State;
use serde_json::{Value, json};

use super::answering::{Answering, answer};
use super::drops::add_drops;
use super::end::end_kind;
use crate::app::App;
use crate::refusal::Refusal;
use crate::request::{Fields, JsonBody, Question};
use crate::service::Decision;

/// More plans than this nobody compares.
const MOST_PLANS: usize = 10;

/// `POST /explain`
pub async fn explain(
    State(app): State<App>,
    JsonBody(body): JsonBody,
) -> Result<Json<Value>, Refusal> {
    let mut fields = Fields::of_body(&body);
    let question = Question::read(&mut fields, &app);
    let plans = fields.whole("plans", [1, MOST_PLANS]).unwrap_or(1);
    let reasons = fields.flag("reasons", false);
    let why_none = fields.flag("why_none", true);
    fields.finish()?;
    let question = question.ok_or_else(Refusal::broken)?;
    let mut ask = match plans {
        1 => Ask::best(),
        count => Ask::several(SeveralSettings::new(count))?,
    };
    ask = ask.with_why_none(why_none).with_one_time_limit();
    if reasons {
        ask = ask.with_principal_reasons(app.service.max_reasons)?;
    }
    answer(app, question, move |answering| explained(answering, &ask)).await.map(Json)
}

fn explained(answering: &Answering<'_>, ask: &Ask) -> Result<Value> {
    let wishes = answering.wishes(&answering.question.list)?;
    let answer = answering.answer(ask, &wishes)?;
    let mut json = answer_json(answering, &answer)?;
    add_drops(&mut json["why_none"], answering, &answer);
    Ok(json)
}

/// An answer as the API has it: what is the same for all plans once, and then the plans.
fn answer_json(answering: &Answering<'_>, answer: &Answer) -> Result<Value> {
    let explainer = &answering.app.service.explainer;
    let records = PlanRecord::of_answer(answer, explainer);
    let broken =
        |error: serde_json::Error| Error::File { path: "answer".into(), source: error.into() };
    let mut records =
        records.iter().map(serde_json::to_value).collect::<Result<Vec<_>, _>>().map_err(broken)?;
    let mut first = records.first().cloned().unwrap_or_default();
    records.retain(|record| !record["application"].is_null());
    let decision = Decision::of(explainer, &answering.question.applicant);
    Ok(json!({
        "accepted": decision.accepted,
        "score": decision.score,
        "probability": decision.probability,
        "status": first["status"].take(),
        "plans": records,
        "end": first["end"].take(),
        "end_kind": end_kind(answer),
        "why_none": first["why_none"].take(),
        "values_offered": first["values_offered"].take(),
        "reasons": first["reasons"].take(),
        "reason_basis": first["reason_basis"].take(),
        "bound": first["bound"].take(),
        "seconds": first["seconds"].take(),
        "remark": first["remark"].take(),
        "notes": first["notes"].take(),
    }))
}
