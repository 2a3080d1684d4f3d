//! Limits on the parts of the cost: one row each.

use super::choice::Choices;
use super::distance::{self, Delta};
use super::expression::Expression;
use super::outlier::OutlierBlock;
use crate::instance::Instance;
use crate::milp::Program;

/// A limit beyond this is left out: solvers treat such numbers as infinite.
const BEYOND: f64 = 1e15;

/// Adds the rows. The variables may overstate a part of the cost but never understate it, so that every
/// point of the program is within the limits where its plan is.
pub(super) fn add(
    program: &mut Program,
    instance: &Instance,
    choices: &Choices,
    deltas: &[Delta],
    outlier: Option<&OutlierBlock>,
) {
    let most = &instance.cost().most;
    if most.distance.is_some() {
        let distance = distance::total(deltas, instance, choices);
        add_row(program, "most_distance", &distance, most.most_distance());
    }
    if let (Some(_), Some(block), Some(term)) = (most.outlier, outlier, &instance.cost().outlier) {
        add_row(program, "most_outlier", &block.total(term), most.most_outlier());
    }
}

fn add_row(program: &mut Program, name: &str, part: &Expression, most: f64) {
    if most < BEYOND {
        let unit = unit(most);
        let most = (most - part.constant) / unit;
        program.add_row(name.into(), f64::NEG_INFINITY, most, part.times(1.0 / unit));
    }
}

/// What a row is divided by, so that a solver's absolute tolerances are small compared to the limit. A power of
/// two rounds nothing.
fn unit(most: f64) -> f64 {
    most.clamp(1e-4, 1e6).log2().floor().exp2()
}
