//! Multipliers where distances come from a table.

use crate::search::bound::lagrange::{Duals, Prices, Pull};
use crate::search::bound::relax::{Aim, Mix, Relaxation, Relaxed};
use crate::search::layout::values::ValueIndex;

/// Golden sections: each takes away more than a third of the bracket.
const SECTIONS: usize = 12;

impl Relaxation {
    /// Without a norm the only multiplier is theta, and the bound is concave in it.
    pub(in crate::search) fn by_theta(&mut self, prices: &mut Prices, aim: &Aim) -> Relaxed {
        let Aim { space, region, start, .. } = *aim;
        let mut best = Relaxed { bound: f64::NEG_INFINITY, ..start.clone() };
        let mut try_theta = |theta: f64, tau: f64| {
            let duals = Duals { y: Vec::new(), theta };
            prices.set(space, region, &duals, aim.losses);
            let pull = aim.pull.map(|(reference, n)| {
                let full = reference.outlier.weight * reference.density[n];
                (reference, Pull::new(n, full * tau))
            });
            let bound = prices.bound(space, region, pull).value;
            if bound > best.bound {
                (best.bound, best.duals, best.tau) = (bound, duals, tau);
            }
            bound
        };
        let taus: &[f64] = if aim.pull.is_some() { &[1.0, 0.0] } else { &[0.0] };
        let enough = aim.enough - aim.extra;
        for &tau in taus {
            if aim.valid() {
                climb(start.duals.theta, enough, |theta| try_theta(theta, tau));
            } else {
                try_theta(0.0, tau);
            }
        }
        self.fractional.clear();
        self.usage.clear();
        prices.set(space, region, &best.duals, aim.losses);
        for (f, &span) in region.spans.iter().enumerate() {
            let cheapest = prices.cheapest(space, f, span);
            self.fractional.push(cheapest as f64);
            self.usage.push(space.features[f].cost(cheapest));
        }
        best.mixes = self.fractional.iter().map(|&index| Mix::at(index as ValueIndex)).collect();
        best
    }
}

/// Looks for the theta with the largest bound, from one that is probably near: a bracket around it, made
/// smaller by golden sections. Ends early once the bound is enough.
fn climb(near: f64, enough: f64, mut bound: impl FnMut(f64) -> f64) {
    let mut at = near.max(1e-6);
    let mut most = bound(at);
    let (mut left, mut right) = (0.0, 2.0 * at);
    let mut beyond = bound(right);
    if beyond > most {
        while beyond > most && right < 1e12 {
            if beyond > enough {
                return;
            }
            (left, at, most) = (at, right, beyond);
            right *= 4.0;
            beyond = bound(right);
        }
    } else {
        loop {
            left = if at < 1e-9 { 0.0 } else { 0.25 * at };
            let behind = bound(left);
            if behind <= most || left == 0.0 {
                break;
            }
            (right, at, most) = (at, left, behind);
        }
    }
    for _ in 0..SECTIONS {
        if most > enough {
            return;
        }
        let up = right - at > at - left;
        let probe = if up { at + 0.382 * (right - at) } else { at - 0.382 * (at - left) };
        let value = bound(probe);
        match (value > most, up) {
            (true, true) => (left, at, most) = (at, probe, value),
            (true, false) => (right, at, most) = (at, probe, value),
            (false, true) => right = probe,
            (false, false) => left = probe,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::climb;

    #[test]
    fn the_top_is_found_from_either_side() {
        for near in [0.0, 1e-3, 2.9, 40.0, 1e7] {
            let mut most = f64::NEG_INFINITY;
            climb(near, f64::INFINITY, |theta| {
                let value = -(theta - 3.0_f64).abs();
                most = most.max(value);
                value
            });
            assert!(most > -0.05, "{near}: {most}");
        }
    }

    #[test]
    fn a_bound_that_is_enough_ends_the_climb() {
        let mut asked = 0;
        climb(1.0, 0.0, |_| {
            asked += 1;
            1.0
        });
        assert!(asked <= 3);
    }
}
