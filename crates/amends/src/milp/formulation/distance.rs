//! The effort of the change: `delta_d >= |<U_d, a>|`, or a cost per option.

use super::choice::Choices;
use super::expression::Expression;
use crate::instance::{Distance, Instance};
use crate::milp::{Program, ProgramColumn};

/// The columns of one component of the distance.
#[derive(Debug, Clone, Copy)]
pub(super) enum Delta {
    /// One column above the component and its negative (two rows).
    Size(usize),
    /// What the component is above and below 0 (one row).
    Parts(usize, usize),
}

/// Adds the distance; returns its columns.
pub(super) fn add(
    program: &mut Program,
    instance: &Instance,
    choices: &Choices,
    compact: bool,
) -> Vec<Delta> {
    match &instance.cost().distance {
        Distance::Table { costs } => {
            for (feature, costs) in costs.iter().enumerate() {
                // A table is never written on steps (`ladder::steps_suffice`).
                let cost = choices.per_option(feature, |o| costs.at(o)).unwrap_or_default();
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
            let component = |row: &Vec<f64>| {
                let mut component = Expression::default();
                for (&weight, change) in row.iter().zip(&changes) {
                    component.add(weight, change);
                }
                component
            };
            let add = if compact { add_parts } else { add_size };
            factor.iter().enumerate().map(|(d, row)| add(program, d, &component(row))).collect()
        }
    }
}

/// The papers' rows: -delta <= component <= delta.
fn add_size(program: &mut Program, d: usize, component: &Expression) -> Delta {
    let delta = add_cost(program, format!("delta_{d}"));
    for (name, sign) in [("distance_up", -1.0), ("distance_down", 1.0)] {
        let terms: Vec<_> = component.times(sign).chain([(delta, 1.0)]).collect();
        program.add_row(format!("{name}_{d}"), -sign * component.constant, f64::INFINITY, terms);
    }
    Delta::Size(delta)
}

/// Half the rows: component = up - down.
fn add_parts(program: &mut Program, d: usize, component: &Expression) -> Delta {
    let up = add_cost(program, format!("up_{d}"));
    let down = add_cost(program, format!("down_{d}"));
    let terms: Vec<_> = component.times(1.0).chain([(up, -1.0), (down, 1.0)]).collect();
    program.add_row(format!("distance_{d}"), -component.constant, -component.constant, terms);
    Delta::Parts(up, down)
}

fn add_cost(program: &mut Program, name: String) -> usize {
    program.add_column(ProgramColumn {
        name,
        lower: 0.0,
        upper: f64::INFINITY,
        integer: false,
        cost: 1.0,
    })
}

/// The whole distance.
pub(super) fn total(deltas: &[Delta], instance: &Instance, choices: &Choices) -> Expression {
    let mut total = Expression::default();
    if let Distance::Table { costs } = &instance.cost().distance {
        for (feature, costs) in costs.iter().enumerate() {
            let cost = choices.per_option(feature, |o| costs.at(o)).unwrap_or_default();
            total.add(1.0, &cost);
        }
    }
    for delta in deltas {
        match *delta {
            Delta::Size(size) => total.terms.push((size, 1.0)),
            Delta::Parts(up, down) => total.terms.extend([(up, 1.0), (down, 1.0)]),
        }
    }
    total
}

/// The columns' values for a plan.
pub(super) fn fill(deltas: &[Delta], instance: &Instance, choice: &[usize], values: &mut [f64]) {
    let Distance::L1Mahalanobis { factor } = &instance.cost().distance else { return };
    let changed = instance.apply(choice);
    for (delta, row) in deltas.iter().zip(factor) {
        let pairs = changed.iter().zip(instance.x());
        let component: f64 = row.iter().zip(pairs).map(|(u, (to, from))| u * (to - from)).sum();
        match *delta {
            Delta::Size(size) => values[size] = component.abs(),
            Delta::Parts(up, down) => {
                values[up] = component.max(0.0);
                values[down] = (-component).max(0.0);
            }
        }
    }
}
