//! The score of an ensemble along one number, all its cells at once.
//!
//! Walking every tree once, with the cells of one number that stay together on the way, costs little more than one score;
//! guesses ask for the scores of a number's many values in turn.

use crate::model::{Sums, TreeEnsemble};
use crate::search::layout::feature::{Feature, Numeric};

/// Scores per cell of a feature, where everything else stays.
#[derive(Debug)]
pub(super) struct Profile {
    pub scores: Vec<f64>,
    /// What rounding may have done to them: the ensemble adds up in its own order and precision.
    error: f64,
}

impl Profile {
    /// Along a numeric feature, from a row of column values.
    pub(super) fn new(
        feature: &Feature,
        numeric: &Numeric,
        ensemble: &TreeEnsemble,
        row: &[f64],
    ) -> Self {
        let cells = feature.cells.of(feature.last()) + 1;
        let mut steps = vec![0.0; cells as usize + 1];
        let mut largest = ensemble.threshold.abs();
        let mut open: Vec<(usize, u32, u32)> = Vec::new();
        for tree in ensemble.trees.iter() {
            let mut reached = 0.0_f64;
            open.push((0, 0, cells));
            while let Some((node, low, end)) = open.pop() {
                if tree.is_leaf(node) {
                    let value = tree.value[node];
                    steps[low as usize] += value;
                    steps[end as usize] -= value;
                    reached = reached.max(value.abs());
                    continue;
                }
                let column = tree.feature[node] as usize;
                let (left, right) = (tree.left[node] as usize, tree.right[node] as usize);
                let threshold = tree.threshold[node];
                let Some(position) = feature.columns.iter().position(|&c| c == column) else {
                    open.push((if row[column] <= threshold { left } else { right }, low, end));
                    continue;
                };
                // A cell begins where the left side ends.
                let middle = numeric.cuts[position].first_above(threshold).clamp(low, end);
                if low < middle {
                    open.push((left, low, middle));
                }
                if middle < end {
                    open.push((right, middle, end));
                }
            }
            largest += reached;
        }
        let mut sum = -ensemble.threshold;
        let scores = steps[..cells as usize].iter().map(|step| {
            sum += step;
            sum
        });
        let scores = scores.collect();
        let unit = match ensemble.sums {
            Sums::Double => f64::EPSILON,
            Sums::Single => f64::from(f32::EPSILON),
        };
        let additions = (ensemble.trees.len() + cells as usize + 4) as f64;
        Self { scores, error: 4.0 * additions * unit * largest }
    }

    /// The score in a cell, and what rounding may have done to it.
    pub(super) fn about(&self, cell: u32) -> (f64, f64) {
        (self.scores[cell as usize], self.error)
    }

    /// The score in a cell; `None` where rounding could decide.
    pub(super) fn score(&self, cell: u32) -> Option<f64> {
        let score = self.scores[cell as usize];
        (score.abs() > self.error).then_some(score)
    }
}
