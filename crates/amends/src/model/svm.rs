//! The linear support vector machine: 1/2 (|w|^2 + b^2) + C * sum of hinge losses over standardised columns.
//!
//! The intercept b is penalised like a weight, as scikit-learn's linear SVM does by default.

use nalgebra::DVector;

use super::newton::{MarginLoss, Problem};
use super::scaler::Scaler;
use super::{Linear, SvmLoss, Training};
use crate::Result;

/// max(0, 1 - margin)^2.
struct SquaredHinge;

impl MarginLoss for SquaredHinge {
    fn value(&self, margin: f64) -> f64 {
        (1.0 - margin).max(0.0).powi(2)
    }

    fn slope(&self, margin: f64) -> f64 {
        -2.0 * (1.0 - margin).max(0.0)
    }

    fn curvature(&self, margin: f64) -> f64 {
        if margin < 1.0 { 2.0 } else { 0.0 }
    }
}

/// max(0, 1 - margin) with its corner rounded over `width` below 1, which Newton's method needs.
struct RoundedHinge {
    width: f64,
}

impl MarginLoss for RoundedHinge {
    fn value(&self, margin: f64) -> f64 {
        let shortfall = (1.0 - margin).max(0.0);
        if shortfall < self.width {
            shortfall * shortfall / (2.0 * self.width)
        } else {
            shortfall - self.width / 2.0
        }
    }

    fn slope(&self, margin: f64) -> f64 {
        -((1.0 - margin).max(0.0) / self.width).min(1.0)
    }

    fn curvature(&self, margin: f64) -> f64 {
        let shortfall = 1.0 - margin;
        if shortfall > 0.0 && shortfall < self.width { self.width.recip() } else { 0.0 }
    }
}

/// Widths of the rounded corner, each solved from the optimum of the one before. Only the few rows on
/// the margin feel the last one, and the weights are off by its order of size.
const WIDTHS: [f64; 7] = [1.0, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6];

/// Fits the weights and folds the scaler into them.
pub(super) fn fit(training: &Training<'_>, c: f64, loss: SvmLoss) -> Result<Linear> {
    let scaler = Scaler::fit(training);
    let weights = fit_scaled(&scaler.design(training.rows()), training.favourable(), c, loss)?;
    Ok(scaler.fold(weights.as_slice()))
}

fn fit_scaled(
    design: &[Vec<f64>],
    favourable: &[bool],
    c: f64,
    loss: SvmLoss,
) -> Result<DVector<f64>> {
    let penalty = vec![1.0; design[0].len()];
    let problem = Problem { design, favourable, penalty: &penalty, c };
    let start = DVector::zeros(penalty.len());
    match loss {
        SvmLoss::SquaredHinge => problem.minimise(&SquaredHinge, start),
        SvmLoss::Hinge => WIDTHS
            .into_iter()
            .try_fold(start, |weights, width| problem.minimise(&RoundedHinge { width }, weights)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Overlapping classes on two numbers and the intercept.
    fn overlapping() -> (Vec<Vec<f64>>, Vec<bool>) {
        let number = |i: usize, step: f64| (i as f64 * step).sin() * 1.5;
        let design =
            (0..60).map(|i| vec![number(i, 1.3), number(i, 0.71), 1.0]).collect::<Vec<_>>();
        let favourable = (0..60).map(|i| number(i, 1.3) + number(i, 2.9) > -0.3).collect();
        (design, favourable)
    }

    fn margins(design: &[Vec<f64>], favourable: &[bool], weights: &[f64]) -> Vec<f64> {
        let score = |row: &Vec<f64>| row.iter().zip(weights).map(|(x, w)| x * w).sum::<f64>();
        let signed = design.iter().zip(favourable);
        signed.map(|(row, &good)| if good { score(row) } else { -score(row) }).collect()
    }

    /// |sum of alpha y x|, squared: what the dual variables make of the weights.
    fn dual_norm(design: &[Vec<f64>], favourable: &[bool], alpha: &[f64]) -> f64 {
        let mut sum = vec![0.0; design[0].len()];
        for ((row, &good), alpha) in design.iter().zip(favourable).zip(alpha) {
            for (s, x) in sum.iter_mut().zip(row) {
                *s += if good { alpha * x } else { -alpha * x };
            }
        }
        sum.iter().map(|s| s * s).sum()
    }

    #[test]
    fn no_duality_gap_is_left() {
        let (design, favourable) = overlapping();
        for c in [0.1, 1.0, 10.0] {
            let weights = fit_scaled(&design, &favourable, c, SvmLoss::SquaredHinge).unwrap();
            let margins = margins(&design, &favourable, weights.as_slice());
            let losses: f64 = margins.iter().map(|m| (1.0 - m).max(0.0).powi(2)).sum();
            let primal = 0.5 * weights.norm_squared() + c * losses;
            let alpha: Vec<f64> = margins.iter().map(|m| 2.0 * c * (1.0 - m).max(0.0)).collect();
            let dual = alpha.iter().map(|a| a - a * a / (4.0 * c)).sum::<f64>()
                - 0.5 * dual_norm(&design, &favourable, &alpha);
            assert!((primal - dual).abs() <= 1e-10 * primal, "C {c}: {primal} against {dual}");
        }
    }

    #[test]
    fn no_duality_gap_is_left_with_the_plain_hinge() {
        let (design, favourable) = overlapping();
        for c in [0.1, 1.0, 10.0] {
            let weights = fit_scaled(&design, &favourable, c, SvmLoss::Hinge).unwrap();
            let margins = margins(&design, &favourable, weights.as_slice());
            let losses: f64 = margins.iter().map(|m| (1.0 - m).max(0.0)).sum();
            let primal = 0.5 * weights.norm_squared() + c * losses;
            let last = RoundedHinge { width: WIDTHS[WIDTHS.len() - 1] };
            let alpha: Vec<f64> = margins.iter().map(|&m| -c * last.slope(m)).collect();
            let dual = alpha.iter().sum::<f64>() - 0.5 * dual_norm(&design, &favourable, &alpha);
            assert!((primal - dual).abs() <= 1e-6 * primal, "C {c}: {primal} against {dual}");
        }
    }

    #[test]
    fn two_rows_give_the_separator_known_on_paper() {
        // Design +-1 without intercept: minimise w^2/2 + 2 C (1-w)^2, so w = 4C / (1 + 4C).
        let design = vec![vec![1.0], vec![-1.0]];
        let weights = fit_scaled(&design, &[true, false], 1.0, SvmLoss::SquaredHinge).unwrap();
        assert!((weights[0] - 0.8).abs() < 1e-12);
        // Plain hinge: w^2/2 + 2 C (1-w) falls until w = 1.
        let weights = fit_scaled(&design, &[true, false], 1.0, SvmLoss::Hinge).unwrap();
        assert!((weights[0] - 1.0).abs() < 1e-5);
    }
}
