//! Standardising the columns that are not binary, and taking it back out of a linear score.

use super::{Linear, Training};

/// Per column the mean that is subtracted and the deviation that divides; 0 and 1 for binary columns.
pub(super) struct Scaler {
    mean: Vec<f64>,
    deviation: Vec<f64>,
}

impl Scaler {
    /// Takes mean and population deviation from the training rows. A constant column is only centred.
    pub(super) fn fit(training: &Training<'_>) -> Self {
        let count = training.rows().len() as f64;
        let (mut means, mut deviations) = (Vec::new(), Vec::new());
        for (column, &binary) in training.binary().iter().enumerate() {
            let values = || training.rows().iter().map(|row| row[column]);
            let (mut mean, mut deviation) = (0.0, 1.0);
            if !binary {
                mean = values().sum::<f64>() / count;
                let variance = values().map(|value| (value - mean).powi(2)).sum::<f64>() / count;
                // Of a constant column rounding may leave some variance: dividing by it would blow up noise.
                let noise = (count * mean * f64::EPSILON).powi(2);
                // A deviation below 1e-100 would overflow where its square divides.
                if variance > noise.max(1e-200) {
                    deviation = variance.sqrt();
                }
            }
            means.push(mean);
            deviations.push(deviation);
        }
        Self { mean: means, deviation: deviations }
    }

    /// The divisor of each column.
    pub(super) fn deviation(&self) -> &[f64] {
        &self.deviation
    }

    /// The standardised rows, each with a 1 for the intercept at its end.
    pub(super) fn design(&self, rows: &[Vec<f64>]) -> Vec<Vec<f64>> {
        let scaled = |row: &Vec<f64>| {
            let parts = row.iter().zip(self.mean.iter().zip(&self.deviation));
            parts.map(|(x, (mean, deviation))| (x - mean) / deviation).chain([1.0]).collect()
        };
        rows.iter().map(scaled).collect()
    }

    /// The score over raw columns that equals `weights` (the intercept last) over standardised ones:
    /// `w / s` per column and `b - sum of w m / s`, equation (12) of the paper.
    pub(super) fn fold(&self, weights: &[f64]) -> Linear {
        let (scaled, intercept) = weights.split_at(self.mean.len());
        let weights: Vec<f64> = scaled.iter().zip(&self.deviation).map(|(w, s)| w / s).collect();
        let shift: f64 = weights.iter().zip(&self.mean).map(|(w, mean)| w * mean).sum();
        Linear { weights, intercept: intercept[0] - shift }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folding_scores_raw_rows_as_the_scaled_weights_score_scaled_ones() {
        let rows = vec![vec![20.0, 1.0, 7.3], vec![30.0, 0.0, 7.3], vec![70.0, 1.0, 7.3]];
        let training = Training::new(&rows, &[true, false, true], &[false, true, false]).unwrap();
        let scaler = Scaler::fit(&training);
        let design = scaler.design(&rows);
        // Mean 40; deviations -20, -10, 30; population variance 1400 / 3.
        assert!((design[0][0] + 20.0 / (1400.0_f64 / 3.0).sqrt()).abs() < 1e-12);
        assert_eq!(design[0][1..], [1.0, 0.0, 1.0]);

        let weights = [0.5, -2.0, 3.0, 0.25];
        let linear = scaler.fold(&weights);
        for (row, scaled) in rows.iter().zip(&design) {
            let expected: f64 = scaled.iter().zip(&weights).map(|(x, w)| x * w).sum();
            assert!((linear.score(row) - expected).abs() < 1e-12);
        }
    }
}
