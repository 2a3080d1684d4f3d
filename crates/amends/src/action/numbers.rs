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
    // The own number is always allowed, but says nothing about what lies between it and others: it goes its own way.
    let is_own = |number: f64| before == Value::Number(number);
    let allowed = |number: f64| !is_own(number) && may_become(feature, seen, before, number);
    let mut ranges = Vec::new();
    for (side, (low, high)) in sides.into_iter().enumerate() {
        let reach = TRIED as f64 * lattice.size();
        let (mut low, mut high) = ((low - reach).max(seen.min), (high + reach).min(seen.max));
        match (hole, side) {
            (Some(own), 0) => high = high.min(own),
            (Some(own), _) => low = low.max(own),
            (None, _) => {}
        }
        let mut side = lattice.between(low, high);
        let joins = |range: &ValueRange, index| hole.is_none() && is_own(range.value(index, 0));
        trim(&mut side, |range, index| allowed(range.value(index, 0)), joins);
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

/// Takes options off both ends that are not allowed. What is between has been found by bounds. One that `joins` stays where
/// it is next to what is allowed.
pub(super) fn trim(
    ranges: &mut Vec<ValueRange>,
    allowed: impl Fn(&ValueRange, usize) -> bool,
    joins: impl Fn(&ValueRange, usize) -> bool,
) {
    while let Some(range) = ranges.first_mut() {
        match (0..range.len()).take(2 * TRIED + 2).find(|&index| allowed(range, index)) {
            Some(first) => {
                let joined = first.checked_sub(1).filter(|&index| joins(range, index));
                *range = range.part(joined.unwrap_or(first), range.len() - 1);
                break;
            }
            None => drop(ranges.remove(0)),
        }
    }
    while let Some(range) = ranges.last_mut() {
        match (0..range.len()).rev().take(2 * TRIED + 2).find(|&index| allowed(range, index)) {
            Some(last) => {
                let joined =
                    Some(last + 1).filter(|&index| index < range.len() && joins(range, index));
                *range = range.part(0, joined.unwrap_or(last));
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
