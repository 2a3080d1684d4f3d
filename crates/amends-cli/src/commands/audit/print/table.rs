//! An audit for programs: JSON, CSV by group, rows by applicant.

use std::io::Write;

use amends::audit::{AuditRow, Estimate, Figures, GroupColumn, Share};
use serde_json::{Value, json};

use super::Audit;
use crate::applicants::{BadRow, ERROR};
use crate::report::{COST_COLUMNS, Column, ColumnKind, cost_cells, number_cell};

/// One object.
pub fn summary_json(audit: &Audit) -> anyhow::Result<Value> {
    let mut object = json!({
        "schema": audit.schema.name,
        "model": audit.model.origin.short_name(),
        "who": audit.who,
        "asked": audit.asked,
        "errors": audit.errors,
        "complete": audit.complete(),
        "settings": audit.explainer.used_settings(),
        "fit": audit.explainer.facts(),
        "provenance": audit.provenance,
    });
    if let (Value::Object(all), Value::Object(summary)) =
        (&mut object, serde_json::to_value(audit.summary)?)
    {
        all.extend(summary);
    }
    Ok(object)
}

/// A line of the tidy table.
struct Line {
    measure: &'static str,
    item: String,
    value: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
    count: Option<usize>,
    of: Option<usize>,
}

impl Line {
    fn share(measure: &'static str, item: &str, share: Share) -> Self {
        Self {
            measure,
            item: item.to_owned(),
            value: share.share,
            low: share.share.map(|_| share.low),
            high: share.share.map(|_| share.high),
            count: Some(share.count),
            of: Some(share.of),
        }
    }

    fn number(measure: &'static str, item: &str, value: Option<f64>, of: Option<usize>) -> Self {
        Self { measure, item: item.to_owned(), value, low: None, high: None, count: None, of }
    }

    fn estimate(measure: &'static str, estimate: Option<Estimate>) -> Self {
        Self {
            measure,
            item: String::new(),
            value: estimate.map(|estimate| estimate.value),
            low: estimate.map(|estimate| estimate.low),
            high: estimate.and_then(|estimate| estimate.high),
            count: None,
            of: None,
        }
    }
}

/// One line per group and measure; the figures of all applicants have no group.
pub fn groups_csv(output: impl Write, audit: &Audit) -> anyhow::Result<()> {
    let summary = audit.summary;
    let mut writer = csv::Writer::from_writer(output);
    writer.write_record([
        "group_column",
        "group",
        "measure",
        "item",
        "value",
        "low",
        "high",
        "count",
        "of",
    ])?;
    let mut write = |column: &str, group: &str, lines: Vec<Line>| -> anyhow::Result<()> {
        let count =
            |value: Option<usize>| value.map_or_else(String::new, |value| value.to_string());
        for line in lines {
            writer.write_record([
                column,
                group,
                line.measure,
                &line.item,
                &number_cell(line.value),
                &number_cell(line.low),
                &number_cell(line.high),
                &count(line.count),
                &count(line.of),
            ])?;
        }
        Ok(())
    };
    let errors = Line::number("errors", "", Some(audit.errors as f64), Some(audit.asked));
    write("", "", vec![errors])?;
    write("", "", lines(&summary.overall))?;
    for column in &summary.by {
        for group in &column.groups {
            let mut own = lines(&group.figures);
            own.push(Line::estimate("rejected-difference", group.rejected_difference));
            own.push(Line::estimate("infeasible-difference", group.infeasible_difference));
            own.push(Line::estimate("cost-ratio", group.cost_ratio));
            write(&column.column, &group.group, own)?;
        }
    }
    writer.flush()?;
    Ok(())
}

fn lines(figures: &Figures) -> Vec<Line> {
    let people = figures.applicants;
    let mut lines = vec![Line::number("applicants", "", Some(people as f64), None)];
    let shares = [
        ("accepted", figures.accepted),
        ("rejected", figures.rejected),
        ("with-plan", figures.with_plan),
        ("optimal", figures.optimal),
        ("feasible", figures.feasible),
        ("infeasible", figures.infeasible),
        ("timeout", figures.timeout),
    ];
    lines.extend(shares.map(|(measure, share)| Line::share(measure, "", share)));
    for (measure, quantiles) in figures.costs.named() {
        let Some(quantiles) = quantiles else { continue };
        let named = ["p5", "p25", "p50", "p75", "p95"].into_iter().zip(quantiles.values());
        lines.extend(
            named.map(|(item, value)| {
                Line::number(measure, item, Some(value), Some(quantiles.count))
            }),
        );
    }
    let features = figures.features.iter();
    lines.extend(features.map(|used| Line::share("feature", &used.feature, used.plans)));
    let reasons = figures.reasons.iter();
    lines.extend(reasons.map(|reason| Line::share("reason", &reason.reason, reason.people)));
    if let Some(principal) = &figures.principal_reasons {
        lines.push(Line::share("no-reason-actionable", "", principal.none_actionable));
        lines.push(Line::share("no-reason-flips", "", principal.none_flips));
        for used in &principal.features {
            lines.push(Line::share("principal-reason", &used.feature, used.people));
            lines.push(Line::share("principal-reason-actionable", &used.feature, used.actionable));
        }
    }
    lines
}

/// The columns of applicants in rows.
pub fn row_columns(by: &[GroupColumn]) -> Vec<Column> {
    let groups = by.iter().map(|column| format!("by_{}", column.name));
    let groups = groups.map(|name| Column { name, kind: ColumnKind::Text });
    let figures = [
        ("status", ColumnKind::Text),
        ("accepted_before", ColumnKind::Flag),
        ("changes", ColumnKind::Whole),
        ("changed", ColumnKind::Text),
        ("objective", ColumnKind::Number),
    ];
    let ends = [
        ("seconds", ColumnKind::Number),
        ("reason", ColumnKind::Text),
        ("principal_reasons", ColumnKind::Text),
        ("message", ColumnKind::Text),
    ];
    let row = [Column::new("row", ColumnKind::Whole)].into_iter().chain(groups);
    let figures = figures.into_iter().chain(COST_COLUMNS).chain(ends);
    row.chain(figures.map(|(name, kind)| Column::new(name, kind))).collect()
}

/// An applicant in a row.
pub fn row_cells(row: &AuditRow, by: &[GroupColumn]) -> Vec<String> {
    let plan = row.plan.as_ref();
    let costs = plan.map(|plan| plan.costs);
    let group = |column: &GroupColumn| row.groups.get(&column.name).cloned().unwrap_or_default();
    let mut cells = vec![row.row.to_string()];
    cells.extend(by.iter().map(group));
    cells.extend([
        row.status.name().to_owned(),
        row.accepted().to_string(),
        row.changes().map_or_else(String::new, |changes| changes.to_string()),
        plan.map_or_else(String::new, |plan| plan.changed.join("; ")),
        number_cell(costs.map(|costs| costs.objective)),
    ]);
    cells.extend(cost_cells(costs));
    cells.extend([
        row.seconds.to_string(),
        row.reason.clone().unwrap_or_default(),
        row.principal_reasons.as_ref().map_or_else(String::new, |reasons| {
            let names: Vec<&str> = reasons.iter().map(|one| one.feature.as_str()).collect();
            names.join("; ")
        }),
        String::new(),
    ]);
    cells
}

/// A row that could not be read, in a row: its groups are not known.
pub fn error_cells(bad: &BadRow, by: &[GroupColumn]) -> Vec<String> {
    let cell = |(index, column): (usize, Column)| match column.name.as_str() {
        "row" if index == 0 => bad.row.to_string(),
        "status" if index == by.len() + 1 => ERROR.to_owned(),
        "message" => bad.message.clone(),
        _ => String::new(),
    };
    row_columns(by).into_iter().enumerate().map(cell).collect()
}
