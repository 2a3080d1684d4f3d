//! What a single feature may do, as far as the statements of a rule distinguish it.

use std::collections::BTreeSet;

use super::{Atom, Quantity};
use crate::data::{Feature, Kind, Value};
use crate::decimal::difference;

/// With more values to try than this, nothing is decided.
const MOST_TRIED: usize = 40_000;

/// Which statements hold, and whether the feature changes.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Situation {
    pub holds: Vec<bool>,
    pub changed: bool,
}

impl Atom {
    /// The one feature whose old and new value decide whether it holds, each on its own or by their difference.
    pub(super) fn decided_by(&self) -> Option<usize> {
        match self {
            Self::Changes { feature }
            | Self::Moves { feature, .. }
            | Self::Is { feature, .. }
            | Self::Lies { feature, .. } => Some(*feature),
            Self::Sum { terms, .. } => match &terms[..] {
                [term] => Some(term.feature),
                _ => None,
            },
        }
    }
}

/// Every different situation of a feature under its own rules; `None` where there are too many to try.
///
/// `own` are the statements that this feature decides, `all` those of the whole rule: where one of them asks for a number
/// that is a code the rule says nothing, so that such situations are left out.
pub(super) fn situations(
    index: usize,
    features: &[Feature],
    own: &[&Atom],
    all: &[&Atom],
) -> Option<Vec<Situation>> {
    let feature = &features[index];
    // Statements look at no other feature than this.
    let mut before = vec![Value::Number(0.0); features.len()];
    let mut after = before.clone();
    let mut found = BTreeSet::new();
    for (old, new) in moves(feature, own)? {
        (before[index], after[index]) = (old, new);
        let silent = all.iter().any(|statement| statement.is_silent(&before, &after));
        if silent || !feature.broken(old, new).is_empty() {
            continue;
        }
        found.insert(Situation {
            holds: own.iter().map(|statement| statement.holds(&before, &after)).collect(),
            changed: old != new,
        });
    }
    Some(found.into_iter().collect())
}

/// Old and new values to try: at least one pair for each answer that the statements and the feature's rules can give.
fn moves(feature: &Feature, own: &[&Atom]) -> Option<Vec<(Value, Value)>> {
    if !feature.is_numeric() {
        let (levels, codes) = (feature.levels().len(), feature.codes.len());
        let values = || (0..levels).map(Value::Level).chain((0..codes).map(Value::Code));
        return ((levels + codes).pow(2) <= MOST_TRIED)
            .then(|| values().flat_map(|old| values().map(move |new| (old, new))).collect());
    }
    // The old number is free, so that the new number and the move can be chosen apart.
    let (ends, sizes) = breaks(feature, own);
    let whole = feature.kind == Kind::Integer;
    let mut numbers = points(&ends, whole, 1.0);
    if let Some(step) = feature.step {
        numbers.extend(points(&ends, true, step));
    }
    numbers.retain(|&number| !feature.is_code(number));
    let sizes = points(&sizes, whole, 1.0);
    let codes: Vec<Value> = (0..feature.codes.len()).map(Value::Code).collect();
    if numbers.len() * (sizes.len() + codes.len()) + codes.len() * codes.len() > MOST_TRIED {
        return None;
    }
    let mut found = Vec::new();
    for &number in &numbers {
        let new = Value::Number(number);
        let old =
            sizes.iter().map(|&size| difference(number, size)).filter(|&old| !feature.is_code(old));
        found.extend(old.map(|old| (Value::Number(old), new)));
        found.extend(codes.iter().flat_map(|&code| [(code, new), (new, code)]));
    }
    found.extend(codes.iter().flat_map(|&old| codes.iter().map(move |&new| (old, new))));
    Some(found)
}

/// The new numbers, and the sizes of moves, at which a statement may begin or cease to hold.
fn breaks(feature: &Feature, own: &[&Atom]) -> (Vec<f64>, Vec<f64>) {
    let limits = &feature.limits;
    let mut ends: Vec<f64> = limits.range.into_iter().flatten().collect();
    let mut sizes: Vec<f64> = limits.relative_range.into_iter().flatten().collect();
    for size in limits.max_change.into_iter().chain(limits.least_change) {
        sizes.extend([size, -size]);
    }
    for statement in own {
        match statement {
            Atom::Changes { .. } => {}
            Atom::Moves { least, most, .. } => {
                let bounds = least.iter().chain(most);
                sizes.extend(bounds.flat_map(|&size| [size, -size]));
            }
            Atom::Is { values, .. } => ends.extend(values.iter().filter_map(|value| match value {
                Value::Number(number) => Some(number),
                Value::Level(_) | Value::Code(_) => None,
            })),
            Atom::Lies { low, high, .. } => ends.extend([low, high]),
            Atom::Sum { terms, most } => {
                for term in terms {
                    let quotient = most.to_f64() / term.factor.to_f64();
                    match term.quantity {
                        Quantity::Value => ends.push(quotient),
                        Quantity::Change => sizes.push(quotient),
                    }
                }
            }
        }
    }
    (ends, sizes)
}

/// The breaks, 0, and points between and beyond them; where `whole`, multiples of a step around each instead.
fn points(breaks: &[f64], whole: bool, step: f64) -> Vec<f64> {
    let mut sorted: Vec<f64> = breaks.iter().copied().filter(|b| b.is_finite()).collect();
    sorted.push(0.0);
    sorted.sort_by(f64::total_cmp);
    sorted.dedup();
    let (first, last) = (sorted[0], sorted[sorted.len() - 1]);
    let between: Vec<f64> = sorted.windows(2).map(|pair| f64::midpoint(pair[0], pair[1])).collect();
    sorted.extend(between);
    sorted.extend([first - 1.0 - first.abs(), last + 1.0 + last.abs()]);
    if whole {
        let around = |point: f64| {
            let (down, up) = ((point / step).floor(), (point / step).ceil());
            [down - 1.0, down, up, up + 1.0].map(|multiple| multiple * step)
        };
        sorted = sorted.into_iter().flat_map(around).collect();
    }
    sorted.sort_by(f64::total_cmp);
    sorted.dedup();
    sorted
}
