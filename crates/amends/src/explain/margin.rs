//! Plans that stay accepted if any of their changed numbers are off by a step.

use super::Explainer;
use super::case::Case;
use super::outcome_box::OutcomeBox;
use crate::action::{Lattice, Move};
use crate::data::{Encoder, Record, Value};
use crate::decimal::sum;
use crate::instance::{self, Coefficients, FeatureOptions, Literal, Term};
use crate::model::{Classifier, Linear};
use crate::{InputError, Result, Setting};

/// What rounding may add to a sum, times the sizes in it.
const ROUNDING: f64 = 1e-13;

/// More changed numbers than this have too many ways to be off.
const MOST_NUMBERS: usize = 10;

/// So many boxes of rejected applications are taken away at a time.
const MOST_CUTS: usize = 50;

/// The step of every numeric feature, and the numbers that training has seen of it.
#[derive(Debug, Clone)]
pub(super) struct Margin {
    steps: Vec<Option<Step>>,
    encoder: Encoder,
}

/// What options take from the score of a linear model: it adds up over the moves.
pub(super) struct Losses {
    /// One per move.
    pub terms: Vec<Term>,
    /// What rounding may add to a sum of them.
    pub error: f64,
}

#[derive(Debug, Clone, Copy)]
struct Step {
    size: f64,
    min: f64,
    max: f64,
}

impl Step {
    /// What a number may turn out to be: off by a step, but not where nobody is.
    fn off(self, number: f64) -> impl Iterator<Item = f64> {
        let sides = [sum(number, -self.size), sum(number, self.size)];
        let inside = move |side: &f64| (self.min..=self.max).contains(side);
        [number].into_iter().chain(sides.into_iter().filter(inside))
    }

    /// The numbers at which the ways to be off change.
    fn ends(self) -> [f64; 2] {
        [sum(self.min, self.size), sum(self.max, -self.size)]
    }
}

impl Margin {
    pub(super) fn new(explainer: &Explainer) -> Self {
        let features = explainer.schema.features.iter().enumerate();
        let steps = features.map(|(f, feature)| {
            let seen = explainer.ranges.feature(f)?;
            let size = Lattice::of(feature, seen)?.size();
            Some(Step { size, min: seen.min, max: seen.max })
        });
        Self { steps: steps.collect(), encoder: explainer.encoder.clone() }
    }

    /// No number is ever off: what is left is that plans are accepted.
    pub(super) fn without_steps(explainer: &Explainer) -> Self {
        let steps = vec![None; explainer.schema.features.len()];
        Self { steps, encoder: explainer.encoder.clone() }
    }

    /// Thresholds between which trees can't tell numbers apart even when they are off by a step: for values that are
    /// limited to one a cell.
    pub(super) fn finer(&self, cuts: &[Vec<f64>]) -> Vec<Vec<f64>> {
        let mut finer = cuts.to_vec();
        for (f, step) in self.steps.iter().enumerate() {
            let Some(step) = step else { continue };
            let column = self.encoder.feature_columns(f).start;
            let sides = |cut: &f64| [*cut, cut - step.size, cut + step.size];
            finer[column] = cuts[column].iter().flat_map(sides).collect();
        }
        finer
    }

    /// For a linear model: the score that is left if every changed number is off by a step the wrong way, as a rule.
    pub(super) fn linear_rule(
        &self,
        classifier: &Classifier,
        x: &[f64],
        features: &[FeatureOptions],
        moves: &[Move],
        applicant: &Record,
    ) -> Option<instance::OptionRule> {
        let Losses { terms, error } = self.losses(classifier, x, features, moves, applicant)?;
        // What passes by rounding alone is found out and taken away; only where steps of a number are as fine as rounding,
        // there would be too much of that.
        let slopes = terms.iter().flat_map(|term| term.coefficients.runs());
        let slopes = slopes.map(|run| run.step.abs()).filter(|&slope| slope > 0.0);
        let finest = slopes.fold(f64::INFINITY, f64::min);
        let room = error * if finest > 10.0 * error { 1.0 } else { -1.0 };
        let most = classifier.score(x) + room;
        Some(instance::OptionRule::at_most("accepted with a step to spare", terms, most))
    }

    /// For a linear model: what every option takes from the score at worst.
    pub(super) fn losses(
        &self,
        classifier: &Classifier,
        x: &[f64],
        features: &[FeatureOptions],
        moves: &[Move],
        applicant: &Record,
    ) -> Option<Losses> {
        let linear = classifier.as_linear()?;
        let moves = features.iter().zip(moves).enumerate();
        let terms: Vec<Term> = moves
            .map(|(feature, (columns, action))| {
                let coefficients = self.lost(linear, x, columns, action, applicant);
                Term { feature, coefficients }
            })
            .collect();
        let sizes: f64 = terms.iter().map(|term| term.coefficients.largest()).sum::<f64>()
            + linear.weights.iter().zip(x).map(|(weight, x)| (weight * x).abs()).sum::<f64>()
            + linear.intercept.abs();
        Some(Losses { terms, error: ROUNDING * sizes })
    }

    /// What every option takes from the score at worst.
    fn lost(
        &self,
        linear: &Linear,
        x: &[f64],
        columns: &FeatureOptions,
        action: &Move,
        applicant: &Record,
    ) -> Coefficients {
        let mut breaks = Vec::new();
        for (member_index, &member) in action.members.iter().enumerate() {
            breaks.extend(own_number(applicant[member]).map(|own| (member_index, own)));
            let ends = self.steps[member].into_iter().flat_map(Step::ends);
            breaks.extend(ends.map(|end| (member_index, end)));
        }
        let off = |row: &[Value]| -> f64 {
            let members = action.members.iter().zip(row);
            members.map(|(&f, &value)| self.loss(f, &linear.weights, applicant[f], value)).sum()
        };
        let gain = |option: usize| -> f64 {
            let pairs = columns.columns.iter().zip(columns.options.row(option));
            pairs.map(|(&column, to)| linear.weights[column] * (to - x[column])).sum()
        };
        let mut lost = Coefficients::default();
        for piece in action.options.pieces(&breaks, off) {
            let (first, steps) = (gain(piece.first), piece.last - piece.first);
            let slope = if steps == 0 { 0.0 } else { (gain(piece.last) - first) / steps as f64 };
            lost.push(piece.is - first, -slope, steps + 1);
        }
        lost
    }

    /// The most score that a changed number can lose by being off.
    fn loss(&self, feature: usize, weights: &[f64], before: Value, after: Value) -> f64 {
        let (Some(step), Value::Number(to)) = (self.steps[feature], after) else { return 0.0 };
        if before == after {
            return 0.0;
        }
        let weight = weights[self.encoder.feature_columns(feature).start];
        // By a whole step or not at all: the same number everywhere, whatever the difference rounds to.
        let worst = step.off(to).map(|off| weight * (to - off)).fold(0.0, f64::max);
        if worst > 0.0 { weight.abs() * step.size } else { 0.0 }
    }

    /// Rules that take away a plan which would be rejected if its numbers were off, and others with it: any plan that can
    /// turn out near one of the rejected applications found. None where the plan has its margin.
    pub(super) fn cuts(&self, case: &Case<'_>, plan: &Record) -> Result<Vec<instance::OptionRule>> {
        let mut outcomes: Vec<Record> = vec![plan.clone()];
        let mut numbers = 0;
        for (f, (&before, &after)) in case.applicant.iter().zip(plan).enumerate() {
            let (Some(step), Value::Number(to)) = (self.steps[f], after) else { continue };
            if before == after {
                continue;
            }
            numbers += 1;
            if numbers > MOST_NUMBERS {
                return Err(InputError::new(format!(
                    "a plan changes more than {MOST_NUMBERS} numbers, too many to check each being off by a step"
                ))
                .remedy("allow fewer changes, or leave out the margin of a step")
                .remedy_setting(Setting::MaxChanges)
                .remedy_setting(Setting::MarginStep)
                .into());
            }
            let with = |outcome: &Record, off: f64| {
                let mut outcome = outcome.clone();
                outcome[f] = Value::Number(off);
                outcome
            };
            let more = |outcome: &Record| step.off(to).map(|off| with(outcome, off)).collect();
            outcomes = outcomes.iter().flat_map::<Vec<Record>, _>(more).collect();
        }
        let goal = case.explainer.settings.goal.of_plans();
        let mut areas: Vec<OutcomeBox> = Vec::new();
        for outcome in outcomes.iter().filter(|outcome| case.explainer.score(outcome) < goal) {
            if areas.iter().any(|area| area.holds_all(&self.encoder, outcome)) {
                continue;
            }
            areas.push(OutcomeBox::around(case.explainer, outcome));
            if areas.len() == MOST_CUTS {
                break;
            }
        }
        Ok(areas.iter().map(|area| self.cut_off(case, area)).collect())
    }

    /// Takes away every plan that can turn out near a rejected application.
    pub(super) fn cut(&self, case: &Case<'_>, outcome: &Record) -> instance::OptionRule {
        self.cut_off(case, &OutcomeBox::around(case.explainer, outcome))
    }

    /// Some move leads to a value that can't turn out inside a box.
    fn cut_off(&self, case: &Case<'_>, area: &OutcomeBox) -> instance::OptionRule {
        let literals = case.moves.iter().enumerate().map(|(feature, action)| {
            let mut breaks = Vec::new();
            for (member_index, &member) in action.members.iter().enumerate() {
                let numbers = self.breaks(member, case.applicant[member], area);
                breaks.extend(numbers.into_iter().map(|number| (member_index, number)));
            }
            let reaches = |row: &[Value]| {
                let mut members = action.members.iter().zip(row);
                members.all(|(&f, &value)| self.reaches(f, case.applicant[f], value, area))
            };
            let pieces = action.options.pieces(&breaks, reaches).into_iter();
            let apart = pieces.filter(|piece| !piece.is).map(|piece| (piece.first, piece.last));
            Literal { feature, options: apart.collect() }
        });
        instance::OptionRule::any_of("accepted with a step to spare", literals.collect())
    }

    /// Where a feature's numbers may begin or cease to turn out inside a box.
    fn breaks(&self, feature: usize, before: Value, area: &OutcomeBox) -> Vec<f64> {
        let (low, high) = area.side(self.encoder.feature_columns(feature).start);
        let mut breaks: Vec<f64> = [low, high].into_iter().chain(own_number(before)).collect();
        if let Some(step) = self.steps[feature] {
            breaks.extend([low - step.size, low + step.size, high - step.size, high + step.size]);
            breaks.extend(step.ends());
        }
        breaks.retain(|number| number.is_finite());
        breaks
    }

    /// Whether a value of a plan can turn out inside a box.
    fn reaches(&self, feature: usize, before: Value, after: Value, area: &OutcomeBox) -> bool {
        let holds = |value: Value| area.holds(&self.encoder, feature, value);
        match (self.steps[feature], after) {
            (Some(step), Value::Number(to)) if before != after => {
                step.off(to).any(|off| holds(Value::Number(off)))
            }
            _ => holds(after),
        }
    }
}

fn own_number(value: Value) -> Option<f64> {
    match value {
        Value::Number(own) => Some(own),
        Value::Level(_) | Value::Code(_) => None,
    }
}
