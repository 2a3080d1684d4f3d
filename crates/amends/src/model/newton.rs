//! Newton's method for the penalised losses of linear classifiers.
//!
//! With some dozens of columns a Newton step costs next to nothing, and a handful of steps reaches the
//! optimum to the last digits, which quasi-Newton methods on columns as different as an amount in the
//! thousands and a 0/1 flag do not.

use nalgebra::{Cholesky, DMatrix, DVector};

use crate::{InputError, Result};

/// What a row costs, by its margin: the score, with its sign turned for unfavourable rows. Convex, and
/// never rising with the margin.
pub(super) trait MarginLoss {
    /// The loss.
    fn value(&self, margin: f64) -> f64;
    /// Its first derivative.
    fn slope(&self, margin: f64) -> f64;
    /// Its second derivative, from either side where it jumps.
    fn curvature(&self, margin: f64) -> f64;
}

/// Minimise 1/2 sum of `penalty_d` `w_d`^2 + C * sum of the rows' losses.
pub(super) struct Problem<'a> {
    /// One row of the design matrix per training row, the intercept's 1 included.
    pub(super) design: &'a [Vec<f64>],
    /// One outcome per row.
    pub(super) favourable: &'a [bool],
    /// One penalty per weight; 0 for an intercept that goes free.
    pub(super) penalty: &'a [f64],
    /// The weight of the losses.
    pub(super) c: f64,
}

const MOST_STEPS: usize = 500;
/// Half the squared Newton decrement estimates how far the objective is from its minimum; relative to
/// the objective, below this only rounding is left.
const DECREMENT: f64 = 1e-16;
/// Objectives closer than this, relative, count as equal: they are sums of rounded numbers.
const NOISE: f64 = 1e-14;
/// A stalled search is accepted as converged up to this decrement, and refused above.
const STALLED: f64 = 1e-8;

impl Problem<'_> {
    /// The weights of the minimum, found from `start`.
    pub(super) fn minimise(
        &self,
        loss: &impl MarginLoss,
        start: DVector<f64>,
    ) -> Result<DVector<f64>> {
        let mut weights = start;
        let mut value = self.value(loss, &weights);
        for _ in 0..MOST_STEPS {
            let (gradient, hessian) = self.derivatives(loss, &weights);
            let Some(step) = newton_step(&gradient, hessian) else { break };
            let decrement = step.dot(&gradient);
            if decrement <= DECREMENT * (1.0 + value) {
                // The last step squares the error once more, below what the objective can show.
                return Ok(weights - step);
            }
            let tried = (0..60).map(|halvings| 0.5_f64.powi(halvings)).find_map(|length| {
                let moved = &weights - &step * length;
                let reached = self.value(loss, &moved);
                let wanted = value - 1e-4 * length * decrement + NOISE * value;
                (reached <= wanted).then_some((moved, reached))
            });
            match tried {
                Some((moved, reached)) => (weights, value) = (moved, reached),
                None if decrement <= STALLED * (1.0 + value) => return Ok(weights),
                None => break,
            }
        }
        Err(InputError::new("leads to weights that can't be computed accurately")
            .at("setting `c`")
            .value(format_args!("{:?}", self.c))
            .remedy("give a smaller C, or bring the columns to more similar sizes")
            .into())
    }

    /// The rows with their sign: +1 for favourable, -1 for unfavourable.
    fn signed(&self) -> impl Iterator<Item = (&Vec<f64>, f64)> {
        let sign = |&good: &bool| if good { 1.0 } else { -1.0 };
        self.design.iter().zip(self.favourable.iter().map(sign))
    }

    fn value(&self, loss: &impl MarginLoss, weights: &DVector<f64>) -> f64 {
        let losses: f64 =
            self.signed().map(|(row, sign)| loss.value(sign * dot(row, weights.as_slice()))).sum();
        let squares = self.penalty.iter().zip(weights.iter());
        0.5 * squares.map(|(penalty, w)| penalty * w * w).sum::<f64>() + self.c * losses
    }

    fn derivatives(
        &self,
        loss: &impl MarginLoss,
        weights: &DVector<f64>,
    ) -> (DVector<f64>, DMatrix<f64>) {
        let penalty = DVector::from_column_slice(self.penalty);
        let mut gradient = penalty.component_mul(weights);
        let mut hessian = DMatrix::from_diagonal(&penalty);
        for (row, sign) in self.signed() {
            let margin = sign * dot(row, weights.as_slice());
            let slope = self.c * sign * loss.slope(margin);
            let curvature = self.c * loss.curvature(margin);
            for (j, &x) in row.iter().enumerate() {
                gradient[j] += slope * x;
                let factor = curvature * x;
                // One-hot columns are mostly 0. Only the lower triangle is filled: Cholesky reads no more.
                if factor != 0.0 {
                    for (i, &other) in row.iter().enumerate().skip(j) {
                        hessian[(i, j)] += factor * other;
                    }
                }
            }
        }
        (gradient, hessian)
    }
}

/// Solves hessian * step = gradient, with the diagonal scaled to 1 so that the columns' sizes do not matter.
fn newton_step(gradient: &DVector<f64>, mut hessian: DMatrix<f64>) -> Option<DVector<f64>> {
    let scale = hessian.diagonal().map(|d| if d > 0.0 { d.sqrt().recip() } else { 1.0 });
    for j in 0..scale.len() {
        for i in j..scale.len() {
            hessian[(i, j)] *= scale[i] * scale[j];
        }
    }
    let target = gradient.component_mul(&scale);
    // A hessian that rounding left indefinite is lifted a little; the step stays one of descent.
    [0.0, 1e-14, 1e-12, 1e-10, 1e-8, 1e-6].into_iter().find_map(|lift| {
        let mut lifted = hessian.clone();
        for j in 0..scale.len() {
            lifted[(j, j)] += lift;
        }
        let step = Cholesky::new(lifted)?.solve(&target).component_mul(&scale);
        step.iter().all(|s| s.is_finite()).then_some(step)
    })
}

fn dot(row: &[f64], weights: &[f64]) -> f64 {
    row.iter().zip(weights).map(|(x, w)| x * w).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// (1 - margin)^2 / 2: the minimum is that of least squares, known in closed form.
    struct Quadratic;

    impl MarginLoss for Quadratic {
        fn value(&self, margin: f64) -> f64 {
            0.5 * (1.0 - margin).powi(2)
        }
        fn slope(&self, margin: f64) -> f64 {
            margin - 1.0
        }
        fn curvature(&self, _: f64) -> f64 {
            1.0
        }
    }

    #[test]
    fn least_squares_come_out_in_closed_form() {
        let design = vec![vec![1.0, 1.0], vec![3.0, 1.0]];
        let problem =
            Problem { design: &design, favourable: &[false, true], penalty: &[0.0; 2], c: 5.0 };
        let weights = problem.minimise(&Quadratic, DVector::zeros(2)).unwrap();
        // The line through (1, -1) and (3, 1).
        assert!((weights[0] - 1.0).abs() < 1e-12 && (weights[1] + 2.0).abs() < 1e-12);
    }

    #[test]
    fn equal_unpenalised_columns_are_still_solved() {
        let design = vec![vec![1.0, 1.0], vec![-1.0, -1.0]];
        let problem =
            Problem { design: &design, favourable: &[true, false], penalty: &[0.0; 2], c: 1.0 };
        let weights = problem.minimise(&Quadratic, DVector::zeros(2)).unwrap();
        assert!((weights.sum() - 1.0).abs() < 1e-9);
    }
}
