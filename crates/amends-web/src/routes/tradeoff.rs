//! The trade-off between distance and outlier term: every plan that no other beats in both.

use amends::answer::{Ask, PlanRecord};
use amends::{Error, Result};
use axum::Json;
use axum::extract::State;
use serde_json::{Value, json};

use super::answering::{Answering, answer};
use super::end::end_kind;
use crate::app::App;
use crate::refusal::Refusal;
use crate::request::{Fields, JsonBody, Question};

/// Differences below this share don't count.
const RESOLUTION: f64 = 0.01;

/// `POST /tradeoff`
pub async fn tradeoff(
    State(app): State<App>,
    JsonBody(body): JsonBody,
) -> Result<Json<Value>, Refusal> {
    let mut fields = Fields::of_body(&body);
    let question = Question::read(&mut fields, &app);
    let at_most = fields.whole("at_most", [2, 30]).unwrap_or(12);
    fields.finish()?;
    let question = question.ok_or_else(Refusal::broken)?;
    let ask = Ask::front(at_most, RESOLUTION)?.with_why_none(false);
    answer(app, question, move |answering| front(answering, &ask)).await.map(Json)
}

fn front(answering: &Answering<'_>, ask: &Ask) -> Result<Value> {
    let wishes = answering.wishes(&answering.question.list)?;
    let answer = answering.answer(ask, &wishes)?;
    let records = PlanRecord::of_answer(&answer, &answering.app.service.explainer);
    let broken =
        |error: serde_json::Error| Error::File { path: "answer".into(), source: error.into() };
    let mut plans =
        records.iter().map(serde_json::to_value).collect::<Result<Vec<_>, _>>().map_err(broken)?;
    plans.retain(|plan| !plan["application"].is_null());
    Ok(json!({
        "status": answer.status().name(),
        "plans": plans,
        "end": answer.end_in_words(),
        "end_kind": end_kind(&answer),
    }))
}
