//! Features whose numbers move together: every amount by which all of them may move.

use super::lattice::greatest_common_divisor;
use super::numbers::{may_become, trim, without_codes};
use super::ranges::Range;
use super::{Domain, Lattice, Ranges, Room};
use crate::data::{Feature, Schema, Value};
use crate::decimal::{
    MOST_DECIMALS, MOST_UNITS, decimals, sum, units_at_least, units_at_most, value, without_noise,
};
use crate::instance::ValueRange;

/// Where no range can hold the amounts exactly, so many are listed, the smallest first.
const MOST_LISTED: i64 = 10_000;

/// Bounds are rounded; so many of the next amounts beyond them are tried.
const TRIED: i64 = 2;

/// One of the features, all of which are numbers.
struct Member<'a> {
    feature: &'a Feature,
    seen: Range,
    own: f64,
    lattice: Lattice,
}

/// The joint moves of features that hold numbers; one option keeps them all.
///
/// An amount takes every member to a number of its own kind: a whole number, a multiple of its step, or as many decimals
/// more or less as the data has.
pub(super) fn domain(
    schema: &Schema,
    ranges: &Ranges,
    applicant: &[Value],
    members: &[usize],
) -> Domain {
    let own: Vec<Value> = members.iter().map(|&member| applicant[member]).collect();
    let member = |&feature_index: &usize| {
        let feature = &schema.features[feature_index];
        let seen = ranges.feature(feature_index)?;
        let Value::Number(own) = applicant[feature_index] else { return None };
        Some(Member { feature, seen, own, lattice: Lattice::of(feature, seen)? })
    };
    let all: Option<Vec<Member>> = members.iter().map(member).collect();
    let (mut ranges, mut listed) = all.map_or_else(Default::default, |all| joint_options(&all));
    for (column, &feature_index) in members.iter().enumerate() {
        ranges = without_codes(ranges, column, &schema.features[feature_index]);
        let is_code = |row: &Vec<Value>| match row[column] {
            Value::Number(number) => schema.features[feature_index].is_code(number),
            Value::Level(_) | Value::Code(_) => false,
        };
        listed.retain(|row| !is_code(row));
    }
    let domain = Domain::new(ranges.clone(), listed.clone());
    if domain.find(&own).is_some() {
        return domain;
    }
    listed.insert(0, own);
    Domain::new(ranges, listed)
}

/// Ranges in which all members go in step, or rows where numbers have too many digits for that.
fn joint_options(members: &[Member]) -> (Vec<ValueRange>, Vec<Vec<Value>>) {
    let wanted = |member: &Member| member.lattice.decimals.max(decimals(without_noise(member.own)));
    let wanted = members.iter().map(wanted).max().unwrap_or(0);
    let size =
        |member: &Member| member.seen.min.abs().max(member.seen.max.abs()).max(member.own.abs());
    let size = members.iter().map(size).fold(0.0, f64::max);
    let fits = |places: &u32| size <= value(MOST_UNITS, *places);
    let places = (0..=wanted.min(MOST_DECIMALS)).rev().find(fits).unwrap_or(0);
    let amounts = amounts(members, places);
    if places < wanted {
        return (Vec::new(), listed(members, places, &amounts));
    }
    let starts: Vec<i64> = members.iter().map(|member| nearest_units(member.own, places)).collect();
    let mut all = Vec::new();
    for Amounts { first, step, count } in amounts {
        let columns: Vec<Result<i64, f64>> = starts.iter().map(|start| Ok(start + first)).collect();
        let range = ValueRange::of_units(starts[0] + first, step, count, places);
        let mut side = vec![range.with_columns(&columns)];
        let is_own = |range: &ValueRange, index| range.value(index, 0) == value(starts[0], places);
        let allowed = |range: &ValueRange, index| {
            !is_own(range, index) && may_all_become(members, &range.row(index))
        };
        trim(&mut side, allowed, is_own);
        all.append(&mut side);
    }
    (all, Vec::new())
}

/// Amounts at even distances, in units of a power of ten.
struct Amounts {
    first: i64,
    step: i64,
    count: usize,
}

/// Amounts that bounds and steps allow, none of them 0 where a hole is around the own numbers.
fn amounts(members: &[Member], places: u32) -> Vec<Amounts> {
    let Some((rest, step)) = congruence(members, places) else { return Vec::new() };
    // The sides of every member, as amounts.
    let mut sides: Vec<(i64, i64)> = vec![(-2 * MOST_UNITS, 2 * MOST_UNITS)];
    for member in members {
        let room = Room::around(member.feature, member.seen, member.own);
        let start = nearest_units(member.own, places);
        let both = room.sides();
        let hole = both.len() > 1;
        let reach = TRIED * step;
        let own: Vec<(i64, i64)> = both
            .into_iter()
            .enumerate()
            .map(|(side, (low, high))| {
                let low = units_at_least(low.max(member.seen.min), places) - start;
                let high = units_at_most(high.min(member.seen.max), places) - start;
                match (hole, side) {
                    // Amounts that are tried beyond the bounds stay on their side of the hole.
                    (true, 0) => (low - reach, (high + reach).min(-1)),
                    (true, _) => ((low - reach).max(1), high + reach),
                    (false, _) => (low - reach, high + reach),
                }
            })
            .collect();
        sides = sides
            .iter()
            .flat_map(|a| own.iter().map(|b| (a.0.max(b.0), a.1.min(b.1))))
            .filter(|(low, high)| low <= high)
            .collect();
    }
    sides.sort_unstable();
    let span = |(low, high): (i64, i64)| {
        let first = low + (rest - low).rem_euclid(step);
        let last = high - (high - rest).rem_euclid(step);
        (first <= last).then(|| Amounts {
            first,
            step,
            count: ((last - first) / step) as usize + 1,
        })
    };
    sides
        .into_iter()
        .filter_map(span)
        .filter_map(|found| within_reach(found, members, places))
        .collect()
}

/// Drops amounts, tried beyond the bounds, that numbers of 15 digits can't follow.
fn within_reach(mut found: Amounts, members: &[Member], places: u32) -> Option<Amounts> {
    for member in members {
        let start = nearest_units(member.own, places);
        let beyond = |amount: i64| (start + amount).abs() > MOST_UNITS;
        while found.count > 0 && beyond(found.first) && found.first + start < 0 {
            (found.first, found.count) = (found.first + found.step, found.count - 1);
        }
        while found.count > 0 && beyond(found.first + found.step * (found.count as i64 - 1)) {
            found.count -= 1;
        }
    }
    (found.count > 0).then_some(found)
}

/// The amounts that take every member to its lattice: those that leave this rest when divided by this step.
fn congruence(members: &[Member], places: u32) -> Option<(i64, i64)> {
    let (mut rest, mut step) = (0_i128, 1_i128);
    for member in members {
        let lattice = member.lattice.with_decimals(places);
        let fine = 10_i128.checked_pow(places - lattice.decimals)?;
        let modulus = i128::from(lattice.step).checked_mul(fine)?;
        let wanted = if Lattice::is_demanded(member.feature) {
            (-i128::from(nearest_units(member.own, places))).rem_euclid(modulus)
        } else {
            0
        };
        (rest, step) = both((rest, step), (wanted, modulus))?;
    }
    Some((i64::try_from(rest).ok()?, i64::try_from(step).ok().filter(|&step| step <= MOST_UNITS)?))
}

/// What leaves one rest under one modulus and another under another.
fn both((a, m): (i128, i128), (b, n): (i128, i128)) -> Option<(i128, i128)> {
    let shared =
        i128::from(greatest_common_divisor(i64::try_from(m).ok()?, i64::try_from(n).ok()?));
    if (b - a) % shared != 0 {
        return None;
    }
    let whole = (m / shared).checked_mul(n)?;
    // At most n / shared steps of m lead from the first rest to one that fits the second, too.
    let inverse = inverse(m / shared, n / shared);
    let steps = ((b - a) / shared).checked_mul(inverse)?.rem_euclid(n / shared);
    Some((a.checked_add(m.checked_mul(steps)?)?.rem_euclid(whole), whole))
}

/// The number whose product with `a` leaves 1 when divided by `n`, where the two have no common divisor.
fn inverse(a: i128, n: i128) -> i128 {
    let (mut old, mut new) = ((a.rem_euclid(n), 1_i128), (n, 0_i128));
    while new.0 != 0 {
        let quotient = old.0 / new.0;
        (old, new) = (new, (old.0 - quotient * new.0, old.1 - quotient * new.1));
    }
    old.1.rem_euclid(n.max(1))
}

fn may_all_become(members: &[Member], row: &[f64]) -> bool {
    let mut pairs = members.iter().zip(row);
    pairs.all(|(member, &number)| {
        may_become(member.feature, member.seen, Value::Number(member.own), number)
    })
}

/// The units of the decimal that is nearest to a number.
fn nearest_units(number: f64, places: u32) -> i64 {
    let (below, above) = (units_at_most(number, places), units_at_least(number, places));
    let distance = |units: i64| (value(units, places) - number).abs();
    if distance(below) <= distance(above) { below } else { above }
}

/// Rows of exact sums, the smallest amounts first.
fn listed(members: &[Member], places: u32, amounts: &[Amounts]) -> Vec<Vec<Value>> {
    let mut list: Vec<i64> = Vec::new();
    for Amounts { first, step, count } in amounts {
        let count = *count as i64;
        let zero = (-first / step).clamp(0, count - 1);
        let from = (zero - MOST_LISTED).max(0);
        let to = (zero + MOST_LISTED).min(count - 1);
        list.extend((from..=to).map(|index| first + step * index));
    }
    list.sort_unstable_by_key(|amount| (amount.abs(), *amount));
    list.truncate(MOST_LISTED as usize);
    list.sort_unstable();
    let row = |amount: i64| -> Option<Vec<Value>> {
        let by = value(amount, places);
        let row: Vec<f64> = members.iter().map(|member| sum(member.own, by)).collect();
        may_all_become(members, &row).then(|| row.into_iter().map(Value::Number).collect())
    };
    list.into_iter().filter(|&amount| amount != 0).filter_map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Kind, Rule, Target};

    #[test]
    fn two_rests_make_one() {
        for (a, m, b, n) in [(2, 3, 3, 5), (0, 5, 0, 3), (1, 4, 3, 6), (0, 10, 7, 50), (4, 6, 2, 4)]
        {
            let brute: Vec<i128> = (0..300).filter(|x| x % m == a && x % n == b).collect();
            match both((a, m), (b, n)) {
                Some((rest, step)) => {
                    let found: Vec<i128> = (0..300).filter(|x| x % step == rest).collect();
                    assert_eq!(found, brute, "{a} {m} {b} {n}");
                }
                None => assert!(brute.is_empty(), "{a} {m} {b} {n}"),
            }
        }
    }

    /// The joint options of two features, each with the numbers that were seen of it.
    fn options(features: [Feature; 2], seen: [[f64; 2]; 2], own: [f64; 2]) -> (Domain, Schema) {
        let target =
            Target { column: "y".into(), favourable: "1".into(), unfavourable: "0".into() };
        let features = Vec::from(features);
        let schema = Schema { name: "t".into(), target, features, rules: Vec::new() };
        let record = |row: [f64; 2]| row.map(Value::Number).to_vec();
        let training = [record([seen[0][0], seen[1][0]]), record([seen[0][1], seen[1][1]])];
        let ranges = Ranges::fit(&schema, &training).unwrap();
        (domain(&schema, &ranges, &record(own), &[0, 1]), schema)
    }

    fn check(found: &Domain, schema: &Schema, own: [f64; 2]) {
        let rule = Rule::parse("a, b change together", &schema.features).unwrap();
        let before = own.map(Value::Number);
        for option in 0..found.len() {
            let after = found.values(option);
            assert!(rule.allows(&before, &after), "{before:?} {after:?}");
            assert!(schema.broken(&before, &after).is_empty(), "{before:?} {after:?}");
        }
        assert!(found.find(&before).is_some());
    }

    #[test]
    fn noise_stays_behind() {
        let feature = |name: &str| Feature::new(name, Kind::Continuous);
        let own = [0.1 + 0.2, 0.5];
        let (found, schema) = options([feature("a"), feature("b")], [[0.0, 1.2], [0.0, 0.9]], own);
        check(&found, &schema, own);
        // From -0.3 to 0.4, and the own with its noise.
        assert_eq!(found.len(), 8 + 1);
        assert!(found.find(&[Value::Number(0.7), Value::Number(0.9)]).is_some());
    }

    #[test]
    fn numbers_of_very_different_size_move_together() {
        let (a, b) = (Feature::new("a", Kind::Integer), Feature::new("b", Kind::Continuous));
        let own = [1e12, 1e-13];
        let (found, schema) = options([a, b], [[0.0, 2e12], [1e-13, 7.5]], own);
        check(&found, &schema, own);
        assert_eq!(found.len(), 8);
        assert_eq!(found.values(3), [1e12 + 3.0, 3.000_000_000_000_1].map(Value::Number));
    }
}
