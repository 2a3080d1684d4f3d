//! Quantiles: what half, a quarter, one in twenty stay below.

use serde::Serialize;

/// Five quantiles of some numbers.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Quantiles {
    /// How many numbers there are.
    pub count: usize,
    /// 5 % are at or below.
    pub p5: f64,
    /// The lower quartile.
    pub p25: f64,
    /// The median.
    pub p50: f64,
    /// The upper quartile.
    pub p75: f64,
    /// 95 % are at or below.
    pub p95: f64,
}

impl Quantiles {
    /// `None` of no numbers.
    pub fn of(numbers: impl IntoIterator<Item = f64>) -> Option<Self> {
        let mut sorted: Vec<f64> = numbers.into_iter().collect();
        sorted.sort_by(f64::total_cmp);
        let at = |level| quantile(&sorted, level);
        Some(Self {
            count: sorted.len(),
            p5: at(0.05)?,
            p25: at(0.25)?,
            p50: at(0.5)?,
            p75: at(0.75)?,
            p95: at(0.95)?,
        })
    }

    /// The five, in rising order.
    pub fn values(&self) -> [f64; 5] {
        [self.p5, self.p25, self.p50, self.p75, self.p95]
    }
}

/// The quantile of numbers in rising order: at `level * (count - 1)` counted from 0, on the straight line between the two numbers
/// around it (numpy's and R's default, "type 7"). `None` of no numbers.
pub(super) fn quantile(sorted: &[f64], level: f64) -> Option<f64> {
    let position = level.clamp(0.0, 1.0) * sorted.len().checked_sub(1)? as f64;
    let below = *sorted.get(position.floor() as usize)?;
    let above = *sorted.get(position.ceil() as usize)?;
    // Equal numbers come back as they are, also infinite ones.
    Some(if below == above { below } else { below + position.fract() * (above - below) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_those_of_numpy() {
        // numpy.quantile([7, 1, 3, 15, 4, 8, 2.5], [.05, .25, .5, .75, .95])
        let quantiles = Quantiles::of([7.0, 1.0, 3.0, 15.0, 4.0, 8.0, 2.5]).unwrap();
        for (found, known) in quantiles.values().iter().zip([1.45, 2.75, 4.0, 7.5, 12.9]) {
            assert!((found - known).abs() < 1e-12, "{quantiles:?}");
        }
        assert_eq!(quantiles.count, 7);
    }

    #[test]
    fn one_number_is_every_quantile_and_none_has_none() {
        assert_eq!(Quantiles::of([2.5]).unwrap().values(), [2.5; 5]);
        assert_eq!(Quantiles::of([]), None);
        assert_eq!(quantile(&[f64::INFINITY; 3], 0.3), Some(f64::INFINITY));
        assert_eq!(quantile(&[1.0, 2.0, 4.0, 8.0], 0.5), Some(3.0));
    }
}
