//! Contributions to the score of a linear model: its terms, against their mean over the group.

use super::Contributions;
use crate::model::Linear;

/// Per feature, the sum over its columns of `w (x - mean)`. Shapley values of a sum are its terms, so this is exact.
pub(super) fn contributions(
    linear: &Linear,
    feature_of: &[usize],
    x: &[f64],
    rows: &[Vec<f64>],
) -> Contributions {
    let mut values = vec![0.0; feature_of.last().map_or(0, |last| last + 1)];
    for (column, &feature) in feature_of.iter().enumerate() {
        // A mean of differences rounds less than a difference of means.
        let differences = rows.iter().map(|row| x[column] - row[column]);
        let mean = differences.sum::<f64>() / rows.len() as f64;
        values[feature] += linear.weights[column] * mean;
    }
    Contributions::exact(values)
}
