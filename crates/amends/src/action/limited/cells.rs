//! The values to offer where only cells count: between two thresholds a tree ensemble can't distinguish values.

use super::rounding::{Lattice, MOST_DECIMALS};
use crate::action::Range;
use crate::action::room::Room;
use crate::data::Kind;

/// Per cell of `thresholds` the value of the room that is closest to the applicant's `own`, in rising order; in its own
/// cell that is `own`.
///
/// A cell is (t, t'] because `x <= t` goes left.
pub(super) fn nearest_in_cells(
    kind: &Kind,
    room: &Room,
    step: Option<f64>,
    thresholds: &[f64],
    own: f64,
) -> Vec<f64> {
    let mut cuts: Vec<f64> = thresholds.iter().copied().filter(|cut| cut.is_finite()).collect();
    cuts.sort_by(f64::total_cmp);
    cuts.dedup();
    let lows = [f64::NEG_INFINITY].into_iter().chain(cuts.iter().copied());
    let highs = cuts.iter().copied().chain([f64::INFINITY]);
    let rounding = Rounding::new(kind, room.whole, step);
    let nearest = lows.zip(highs).filter_map(|(low, high)| {
        let cell = Cell { low, high };
        if cell.contains(own) {
            Some(own)
        } else if own <= low {
            cell.least(room, rounding)
        } else {
            cell.greatest(room, rounding)
        }
    });
    nearest.collect()
}

/// Which numbers are good values.
#[derive(Clone, Copy)]
enum Rounding {
    /// Only these: whole numbers, or multiples of the schema's step.
    Only(Lattice),
    /// These where the cell has one, otherwise any: a narrow cell must not be lost.
    Preferred(Lattice),
}

impl Rounding {
    fn new(kind: &Kind, range: Range, step: Option<f64>) -> Self {
        match step {
            Some(step) => Self::Only(Lattice::of_step(step)),
            None if *kind == Kind::Continuous => {
                Self::Preferred(Lattice::of_decimals(range.decimals.min(MOST_DECIMALS)))
            }
            None => Self::Only(Lattice::of_decimals(0)),
        }
    }
}

/// The numbers above `low` up to and including `high`.
#[derive(Clone, Copy)]
struct Cell {
    low: f64,
    high: f64,
}

impl Cell {
    fn contains(self, value: f64) -> bool {
        self.low < value && value <= self.high
    }

    fn usable(self, value: f64, range: Range) -> bool {
        self.contains(value) && (range.min..=range.max).contains(&value)
    }

    /// The least good value of the cell.
    fn least(self, room: &Room, rounding: Rounding) -> Option<f64> {
        let mut range = room.above;
        loop {
            let on = |lattice: Lattice| {
                if self.low < range.min {
                    lattice.at_least(range.min)
                } else {
                    lattice.above(self.low)
                }
            };
            let any = if self.low < range.min { range.min } else { self.low.next_up() };
            let value = self.pick(range, rounding, on, any)?;
            if room.allows(value) {
                return Some(value);
            }
            // The value reads as a code: go on behind it.
            range.min = value.next_up();
        }
    }

    /// The greatest good value of the cell.
    fn greatest(self, room: &Room, rounding: Rounding) -> Option<f64> {
        let mut range = room.below;
        loop {
            let top = self.high.min(range.max);
            let value = self.pick(range, rounding, |lattice| lattice.at_most(top), top)?;
            if room.allows(value) {
                return Some(value);
            }
            range.max = value.next_down();
        }
    }

    fn pick(
        self,
        range: Range,
        rounding: Rounding,
        on: impl Fn(Lattice) -> f64,
        any: f64,
    ) -> Option<f64> {
        let (Rounding::Only(lattice) | Rounding::Preferred(lattice)) = rounding;
        let rounded = Some(on(lattice)).filter(|&value| self.usable(value, range));
        match rounding {
            Rounding::Only(_) => rounded,
            Rounding::Preferred(_) => {
                rounded.or(Some(any).filter(|&value| self.usable(value, range)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::data::{Code, Feature, FeatureLimits};

    fn range(min: f64, max: f64, decimals: u32) -> Range {
        Range { min, max, decimals }
    }

    /// The values of a feature without rules.
    fn nearest(kind: &Kind, range: Range, step: Option<f64>, cuts: &[f64], own: f64) -> Vec<f64> {
        let feature = Feature::new("f", kind.clone());
        nearest_in_cells(kind, &Room::around(&feature, range, own), step, cuts, own)
    }

    #[test]
    fn rules_and_codes_move_the_nearest_value_on() {
        let mut feature = Feature::new("f", Kind::Integer);
        feature.limits = FeatureLimits { least_change: Some(3.0), ..FeatureLimits::default() };
        let values = |feature: &Feature, own| {
            let room = Room::around(feature, range(0.0, 20.0, 0), own);
            nearest_in_cells(&Kind::Integer, &room, None, &[2.5, 6.0, 9.5, 15.0], own)
        };
        // 8 is nearer, but not far enough away from 6 or 10.
        assert_eq!(values(&feature, 6.0), [2.0, 6.0, 9.0, 10.0, 16.0]);
        assert_eq!(values(&feature, 10.0), [2.0, 6.0, 7.0, 10.0, 16.0]);
        feature.limits.least_change = None;
        feature.codes = ["2", "7", "16", "17"].map(|text| Code::new(text, "a state")).to_vec();
        assert_eq!(values(&feature, 6.0), [1.0, 6.0, 8.0, 10.0, 18.0]);
    }

    #[test]
    fn whole_numbers_move_as_little_as_the_cell_allows() {
        let values =
            |own| nearest(&Kind::Integer, range(0.0, 10.0, 0), None, &[2.5, 4.0, 7.5], own);
        assert_eq!(values(5.0), [2.0, 4.0, 5.0, 8.0]);
        assert_eq!(values(0.0), [0.0, 3.0, 5.0, 8.0]);
        assert_eq!(values(4.0), [2.0, 4.0, 5.0, 8.0]);
        assert_eq!(values(10.0), [2.0, 4.0, 7.0, 10.0]);
    }

    #[test]
    fn cells_without_a_whole_number_or_outside_the_range_are_skipped() {
        let cuts = [-3.0, 2.2, 2.8, 12.0];
        assert_eq!(nearest(&Kind::Integer, range(0.0, 10.0, 0), None, &cuts, 5.0), [2.0, 5.0]);
        // An applicant beyond the data keeps the own value, and moves into the data only.
        assert_eq!(
            nearest(&Kind::Integer, range(0.0, 10.0, 0), None, &cuts, 20.0),
            [2.0, 10.0, 20.0]
        );
        assert_eq!(
            nearest(&Kind::Integer, range(0.0, 10.0, 0), None, &cuts, -9.0),
            [-9.0, 0.0, 3.0]
        );
    }

    #[test]
    fn continuous_values_are_short_where_the_cell_has_room() {
        let kind = Kind::Continuous;
        assert_eq!(nearest(&kind, range(0.0, 1.0, 1), None, &[0.25, 0.5], 0.1), [0.1, 0.3, 0.6]);
        assert_eq!(nearest(&kind, range(0.0, 1.0, 1), None, &[0.25, 0.5], 0.9), [0.2, 0.5, 0.9]);
        let narrow = nearest(&kind, range(0.0, 1.0, 1), None, &[0.25, 0.26], 0.9);
        assert_eq!(narrow, [0.2, 0.26, 0.9]);
        let narrow = nearest(&kind, range(0.0, 1.0, 1), None, &[0.25, 0.26], 0.1);
        assert_eq!(narrow, [0.1, 0.25_f64.next_up(), 0.3]);
    }

    #[test]
    fn steps_hold_in_cells_too() {
        let values = nearest(
            &Kind::Integer,
            range(0.0, 900.0, 0),
            Some(250.0),
            &[260.0, 300.0, 550.0],
            10.0,
        );
        assert_eq!(values, [10.0, 500.0, 750.0]);
    }
}
