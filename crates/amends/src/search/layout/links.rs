//! What ties the state and the number of a feature together, and rules of such features as rules of both parts.

use crate::instance::OptionSet;
use crate::search::layout::feature::Feature;
use crate::search::layout::movable::{BY_NUMBER, Part};
use crate::search::layout::rules::{Clause, ValueLiteral};
use crate::search::layout::values::ValueIndex;

/// Every state allows the numbers that go with it, and no others.
pub(in crate::search) fn links(features: &[Feature], parts: &[Part]) -> Vec<Clause> {
    let mut clauses = Vec::new();
    for part in parts {
        let Part::Split { state, number } = *part else { continue };
        let numbers = features[state].state().map_or(&[][..], |state| &state.numbers);
        for (index, numbers) in (0..).zip(numbers) {
            let others = complement(&[(index, index)], features[state].last());
            let literals =
                vec![ValueLiteral::new(state, others), ValueLiteral::new(number, numbers.clone())];
            clauses.push(Clause { literals });
        }
    }
    clauses
}

/// The values of a feature that are in none of some intervals, which are in rising order.
fn complement(
    intervals: &[(ValueIndex, ValueIndex)],
    last: ValueIndex,
) -> Vec<(ValueIndex, ValueIndex)> {
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
) -> [Vec<ValueLiteral>; 2] {
    let states = &features[state];
    let (mut named, mut deciding) = (Vec::new(), Vec::new());
    for index in 0..=states.last() {
        match states.values.option(index) {
            BY_NUMBER => deciding.push((index, index)),
            option if options.contains(option) => named.push((index, index)),
            _ => {}
        }
    }
    let mut numbers = Vec::new();
    for &interval in options.intervals() {
        features[number].values.indices_of(interval, &mut numbers);
    }
    let either: Vec<(ValueIndex, ValueIndex)> = named.iter().chain(&deciding).copied().collect();
    [
        vec![ValueLiteral::new(state, either)],
        vec![ValueLiteral::new(state, named), ValueLiteral::new(number, numbers)],
    ]
}
