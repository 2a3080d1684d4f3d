//! The features, how they may change, and how their values are distributed.

use amends::data::{Demand, Feature, Rule, Translation};
use axum::Json;
use axum::extract::State;
use serde_json::{Map, Value, json};

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
        "translations": feature.translations.iter().map(translation).collect::<Map<_, _>>(),
        "distribution": service.explainer.distributions().get(index),
    })
}

/// A feature's texts in a language, levels and codes by their value.
fn translation((language, texts): (&String, &Translation)) -> (String, Value) {
    let by_value = |list: &[(String, String)]| -> Map<String, Value> {
        list.iter().map(|(value, text)| (value.clone(), text.as_str().into())).collect()
    };
    let json = json!({
        "label": texts.label,
        "unit": texts.unit,
        "levels": by_value(&texts.levels),
        "codes": by_value(&texts.codes),
    });
    (language.clone(), json)
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
