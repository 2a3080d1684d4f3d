//! Where the new numbers of one applicant's feature may lie.

use super::ranges::Range;
use crate::data::{Change, Feature, Kind};
use crate::decimal::sum;

/// The numbers that the data and the rules allow, apart from the own, which is always allowed.
///
/// A side without room has its `min` above its `max`.
#[derive(Debug, Clone)]
pub(super) struct Room<'a> {
    /// Everything from the least to the greatest.
    pub whole: Range,
    /// What is below the own number by at least the least change.
    pub below: Range,
    /// What is above it likewise.
    pub above: Range,
    feature: &'a Feature,
}

impl<'a> Room<'a> {
    /// The room around an own number.
    pub(super) fn around(feature: &'a Feature, seen: Range, own: f64) -> Self {
        let limits = &feature.limits;
        let mut whole = within(seen, limits.range.unwrap_or(ANY));
        if let Some([low, high]) = limits.relative_range {
            whole = within(whole, [moved(own, low), moved(own, high)]);
        }
        if let Some(most) = limits.max_change {
            whole = within(whole, [moved(own, -most), moved(own, most)]);
        }
        whole = match feature.change {
            Change::Free => whole,
            Change::Immutable => within(whole, [own, own]),
            Change::Increase => within(whole, [own, f64::INFINITY]),
            Change::Decrease => within(whole, [f64::NEG_INFINITY, own]),
        };
        let whole = fitting(feature, whole);
        let (mut below, mut above) = (whole, whole);
        if let Some(least) = limits.least_change {
            below = fitting(feature, within(whole, [f64::NEG_INFINITY, moved(own, -least)]));
            above = fitting(feature, within(whole, [moved(own, least), f64::INFINITY]));
        }
        Self { whole, below, above, feature }
    }

    /// The room of who has no number yet: what is relative to the own number does not apply.
    pub(super) fn anywhere(feature: &'a Feature, seen: Range) -> Self {
        let whole = fitting(feature, within(seen, feature.limits.range.unwrap_or(ANY)));
        Self { whole, below: whole, above: whole, feature }
    }

    /// The ends of its sides: one, or two where there is a hole around the own number.
    pub(super) fn sides(&self) -> Vec<(f64, f64)> {
        let ends = |range: Range| (range.min, range.max);
        if self.below == self.above {
            vec![ends(self.whole)]
        } else {
            vec![ends(self.below), ends(self.above)]
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.whole.min > self.whole.max
    }

    /// Whether a number lies in the room. One that a table would read as a code does not.
    pub(super) fn allows(&self, number: f64) -> bool {
        let sides = [self.below, self.above];
        sides.iter().any(|side| (side.min..=side.max).contains(&number))
            && !self.feature.is_code(number)
    }
}

const ANY: [f64; 2] = [f64::NEG_INFINITY, f64::INFINITY];

fn within(range: Range, [low, high]: [f64; 2]) -> Range {
    Range { min: range.min.max(low), max: range.max.min(high), ..range }
}

/// The same without the parts of a whole number at the ends.
fn fitting(feature: &Feature, range: Range) -> Range {
    if feature.kind == Kind::Integer {
        Range { min: range.min.ceil(), max: range.max.floor(), ..range }
    } else {
        range
    }
}

/// A number moved by a decimal: 0.1 and 0.2 give 0.3, as people expect, and not 0.30000000000000004.
fn moved(own: f64, by: f64) -> f64 {
    if by.is_infinite() { by } else { sum(own, by) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Code, FeatureLimits};

    fn seen() -> Range {
        Range { min: 0.0, max: 100.0, decimals: 0 }
    }

    fn ends(range: Range) -> (f64, f64) {
        (range.min, range.max)
    }

    fn feature(kind: Kind, change: Change, limits: FeatureLimits) -> Feature {
        Feature { change, limits, ..Feature::new("f", kind) }
    }

    #[test]
    fn rules_cut_the_data_s_range_together() {
        let limits = FeatureLimits {
            range: Some([10.5, f64::INFINITY]),
            relative_range: Some([-30.0, 20.0]),
            max_change: Some(25.0),
            least_change: Some(2.5),
            one_step: false,
        };
        let free = feature(Kind::Integer, Change::Free, limits);
        let room = Room::around(&free, seen(), 30.0);
        assert_eq!(ends(room.whole), (11.0, 50.0));
        assert_eq!((ends(room.below), ends(room.above)), ((11.0, 27.0), (33.0, 50.0)));
        assert!(room.allows(27.0) && room.allows(33.0) && !room.allows(28.0) && !room.allows(10.0));
        let up = feature(Kind::Integer, Change::Increase, limits);
        let room = Room::around(&up, seen(), 95.0);
        assert_eq!(ends(room.whole), (95.0, 100.0));
        assert!(room.allows(98.0) && !room.allows(97.0) && !room.allows(92.0));
    }

    #[test]
    fn who_starts_outside_the_range_moves_into_it_or_not_at_all() {
        let limits = FeatureLimits { range: Some([0.0, 50.0]), ..FeatureLimits::default() };
        let free = feature(Kind::Continuous, Change::Free, limits);
        assert_eq!(ends(Room::around(&free, seen(), 80.0).whole), (0.0, 50.0));
        let short = FeatureLimits { max_change: Some(10.0), ..limits };
        let short = feature(Kind::Continuous, Change::Free, short);
        assert!(Room::around(&short, seen(), 80.0).is_empty());
        assert_eq!(ends(Room::around(&short, seen(), 60.0).whole), (50.0, 50.0));
    }

    #[test]
    fn decimals_add_up_as_on_paper() {
        let limits = FeatureLimits {
            least_change: Some(0.2),
            max_change: Some(0.2),
            ..FeatureLimits::default()
        };
        let free = feature(Kind::Continuous, Change::Free, limits);
        let room = Room::around(&free, seen(), 0.1);
        assert!(room.allows(0.3));
        assert_eq!(ends(room.above), (0.3, 0.3));
    }

    #[test]
    fn numbers_that_read_as_codes_are_none() {
        let mut coded = feature(Kind::Integer, Change::Free, FeatureLimits::default());
        coded.codes = vec![Code::new("99", "unknown")];
        let room = Room::anywhere(&coded, seen());
        assert!(room.allows(98.0) && !room.allows(99.0));
    }
}
