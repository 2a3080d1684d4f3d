//! What each wish costs: the best plan without it, beside the best plan with all of them.

use amends::answer::{Answer, Ask};
use amends::{Result, Status};
use axum::Json;
use axum::extract::State;
use serde_json::{Value, json};

use super::answering::{Answering, answer};
use crate::app::App;
use crate::refusal::Refusal;
use crate::request::{Fields, JsonBody, Key, Question, WishId};

/// `POST /prices`
pub async fn prices(
    State(app): State<App>,
    JsonBody(body): JsonBody,
) -> Result<Json<Value>, Refusal> {
    let question = Question::read_alone(Fields::of_body(&body), &app)?;
    answer(app, question, priced).await.map(Json)
}

fn priced(answering: &Answering<'_>) -> Result<Value> {
    let list = &answering.question.list;
    let ids = list.ids();
    // All solves share the time; one that ends early leaves its part to those after it.
    let sharers = |done: usize| u32::try_from(ids.len() + 1 - done).unwrap_or(u32::MAX);
    let ask = Ask::best().with_why_none(false);
    let base = answering.answer_within(&ask, &answering.wishes(list)?, sharers(0))?;
    let with = objective(&base);
    let mut prices = Vec::with_capacity(ids.len());
    for (index, &id) in ids.iter().enumerate() {
        // Even a solve without any time prepares its problem: once the time is over, none is begun.
        let without = if answering.is_over() {
            None
        } else {
            let wishes = answering.wishes(&list.without(id))?;
            Some(answering.answer_within(&ask, &wishes, sharers(index + 1))?)
        };
        let objective = without.as_ref().and_then(objective);
        // Another effort measures the cost of the same plan differently: what is saved could not be compared.
        let comparable = !is_effort(answering, id);
        let saves = with.zip(objective).map(|(with, without)| with - without);
        let status = without.as_ref().map_or(Status::Timeout, Answer::status);
        prices.push(json!({
            "wish": list.name(id, &answering.app.service),
            "status": status.name(),
            "objective": objective,
            "saves": saves.filter(|_| comparable),
            "proven": is_proven(&base) && without.as_ref().is_some_and(is_proven),
        }));
    }
    Ok(json!({"objective": with, "status": base.status().name(), "prices": prices}))
}

fn objective(answer: &Answer) -> Option<f64> {
    answer.first().plan.as_ref().map(|plan| plan.costs.objective)
}

fn is_proven(answer: &Answer) -> bool {
    !matches!(answer.status(), Status::Feasible | Status::Timeout)
}

fn is_effort(answering: &Answering<'_>, id: WishId) -> bool {
    match id {
        WishId::Key(index) => matches!(answering.question.list.keys[index].1, Key::Effort(_)),
        WishId::MaxChanges | WishId::Rule(_) => false,
    }
}
