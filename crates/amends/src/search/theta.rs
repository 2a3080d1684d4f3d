//! Multipliers where distances come from a table.

use super::lagrange::{Duals, Prices, Pull};
use super::region::Region;
use super::relax::{Aim, Relaxation, Relaxed};
use super::space::Space;

impl Relaxation {
    /// Without a norm the only multiplier is theta, and the bound is concave in it.
    pub(super) fn by_theta(
        &mut self,
        space: &Space,
        region: &Region,
        start: &Relaxed,
        prices: &mut Prices,
        aim: &Aim,
    ) -> Relaxed {
        let mut best = Relaxed { bound: f64::NEG_INFINITY, ..start.clone() };
        let mut try_theta = |theta: f64, tau: f64| {
            let duals = Duals { y: Vec::new(), theta };
            prices.set(space, region, &duals, aim.losses);
            let pull = aim.pull.map(|(reference, n)| {
                let full = reference.outlier.weight * reference.outlier.density[n];
                (reference, Pull::new(n, full * tau))
            });
            let bound = prices.bound(space, region, pull).value;
            if bound > best.bound {
                (best.bound, best.duals, best.tau) = (bound, duals, tau);
            }
            bound
        };
        let taus: &[f64] = if aim.pull.is_some() { &[1.0, 0.0] } else { &[0.0] };
        for &tau in taus {
            let at_zero = try_theta(0.0, tau);
            if !aim.valid() {
                continue;
            }
            let mut right = start.duals.theta.max(1e-6);
            let mut value = try_theta(right, tau);
            let mut left = 0.0;
            let mut behind = at_zero;
            while value > behind && right < 1e12 {
                (left, behind) = (right, value);
                right *= 4.0;
                value = try_theta(right, tau);
            }
            left *= 0.25;
            for _ in 0..24 {
                let (a, b) = (left + (right - left) / 3.0, right - (right - left) / 3.0);
                if try_theta(a, tau) < try_theta(b, tau) { left = a } else { right = b }
            }
        }
        self.place.clear();
        self.usage.clear();
        prices.set(space, region, &best.duals, aim.losses);
        for (f, &(low, high)) in region.spans.iter().enumerate() {
            let price = |place: u32| prices.at(space, None, f, place);
            let cheapest =
                (low..=high).min_by(|&a, &b| price(a).total_cmp(&price(b))).unwrap_or(low);
            self.place.push(f64::from(cheapest));
            self.usage.push(space.features[f].cost[cheapest as usize]);
        }
        best
    }
}
