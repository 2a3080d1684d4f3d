//! The features, how they may change, and how their values are distributed.

use amends::data::{Demand, Feature, Rule};
use axum::Json;
use axum::extract::State;
use serde_json::{Value, json};

use crate::app::App;
use crate::service::Service;

/// `GET /schema`
pub async fn schema(State(app): State<App>) -> Json<Value> {
    let service = &app.service;
    let features = service.schema.features.iter().enumerate();
    let rules = service.schema.rules.iter().chain(&service.rules);
    Json(json!({
        "name": service.schema.name,
        "features": features.map(|(index, one)| feature(service, index, one)).collect::<Vec<_>>(),
        "rules": rules.map(Rule::title).collect::<Vec<_>>(),
    }))
}

fn feature(service: &Service, index: usize, feature: &Feature) -> Value {
    let levels = feature.levels().iter().map(|level| json!({"value": level, "label": level}));
    let codes = feature.codes.iter().map(|code| json!({"value": code.text, "label": code.label}));
    let moves = feature.moves.iter().map(|moves| json!({"from": moves.from, "to": moves.to}));
    json!({
        "name": feature.name,
        "title": feature.title(),
        "unit": feature.unit,
        "kind": feature.kind.name(),
        "levels": levels.collect::<Vec<_>>(),
        "codes": codes.collect::<Vec<_>>(),
        "number": service.explainer.numbers(index),
        "change": feature.change.name(),
        "effort": feature.effort,
        "range": feature.limits.range,
        "relative_range": feature.limits.relative_range,
        "max_change": feature.limits.max_change,
        "least_change": feature.limits.least_change,
        "one_step": feature.limits.one_step,
        "moves": moves.collect::<Vec<_>>(),
        "protected": feature.is_protected_by_name(),
        "together": together(service, index),
        "distribution": service.explainer.distributions().get(index),
    })
}

/// What the features are called that only change together with this one.
fn together(service: &Service, index: usize) -> Option<&str> {
    let mut rules = service.schema.rules.iter().chain(&service.rules);
    let group = rules.find(|rule| match &rule.demand {
        Demand::Together(members) => members.contains(&index),
        Demand::AtMost { .. } | Demand::Formula(_) => false,
    });
    group.map(Rule::title)
}
