//! Audited applicants in rows.

use amends::Result;
use amends::answer::ERROR;
use amends::audit::{AuditRow, GroupColumn};

use super::table::csv_text;
use crate::columns::{Column, ColumnKind, json_line};

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
        ("distance", ColumnKind::Number),
        ("outlier", ColumnKind::Number),
        ("change_cost", ColumnKind::Number),
        ("mahalanobis", ColumnKind::Number),
        ("lof", ColumnKind::Number),
        ("seconds", ColumnKind::Number),
        ("reason", ColumnKind::Text),
        ("principal_reasons", ColumnKind::Text),
        ("message", ColumnKind::Text),
    ];
    let row = [Column::new("row", ColumnKind::Whole)].into_iter().chain(groups);
    row.chain(figures.map(|(name, kind)| Column::new(name, kind))).collect()
}

/// An applicant in a row.
pub fn row_cells(row: &AuditRow, by: &[GroupColumn]) -> Vec<String> {
    let plan = row.plan.as_ref();
    let costs = plan.map(|plan| plan.costs);
    let number = |value: Option<f64>| value.map_or_else(String::new, |value| value.to_string());
    let group = |column: &GroupColumn| row.groups.get(&column.name).cloned().unwrap_or_default();
    let mut cells = vec![row.row.to_string()];
    cells.extend(by.iter().map(group));
    cells.extend([
        row.status.name().to_owned(),
        row.accepted().to_string(),
        row.changes().map_or_else(String::new, |changes| changes.to_string()),
        plan.map_or_else(String::new, |plan| plan.changed.join("; ")),
        number(costs.map(|costs| costs.objective)),
        number(costs.map(|costs| costs.distance)),
        number(costs.map(|costs| costs.outlier)),
        number(costs.map(|costs| costs.change_cost)),
        number(costs.map(|costs| costs.mahalanobis)),
        number(costs.map(|costs| costs.lof)),
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

/// A row that could not be read or answered: its groups are not known.
pub fn error_cells(row: usize, message: &str, by: &[GroupColumn]) -> Vec<String> {
    let cell = |(index, column): (usize, Column)| match column.name.as_str() {
        "row" if index == 0 => row.to_string(),
        "status" if index == by.len() + 1 => ERROR.to_owned(),
        "message" => message.to_owned(),
        _ => String::new(),
    };
    row_columns(by).into_iter().enumerate().map(cell).collect()
}

/// Rows of cells as CSV, below the names of their columns.
pub fn rows_csv(columns: &[Column], rows: impl IntoIterator<Item = Vec<String>>) -> Result<String> {
    csv_text(columns.iter().map(|column| column.name.as_str()), rows)
}

/// Rows of cells as JSON lines.
pub fn rows_json_lines(columns: &[Column], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    rows.into_iter().map(|cells| json_line(columns, &cells) + "\n").collect()
}
