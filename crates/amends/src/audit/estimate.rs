//! Comparisons of two separate sets of people, with their 95 % intervals.
//!
//! Both intervals are of one construction, the recovery of variance estimates (MOVER; Newcombe 1998, Zou and Donner 2008): the
//! interval of a difference is made from the intervals of its two terms. Nothing is drawn at random, so that the same people
//! always give the same figures, and a million of them take no longer than sorting their costs.

use serde::Serialize;

use super::Share;
use super::quantiles::quantile;

/// A figure and its 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Estimate {
    /// The figure.
    pub value: f64,
    /// The lower end of its interval.
    pub low: f64,
    /// The upper end; `None` where so few people say nothing about it.
    pub high: Option<f64>,
}

impl Estimate {
    /// How much larger one share is than another of other people, from -1 to 1; `None` where there is nobody on one side.
    ///
    /// The interval is Newcombe's hybrid score interval (Newcombe 1998, method 10), made from Wilson's intervals of both shares.
    pub(crate) fn of_difference(own: Share, other: Share) -> Option<Self> {
        let (p, q) = (own.share?, other.share?);
        let value = p - q;
        Some(Self {
            value,
            low: value - (p - own.low).hypot(other.high - q),
            high: Some(value + (own.high - p).hypot(q - other.low)),
        })
    }

    /// The median of some costs as a multiple of the median of others; both in rising order. `None` where a side has no costs, or
    /// the others have a median of 0.
    ///
    /// Each median has the interval between two of its costs that the binomial distribution gives it, whatever the costs are
    /// distributed like; the logarithms of the medians and of these ends are combined as the shares are.
    pub(crate) fn of_median_ratio(own: &[f64], other: &[f64]) -> Option<Self> {
        let (m, n) = (quantile(own, 0.5)?, quantile(other, 0.5)?);
        let value = Some(m / n).filter(|value| n > 0.0 && value.is_finite())?;
        let ((own_low, own_high), (other_low, other_high)) =
            (median_interval(own), median_interval(other));
        // Logarithmic distances from the medians to the ends of their intervals; infinite where an end is 0 or not known.
        let apart = |from: f64, to: Option<f64>| match to {
            Some(to) if from > 0.0 => (to / from).ln(),
            _ => f64::INFINITY,
        };
        let (below, above) = (
            apart(own_low.unwrap_or(0.0), Some(m)).hypot(apart(n, other_high)),
            apart(m, own_high).hypot(apart(other_low.unwrap_or(0.0), Some(n))),
        );
        let high = value * above.exp();
        // A median of 0 is the lowest there can be.
        let low = if m > 0.0 { value * (-below).exp() } else { 0.0 };
        Some(Self { value, low, high: Some(high).filter(|high| high.is_finite()) })
    }
}

/// The distribution-free 95 % interval of the median of numbers in rising order: between the two of equal rank from both ends that
/// are the nearest to each other and still cover it with 95 %. `None` for an end where there are too few numbers for one.
fn median_interval(sorted: &[f64]) -> (Option<f64>, Option<f64>) {
    let ends =
        median_rank(sorted.len()).map(|rank| (sorted[rank - 1], sorted[sorted.len() - rank]));
    (ends.map(|ends| ends.0), ends.map(|ends| ends.1))
}

/// The rank, counted from 1 at both ends, of the interval's ends: the largest r with P(X <= r - 1) <= 2.5 %, where X is how many of
/// `count` numbers are below the median. `None` below 6 numbers.
fn median_rank(count: usize) -> Option<usize> {
    let n = count as f64;
    let probability = |k: usize| {
        let k = k as f64;
        let choices = libm::lgamma(n + 1.0) - libm::lgamma(k + 1.0) - libm::lgamma(n - k + 1.0);
        (choices - n * std::f64::consts::LN_2).exp()
    };
    // From the middle outwards: there the sum is known by symmetry, and only about the root of `count` steps are needed.
    let mut k = count.checked_sub(1)? / 2;
    let mut at_most = if count % 2 == 1 { 0.5 } else { 0.5 * (1.0 - probability(count / 2)) };
    while at_most > 0.025 {
        at_most -= probability(k);
        k = k.checked_sub(1)?;
    }
    Some(k + 1)
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    #[test]
    fn differences_are_those_of_newcombe() {
        // Newcombe 1998, Statistics in Medicine 17, 873-890, table II, method 10.
        for ((a, m), (b, n), low, high) in [
            ((56, 70), (48, 80), 0.0524, 0.3339),
            ((9, 10), (3, 10), 0.1705, 0.8090),
            ((6, 7), (2, 7), 0.0582, 0.8062),
            ((5, 56), (0, 29), -0.0381, 0.1926),
            ((0, 10), (0, 20), -0.1611, 0.2775),
            ((0, 10), (0, 10), -0.2775, 0.2775),
            ((10, 10), (0, 20), 0.6791, 1.0),
            ((10, 10), (0, 10), 0.6075, 1.0),
        ] {
            let found = Estimate::of_difference(Share::of(a, m), Share::of(b, n)).unwrap();
            assert!((found.low - low).abs() < 6e-5, "{a}/{m} - {b}/{n}: {found:?}");
            assert!((found.high.unwrap() - high).abs() < 6e-5, "{a}/{m} - {b}/{n}: {found:?}");
        }
        assert_eq!(Estimate::of_difference(Share::of(0, 0), Share::of(1, 2)), None);
    }

    #[test]
    fn medians_lie_between_the_ranks_of_the_textbook() {
        // The last rank whose cumulative binomial probability is at most 2.5 %, from scipy.stats.binom.ppf(0.025, n, 0.5), exact for
        // these: 2 of 10, 6 of 20, 18 of 50, 40 of 100; and by the normal approximation, 499,020 of a million.
        for (count, rank) in [
            (0, None),
            (5, None),
            (6, Some(1)),
            (8, Some(1)),
            (9, Some(2)),
            (10, Some(2)),
            (20, Some(6)),
            (50, Some(18)),
            (100, Some(40)),
            (1_000_000, Some(499_020)),
        ] {
            assert_eq!(median_rank(count), rank, "{count}");
        }
    }

    #[test]
    fn ratios_of_medians_are_those_computed_by_hand() {
        // 1 to 10: median 5.5 between 2 and 9; 2 to 20: the same twice, so that the ratio is 0.5.
        let own: Vec<f64> = (1..=10).map(f64::from).collect();
        let other: Vec<f64> = own.iter().map(|cost| 2.0 * cost).collect();
        let ratio = Estimate::of_median_ratio(&own, &other).unwrap();
        let below = ((5.5_f64 / 2.0).ln().powi(2) + (9.0_f64 / 5.5).ln().powi(2)).sqrt();
        assert!((ratio.value - 0.5).abs() < 1e-12);
        assert!((ratio.low - 0.5 * (-below).exp()).abs() < 1e-12);
        assert!((ratio.high.unwrap() - 0.5 * below.exp()).abs() < 1e-12);
    }

    #[test]
    fn few_costs_say_nothing_about_a_ratio() {
        let many: Vec<f64> = (1..=30).map(f64::from).collect();
        let few = Estimate::of_median_ratio(&[3.0, 4.0, 5.0], &many).unwrap();
        assert_eq!((few.low, few.high), (0.0, None));
        assert_eq!(Estimate::of_median_ratio(&[], &many), None);
        assert_eq!(Estimate::of_median_ratio(&many, &[0.0; 9]), None);
        let free = Estimate::of_median_ratio(&[0.0; 9], &many).unwrap();
        assert_eq!((free.value, free.low, free.high), (0.0, 0.0, None));
    }

    /// Numbers from 1 on with a long tail, as costs are: exp(-2 ln(u)) is 1 / u^2, with the median 4.
    fn costs(random: &mut ChaCha8Rng, count: usize, scale: f64) -> Vec<f64> {
        let mut costs: Vec<f64> =
            (0..count).map(|_| scale / random.random_range(1e-9..1.0_f64).powi(2)).collect();
        costs.sort_by(f64::total_cmp);
        costs
    }

    #[test]
    fn intervals_cover_the_truth_about_as_often_as_they_claim() {
        let mut random = ChaCha8Rng::seed_from_u64(7);
        let runs = 2000;
        let covers = |found: &Estimate, truth: f64| {
            found.low <= truth && found.high.is_none_or(|high| truth <= high)
        };
        let mut ratios = 0;
        let mut differences = 0;
        for _ in 0..runs {
            let (own, other) = (costs(&mut random, 25, 3.0), costs(&mut random, 60, 2.0));
            ratios += usize::from(covers(&Estimate::of_median_ratio(&own, &other).unwrap(), 1.5));
            let mut share = |of: usize, share: f64| {
                Share::of((0..of).filter(|_| random.random_bool(share)).count(), of)
            };
            let (own, other) = (share(25, 0.3), share(60, 0.1));
            differences += usize::from(covers(&Estimate::of_difference(own, other).unwrap(), 0.2));
        }
        // A standard error of the coverage is 0.5 %. Ranks are whole, so that medians are covered somewhat more often.
        for (name, covered, most) in [("ratio", ratios, 0.99), ("difference", differences, 0.97)] {
            let coverage = covered as f64 / f64::from(runs);
            assert!((0.935..most).contains(&coverage), "{name}: {coverage}");
        }
    }
}
