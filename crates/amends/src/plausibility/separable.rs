//! Costs of a change that add up over columns and know nothing of correlations: what DACE compares itself with.

use serde::{Deserialize, Serialize};

use super::rows::{check_rows, standard_scale};
use crate::Result;

/// Makes the median absolute deviation of a normal column its standard deviation.
const NORMAL: f64 = 1.4826;

/// Which cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SeparableKind {
    /// Total log percentile shift (Ustun, Spangher and Liu, 2019).
    Tlps,
    /// Differences in units of the median absolute deviation (Wachter, Mittelstadt and Russell, 2018).
    Mad,
    /// Squared differences, weighed by the column's correlation with the outcome (Ballet et al., 2019).
    Pcc,
}

/// A cost per column, fitted on training rows:
///
/// ```text
/// tlps:  |log2((1 - Q(to)) / (1 - Q(from)))|,  Q(v) = rows with a value of at most v / (rows + 1)
/// mad:   |to - from| / (1.4826 * median |x - median x|)
/// pcc:   |r| * (to - from)^2,                  r = correlation of the column with the outcome
/// ```
///
/// Q counts one row more than there are, so that 1 - Q is never 0. Where the median absolute deviation is 0 or says
/// nothing (columns of 0 and 1), `mad` weighs with 1.4826 times the standard deviation, as DACE's published code does.
/// A constant column correlates with nothing: its `pcc` is 0.
#[derive(Debug, Clone, PartialEq)]
pub struct SeparableCost(Fitted);

#[derive(Debug, Clone, PartialEq)]
enum Fitted {
    /// Each column's values, sorted.
    LogShift(Vec<Vec<f64>>),
    /// A weight per column on the absolute difference.
    Absolute(Vec<f64>),
    /// A weight per column on the squared difference.
    Squared(Vec<f64>),
}

impl SeparableCost {
    /// Fits a cost on training rows, their outcomes, and which columns hold 0 and 1 only.
    ///
    /// # Panics
    /// Where there is not one outcome per row, or not one mark per column.
    pub fn fit(
        kind: SeparableKind,
        rows: &[Vec<f64>],
        favourable: &[bool],
        binary: &[bool],
    ) -> Result<Self> {
        let width = check_rows(rows, "training")?;
        assert_eq!((favourable.len(), binary.len()), (rows.len(), width), "marks of rows, columns");
        let column = |d: usize| rows.iter().map(|row| row[d]).collect::<Vec<f64>>();
        Ok(Self(match kind {
            SeparableKind::Tlps => {
                Fitted::LogShift((0..width).map(|d| sorted(column(d))).collect())
            }
            SeparableKind::Mad => {
                let deviation = standard_scale(rows);
                let weight = |d: usize| {
                    let spread = median_absolute_deviation(column(d));
                    let usable = !binary[d] && spread.is_normal();
                    if usable { 1.0 / (NORMAL * spread) } else { NORMAL * deviation[d] }
                };
                Fitted::Absolute((0..width).map(weight).collect())
            }
            SeparableKind::Pcc => {
                let outcome: Vec<f64> =
                    favourable.iter().map(|&good| f64::from(u8::from(good))).collect();
                Fitted::Squared(
                    (0..width).map(|d| correlation(&column(d), &outcome).abs()).collect(),
                )
            }
        }))
    }

    /// What it costs to take a column from one value to another.
    pub fn of(&self, column: usize, from: f64, to: f64) -> f64 {
        if from == to {
            return 0.0;
        }
        match &self.0 {
            Fitted::LogShift(values) => {
                (above(&values[column], to) / above(&values[column], from)).log2().abs()
            }
            Fitted::Absolute(weight) => weight[column] * (to - from).abs(),
            Fitted::Squared(weight) => weight[column] * (to - from).powi(2),
        }
    }
}

impl SeparableCost {
    /// How the cost of a column runs, as far as runs of even steps can tell.
    pub(crate) fn shape(&self, column: usize) -> Shape<'_> {
        match &self.0 {
            Fitted::LogShift(values) => Shape::Steps(&values[column]),
            Fitted::Absolute(_) => Shape::Lines,
            Fitted::Squared(weight) if weight[column] == 0.0 => Shape::Lines,
            Fitted::Squared(_) => Shape::Curve,
        }
    }
}

/// How a cost runs along a column.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Shape<'a> {
    /// It changes at these values only, which are sorted.
    Steps(&'a [f64]),
    /// It is a straight line on both sides of the own value.
    Lines,
    /// Neither.
    Curve,
}

/// (rows + 1) * (1 - Q(value)).
fn above(sorted: &[f64], value: f64) -> f64 {
    (sorted.len() + 1 - sorted.partition_point(|&other| other <= value)) as f64
}

fn sorted(mut values: Vec<f64>) -> Vec<f64> {
    values.sort_by(f64::total_cmp);
    values
}

fn median(values: Vec<f64>) -> f64 {
    let sorted = sorted(values);
    f64::midpoint(sorted[(sorted.len() - 1) / 2], sorted[sorted.len() / 2])
}

fn median_absolute_deviation(values: Vec<f64>) -> f64 {
    let middle = median(values.clone());
    median(values.into_iter().map(|value| (value - middle).abs()).collect())
}

/// Pearson's correlation; 0 where one side is constant.
fn correlation(a: &[f64], b: &[f64]) -> f64 {
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let (mean_a, mean_b) = (mean(a), mean(b));
    let sum = |term: &dyn Fn(f64, f64) -> f64| -> f64 {
        a.iter().zip(b).map(|(a, b)| term(a - mean_a, b - mean_b)).sum()
    };
    let ratio = sum(&|a, b| a * b) / (sum(&|a, _| a * a) * sum(&|_, b| b * b)).sqrt();
    if ratio.is_finite() { ratio } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An amount, a flag, and a column that is mostly 0.
    fn rows() -> Vec<Vec<f64>> {
        vec![vec![1.0, 0.0, 0.0], vec![2.0, 1.0, 0.0], vec![3.0, 1.0, 0.0], vec![6.0, 1.0, 4.0]]
    }

    fn fit(kind: SeparableKind) -> SeparableCost {
        SeparableCost::fit(kind, &rows(), &[true, true, false, false], &[false, true, false])
            .unwrap()
    }

    fn close(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-12, "{found} is not {expected}");
    }

    #[test]
    fn log_percentile_shifts_by_hand() {
        let cost = fit(SeparableKind::Tlps);
        // Of 4 rows and one more, 4 lie above 1, 2 above 3, 1 above 6 and beyond.
        close(cost.of(0, 1.0, 3.0), 1.0);
        close(cost.of(0, 3.0, 1.0), 1.0);
        close(cost.of(0, 1.0, 6.0), 2.0);
        close(cost.of(0, 1.0, 99.0), 2.0);
        // Between two values of the table nothing shifts.
        close(cost.of(0, 3.0, 5.0), 0.0);
        // One 0 and three 1s: 4 above 0, 1 above 1.
        close(cost.of(1, 0.0, 1.0), 2.0);
    }

    #[test]
    fn median_absolute_deviations_by_hand() {
        let cost = fit(SeparableKind::Mad);
        // Median 2.5, deviations 1.5, 0.5, 0.5, 3.5, their median 1.
        close(cost.of(0, 1.0, 4.0), 3.0 / 1.4826);
        // A flag weighs with its standard deviation, the root of 3/16.
        close(cost.of(1, 1.0, 0.0), 1.4826 * (3.0f64 / 16.0).sqrt());
        // So does a column whose median absolute deviation is 0: mean 1, squares 1 + 1 + 1 + 9.
        close(cost.of(2, 0.0, 2.0), 2.0 * 1.4826 * 3.0f64.sqrt());
    }

    #[test]
    fn correlations_by_hand() {
        let cost = fit(SeparableKind::Pcc);
        // Amount around 3: -2, -1, 0, 3; outcome around 1/2: +, +, -, -. Sum -3, squares 14 and 1.
        close(cost.of(0, 1.0, 3.0), 4.0 * 3.0 / 14.0f64.sqrt());
        close(cost.of(0, 2.0, 2.0), 0.0);
        let constant = [vec![7.0], vec![7.0], vec![7.0]];
        let flat =
            SeparableCost::fit(SeparableKind::Pcc, &constant, &[true, false, true], &[false]);
        close(flat.unwrap().of(0, 7.0, 9.0), 0.0);
    }

    #[test]
    fn rows_that_are_none_are_refused() {
        let error = SeparableCost::fit(SeparableKind::Mad, &[], &[], &[]).unwrap_err();
        assert!(error.to_string().contains("no training rows"), "{error}");
    }
}
