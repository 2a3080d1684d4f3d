//! The values to offer where every value counts: linear models.

use super::rounding::{Lattice, round};
use crate::action::Range;
use crate::data::Kind;

/// Values of a numeric feature over a range, in rising order: about `limit` of them besides the applicant's `own`, where
/// that is a number.
pub(super) fn grid(
    kind: &Kind,
    range: Range,
    step: Option<f64>,
    own: Option<f64>,
    limit: usize,
) -> Vec<f64> {
    let mut values = match step {
        Some(step) => multiples(Lattice::of_step(step), range, limit),
        None if *kind == Kind::Integer => whole_numbers(range, own, limit),
        None => even_numbers(range, limit),
    };
    values.retain(|value| (range.min..=range.max).contains(value));
    values.dedup();
    values
}

/// Every whole number besides `own` where they are few enough, otherwise `limit` of them, evenly picked from their
/// list and with both its ends.
fn whole_numbers(range: Range, own: Option<f64>, limit: usize) -> Vec<f64> {
    let own = own.filter(|own| (range.min..=range.max).contains(own));
    let others = range.max - range.min + 1.0 - f64::from(u8::from(own.is_some()));
    let picked = others.min(limit.max(2) as f64);
    let last = (picked - 1.0).max(1.0);
    let value = |pick: usize| {
        let index = (pick as f64 * (others - 1.0) / last).floor();
        let number = range.min + index;
        if own.is_some_and(|own| number >= own) { number + 1.0 } else { number }
    };
    (0..picked as usize).map(value).collect()
}

/// An even grid, rounded so that its texts stay short and its points apart.
fn even_numbers(range: Range, limit: usize) -> Vec<f64> {
    let gap = (range.max - range.min) / (limit.max(2) - 1) as f64;
    // One digit more than the gap needs: points move by a twentieth of a gap at most.
    let needed = if gap > 0.0 { (1.0 - gap.log10().floor()).max(0.0) as u32 } else { 0 };
    let kept = needed.min(range.decimals);
    // The ends are values of the data as they are: rounding could carry them out of its range.
    let inner = spread(range, limit).skip(1).take(limit.max(2) - 2).map(|value| round(value, kept));
    let inside = inner.filter(|&value| range.min < value && value < range.max);
    [range.min].into_iter().chain(inside).chain([range.max]).collect()
}

/// Multiples of the step; every second, third ... where they are too many.
fn multiples(lattice: Lattice, range: Range, limit: usize) -> Vec<f64> {
    let first = lattice.index(lattice.at_least(range.min));
    let last = lattice.index(lattice.at_most(range.max));
    if last < first {
        return Vec::new();
    }
    let stride = ((last - first + 1.0) / limit.max(1) as f64).ceil().max(1.0);
    let count = ((last - first) / stride).floor() as usize;
    (0..=count).map(|index| lattice.multiple(first + index as f64 * stride)).collect()
}

/// `limit` evenly spaced numbers from the least to the greatest.
fn spread(range: Range, limit: usize) -> impl Iterator<Item = f64> {
    let gaps = limit.max(2) - 1;
    let span = range.max - range.min;
    (0..=gaps).map(move |index| range.min + index as f64 * span / gaps as f64)
}

#[cfg(test)]
mod tests {
    use super::super::rounding::decimals;
    use super::*;

    fn range(min: f64, max: f64) -> Range {
        Range { min, max, decimals: decimals(min).max(decimals(max)) }
    }

    #[test]
    fn few_whole_numbers_are_all_there() {
        let values = |max, own| grid(&Kind::Integer, range(1.0, max), None, Some(own), 100);
        assert_eq!(values(4.0, 2.0), [1.0, 3.0, 4.0]);
        assert_eq!(values(4.0, 9.0), [1.0, 2.0, 3.0, 4.0]);
        assert_eq!(values(1.0, 1.0), [0.0; 0]);
        assert_eq!(grid(&Kind::Integer, range(1.0, 3.0), None, None, 100), [1.0, 2.0, 3.0]);
        assert_eq!((values(101.0, 50.0).len(), values(102.0, 50.0).len()), (100, 100));
    }

    #[test]
    fn many_whole_numbers_are_thinned_evenly() {
        let values = grid(&Kind::Integer, range(250.0, 18424.0), None, Some(3959.0), 100);
        assert_eq!(values.len(), 100);
        assert_eq!(values[..4], [250.0, 433.0, 617.0, 800.0]);
        assert_eq!(values[97..], [18056.0, 18240.0, 18424.0]);
        assert!(!values.contains(&3959.0));
    }

    #[test]
    fn continuous_values_print_short() {
        let values = |range, limit| grid(&Kind::Continuous, range, None, Some(0.0), limit);
        assert_eq!(
            values(Range { decimals: 4, ..range(0.1234, 7.5) }, 10),
            [0.1234, 0.94, 1.76, 2.58, 3.4, 4.22, 5.04, 5.86, 6.68, 7.5]
        );
        let coarse = values(range(1.5, 3.0), 100);
        assert_eq!(coarse[..3], [1.5, 1.6, 1.7]);
        assert_eq!(coarse.len(), 16);
        assert_eq!(values(range(2.5, 2.5), 100), [2.5]);
    }

    #[test]
    fn steps_are_kept() {
        let values = |kind, range, step| grid(&kind, range, Some(step), None, 100);
        assert_eq!(
            values(Kind::Integer, range(250.0, 2100.0), 500.0),
            [500.0, 1000.0, 1500.0, 2000.0]
        );
        assert_eq!(values(Kind::Continuous, range(0.05, 0.4), 0.1), [0.1, 0.2, 0.3, 0.4]);
        assert_eq!(values(Kind::Continuous, range(0.11, 0.14), 0.1), [0.0; 0]);
        let thinned = values(Kind::Continuous, range(0.0, 1000.0), 0.5);
        assert!(thinned.len() <= 100 && thinned.len() > 90, "{}", thinned.len());
        assert!(thinned.iter().all(|value| (value / 0.5).fract() == 0.0));
    }
}
