//! Logistic regression: 1/2 |w|^2 + C * sum of log-losses over raw columns, the intercept unpenalised.

use nalgebra::DVector;

use super::newton::{MarginLoss, Problem};
use super::scaler::Scaler;
use super::{Linear, Training};
use crate::Result;

/// -ln of the probability that the model gives to what happened.
struct LogLoss;

impl MarginLoss for LogLoss {
    fn value(&self, margin: f64) -> f64 {
        // Either form alone would overflow on one side.
        if margin > 0.0 { (-margin).exp().ln_1p() } else { margin.exp().ln_1p() - margin }
    }

    fn slope(&self, margin: f64) -> f64 {
        -(1.0 + margin.exp()).recip()
    }

    fn curvature(&self, margin: f64) -> f64 {
        let tail = (-margin.abs()).exp();
        tail / (1.0 + tail).powi(2)
    }
}

/// Fits the weights. Columns are standardised on the way, for accuracy only: the penalty is scaled along
/// and the intercept goes free, so the optimum is the one over raw columns.
pub(super) fn fit(training: &Training<'_>, c: f64) -> Result<Linear> {
    let scaler = Scaler::fit(training);
    let penalty: Vec<f64> =
        scaler.deviation().iter().map(|s| (s * s).recip()).chain([0.0]).collect();
    let problem = Problem {
        design: &scaler.design(training.rows()),
        favourable: training.favourable(),
        penalty: &penalty,
        c,
    };
    let weights = problem.minimise(&LogLoss, DVector::zeros(penalty.len()))?;
    Ok(scaler.fold(weights.as_slice()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The gradient of the objective over raw columns, from its textbook form.
    fn gradient(rows: &[Vec<f64>], favourable: &[bool], model: &Linear, c: f64) -> Vec<f64> {
        let mut gradient = model.weights.clone();
        gradient.push(0.0);
        for (row, &good) in rows.iter().zip(favourable) {
            let probability = 1.0 / (1.0 + (-model.score(row)).exp());
            let residual = c * (probability - f64::from(u8::from(good)));
            for (g, x) in gradient.iter_mut().zip(row.iter().chain([&1.0])) {
                *g += residual * x;
            }
        }
        gradient
    }

    #[test]
    fn the_gradient_over_raw_columns_vanishes_though_sizes_differ_by_millions() {
        let rows: Vec<Vec<f64>> = (0..40)
            .map(|i| {
                let i = f64::from(i);
                vec![2000.0 + 9000.0 * (i * 1.7).sin(), f64::from((i * 0.9).sin() > 0.0), i * 1e-3]
            })
            .collect();
        let favourable: Vec<bool> = (0..40).map(|i| i % 3 != 0 && i % 7 != 1).collect();
        let training = Training::new(&rows, &favourable, &[false, true, false]).unwrap();
        for c in [0.01, 1.0, 100.0] {
            let model = fit(&training, c).unwrap();
            for (column, g) in gradient(&rows, &favourable, &model, c).iter().enumerate() {
                let size: f64 = rows.iter().map(|row| row.get(column).unwrap_or(&1.0).abs()).sum();
                assert!(
                    g.abs() <= 1e-12 * c.max(1.0) * size.max(1.0),
                    "C {c}, column {column}: {g}"
                );
            }
        }
    }

    #[test]
    fn separable_and_constant_columns_are_fitted() {
        let rows = vec![vec![1.0, 5.0], vec![2.0, 5.0], vec![3.0, 5.0], vec![4.0, 5.0]];
        let favourable = [false, false, true, true];
        let training = Training::new(&rows, &favourable, &[false, false]).unwrap();
        let model = fit(&training, 1.0).unwrap();
        assert!(model.weights[0] > 0.0 && model.weights[1].abs() < 1e-12);
        // Symmetric rows: the boundary lies in the middle.
        assert!(model.score(&[2.5, 5.0]).abs() < 1e-9);
    }

    #[test]
    fn derivatives_agree_with_differences() {
        for margin in [-40.0, -3.0, -0.1, 0.0, 0.2, 2.0, 30.0] {
            let h = 1e-5;
            let slope = (LogLoss.value(margin + h) - LogLoss.value(margin - h)) / (2.0 * h);
            let curvature = (LogLoss.slope(margin + h) - LogLoss.slope(margin - h)) / (2.0 * h);
            assert!((LogLoss.slope(margin) - slope).abs() < 1e-8);
            assert!((LogLoss.curvature(margin) - curvature).abs() < 1e-8);
        }
        assert!(LogLoss.value(-1e4).is_finite() && LogLoss.slope(1e4) == 0.0);
    }
}
