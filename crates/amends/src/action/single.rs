//! What one feature of one applicant may become, on its own.

use super::numbers::number_ranges;
use super::{Domain, Ranges};
use crate::data::{Change, Feature, Value};

/// Every value that the rules and the data allow, the own among them.
///
/// Who has a number or a level keeps to those, and who has a code keeps it, unless the schema lets the code be entered or
/// left. Who leaves a code may get every number, or every level.
pub(super) fn domain(feature: &Feature, index: usize, ranges: &Ranges, own: Value) -> Domain {
    if feature.change == Change::Immutable {
        return Domain::listed(vec![vec![own]]);
    }
    let leaves = match own {
        Value::Code(code) => feature.codes[code].leave,
        Value::Number(_) | Value::Level(_) => true,
    };
    if !leaves {
        return Domain::listed(vec![vec![own]]);
    }
    let numbers = ranges.feature(index).map_or_else(Vec::new, |seen| {
        if feature.is_numeric() { number_ranges(feature, seen, own) } else { Vec::new() }
    });
    let levels = (0..feature.levels().len()).map(Value::Level);
    let allowed = |&level: &Value| feature.broken(own, level).is_empty();
    let mut listed: Vec<Vec<Value>> = levels.filter(allowed).map(|level| vec![level]).collect();
    let codes = enterable(feature, index, ranges).filter(|&code| code != own);
    listed.extend(codes.map(|code| vec![code]));
    let domain = Domain::new(numbers.clone(), listed.clone());
    if domain.find(&[own]).is_some() {
        return domain;
    }
    // Numbers come before codes.
    let place = if matches!(own, Value::Number(_)) { 0 } else { listed.len() };
    listed.insert(place, vec![own]);
    Domain::new(numbers, listed)
}

/// The codes that an applicant may get. One that no training row has is as far outside the data as a number beyond it.
pub(super) fn enterable(
    feature: &Feature,
    index: usize,
    ranges: &Ranges,
) -> impl Iterator<Item = Value> {
    let movable = feature.change != Change::Immutable;
    let codes = feature.codes.iter().enumerate();
    codes
        .filter(move |(code_index, code)| {
            movable && code.enter && ranges.has_code(index, *code_index)
        })
        .map(|(code_index, _)| Value::Code(code_index))
}
