//! Explanations for programs.

use amends::data::{Feature, Schema};
use amends::explain::{Explainer, Explanation, WhyNone};
use amends::model::Model;
use serde_json::{Value, json};

use super::Told;
use super::row_file::{Column, ColumnKind};
use crate::bad_rows::{BadRow, ERROR};

/// One applicant's answer as a JSON object, with everything that was used.
pub fn json(told: &Told, model: &Model, explainer: &Explainer, schema: &Schema) -> Value {
    let explanation = told.explanation;
    let plan = explanation.plan.as_ref();
    let application = plan.map(|plan| {
        let pairs = schema.features.iter().zip(&plan.record);
        pairs
            .map(|(feature, &value)| (feature.name.clone(), typed(feature, &feature.show(value))))
            .collect::<serde_json::Map<String, Value>>()
    });
    json!({
        "row": told.row,
        "plan": told.plan,
        "model": model.origin.short_name(),
        "schema": schema.name,
        "status": explanation.status,
        "message": null,
        "objective": plan.map(|plan| plan.objective),
        "bound": explanation.bound,
        "gap": explanation.gap,
        "distance": plan.map(|plan| plan.distance),
        "outlier": plan.map(|plan| plan.outlier),
        "mahalanobis": plan.map(|plan| plan.mahalanobis),
        "lof": plan.map(|plan| plan.lof),
        "score_before": explanation.score_before,
        "score_after": plan.map(|plan| plan.score),
        "probability_before": model.origin.link().probability(explanation.score_before),
        "probability_after": plan.and_then(|plan| model.origin.link().probability(plan.score)),
        "values_offered": explanation.values_offered,
        "moves": explanation.moves,
        "changes": changes(explanation, schema),
        "application": application,
        "seconds": explanation.time.as_secs_f64(),
        "engine": explanation.engine,
        "remark": explanation.remark,
        "notes": explanation.notes,
        "end": told.end,
        "why_none": explanation.why_none.as_ref().map(|why| why_none(why, model, schema)),
        "settings": explainer.settings(),
        "fit": explainer.facts(),
    })
}

/// A row that could not be read, with the keys of an answer.
pub fn error_json(bad: &BadRow, model: &Model, schema: &Schema) -> Value {
    let mut object = json!({
        "row": bad.row,
        "plan": null,
        "model": model.origin.short_name(),
        "schema": schema.name,
        "status": ERROR,
        "message": bad.message,
        "changes": [],
        "notes": [],
    });
    for key in EMPTY_IN_ERRORS {
        object[key] = Value::Null;
    }
    object
}

/// The keys of an answer that have no value where a row could not be read.
const EMPTY_IN_ERRORS: [&str; 21] = [
    "objective",
    "bound",
    "gap",
    "distance",
    "outlier",
    "mahalanobis",
    "lof",
    "score_before",
    "score_after",
    "probability_before",
    "probability_after",
    "values_offered",
    "moves",
    "application",
    "seconds",
    "engine",
    "remark",
    "end",
    "why_none",
    "settings",
    "fit",
];

fn changes(explanation: &Explanation, schema: &Schema) -> Vec<Value> {
    let told = explanation.changes.iter().map(|change| {
        let of = |text: &str| match schema.feature_index(&change.feature) {
            Some(index) => typed(&schema.features[index], text),
            None => text.into(),
        };
        json!({
            "feature": change.feature,
            "title": change.title,
            "unit": change.unit,
            "before": of(&change.before),
            "after": of(&change.after),
            "together": change.together,
        })
    });
    told.collect()
}

/// The rules that stand in the way, with the plans that there would be without them.
fn why_none(why: &WhyNone, model: &Model, schema: &Schema) -> Value {
    let ways = why.ways.iter().map(|way| {
        let plan = way.explanation.plan.as_ref();
        json!({
            "relaxed": way.relaxed,
            "text": way.in_words(),
            "status": way.explanation.status,
            "objective": plan.map(|plan| plan.objective),
            "bound": way.explanation.bound,
            "score_after": plan.map(|plan| plan.score),
            "probability_after": plan.and_then(|plan| model.origin.link().probability(plan.score)),
            "moves": way.explanation.moves,
            "changes": changes(&way.explanation, schema),
        })
    });
    json!({
        "at_least": why.at_least,
        "settled": why.settled,
        "all_ways": why.all_ways,
        "ways": ways.collect::<Vec<Value>>(),
        "seconds": why.time.as_secs_f64(),
    })
}

/// A value as JSON: numbers as the table writes them (3, not 3.0), labels and codes that are no numbers as text.
fn typed(feature: &Feature, shown: &str) -> Value {
    let number = |shown: &str| serde_json::from_str(shown).ok().map(Value::Number);
    feature.is_numeric().then(|| number(shown)).flatten().unwrap_or_else(|| shown.into())
}

/// The columns of plans in rows: the figures, then every feature as the plan has it.
pub fn columns(schema: &Schema) -> Vec<Column> {
    let figures = [
        ("row", ColumnKind::Whole),
        ("plan", ColumnKind::Whole),
        ("model", ColumnKind::Text),
        ("status", ColumnKind::Text),
        ("objective", ColumnKind::Number),
        ("bound", ColumnKind::Number),
        ("gap", ColumnKind::Number),
        ("distance", ColumnKind::Number),
        ("outlier", ColumnKind::Number),
        ("mahalanobis", ColumnKind::Number),
        ("lof", ColumnKind::Number),
        ("score_before", ColumnKind::Number),
        ("score_after", ColumnKind::Number),
        ("seconds", ColumnKind::Number),
        ("engine", ColumnKind::Text),
        ("changed", ColumnKind::Whole),
        ("changes", ColumnKind::Text),
        ("end", ColumnKind::Text),
        ("why_none", ColumnKind::Text),
        ("message", ColumnKind::Text),
    ];
    // Programs find columns by their names: no two are the same.
    let taken = |name: &str| figures.iter().any(|(figure, _)| *figure == name);
    let features = schema.features.iter().map(|feature| Column {
        name: if taken(&feature.name) {
            format!("planned_{}", feature.name)
        } else {
            feature.name.clone()
        },
        kind: ColumnKind::of(feature),
    });
    figures.iter().map(|&(name, kind)| Column::new(name, kind)).chain(features).collect()
}

/// A plan in a row.
pub fn cells(told: &Told, model: &Model, schema: &Schema) -> Vec<String> {
    let explanation = told.explanation;
    let plan = explanation.plan.as_ref();
    let number = |value: Option<f64>| value.map_or_else(String::new, |value| value.to_string());
    let changes: Vec<String> = explanation
        .changes
        .iter()
        .map(|change| format!("{}: {} -> {}", change.feature, change.before, change.after))
        .collect();
    let mut cells = vec![
        told.row.to_string(),
        told.plan.to_string(),
        model.origin.short_name().to_owned(),
        explanation.status.name().to_owned(),
        number(plan.map(|plan| plan.objective)),
        number(explanation.bound),
        number(explanation.gap),
        number(plan.map(|plan| plan.distance)),
        number(plan.map(|plan| plan.outlier)),
        number(plan.map(|plan| plan.mahalanobis)),
        number(plan.map(|plan| plan.lof)),
        number(Some(explanation.score_before)),
        number(plan.map(|plan| plan.score)),
        number(Some(explanation.time.as_secs_f64())),
        explanation.engine.to_owned(),
        explanation.changes.len().to_string(),
        changes.join("; "),
        told.end.unwrap_or_default().to_owned(),
        explanation.why_none.as_ref().map_or_else(String::new, WhyNone::in_words),
        String::new(),
    ];
    cells.extend(schema.features.iter().enumerate().map(|(index, feature)| {
        plan.map_or_else(String::new, |plan| feature.show(plan.record[index]))
    }));
    cells
}

/// A row that could not be read, in a row.
pub fn error_cells(bad: &BadRow, model: &Model, schema: &Schema) -> Vec<String> {
    let cell = |column: Column| match column.name.as_str() {
        "row" => bad.row.to_string(),
        "model" => model.origin.short_name().to_owned(),
        "status" => ERROR.to_owned(),
        "message" => bad.message.clone(),
        _ => String::new(),
    };
    columns(schema).into_iter().map(cell).collect()
}
