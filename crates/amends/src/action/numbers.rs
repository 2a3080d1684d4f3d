//! The numbers that one applicant may go to, as ranges.

use super::ranges::Range;
use super::{Lattice, Room};
use crate::data::{Feature, LocalRule, Value};
use crate::instance::ValueRange;

/// Bounds are sums, rounded to binary numbers; so many of the next numbers beyond them are tried.
const TRIED: usize = 2;

/// Every number that a feature may become, in rising order; the own may or may not be among them. `before` is the
/// applicant's value, a number or a code that may be left.
pub(super) fn number_ranges(feature: &Feature, seen: Range, before: Value) -> Vec<ValueRange> {
    let Some(lattice) = Lattice::of(feature, seen) else { return Vec::new() };
    let room = match before {
        Value::Number(own) => Room::around(feature, seen, own),
        Value::Level(_) | Value::Code(_) => Room::anywhere(feature, seen),
    };
    let sides = room.sides();
    let hole = match before {
        Value::Number(own) if sides.len() > 1 => Some(own),
        _ => None,
    };
    // The own number lies in the hole, and goes its own way.
    let allowed = |number: f64| hole != Some(number) && may_become(feature, seen, before, number);
    let mut ranges = Vec::new();
    for (place, (low, high)) in sides.into_iter().enumerate() {
        let reach = TRIED as f64 * lattice.size();
        let (mut low, mut high) = ((low - reach).max(seen.min), (high + reach).min(seen.max));
        match (hole, place) {
            (Some(own), 0) => high = high.min(own),
            (Some(own), _) => low = low.max(own),
            (None, _) => {}
        }
        let mut side = lattice.between(low, high);
        trim(&mut side, |range, index| allowed(range.value(index, 0)));
        ranges.append(&mut side);
    }
    without_codes(ranges, 0, feature)
}

/// Whether data and rules allow a number. That it may read as a code is looked at apart.
pub(super) fn may_become(feature: &Feature, seen: Range, before: Value, number: f64) -> bool {
    let broken = feature.broken(before, Value::Number(number));
    (seen.min..=seen.max).contains(&number)
        && broken.iter().all(|&rule| rule == LocalRule::ReadsAsCode)
}

/// Takes options off both ends that are not allowed. What is between has been found by bounds.
pub(super) fn trim(ranges: &mut Vec<ValueRange>, allowed: impl Fn(&ValueRange, usize) -> bool) {
    while let Some(range) = ranges.first_mut() {
        match (0..range.len()).take(2 * TRIED + 2).find(|&index| allowed(range, index)) {
            Some(first) => {
                *range = range.part(first, range.len() - 1);
                break;
            }
            None => drop(ranges.remove(0)),
        }
    }
    while let Some(range) = ranges.last_mut() {
        match (0..range.len()).rev().take(2 * TRIED + 2).find(|&index| allowed(range, index)) {
            Some(last) => {
                *range = range.part(0, last);
                break;
            }
            None => drop(ranges.pop()),
        }
    }
}

/// The same ranges without the options whose number, in one column, a table would read as a code.
pub(super) fn without_codes(
    ranges: Vec<ValueRange>,
    column: usize,
    feature: &Feature,
) -> Vec<ValueRange> {
    let mut list = ranges;
    for code in feature.codes.iter().filter_map(crate::data::Code::number) {
        list = list.into_iter().flat_map(|range| around(&range, column, code)).collect();
    }
    list
}

fn around(range: &ValueRange, column: usize, number: f64) -> Vec<ValueRange> {
    let at = range.count_at_most(column, number);
    if at == 0 || range.value(at - 1, column) != number {
        return vec![range.clone()];
    }
    let mut parts = Vec::with_capacity(2);
    if at > 1 {
        parts.push(range.part(0, at - 2));
    }
    if at < range.len() {
        parts.push(range.part(at, range.len() - 1));
    }
    parts
}
