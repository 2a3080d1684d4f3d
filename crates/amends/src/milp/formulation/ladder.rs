//! Evenly spaced options on one integer variable: the number of steps up or down from the applicant's own value.

use crate::instance::{Coefficients, Distance, FeatureOptions, Instance, RuleKind};
use crate::milp::{Program, ProgramColumn};
use crate::plausibility::Metric;

/// Below this many options, binaries are as compact and give the solver more to branch on.
pub(super) const LEAST_STEPS: usize = 6;

/// Values this near to a straight line, relatively, are on it.
const STRAIGHT: f64 = 1e-12;

/// Evenly spaced options: the option `index[j]` changes the column by `step * (lowest + j)`.
#[derive(Debug, Clone)]
pub(super) struct Ladder {
    pub step: f64,
    pub lowest: i64,
    index: Vec<usize>,
}

impl Ladder {
    /// The ladder of a feature where its options are evenly spaced and every rule is linear in its steps.
    pub fn of(instance: &Instance, f: usize) -> Option<Self> {
        let feature = &instance.features()[f];
        let ladder = Self::of_options(feature, instance.x())?;
        ladder.fits(instance, f).then_some(ladder)
    }

    fn of_options(feature: &FeatureOptions, x: &[f64]) -> Option<Self> {
        if feature.columns.len() != 1 || feature.options.len() < LEAST_STEPS {
            return None;
        }
        let mut index: Vec<usize> = (0..feature.options.len()).collect();
        let change = |option: usize| feature.options.value(option, 0) - x[feature.columns[0]];
        index.sort_by(|&a, &b| change(a).total_cmp(&change(b)));
        let step = change(index[1]) - change(index[0]);
        if step <= 0.0 {
            return None;
        }
        let lowest = (change(index[0]) / step).round() as i64;
        let even =
            index.iter().zip(lowest..).all(|(&option, rung)| change(option) == step * rung as f64);
        even.then_some(Self { step, lowest, index })
    }

    pub fn highest(&self) -> i64 {
        self.lowest + self.index.len() as i64 - 1
    }

    /// Slope and constant of a value per option that is linear in the steps; `None` where it isn't.
    pub fn line(&self, values: &Coefficients) -> Option<(f64, f64)> {
        let first = values.at(self.index[0]);
        let last = values.at(self.index[self.index.len() - 1]);
        let slope = (last - first) / (self.index.len() - 1) as f64;
        let near = STRAIGHT * first.abs().max(last.abs());
        let on_it = |(rung, &option): (usize, &usize)| {
            (first + slope * rung as f64 - values.at(option)).abs() <= near
        };
        let straight = self.index.iter().enumerate().all(on_it);
        straight.then_some((slope, first - slope * self.lowest as f64))
    }

    /// Whether every rule is linear in the feature's steps.
    fn fits(&self, instance: &Instance, feature: usize) -> bool {
        instance.rules().iter().all(|rule| match &rule.kind {
            RuleKind::AnyOf(literals) => literals.iter().all(|literal| literal.feature != feature),
            RuleKind::AtMost { terms, .. } => terms
                .iter()
                .filter(|term| term.feature == feature)
                .all(|term| self.line(&term.coefficients).is_some()),
        })
    }

    /// The option of a number of steps.
    pub fn option(&self, steps: f64) -> usize {
        let rung = (steps.round() as i64).clamp(self.lowest, self.highest());
        self.index[(rung - self.lowest) as usize]
    }

    /// The number of steps of an option.
    pub fn rung(&self, option: usize) -> i64 {
        let steps = self.index.iter().position(|&i| i == option).unwrap_or(0);
        self.lowest + steps as i64
    }

    /// Adds the number of steps, and the binary that says whether it may differ from 0.
    pub fn add(&self, program: &mut Program, feature: usize) -> (usize, usize) {
        let (low, high) = (self.lowest as f64, self.highest() as f64);
        let steps = program.add_column(ProgramColumn {
            name: format!("steps_{feature}"),
            lower: low,
            upper: high,
            integer: true,
            cost: 0.0,
        });
        let changed = program.add_binary(format!("changed_{feature}"));
        program.add_row(
            format!("changed_up_{feature}"),
            f64::NEG_INFINITY,
            0.0,
            [(steps, 1.0), (changed, -high)],
        );
        program.add_row(
            format!("changed_down_{feature}"),
            0.0,
            f64::INFINITY,
            [(steps, 1.0), (changed, -low)],
        );
        (steps, changed)
    }
}

/// Whether the number of steps is enough to describe an option: where every other part of the
/// program is linear in the change.
pub(super) fn steps_suffice(instance: &Instance) -> bool {
    let linear_cost = matches!(instance.cost().distance, Distance::L1Mahalanobis { .. });
    let by_amounts = instance.classifier().thresholds(instance.x().len()).is_none();
    let quadratic =
        instance.cost().outlier.as_ref().is_none_or(|term| term.metric == Metric::SquaredEuclidean);
    linear_cost && by_amounts && quadratic
}
