//! Few options of single features with the values that rules name, and of features that move together.

use super::options::{LimitedOptions, options};
use super::rounding::{Lattice, decimals, round};
use super::rule_points::RulePoints;
use crate::Result;
use crate::action::room::Room;
use crate::action::{Domain, Limit, Ranges};
use crate::data::{Encoder, Feature, Kind, Record, Rule, Schema, Value};

/// The options of every feature on its own, with the values that rules name.
pub(in crate::action) fn single_options(
    schema: &Schema,
    ranges: &Ranges,
    applicant: &Record,
    rules: &[&Rule],
    Limit { values: limit, cut_points }: Limit,
) -> Result<Vec<LimitedOptions>> {
    let points = RulePoints::of(rules, schema, applicant);
    if let Some(cut_points) = cut_points {
        let encoder = Encoder::new(schema);
        let mut finer = cut_points.to_vec();
        for feature in 0..schema.features.len() {
            let column = encoder.feature_columns(feature).start;
            let more = points.thresholds(schema, ranges, applicant, feature, limit);
            if let Some(cuts) = finer.get_mut(column) {
                cuts.extend(more);
            }
        }
        return options(schema, ranges, applicant, Some(&finer), limit);
    }
    let mut list = options(schema, ranges, applicant, None, limit)?;
    for (index, (one, values)) in list.iter_mut().zip(&points.values).enumerate() {
        let feature = &schema.features[index];
        let Value::Number(own) = applicant[index] else { continue };
        let kept = one.values[one.keep];
        let named =
            values.iter().copied().filter(|&to| may_become(feature, index, ranges, own, to));
        for to in named.map(Value::Number) {
            let position = one.values.partition_point(|known| match (known, to) {
                (Value::Number(known), Value::Number(to)) => *known < to,
                _ => false,
            });
            if one.values.get(position) != Some(&to) {
                one.values.insert(position, to);
            }
        }
        one.keep = one.values.iter().position(|&value| value == kept).unwrap_or(0);
    }
    Ok(list)
}

/// The joint moves of numbers: the amounts that at least one of them has an option for and that all of them allow.
pub(in crate::action) fn joint_options(
    schema: &Schema,
    ranges: &Ranges,
    applicant: &[Value],
    single: &[LimitedOptions],
    members: &[usize],
    limit: Limit,
) -> Domain {
    let own = |member: usize| match applicant[member] {
        Value::Number(own) => own,
        _ => 0.0,
    };
    let mut amounts: Vec<f64> = Vec::new();
    for &member in members {
        for value in &single[member].values {
            if let Value::Number(to) = *value {
                let places = decimals(own(member)).max(decimals(to));
                amounts.push(round(to - own(member), places));
            }
        }
    }
    amounts.sort_by(f64::total_cmp);
    amounts.dedup();
    let to = |member: usize, amount: f64| {
        round(own(member) + amount, decimals(own(member)).max(decimals(amount)))
    };
    amounts.retain(|&amount| {
        amount == 0.0
            || members.iter().all(|&member| {
                let to = to(member, amount);
                may_become(&schema.features[member], member, ranges, own(member), to)
            })
    });
    let amounts = thinned(&amounts, limit.values);
    let values = |amount: &f64| {
        let value = |&member: &usize| {
            let kept = *amount == 0.0;
            Value::Number(if kept { own(member) } else { to(member, *amount) })
        };
        members.iter().map(value).collect()
    };
    Domain::listed(amounts.iter().map(values).collect())
}

/// Whether rules and data allow a number's new value.
fn may_become(feature: &Feature, index: usize, ranges: &Ranges, own: f64, to: f64) -> bool {
    let on_step = feature.step.is_none_or(|step| Lattice::of_step(step).at_most(to) == to);
    let of_kind = feature.kind != Kind::Integer || to.fract() == 0.0;
    on_step
        && of_kind
        && ranges.feature(index).is_some_and(|seen| Room::around(feature, seen, own).allows(to))
}

/// About `limit` of the amounts, evenly picked, zero among them.
fn thinned(amounts: &[f64], limit: usize) -> Vec<f64> {
    let others: Vec<f64> = amounts.iter().copied().filter(|&amount| amount != 0.0).collect();
    let stride = others.len().div_ceil(limit.max(1)).max(1);
    // Counted from zero outwards, so that the smallest moves stay.
    let (down, up): (Vec<f64>, Vec<f64>) = others.into_iter().partition(|&amount| amount < 0.0);
    let mut kept: Vec<f64> = down.into_iter().rev().step_by(stride).collect();
    kept.reverse();
    kept.push(0.0);
    kept.extend(up.into_iter().step_by(stride));
    kept
}

#[cfg(test)]
mod tests {
    use super::thinned;

    #[test]
    fn many_amounts_are_thinned_from_zero_outwards() {
        let amounts: Vec<f64> = (-6..=9).map(f64::from).collect();
        assert_eq!(thinned(&amounts, 5), [-4.0, -1.0, 0.0, 1.0, 4.0, 7.0]);
        assert_eq!(thinned(&amounts, 100), amounts);
    }
}
