//! Plans that stay accepted if any of their changed numbers are off by a step.

use super::Explainer;
use super::case::Case;
use crate::action::Move;
use crate::data::{Encoder, Kind, Record, Value};
use crate::instance::{self, FeatureOptions, Literal, Term};
use crate::model::Classifier;
use crate::{InputError, Result};

/// Sums that leave less than this to spare, times one plus the sizes in it, may do so by rounding alone.
const TO_SPARE: f64 = 1e-8;

/// Two numbers this close, relatively, are a step apart exactly.
const ROUNDING: f64 = 1e-9;

/// More changed numbers than this have too many ways to be off.
const MOST_NUMBERS: usize = 10;

/// The step of every numeric feature, and the numbers that training has seen of it.
#[derive(Debug, Clone)]
pub(super) struct Margin {
    steps: Vec<Option<Step>>,
    encoder: Encoder,
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
        let sides = [number - self.size, number + self.size];
        let inside = move |side: &f64| (self.min..=self.max).contains(side);
        [number].into_iter().chain(sides.into_iter().filter(inside))
    }
}

impl Margin {
    pub(super) fn new(explainer: &Explainer) -> Self {
        let features = explainer.schema.features.iter().enumerate();
        let steps = features.map(|(f, feature)| {
            let seen = explainer.ranges.feature(f)?;
            let size = match (feature.step, &feature.kind) {
                (Some(step), _) => step,
                (None, Kind::Continuous) => 0.1_f64.powi(seen.decimals as i32),
                (None, _) => 1.0,
            };
            Some(Step { size, min: seen.min, max: seen.max })
        });
        Self { steps: steps.collect(), encoder: explainer.encoder.clone() }
    }

    /// Thresholds between which trees can't tell numbers apart even when they are off by a step.
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
    ) -> Option<instance::Rule> {
        let Classifier::Linear(linear) = classifier else { return None };
        let mut sizes = classifier.score(x).abs();
        let terms: Vec<Term> = features
            .iter()
            .zip(moves)
            .enumerate()
            .map(|(feature, (columns, its))| {
                let lost = |option: usize| -> f64 {
                    let changes = columns.columns.iter().zip(&columns.options[option]);
                    let gain: f64 = changes.map(|(&column, a)| linear.weights[column] * a).sum();
                    let members = its.members.iter().zip(&its.options[option]);
                    let off: f64 = members
                        .map(|(&f, &value)| self.loss(f, &linear.weights, applicant[f], value))
                        .sum();
                    off - gain
                };
                let coefficients: Vec<f64> = (0..columns.options.len()).map(lost).collect();
                sizes += coefficients.iter().fold(0.0, |most: f64, c| most.max(c.abs()));
                Term { feature, coefficients }
            })
            .collect();
        let most = classifier.score(x) - TO_SPARE * (1.0 + sizes);
        Some(instance::Rule::at_most("accepted with a step to spare", terms, most))
    }

    /// The most score that a changed number can lose by being off.
    fn loss(&self, feature: usize, weights: &[f64], before: Value, after: Value) -> f64 {
        let (Some(step), Value::Number(to)) = (self.steps[feature], after) else { return 0.0 };
        if before == after {
            return 0.0;
        }
        let weight = weights[self.encoder.feature_columns(feature).start];
        step.off(to).map(|off| weight * (to - off)).fold(0.0, f64::max)
    }

    /// Rules that take away a plan which would be rejected if its numbers were off, and others with it: any plan that can
    /// turn out as one of the rejected applications found. None where the plan has its margin.
    pub(super) fn cuts(&self, case: &Case<'_>, plan: &Record) -> Result<Vec<instance::Rule>> {
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
                .remedy("allow fewer changes with --max-changes, or leave out --margin-step")
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
        let rejected = outcomes.iter().filter(|outcome| case.explainer.score(outcome) < goal);
        Ok(rejected.map(|outcome| self.cut(case, outcome)).collect())
    }

    /// Some move leads to a value that can't turn out as this application has it.
    fn cut(&self, case: &Case<'_>, outcome: &Record) -> instance::Rule {
        let literals = case.moves.iter().enumerate().map(|(feature, its)| {
            let reaches = |option: &Vec<Value>| {
                let mut members = its.members.iter().zip(option);
                members.all(|(&f, &value)| self.reaches(f, case.applicant[f], value, outcome[f]))
            };
            let options = its.options.iter().enumerate();
            let options = options.filter(|(_, option)| !reaches(option)).map(|(place, _)| place);
            Literal { feature, options: options.collect() }
        });
        instance::Rule::any_of("accepted with a step to spare", literals.collect())
    }

    /// Whether a value of a plan can turn out as another.
    fn reaches(&self, feature: usize, before: Value, after: Value, outcome: Value) -> bool {
        match (self.steps[feature], after, outcome) {
            (Some(step), Value::Number(to), Value::Number(outcome)) if before != after => {
                let close = |off: f64| (off - outcome).abs() <= ROUNDING * (1.0 + off.abs());
                step.off(to).any(close)
            }
            _ => after == outcome,
        }
    }
}
