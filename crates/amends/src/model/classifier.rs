//! What every classifier offers: a score, and whether it accepts.

use serde::{Deserialize, Serialize};

use super::{Combined, Mlp, TreeEnsemble};
use crate::{InputError, Result};

/// A trained classifier over encoded columns. It accepts where its score is at least 0.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Classifier {
    /// Logistic regression, or a linear support vector machine with its scaler folded in.
    Linear(Linear),
    /// A random forest or boosted trees.
    Trees(TreeEnsemble),
    /// A neural network with ReLU between its layers.
    Mlp(Mlp),
    /// Classifiers whose scores are combined into one.
    Combined(Combined),
}

/// A linear score.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Linear {
    /// One weight per column.
    pub weights: Vec<f64>,
    /// Added to the weighted sum.
    pub intercept: f64,
}

impl Linear {
    /// The weighted sum plus the intercept.
    pub fn score(&self, x: &[f64]) -> f64 {
        self.weights.iter().zip(x).map(|(w, x)| w * x).sum::<f64>() + self.intercept
    }

    fn negated(&self) -> Self {
        let weights = self.weights.iter().map(|weight| -weight).collect();
        Self { weights, intercept: -self.intercept }
    }

    fn check(&self, columns: usize) -> Result<()> {
        if self.weights.len() != columns {
            return Err(InputError::new(format!(
                "has {} weights, but a row has {columns} columns",
                self.weights.len()
            ))
            .at("classifier.weights")
            .remedy("give one weight per column")
            .into());
        }
        let numbers = self.weights.iter().chain([&self.intercept]);
        if let Some(bad) = numbers.into_iter().find(|w| !w.is_finite()) {
            return Err(InputError::new("is not a finite number")
                .at("classifier")
                .value(bad)
                .remedy("give finite weights and a finite intercept")
                .into());
        }
        Ok(())
    }

    fn highest_in(&self, sides: &[(f64, f64)]) -> (f64, f64) {
        self.bound_in(sides, f64::max)
    }

    fn lowest_in(&self, sides: &[(f64, f64)]) -> (f64, f64) {
        self.bound_in(sides, f64::min)
    }

    fn bound_in(&self, sides: &[(f64, f64)], worse: fn(f64, f64) -> f64) -> (f64, f64) {
        let (mut bound, mut size) = (self.intercept, 0.0);
        for (weight, &(low, high)) in self.weights.iter().zip(sides) {
            let (a, b) = (weight * low, weight * high);
            bound += worse(a, b);
            size += a.abs().max(b.abs());
        }
        (bound, size)
    }
}

/// Scores beyond this are refused: not far above, sums overflow, and an infinite score would count as an acceptance.
pub(crate) const LARGEST_SCORE: f64 = 1e300;

/// Whether a score means acceptance from `cut` on. One that overflowed is a rejection.
pub(crate) fn is_accepting(score: f64, cut: f64) -> bool {
    score >= cut && score.is_finite()
}

impl Classifier {
    /// The score of an encoded row: accepted where it is at least 0.
    pub fn score(&self, x: &[f64]) -> f64 {
        match self {
            Self::Linear(linear) => linear.score(x),
            Self::Trees(trees) => trees.score(x),
            Self::Mlp(mlp) => mlp.score(x),
            Self::Combined(combined) => combined.score(x),
        }
    }

    /// The score with all sums in 64 bits, also where the decision is made with sums in 32 bits: parts of a score add up to
    /// this one.
    pub(crate) fn score_in_64_bits(&self, x: &[f64]) -> f64 {
        match self {
            Self::Trees(trees) => trees.score_in_64_bits(x),
            Self::Combined(combined) => combined.score_in_64_bits(x),
            Self::Linear(_) | Self::Mlp(_) => self.score(x),
        }
    }

    /// The same classifier with its cut at another score: its own scores are `by` lower, up to rounding.
    #[must_use]
    pub fn with_cut_at(&self, by: f64) -> Self {
        let mut shifted = self.clone();
        match &mut shifted {
            Self::Linear(linear) => linear.intercept -= by,
            Self::Trees(trees) => trees.threshold += by,
            Self::Mlp(mlp) => mlp.shift(-by),
            Self::Combined(combined) => combined.intercept -= by,
        }
        shifted
    }

    /// Whether the classifier decides favourably. A score that overflowed is a rejection.
    pub fn accepts(&self, x: &[f64]) -> bool {
        is_accepting(self.score(x), 0.0)
    }

    /// A bound of the size of every score, partial sums included, where no column exceeds these sizes.
    pub(crate) fn largest_score(&self, sizes: &[f64]) -> f64 {
        match self {
            Self::Linear(linear) => {
                let terms = linear.weights.iter().zip(sizes).map(|(w, size)| (w * size).abs());
                terms.sum::<f64>() + linear.intercept.abs()
            }
            Self::Trees(trees) => trees.largest_score(),
            Self::Mlp(mlp) => mlp.largest_score(sizes),
            Self::Combined(combined) => combined.largest_score(sizes),
        }
    }

    /// The most that a score, or a sum on the way to it, can change by per unit of a column; 0 for trees, whose sums don't
    /// depend on the size of a column.
    pub(crate) fn column_weight(&self, column: usize) -> f64 {
        match self {
            Self::Linear(linear) => linear.weights[column].abs(),
            Self::Trees(_) => 0.0,
            Self::Mlp(mlp) => {
                let units = mlp.layers.iter().take(1).flat_map(|layer| &layer.weights);
                units.map(|row| row[column].abs()).fold(0.0, f64::max)
            }
            Self::Combined(combined) => combined.column_weight(column),
        }
    }

    /// Its weights, if the score is a weighted sum of the columns.
    pub(crate) fn as_linear(&self) -> Option<&Linear> {
        match self {
            Self::Linear(linear) => Some(linear),
            Self::Trees(_) | Self::Mlp(_) | Self::Combined(_) => None,
        }
    }

    /// Whether the score is constant between cut points.
    pub(crate) fn is_step_function(&self) -> bool {
        match self {
            Self::Trees(_) => true,
            Self::Linear(_) | Self::Mlp(_) => false,
            Self::Combined(combined) => {
                combined.members.iter().all(|member| member.classifier.is_step_function())
            }
        }
    }

    /// Per column, the values up to which the score is the same, in ascending order, if it is a step function.
    pub(crate) fn cut_points(&self, columns: usize) -> Option<Vec<Vec<f64>>> {
        self.is_step_function().then(|| self.thresholds(columns)).flatten()
    }

    /// Per column, the numbers that trees in it compare the column with, in ascending order; `None` without trees.
    pub(crate) fn thresholds(&self, columns: usize) -> Option<Vec<Vec<f64>>> {
        match self {
            Self::Trees(trees) => Some(trees.cut_points(columns)),
            Self::Linear(_) | Self::Mlp(_) => None,
            Self::Combined(combined) => combined.thresholds(columns),
        }
    }

    /// The classifier of the negative score.
    pub(crate) fn negated(&self) -> Self {
        match self {
            Self::Linear(linear) => Self::Linear(linear.negated()),
            Self::Trees(trees) => Self::Trees(trees.negated()),
            Self::Mlp(mlp) => Self::Mlp(mlp.negated()),
            Self::Combined(combined) => Self::Combined(combined.negated()),
        }
    }

    /// How many nodes its trees have together.
    pub(crate) fn nodes(&self) -> usize {
        match self {
            Self::Trees(trees) => trees.nodes(),
            Self::Linear(_) | Self::Mlp(_) => 0,
            Self::Combined(combined) => {
                combined.members.iter().map(|member| member.classifier.nodes()).sum()
            }
        }
    }

    /// An upper bound of the score in a box, an interval per column, and the size of the terms that it is a sum of.
    pub(crate) fn highest_in(&self, sides: &[(f64, f64)]) -> (f64, f64) {
        match self {
            Self::Linear(linear) => linear.highest_in(sides),
            Self::Trees(trees) => trees.highest(),
            Self::Mlp(mlp) => mlp.highest_in(sides),
            Self::Combined(combined) => {
                let ((_, highest), size) = combined.range_in(sides);
                (highest, size)
            }
        }
    }

    /// A lower bound of the score in a box of rows, and the size of what it is a sum of, for its rounding.
    pub(crate) fn lowest_in(&self, sides: &[(f64, f64)]) -> (f64, f64) {
        match self {
            Self::Linear(linear) => linear.lowest_in(sides),
            Self::Trees(trees) => trees.lowest_in(sides),
            Self::Mlp(mlp) => mlp.lowest_in(sides),
            Self::Combined(combined) => {
                let ((lowest, _), size) = combined.range_in(sides);
                (lowest, size)
            }
        }
    }

    /// Checks that the classifier fits rows of `columns` numbers, and that its numbers are numbers.
    pub fn check(&self, columns: usize) -> Result<()> {
        self.check_at(columns, 0)
    }

    /// The same, so many levels inside of combined classifiers.
    pub(super) fn check_at(&self, columns: usize, depth: usize) -> Result<()> {
        match self {
            Self::Linear(linear) => linear.check(columns),
            Self::Trees(trees) => trees.check(columns),
            Self::Mlp(mlp) => mlp.check(columns),
            Self::Combined(combined) => combined.check(columns, depth),
        }
    }
}
