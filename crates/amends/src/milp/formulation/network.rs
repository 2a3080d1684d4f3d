//! That a network accepts: rows for every hidden unit whose sign is open, for any number of layers.
//!
//! A unit passes on `h`, what is positive of its sum z, which lies between `low` and `high` under every plan. With a
//! binary that says whether it is on: `h >= z`, `h >= 0`, `h <= z - low * (1 - on)` and `h <= high * on`. Units that
//! are on under every plan are their sum, without a column; those that never are need nothing. Every unit's
//! numbers are divided by a power of two near its range, so that a solver's tolerances mean as much in all of them.
//!
//! DACE writes `z = h - n` with two columns and the same binary. The relaxation is the same, but on such equations
//! HiGHS, with tight tolerances, was seen to lose plans in its presolve.

use super::choice::Choices;
use super::expression::Expression;
use super::ranges::Ranges;
use crate::instance::Instance;
use crate::milp::{Program, ProgramColumn};
use crate::model::Mlp;

/// The columns of all hidden units whose sign is open.
#[derive(Debug, Clone)]
pub(super) struct NetworkBlock {
    units: Vec<UnitColumns>,
}

/// One hidden unit: what it passes on, in units of `scale`, and whether it is on.
#[derive(Debug, Clone, Copy)]
struct UnitColumns {
    layer: usize,
    unit: usize,
    scale: f64,
    active: usize,
    on: usize,
}

impl NetworkBlock {
    /// Adds the units' columns and rows; the score comes back with them.
    pub fn add(
        program: &mut Program,
        instance: &Instance,
        mlp: &Mlp,
        choices: &Choices,
    ) -> (Self, Expression) {
        let ranges = Ranges::of(instance, mlp);
        let mut block = Self { units: Vec::new() };
        // What comes into a layer: constants of the unchanged applicant, and what changes add.
        let mut inputs: Vec<Expression> = choices.changes(instance);
        for (input, x) in inputs.iter_mut().zip(instance.x()) {
            input.constant += x;
        }
        for (l, layer) in mlp.layers.iter().enumerate() {
            let mut outputs = Vec::with_capacity(layer.bias.len());
            for (unit, (row, &bias)) in layer.weights.iter().zip(&layer.bias).enumerate() {
                let mut sum = Expression { terms: Vec::new(), constant: bias };
                for (&weight, input) in row.iter().zip(&inputs) {
                    sum.add(weight, input);
                }
                outputs.push(if l + 1 == mlp.layers.len() {
                    sum
                } else {
                    block.add_unit(program, (l, unit), sum, ranges.layers[l][unit])
                });
            }
            inputs = outputs;
        }
        (block, inputs.into_iter().next().unwrap_or_default())
    }

    /// Adds one hidden unit; what it passes on comes back.
    fn add_unit(
        &mut self,
        program: &mut Program,
        (layer, unit): (usize, usize),
        sum: Expression,
        (low, high): (f64, f64),
    ) -> Expression {
        if high <= 0.0 {
            return Expression::default();
        }
        if low >= 0.0 {
            return sum;
        }
        let scale = high.max(-low).log2().round().exp2();
        let (low, high) = (low / scale, high / scale);
        let name = format!("active_{layer}_{unit}");
        let column = ProgramColumn { name, lower: 0.0, upper: high, integer: false, cost: 0.0 };
        let active = program.add_column(column);
        let on = program.add_binary(format!("on_{layer}_{unit}"));
        let terms: Vec<_> = sum.times(1.0 / scale).chain([(active, -1.0)]).collect();
        let constant = sum.constant / scale;
        let name = format!("at_least_{layer}_{unit}");
        program.add_row(name, f64::NEG_INFINITY, -constant, terms.iter().copied());
        let name = format!("at_most_{layer}_{unit}");
        let at_most = terms.into_iter().chain([(on, low)]);
        program.add_row(name, low - constant, f64::INFINITY, at_most);
        let name = format!("only_on_{layer}_{unit}");
        program.add_row(name, f64::NEG_INFINITY, 0.0, [(active, 1.0), (on, -high)]);
        self.units.push(UnitColumns { layer, unit, scale, active, on });
        Expression { terms: vec![(active, scale)], constant: 0.0 }
    }

    /// The values of a changed applicant.
    pub fn fill(&self, mlp: &Mlp, changed: &[f64], values: &mut [f64]) {
        let mut sums: Vec<Vec<f64>> = Vec::with_capacity(mlp.layers.len());
        let mut inputs = changed.to_vec();
        for layer in &mlp.layers {
            sums.push(layer.sums(&inputs));
            inputs = sums[sums.len() - 1].iter().map(|sum| sum.max(0.0)).collect();
        }
        for unit in &self.units {
            let sum = sums[unit.layer][unit.unit];
            values[unit.active] = sum.max(0.0) / unit.scale;
            values[unit.on] = f64::from(u8::from(sum > 0.0));
        }
    }
}

/// A score is at least 0, divided by its largest coefficient so that the solver's tolerance means the same for every model.
pub(super) fn add_validity(program: &mut Program, score: &Expression) {
    let largest = score.terms.iter().fold(0.0, |m: f64, &(_, c)| m.max(c.abs()));
    let unit = if largest > 0.0 { largest } else { 1.0 };
    program.add_row(
        "validity".into(),
        -score.constant / unit,
        f64::INFINITY,
        score.times(1.0 / unit),
    );
}
