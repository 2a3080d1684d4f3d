//! The least distance of a set of directions within the limits of each.

use super::problem::{Problem, ROUNDING};
use super::ways::Ways;
use crate::search::layout::space::dot;

impl Problem {
    /// The same within the limits of each direction, by multipliers of about the nearest point.
    pub(super) fn limited(&self, ways: &Ways, set: &[usize]) -> f64 {
        let size = set.len();
        let at: Vec<usize> =
            set.iter().filter_map(|j| self.candidates.binary_search(j).ok()).collect();
        let gain = |i: usize| ways.gains[set[i]];
        let limits = |i: usize| self.limits[at[i]];
        let most = |i: usize| (gain(i) * limits(i).0).max(gain(i) * limits(i).1);
        let reach: f64 = (0..size).map(most).sum();
        let sizes: f64 = (0..size).map(|i| (gain(i) * limits(i).0).abs().max(most(i))).sum();
        if reach < self.need - ROUNDING * (self.need.abs() + sizes) {
            return f64::INFINITY;
        }
        // The nearest point, with those at a limit that would go beyond it.
        let mut held: Vec<Option<f64>> = vec![None; size];
        let (mut point, mut theta) = self.solve(ways, set, &at, &held);
        for _ in 0..size {
            let beyond = |i: usize| (limits(i).0 - point[i]).max(point[i] - limits(i).1);
            let free = (0..size).filter(|&i| held[i].is_none());
            let Some(worst) = free.max_by(|&a, &b| beyond(a).total_cmp(&beyond(b))) else { break };
            if beyond(worst) <= 1e-9 * (1.0 + point[worst].abs()) {
                break;
            }
            held[worst] = Some(point[worst].clamp(limits(worst).0, limits(worst).1));
            (point, theta) = self.solve(ways, set, &at, &held);
        }
        let mut y = self.position.clone();
        for (i, &j) in set.iter().enumerate() {
            let factor = point[i] * ways.directions.inverse[j];
            for (y, image) in y.iter_mut().zip(ways.images[j]) {
                *y += factor * image;
            }
        }
        let length = dot(&y, &y).sqrt();
        if length == 0.0 || !length.is_finite() || !theta.is_finite() {
            return 0.0;
        }
        // Any direction and any multiplier give a bound: the least over the limits, one by one.
        let scale = (1.0 - ROUNDING) / length;
        let theta = theta.max(0.0) * scale;
        let mut bound = scale * dot(&y, &self.position) + theta * self.need;
        let mut sizes = self.square.sqrt() + theta * self.need.abs();
        for (i, &j) in set.iter().enumerate() {
            let product = scale * dot(&y, ways.images[j]) * ways.directions.inverse[j];
            let price = product - theta * gain(i);
            let (low, high) = limits(i);
            bound += (price * low).min(price * high);
            sizes += low.abs().max(high.abs()) * (1.0 + theta * gain(i).abs());
        }
        let terms = (self.position.len() + 64) as f64;
        (bound - 8.0 * terms * f64::EPSILON * sizes).max(0.0)
    }

    /// About the nearest point of a set of directions, some of them held, and its multiplier of the score.
    fn solve(
        &self,
        ways: &Ways,
        set: &[usize],
        at: &[usize],
        held: &[Option<f64>],
    ) -> (Vec<f64>, f64) {
        let free: Vec<usize> = (0..set.len()).filter(|&i| held[i].is_none()).collect();
        let mut need = self.need;
        let mut pulls: Vec<f64> = free.iter().map(|&i| self.pulls[at[i]]).collect();
        for (i, held) in held.iter().enumerate() {
            if let Some(held) = held {
                need -= ways.gains[set[i]] * held;
                for (pull, &j) in pulls.iter_mut().zip(&free) {
                    *pull += held * ways.directions.product(set[i], set[j]);
                }
            }
        }
        let directions: Vec<usize> = free.iter().map(|&i| set[i]).collect();
        let mut gained: Vec<f64> = directions.iter().map(|&j| ways.gains[j]).collect();
        let both = |values: &[f64]| -> f64 {
            directions.iter().zip(values).map(|(&j, value)| ways.gains[j] * value).sum()
        };
        ways.directions.divide(&directions, &mut [&mut gained, &mut pulls]);
        let square = both(&gained);
        let theta = if square > 0.0 { ((need + both(&pulls)) / square).max(0.0) } else { 0.0 };
        let mut point: Vec<f64> = held.iter().map(|held| held.unwrap_or(0.0)).collect();
        for (k, &i) in free.iter().enumerate() {
            point[i] = theta * gained[k] - pulls[k];
        }
        (point, theta)
    }
}
