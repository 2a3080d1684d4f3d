//! Explanations for programs.

use amends::answer::{Answer, PlanRecord, ReasonRecord};
use amends::data::Schema;
use amends::explain::{Explanation, FitFacts, UsedSettings, WhyNone};
use amends::provenance::Provenance;
use serde::Serialize;
use serde_json::{Value, json};

use super::PlanContext;
use crate::applicants::{BadRow, ERROR};
use crate::report::{COST_COLUMNS, Column, ColumnKind, cost_cells, number_cell};

/// One of an applicant's plans as a JSON object: the record that every front end shares, with who was asked about which model,
/// and with all that was used.
#[derive(Serialize)]
struct PlanLine<'a> {
    row: usize,
    /// Which of the plans, counted from 1.
    plan: Option<usize>,
    model: &'static str,
    schema: &'a str,
    #[serde(flatten)]
    record: PlanRecord<'a>,
    settings: Option<UsedSettings>,
    fit: Option<&'a FitFacts>,
    provenance: &'a Provenance,
}

/// All plans of an applicant, one object each.
pub fn json(row: usize, answer: &Answer, context: &PlanContext) -> Vec<Value> {
    let PlanContext { model, explainer, provenance } = *context;
    let records = PlanRecord::of_answer(answer, explainer).into_iter().enumerate();
    let line = |(index, record)| PlanLine {
        row,
        plan: Some(index + 1),
        model: model.origin.short_name(),
        schema: &explainer.schema().name,
        record,
        settings: Some(explainer.used_settings()),
        fit: Some(explainer.facts()),
        provenance,
    };
    records.map(|numbered| json!(line(numbered))).collect()
}

/// A row that could not be read, with the keys of an answer.
pub fn error_json(bad: &BadRow, context: &PlanContext) -> Value {
    json!(PlanLine {
        row: bad.row,
        plan: None,
        model: context.model.origin.short_name(),
        schema: &context.explainer.schema().name,
        record: PlanRecord::error(&bad.message),
        settings: None,
        fit: None,
        provenance: context.provenance,
    })
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
    ];
    let rest = [
        ("score_before", ColumnKind::Number),
        ("score_after", ColumnKind::Number),
        ("seconds", ColumnKind::Number),
        ("engine", ColumnKind::Text),
        ("changed", ColumnKind::Whole),
        ("changes", ColumnKind::Text),
        ("end", ColumnKind::Text),
        ("why_none", ColumnKind::Text),
        ("reasons", ColumnKind::Text),
        ("message", ColumnKind::Text),
    ];
    let figures: Vec<_> = figures.into_iter().chain(COST_COLUMNS).chain(rest).collect();
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

/// An applicant's plans, a row each.
pub fn cells(row: usize, answer: &Answer, context: &PlanContext) -> Vec<Vec<String>> {
    let end = answer.end_in_words().unwrap_or_default();
    let reasons = reasons_cell(answer, context);
    let numbered = answer.plans().iter().enumerate();
    numbered
        .map(|(index, explanation)| {
            let who = [row.to_string(), (index + 1).to_string()];
            who.into_iter().chain(plan_cells(explanation, &end, &reasons, context)).collect()
        })
        .collect()
}

/// The principal reasons in one cell, the weightiest first.
fn reasons_cell(answer: &Answer, context: &PlanContext) -> String {
    let Some(reasons) = answer.reasons() else { return String::new() };
    let one = |reason: ReasonRecord| {
        let ReasonRecord { feature, value_text, typical_text, contribution, .. } = reason;
        format!("{feature}: {value_text}, typical {typical_text} ({contribution:+.6})")
    };
    let records = ReasonRecord::of_all(reasons, context.explainer);
    records.into_iter().map(one).collect::<Vec<String>>().join("; ")
}

/// The cells of a plan after the applicant's.
fn plan_cells(
    explanation: &Explanation,
    end: &str,
    reasons: &str,
    context: &PlanContext,
) -> Vec<String> {
    let plan = explanation.plan.as_ref();
    let costs = plan.map(|plan| plan.costs);
    let changes: Vec<String> = explanation
        .changes
        .iter()
        .map(|change| format!("{}: {} -> {}", change.feature, change.before, change.after))
        .collect();
    let mut cells = vec![
        context.model.origin.short_name().to_owned(),
        explanation.status.name().to_owned(),
        number_cell(costs.map(|costs| costs.objective)),
        number_cell(explanation.bound),
        number_cell(explanation.gap),
    ];
    cells.extend(cost_cells(costs));
    cells.extend([
        explanation.score_before.to_string(),
        number_cell(plan.map(|plan| plan.score)),
        explanation.time.as_secs_f64().to_string(),
        explanation.engine.to_owned(),
        explanation.changes.len().to_string(),
        changes.join("; "),
        end.to_owned(),
        explanation.why_none.as_ref().map_or_else(String::new, WhyNone::in_words),
        reasons.to_owned(),
        String::new(),
    ]);
    let features = context.explainer.schema().features.iter().enumerate();
    cells.extend(features.map(|(index, feature)| {
        plan.map_or_else(String::new, |plan| feature.show(plan.record[index]))
    }));
    cells
}

/// The cells of a row that could not be read.
pub fn error_cells(bad: &BadRow, context: &PlanContext) -> Vec<String> {
    let cell = |column: Column| match column.name.as_str() {
        "row" => bad.row.to_string(),
        "model" => context.model.origin.short_name().to_owned(),
        "status" => ERROR.to_owned(),
        "message" => bad.message.clone(),
        _ => String::new(),
    };
    columns(context.explainer.schema()).into_iter().map(cell).collect()
}
