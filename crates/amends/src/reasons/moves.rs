//! How many of a feature's allowed values alone would flip the decision, counted exactly.
//!
//! A number may have millions of values, so they are not tried one by one. Between two thresholds of an ensemble all values have
//! the same score. The scores of linear models and networks change from one value to the next by no more than a known
//! slope allows: a whole stretch is decided by the value in its middle, or divided.

use super::Flips;
use crate::action::Move;
use crate::data::{Encoder, Value};
use crate::instance::{OptionSet, ValueRange};
use crate::model::{Classifier, Member, is_accepting};

/// More scores than this are not computed for a feature: it is then not counted.
const MOST_SCORES: usize = 100_000;

/// Scores may be off by this part of the largest sum on the way to them, generously: rounding must not decide a stretch.
const ROUNDING: f64 = 1e-12;

/// Counts accepted values of one applicant's features.
pub(crate) struct MoveCounter<'a> {
    pub classifier: &'a Classifier,
    /// Per column, the thresholds of an ensemble.
    pub cut_points: Option<&'a [Vec<f64>]>,
    pub encoder: &'a Encoder,
    /// The applicant, encoded.
    pub x: &'a [f64],
    /// The model accepts from this score on.
    pub cut: f64,
}

impl MoveCounter<'_> {
    /// Among the allowed options of a move, how many the model accepts while everything else stays as it is. The option that
    /// keeps the values is not counted. `None` where counting would take too long.
    pub(crate) fn count(&self, action: &Move, allowed: &OptionSet) -> Option<Flips> {
        let of = allowed.len() - usize::from(allowed.contains(action.keep));
        let mut budget = MOST_SCORES;
        let mut moves = 0;
        for (start, range) in action.options.ranges() {
            let end = start + range.len() - 1;
            for &(first, last) in allowed.intervals() {
                let (first, last) = (first.max(start), last.min(end));
                if first <= last {
                    let part = range.part(first - start, last - start);
                    moves += self.count_in_range(action, &part, &mut budget)?;
                }
            }
        }
        for (option, values) in action.options.listed_values() {
            if allowed.contains(option) && option != action.keep {
                budget = budget.checked_sub(1)?;
                moves += usize::from(self.accepts(action, values));
            }
        }
        // The own values may be part of a range; they are rejected, so that they were not counted.
        Some(Flips { moves, of })
    }

    fn count_in_range(
        &self,
        action: &Move,
        range: &ValueRange,
        budget: &mut usize,
    ) -> Option<usize> {
        match self.cut_points {
            Some(cut_points) => self.count_by_cells(action, range, cut_points, budget),
            None => self.count_by_slope(action, range, budget),
        }
    }

    /// One value per cell stands for all of them.
    fn count_by_cells(
        &self,
        action: &Move,
        range: &ValueRange,
        cut_points: &[Vec<f64>],
        budget: &mut usize,
    ) -> Option<usize> {
        let mut starts = vec![0];
        for (place, &member) in action.members.iter().enumerate() {
            let column = self.encoder.feature_columns(member).start;
            let thresholds = cut_points[column].iter();
            starts.extend(thresholds.map(|&threshold| range.count_at_most(place, threshold)));
        }
        starts.retain(|&start| start < range.len());
        starts.sort_unstable();
        starts.dedup();
        *budget = budget.checked_sub(starts.len())?;
        let ends = starts.iter().copied().skip(1).chain([range.len()]);
        let cells = starts.iter().copied().zip(ends);
        let accepted = cells.filter(|&(start, _)| self.accepts(action, &values(range, start)));
        Some(accepted.map(|(start, end)| end - start).sum())
    }

    /// Halves stretches until each of them is certainly accepted or certainly rejected.
    fn count_by_slope(
        &self,
        action: &Move,
        range: &ValueRange,
        budget: &mut usize,
    ) -> Option<usize> {
        let slope = self.slope(action, range);
        let rounding = ROUNDING * (1.0 + self.largest_score(action, range) + self.cut.abs());
        let mut accepted = 0;
        let mut open = vec![(0, range.len())];
        while let Some((from, to)) = open.pop() {
            if from >= to {
                continue;
            }
            *budget = budget.checked_sub(1)?;
            let middle = usize::midpoint(from, to);
            let score = self.score(action, &values(range, middle));
            let reach = slope * (middle - from).max(to - 1 - middle) as f64;
            // Without any weight on it, the score is exactly the same everywhere.
            let certain = slope == 0.0 || (score - self.cut).abs() > reach + rounding;
            if certain {
                accepted += if is_accepting(score, self.cut) { to - from } else { 0 };
            } else {
                accepted += usize::from(is_accepting(score, self.cut));
                open.extend([(from, middle), (middle + 1, to)]);
            }
        }
        Some(accepted)
    }

    /// The most that the score changes by from one value of a range to the next. Exactly 0 only where the model does not look at
    /// what moves.
    fn slope(&self, action: &Move, range: &ValueRange) -> f64 {
        let places = (0..action.members.len()).filter(|&place| range.moves(place));
        let columns: Vec<usize> =
            places.map(|place| self.encoder.feature_columns(action.members[place]).start).collect();
        // Weights may cancel each other out, but rounding does not.
        let along = |weights: &[f64]| {
            let sum: f64 = columns.iter().map(|&column| weights[column]).sum();
            let size: f64 = columns.iter().map(|&column| weights[column].abs()).sum();
            (sum.abs() + ROUNDING * size) * range.step()
        };
        slope_of(self.classifier, &along, self.largest_score(action, range))
    }

    /// A bound of the scores in a range, and of the sums on the way to them.
    fn largest_score(&self, action: &Move, range: &ValueRange) -> f64 {
        let mut sizes: Vec<f64> = self.x.iter().map(|value| value.abs()).collect();
        for end in [0, range.len() - 1] {
            let row = self.encoded(action, &values(range, end));
            for (size, value) in sizes.iter_mut().zip(row) {
                *size = size.max(value.abs());
            }
        }
        self.classifier.largest_score(&sizes)
    }

    fn encoded(&self, action: &Move, values: &[Value]) -> Vec<f64> {
        let mut row = self.x.to_vec();
        for (&member, &value) in action.members.iter().zip(values) {
            let columns = self.encoder.feature_columns(member);
            row[columns].copy_from_slice(&self.encoder.encode_value(member, value));
        }
        row
    }

    fn score(&self, action: &Move, values: &[Value]) -> f64 {
        self.classifier.score(&self.encoded(action, values))
    }

    fn accepts(&self, action: &Move, values: &[Value]) -> bool {
        is_accepting(self.score(action, values), self.cut)
    }
}

/// The most that the score of a classifier, or of a member of one, changes by, from what a column's weights make of a step.
fn slope_of(classifier: &Classifier, along: &dyn Fn(&[f64]) -> f64, largest: f64) -> f64 {
    match classifier {
        Classifier::Linear(linear) => along(&linear.weights),
        // Cells are used for trees.
        Classifier::Trees(_) => f64::INFINITY,
        Classifier::Combined(combined) => {
            let member = |member: &Member| match slope_of(&member.classifier, along, largest) {
                0.0 => 0.0,
                _ if member.weight == 0.0 => 0.0,
                // Scores are rounded before they are transformed.
                slope => {
                    let steepest = member.weight.abs() * member.transform.steepest();
                    steepest * (slope + ROUNDING * (1.0 + largest))
                }
            };
            // No value of a minimum or of a k-th largest changes by more than all members together.
            combined.members.iter().map(member).sum()
        }
        Classifier::Mlp(mlp) => {
            let mut slopes: Vec<f64> = Vec::new();
            for (index, layer) in mlp.layers.iter().enumerate() {
                let unit = |weights: &Vec<f64>| match index {
                    0 => along(weights),
                    _ => weights.iter().zip(&slopes).map(|(w, slope)| w.abs() * slope).sum(),
                };
                slopes = layer.weights.iter().map(unit).collect();
            }
            slopes.first().copied().unwrap_or(f64::INFINITY)
        }
    }
}

fn values(range: &ValueRange, index: usize) -> Vec<Value> {
    range.row(index).into_iter().map(Value::Number).collect()
}
