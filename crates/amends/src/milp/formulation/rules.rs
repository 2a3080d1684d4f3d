//! Rules that tie features together: one row each.

use super::choice::Choices;
use super::expression::Expression;
use crate::instance::{Instance, RuleKind, SUM_TOLERANCE, Term};
use crate::milp::Program;

/// Adds the rows. Features that steps can't speak for are on binaries already (`ladder::Ladder::of`).
pub(super) fn add(program: &mut Program, instance: &Instance, choices: &Choices) {
    for (index, rule) in instance.rules().iter().enumerate() {
        let name = format!("rule_{index}");
        match &rule.kind {
            RuleKind::AnyOf(literals) => {
                let mut holding = Expression::default();
                for literal in literals {
                    let options = choices.representatives(literal.feature).into_iter();
                    let holds = options.map(|option| literal.options.contains(option));
                    holding.add(1.0, &choices.any(literal.feature, holds));
                }
                program.add_row(name, 1.0, f64::INFINITY, holding.times(1.0));
            }
            RuleKind::AtMost { terms, most } => {
                let mut sum = Expression::default();
                for term in terms {
                    sum.add(
                        1.0,
                        &choices.sum(term.feature, &term.coefficients).unwrap_or_default(),
                    );
                }
                let size: f64 = terms.iter().map(|term| term.coefficients.largest()).sum();
                let slack = SUM_TOLERANCE * (1.0 + size);
                if most + slack < -size {
                    // Beyond what any sum can be: said without numbers that a solver takes for infinite.
                    program.add_row(name, 1.0, f64::INFINITY, []);
                    continue;
                }
                let unit = unit(terms);
                let most = (most.min(size) + slack - sum.constant) / unit;
                program.add_row(name, f64::NEG_INFINITY, most, sum.times(1.0 / unit));
            }
        }
    }
}

/// What a row is divided by, so that a solver's absolute tolerances mean as much in every rule. A power of
/// two rounds nothing.
fn unit(terms: &[Term]) -> f64 {
    let most = terms.iter().map(|term| term.coefficients.largest()).fold(0.0, f64::max);
    if most > SUM_TOLERANCE { most.log2().floor().exp2() } else { 1.0 }
}
