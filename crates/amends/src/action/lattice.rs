//! The numbers that a feature can take, for any applicant: exact decimals at even distances.

use super::ranges::Range;
use crate::data::{Feature, Kind};
use crate::decimal::{
    MOST_DECIMALS, MOST_UNITS, decimals, units, units_at_least, units_at_most, value,
};
use crate::instance::ValueRange;

/// The multiples of a step, which is a number of units of a power of ten.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Lattice {
    pub step: i64,
    pub decimals: u32,
}

/// Up to so many decimals, numbers are taken as people write them.
const WRITTEN: u32 = 6;

/// Numbers with more decimals were measured or computed. They are offered with as many decimals as leave at most so many steps
/// between the least and the greatest: what a finer step could save is less than the gap at which a plan counts as optimal, and
/// with all 15 digits the search takes several times as long.
const MOST_STEPS: f64 = 1e9;

/// The decimals that numbers are offered with.
fn as_offered(seen: Range, places: u32) -> u32 {
    let steps = |places: u32| (seen.max - seen.min) / value(1, places);
    if places <= WRITTEN {
        return places;
    }
    (0..=places).rev().find(|&fewer| steps(fewer) <= MOST_STEPS).unwrap_or(0)
}

impl Lattice {
    /// The schema's step, whole numbers, or decimals as fine as the data has them. Numbers keep 15 digits, so that each is
    /// the binary number that its text reads as. `None` for a step with more digits, which no checked schema has.
    pub(crate) fn of(feature: &Feature, seen: Range) -> Option<Self> {
        match (feature.step, &feature.kind) {
            // Of a step beyond all numbers, 0 is the only multiple.
            (Some(step), _) if step > MOST_UNITS as f64 => {
                Some(Self { step: 2 * MOST_UNITS, decimals: 0 })
            }
            (Some(step), kind) => {
                let places = decimals(step);
                if places > MOST_DECIMALS {
                    return None;
                }
                let own = Self { step: units(step, places)?, decimals: places };
                Some(if *kind == Kind::Integer { own.with_decimals(0) } else { own })
            }
            (None, Kind::Continuous) => {
                let size = seen.min.abs().max(seen.max.abs());
                let fits = |places: &u32| size <= value(MOST_UNITS, *places);
                let finest = seen.decimals.min(MOST_DECIMALS);
                let places = (0..=finest).rev().find(fits).unwrap_or(0);
                Some(Self { step: 1, decimals: as_offered(seen, places) })
            }
            (None, _) => Some(Self { step: 1, decimals: 0 }),
        }
    }

    /// How far apart neighbours are.
    pub(crate) fn size(self) -> f64 {
        value(self.step, self.decimals)
    }

    /// Whether the schema says where numbers lie, and not only how fine the data is.
    pub(super) fn is_demanded(feature: &Feature) -> bool {
        feature.step.is_some() || feature.kind == Kind::Integer
    }

    /// Those of its numbers that have at most this many decimals.
    pub(super) fn with_decimals(self, decimals: u32) -> Self {
        let mut coarser = self;
        while coarser.decimals > decimals {
            // Multiples of the step and of ten units, counted in units that are ten times as large.
            let step = coarser.step / greatest_common_divisor(coarser.step, 10);
            coarser = Self { step, decimals: coarser.decimals - 1 };
        }
        coarser
    }

    /// Its numbers from one to another, ends included, in rising order: one range, unless the numbers are so large that
    /// their last digits would be too many; then farther ones come with fewer decimals.
    pub(super) fn between(self, low: f64, high: f64) -> Vec<ValueRange> {
        let mut ranges = Vec::new();
        self.add_between(low, high, &mut ranges);
        ranges
    }

    fn add_between(self, low: f64, high: f64, ranges: &mut Vec<ValueRange>) {
        let reach = value(MOST_UNITS, self.decimals);
        let coarser = self.decimals.checked_sub(1).map(|places| self.with_decimals(places));
        if let Some(coarser) = coarser.filter(|_| low < -reach) {
            coarser.add_between(low, high.min((-reach).next_down()), ranges);
        }
        let first = -(-units_at_least(low, self.decimals)).div_euclid(self.step) * self.step;
        let last = units_at_most(high, self.decimals).div_euclid(self.step) * self.step;
        let inside = low <= reach && high >= -reach;
        if inside && first <= last && first >= -MOST_UNITS && last <= MOST_UNITS {
            let count = ((last - first) / self.step) as usize + 1;
            ranges.push(ValueRange::of_units(first, self.step, count, self.decimals));
        }
        if let Some(coarser) = coarser.filter(|_| high > reach) {
            coarser.add_between(low.max(reach.next_up()), high, ranges);
        }
    }
}

pub(super) fn greatest_common_divisor(a: i64, b: i64) -> i64 {
    let (mut a, mut b) = (a.abs(), b.abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(ranges: &[ValueRange]) -> Vec<f64> {
        ranges.iter().flat_map(|range| (0..range.len()).map(|i| range.value(i, 0))).collect()
    }

    fn lattice(kind: Kind, step: Option<f64>, min: f64, max: f64) -> Lattice {
        let decimals = decimals(min).max(decimals(max));
        let feature = Feature { step, ..Feature::new("f", kind) };
        Lattice::of(&feature, Range { min, max, decimals }).unwrap()
    }

    #[test]
    fn steps_kinds_and_data_say_how_fine_numbers_are() {
        let whole = lattice(Kind::Integer, None, 1.0, 9.0);
        assert_eq!(values(&whole.between(1.5, 4.0)), [2.0, 3.0, 4.0]);
        let tenths = lattice(Kind::Continuous, None, 0.5, 9.0);
        assert_eq!(values(&tenths.between(-0.15, 0.2)), [-0.1, 0.0, 0.1, 0.2]);
        let odd = lattice(Kind::Continuous, Some(0.3), 0.0, 9.0);
        assert_eq!(values(&odd.between(-0.7, 1.0)), [-0.6, -0.3, 0.0, 0.3, 0.6, 0.9]);
        let tiny = lattice(Kind::Continuous, None, 1e-13, 9e-13);
        assert_eq!((tiny.size(), tiny.between(1e-13, 9e-13)[0].len()), (1e-13, 9));
        assert_eq!(values(&tiny.between(1.1e-13, 1.9e-13)), [0.0; 0]);
        let noisy = lattice(Kind::Continuous, None, 0.1, 12.3_f64.next_up());
        assert_eq!(noisy.decimals, 7);
        // Nine decimals are offered as they are where the range is short.
        assert_eq!(lattice(Kind::Continuous, None, 41.2, 41.680_996_231).decimals, 9);
        assert_eq!(lattice(Kind::Continuous, None, 1.5, 99.680_996_231).decimals, 7);
        // Amounts in cents are written, however large.
        assert_eq!(lattice(Kind::Continuous, None, 0.01, 9e9).decimals, 2);
        // A whole feature whose step is not a whole number has both.
        assert_eq!(lattice(Kind::Integer, Some(2.5), 0.0, 9.0), Lattice { step: 5, decimals: 0 });
    }

    #[test]
    fn numbers_with_too_many_digits_come_coarser() {
        let cents = lattice(Kind::Continuous, Some(0.01), 0.0, 1.0);
        let far = cents.between(9e12, 2e13);
        assert_eq!(far.iter().map(ValueRange::step).collect::<Vec<_>>(), [0.01, 0.1]);
        assert_eq!((far[0].value(far[0].len() - 1, 0), far[1].value(0, 0)), (1e13, 1e13 + 0.1));
        let both = cents.between(-2e13, 2e13);
        assert_eq!(both.iter().map(ValueRange::step).collect::<Vec<_>>(), [0.1, 0.01, 0.1]);
    }
}
