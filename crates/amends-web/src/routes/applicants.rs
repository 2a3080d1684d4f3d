//! The rows of the table, with what the model says of them.

use axum::Json;
use axum::extract::State;
use serde_json::{Value, json};

use crate::app::App;
use crate::refusal::Refusal;
use crate::request::{PathText, Query, application_json};
use crate::service::{Decision, Service};

/// At most so many rows per answer.
const MOST_ROWS: usize = 1000;

/// `GET /applicants`
pub async fn list(State(app): State<App>, mut query: Query) -> Result<Json<Value>, Refusal> {
    let choices = [("rejected", Some(false)), ("accepted", Some(true)), ("all", None)];
    let wanted = query.one_of("decision", &choices, None);
    let offset = query.whole("offset", [0, usize::MAX], 0);
    let limit = query.whole("limit", [1, MOST_ROWS], 50);
    query.finish()?;
    let service = &app.service;
    let rows = service.dataset.row_numbers.iter().zip(&service.decisions);
    let mut chosen = Vec::new();
    let mut total = 0;
    for (&row, decision) in rows {
        if wanted.is_some_and(|accepted| accepted != decision.accepted) {
            continue;
        }
        if total >= offset && chosen.len() < limit {
            chosen.push(with_row(row, decision));
        }
        total += 1;
    }
    Ok(Json(json!({"total": total, "applicants": chosen})))
}

/// `GET /applicants/{row}`
pub async fn one(State(app): State<App>, PathText(row): PathText) -> Result<Json<Value>, Refusal> {
    let service = &app.service;
    let found = row.parse().ok().and_then(|number: usize| Some((number, service.row(number)?)));
    let Some((number, (index, record))) = found else {
        let remedy = format!("rows are counted from 1 to {}", last_row(service));
        return Err(Refusal::not_found("the data has no such row", remedy));
    };
    let mut answer = with_row(number, &service.decisions[index]);
    answer["application"] = application_json(record, service.explainer.schema()).into();
    Ok(Json(answer))
}

fn with_row(row: usize, decision: &Decision) -> Value {
    let Decision { score, probability, accepted } = decision;
    json!({"row": row, "score": score, "probability": probability, "accepted": accepted})
}

fn last_row(service: &Service) -> usize {
    service.dataset.row_numbers.last().copied().unwrap_or_default()
}
