//! The parts of a plan's cost, as columns of rows.

use amends::explain::PlanCosts;

use super::ColumnKind;

/// The columns after the objective.
pub const COST_COLUMNS: [(&str, ColumnKind); 5] = [
    ("distance", ColumnKind::Number),
    ("outlier", ColumnKind::Number),
    ("change_cost", ColumnKind::Number),
    ("mahalanobis", ColumnKind::Number),
    ("lof", ColumnKind::Number),
];

/// Their cells; empty where there is no plan.
pub fn cost_cells(costs: Option<PlanCosts>) -> [String; COST_COLUMNS.len()] {
    let parts = costs.map(|costs| {
        let PlanCosts { distance, outlier, change_cost, mahalanobis, lof, .. } = costs;
        [distance, outlier, change_cost, mahalanobis, lof].map(|part| part.to_string())
    });
    parts.unwrap_or_default()
}

/// A number in a cell; empty where there is none.
pub fn number_cell(value: Option<f64>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}
