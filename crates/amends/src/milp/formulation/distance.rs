//! The effort of the change: `delta_d >= |<U_d, a>|`, or a cost per option.

use super::choice::Choices;
use super::expression::Expression;
use crate::instance::{Distance, Instance};
use crate::milp::{Column, Program};

/// Adds the distance; returns the deltas.
pub(super) fn add(program: &mut Program, instance: &Instance, choices: &Choices) -> Vec<usize> {
    match &instance.cost.distance {
        Distance::Table { costs } => {
            for (feature, costs) in costs.iter().enumerate() {
                // A table is never written on steps (`choice::steps_suffice`).
                let cost = choices.per_option(feature, costs.iter().copied()).unwrap_or_default();
                for (column, cost) in cost.terms {
                    program.columns[column].cost += cost;
                }
            }
            Vec::new()
        }
        Distance::L1Mahalanobis { factor }
        | Distance::Mahalanobis { factor }
        | Distance::SquaredMahalanobis { factor } => {
            let changes = choices.changes(instance);
            factor.iter().enumerate().map(|(d, row)| add_delta(program, d, row, &changes)).collect()
        }
    }
}

fn add_delta(program: &mut Program, d: usize, row: &[f64], changes: &[Expression]) -> usize {
    let mut component = Expression::default();
    for (&weight, change) in row.iter().zip(changes) {
        component.add(weight, change);
    }
    let delta = program.add_column(Column {
        name: format!("delta_{d}"),
        lower: 0.0,
        upper: f64::INFINITY,
        integer: false,
        cost: 1.0,
    });
    for (name, sign) in [("distance_up", -1.0), ("distance_down", 1.0)] {
        let terms: Vec<_> = component.times(sign).chain([(delta, 1.0)]).collect();
        program.add_row(format!("{name}_{d}"), 0.0, f64::INFINITY, terms);
    }
    delta
}

/// The deltas of a plan.
pub(super) fn fill(deltas: &[usize], instance: &Instance, choice: &[usize], values: &mut [f64]) {
    let Distance::L1Mahalanobis { factor } = &instance.cost.distance else { return };
    let changed = instance.apply(choice);
    for (&delta, row) in deltas.iter().zip(factor) {
        let component: f64 = row
            .iter()
            .zip(changed.iter().zip(&instance.x))
            .map(|(u, (to, from))| u * (to - from))
            .sum();
        values[delta] = component.abs();
    }
}
