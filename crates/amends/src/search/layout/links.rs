//! What ties the state and the number of a feature together, and rules of such features as rules of both parts.

use crate::instance::OptionSet;
use crate::search::layout::feature::Feature;
use crate::search::layout::movable::{BY_NUMBER, Part};
use crate::search::layout::rules::{Clause, Places};
use crate::search::layout::values::Place;

/// Every state allows the numbers that go with it, and no others.
pub(in crate::search) fn links(features: &[Feature], parts: &[Part]) -> Vec<Clause> {
    let mut clauses = Vec::new();
    for part in parts {
        let Part::Split { state, number } = *part else { continue };
        let numbers = features[state].state().map_or(&[][..], |state| &state.numbers);
        for (place, numbers) in (0..).zip(numbers) {
            let others = complement(&[(place, place)], features[state].last());
            let literals = vec![Places::new(state, others), Places::new(number, numbers.clone())];
            clauses.push(Clause { literals });
        }
    }
    clauses
}

/// The places of a feature that are in none of some intervals, which are in rising order.
fn complement(intervals: &[(Place, Place)], last: Place) -> Vec<(Place, Place)> {
    let mut others = Vec::with_capacity(intervals.len() + 1);
    let mut next = 0;
    for &(low, high) in intervals {
        if next < low {
            others.push((next, low - 1));
        }
        next = high + 1;
    }
    if next <= last {
        others.push((next, last));
    }
    others
}

/// A set of options of a feature with a state and a number, as clauses that together say the same: the state is one of the
/// set or leaves it to the number, and the number is one of the set unless the state is.
pub(in crate::search) fn split_literal(
    features: &[Feature],
    (state, number): (usize, usize),
    options: &OptionSet,
) -> [Vec<Places>; 2] {
    let states = &features[state];
    let (mut named, mut deciding) = (Vec::new(), Vec::new());
    for place in 0..=states.last() {
        match states.values.option(place) {
            BY_NUMBER => deciding.push((place, place)),
            option if options.contains(option) => named.push((place, place)),
            _ => {}
        }
    }
    let mut numbers = Vec::new();
    for &interval in options.intervals() {
        features[number].values.places_of(interval, &mut numbers);
    }
    let either: Vec<(Place, Place)> = named.iter().chain(&deciding).copied().collect();
    [
        vec![Places::new(state, either)],
        vec![Places::new(state, named), Places::new(number, numbers)],
    ]
}
