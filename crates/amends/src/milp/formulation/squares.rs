//! Squares of changes that are on integer variables, from below: secants between neighbouring whole numbers, which are
//! exact at every whole number.
//!
//! Features on steps have all of them. A piece of a long range has a few at first, and more where a solver's answer shows
//! that they are missing: without them the program only promises too much, so its bounds hold.

use std::collections::BTreeSet;

use super::choice::Choices;
use super::expression::Expression;
use super::pieces::Part;
use crate::instance::{Instance, Outlier};
use crate::milp::{Program, ProgramColumn};
use crate::plausibility::Metric;

/// How many secants a piece has at first.
const FIRST_SECANTS: usize = 32;

/// The squares of all features that need columns for them.
#[derive(Debug, Clone)]
pub(super) struct Squares {
    /// Per feature: the squares of its changes, scaled and added up.
    features: Vec<Option<Expression>>,
    /// Features on steps: the column of the square, and that of the steps.
    ladders: Vec<(usize, usize)>,
    curves: Vec<Curve>,
}

/// The squares along a piece of a long range.
#[derive(Debug, Clone)]
struct Curve {
    feature: usize,
    name: String,
    part: Part,
    steps: usize,
    column: usize,
    /// The secants that the program has, by the steps where they begin.
    secants: BTreeSet<usize>,
}

/// Distances are squares divided by a scale per column, and by a unit.
struct Measure<'a> {
    instance: &'a Instance,
    term: &'a Outlier,
    unit: f64,
}

impl Measure<'_> {
    fn scale(&self, column: usize) -> f64 {
        self.term.scale.as_ref().map_or(1.0, |scale| scale[column])
    }

    /// The squares of what an option changes.
    fn at(&self, feature: usize, option: usize) -> f64 {
        let feature = &self.instance.features()[feature];
        let square = |(position, &column): (usize, &usize)| {
            let change = feature.options.value(option, position) - self.instance.x()[column];
            (change / self.scale(column)).powi(2) / self.unit
        };
        feature.columns.iter().enumerate().map(square).sum()
    }
}

impl Squares {
    /// Adds columns and secants.
    pub fn add(
        program: &mut Program,
        instance: &Instance,
        term: &Outlier,
        choices: &Choices,
        unit: f64,
    ) -> Self {
        let features = vec![None; instance.features().len()];
        let mut squares = Self { features, ladders: Vec::new(), curves: Vec::new() };
        if term.metric != Metric::SquaredEuclidean {
            return squares;
        }
        let measure = Measure { instance, term, unit };
        for f in 0..instance.features().len() {
            squares.features[f] = if choices.steps(f).is_some() {
                squares.add_ladder(program, &measure, choices, f)
            } else {
                squares.add_curves(program, &measure, choices, f)
            };
        }
        squares
    }

    fn add_ladder(
        &mut self,
        program: &mut Program,
        measure: &Measure<'_>,
        choices: &Choices,
        feature: usize,
    ) -> Option<Expression> {
        let (steps, ladder) = choices.steps(feature)?;
        let (low, high) = (ladder.lowest, ladder.highest());
        let most = (low * low).max(high * high) as f64;
        let square = add_square(program, format!("square_{feature}"), most);
        for j in low..high {
            let slope = (2 * j + 1) as f64;
            let name = format!("secant_{feature}_{}", j - low);
            let least = -(j * (j + 1)) as f64;
            program.add_row(name, least, f64::INFINITY, [(square, 1.0), (steps, -slope)]);
        }
        self.ladders.push((square, steps));
        let scale = measure.scale(measure.instance.features()[feature].columns[0]);
        let factor = (ladder.step / scale).powi(2) / measure.unit;
        Some(Expression { terms: vec![(square, factor)], constant: 0.0 })
    }

    fn add_curves(
        &mut self,
        program: &mut Program,
        measure: &Measure<'_>,
        choices: &Choices,
        feature: usize,
    ) -> Option<Expression> {
        let mut terms = Vec::new();
        for (position, &part) in choices.pieces(feature)?.parts.iter().enumerate() {
            let (first, last) = (part.piece.first, part.piece.last());
            let Some(steps) = part.steps else {
                terms.push((part.taken, measure.at(feature, first)));
                continue;
            };
            let most = measure.at(feature, first).max(measure.at(feature, last));
            let column = add_square(program, format!("square_{feature}_{position}"), most);
            terms.push((column, 1.0));
            let name = format!("secant_{feature}_{position}");
            let secants = BTreeSet::new();
            let mut curve = Curve { feature, name, part, steps, column, secants };
            let segments = part.piece.count - 1;
            let spread = FIRST_SECANTS.min(segments);
            for index in 0..spread {
                curve.add_secant(program, measure, index * (segments - 1) / (spread - 1).max(1));
            }
            self.curves.push(curve);
        }
        Some(Expression { terms, constant: 0.0 })
    }

    /// The squares of a feature's changes, where they have columns.
    pub fn of_feature(&self, feature: usize) -> Option<&Expression> {
        self.features[feature].as_ref()
    }

    /// Adds the secants on both sides of a plan's values; `false` where the program has them all.
    pub fn sharpen(
        &mut self,
        program: &mut Program,
        instance: &Instance,
        term: &Outlier,
        choice: &[usize],
        unit: f64,
    ) -> bool {
        let measure = Measure { instance, term, unit };
        let mut added = false;
        for curve in &mut self.curves {
            let Some(steps) = curve.steps_to(choice[curve.feature]) else { continue };
            for at in [steps.checked_sub(1), Some(steps)].into_iter().flatten() {
                added |= curve.add_secant(program, &measure, at);
            }
        }
        added
    }

    /// The columns' values for a plan; the choice variables are already filled in.
    pub fn fill(
        &self,
        instance: &Instance,
        term: &Outlier,
        unit: f64,
        choice: &[usize],
        values: &mut [f64],
    ) {
        for &(square, steps) in &self.ladders {
            values[square] = values[steps] * values[steps];
        }
        let measure = Measure { instance, term, unit };
        for curve in &self.curves {
            let option = choice[curve.feature];
            if curve.steps_to(option).is_some() {
                values[curve.column] = measure.at(curve.feature, option);
            }
        }
    }
}

/// A column for a square of at most this much.
fn add_square(program: &mut Program, name: String, most: f64) -> usize {
    program.add_column(ProgramColumn { name, lower: 0.0, upper: most, integer: false, cost: 0.0 })
}

impl Curve {
    /// How many steps into the piece an option is, where it is in it.
    fn steps_to(&self, option: usize) -> Option<usize> {
        let steps = option.checked_sub(self.part.piece.first)?;
        (steps < self.part.piece.count).then_some(steps)
    }

    /// The line through the squares at two neighbouring options; `false` where there is none or the program has it.
    fn add_secant(&mut self, program: &mut Program, measure: &Measure<'_>, from: usize) -> bool {
        if from + 1 >= self.part.piece.count || !self.secants.insert(from) {
            return false;
        }
        let at = |steps: usize| measure.at(self.feature, self.part.piece.first + steps);
        let slope = at(from + 1) - at(from);
        let first = at(from) - slope * from as f64;
        program.add_row(
            format!("{}_{from}", self.name),
            0.0,
            f64::INFINITY,
            [(self.column, 1.0), (self.steps, -slope), (self.part.taken, -first)],
        );
        true
    }
}
