//! What one applicant may do: moves of single features, and of features that only move together.

use super::decimal::{Lattice, decimals, round};
use super::rule_points::RulePoints;
use super::{FeatureOptions, Ranges, Room, options};
use crate::data::{Demand, Encoder, Feature, Kind, Record, Rule, Schema, Value};
use crate::{InputError, Result};

/// One thing that an applicant may do. It counts as one change, however many features it moves.
#[derive(Debug, Clone, PartialEq)]
pub struct Move {
    /// The feature's name, or what the features that move together are called.
    pub name: String,
    /// The features, by their place in the schema.
    pub members: Vec<usize>,
    /// Per option a value of every member; one option keeps them all.
    pub options: Vec<Vec<Value>>,
    /// Where the option stands that keeps them.
    pub keep: usize,
}

/// Features whose numbers move together, by the same amount.
struct Group {
    name: String,
    members: Vec<usize>,
}

impl Group {
    fn of(rule: &Rule) -> Option<Self> {
        let Demand::Together(members) = &rule.demand else { return None };
        Some(Self { name: rule.title().to_owned(), members: members.clone() })
    }
}

impl Move {
    /// The value of a feature at an option; `None` where the move has nothing to do with the feature.
    pub fn value(&self, option: usize, feature: usize) -> Option<Value> {
        let place = self.members.iter().position(|&member| member == feature)?;
        Some(self.options[option][place])
    }
}

/// The moves of an applicant, in the order of the schema; every feature is in exactly one.
///
/// Options are those of [`options`], with the values at which a rule begins or ceases to hold. Rules that move features
/// together make one move of them. A group's options are the amounts that at least one member has an option for and that
/// all members allow; for trees they meet every joint cell of whole numbers. A member that holds a code keeps it.
pub fn moves(
    schema: &Schema,
    ranges: &Ranges,
    applicant: &Record,
    cut_points: Option<&[Vec<f64>]>,
    limit: usize,
    rules: &[&Rule],
) -> Result<Vec<Move>> {
    let single = single_options(schema, ranges, applicant, cut_points, limit, rules)?;
    let groups: Vec<Group> = rules.iter().filter_map(|rule| Group::of(rule)).collect();
    let groups = &groups[..];
    let mut taken = vec![false; schema.features.len()];
    let mut joint = Vec::new();
    for group in groups {
        for &member in &group.members {
            if std::mem::replace(&mut taken[member], true) {
                return Err(InputError::new("moves together with others by two rules")
                    .at(format!("feature `{}`", schema.features[member].name))
                    .remedy("join the two rules, or leave the feature out of one")
                    .into());
            }
        }
        let numbers = |&member: &usize| matches!(applicant[member], Value::Number(_));
        let (moving, still): (Vec<usize>, Vec<usize>) =
            group.members.iter().copied().partition(numbers);
        for member in still {
            taken[member] = false;
        }
        if moving.len() > 1 {
            joint.push(together(schema, ranges, applicant, &single, group, moving, limit));
        } else {
            for member in moving {
                taken[member] = false;
            }
        }
    }
    let features = single.into_iter().enumerate().filter(|(feature, _)| !taken[*feature]);
    let mut moves: Vec<Move> = features
        .map(|(feature, options)| Move {
            name: schema.features[feature].name.clone(),
            members: vec![feature],
            options: options.values.into_iter().map(|value| vec![value]).collect(),
            keep: options.keep,
        })
        .chain(joint)
        .collect();
    // A member of a group that holds a code keeps it: it may not go its own way.
    for alone in moves.iter_mut().filter(|alone| alone.members.len() == 1) {
        let feature = alone.members[0];
        let grouped = groups.iter().any(|group| group.members.contains(&feature));
        if grouped && matches!(applicant[feature], Value::Code(_)) {
            alone.options = vec![vec![applicant[feature]]];
            alone.keep = 0;
        } else if grouped {
            // The last number of its group goes on alone, but into no code.
            let kept = alone.options[alone.keep].clone();
            alone.options.retain(|option| !matches!(option[0], Value::Code(_)));
            alone.keep = alone.options.iter().position(|option| *option == kept).unwrap_or(0);
        }
    }
    moves.sort_by_key(|a| a.members[0]);
    Ok(moves)
}

/// The options of every feature on its own, with the values that rules name.
fn single_options(
    schema: &Schema,
    ranges: &Ranges,
    applicant: &Record,
    cut_points: Option<&[Vec<f64>]>,
    limit: usize,
    rules: &[&Rule],
) -> Result<Vec<FeatureOptions>> {
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
    for (index, (its, values)) in list.iter_mut().zip(&points.values).enumerate() {
        let feature = &schema.features[index];
        let Value::Number(own) = applicant[index] else { continue };
        let kept = its.values[its.keep];
        let named =
            values.iter().copied().filter(|&to| may_become(feature, index, ranges, own, to));
        for to in named.map(Value::Number) {
            let place = its.values.partition_point(|known| match (known, to) {
                (Value::Number(known), Value::Number(to)) => *known < to,
                _ => false,
            });
            if its.values.get(place) != Some(&to) {
                its.values.insert(place, to);
            }
        }
        its.keep = its.values.iter().position(|&value| value == kept).unwrap_or(0);
    }
    Ok(list)
}

/// The joint moves of numbers.
fn together(
    schema: &Schema,
    ranges: &Ranges,
    applicant: &[Value],
    single: &[FeatureOptions],
    group: &Group,
    members: Vec<usize>,
    limit: usize,
) -> Move {
    let own = |member: usize| match applicant[member] {
        Value::Number(own) => own,
        _ => 0.0,
    };
    let mut amounts: Vec<f64> = Vec::new();
    for &member in &members {
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
    let amounts = thinned(&amounts, limit);
    let keep = amounts.iter().position(|&amount| amount == 0.0).unwrap_or(0);
    let values = |amount: &f64| {
        let value = |&member: &usize| {
            let kept = *amount == 0.0;
            Value::Number(if kept { own(member) } else { to(member, *amount) })
        };
        members.iter().map(value).collect()
    };
    let options = amounts.iter().map(values).collect();
    Move { name: group.name.clone(), members, options, keep }
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
    use super::*;
    use crate::data::{Change, Code, Kind, Limits, Target};

    fn schema() -> Schema {
        let target =
            Target { column: "y".into(), favourable: "1".into(), unfavourable: "0".into() };
        let month = |name: &str, most| Feature {
            change: Change::Increase,
            limits: Limits { max_change: Some(most), ..Limits::default() },
            codes: vec![Code::new("-7", "never")],
            ..Feature::new(name, Kind::Integer)
        };
        let features =
            vec![month("oldest", 5.0), Feature::new("amount", Kind::Integer), month("newest", 9.0)];
        Schema { name: "t".into(), target, features, rules: Vec::new() }
    }

    fn of(applicant: &[Value], rules: &[Rule], cuts: Option<&[Vec<f64>]>) -> Result<Vec<Move>> {
        let schema = schema();
        let rules: Vec<&Rule> = rules.iter().collect();
        let record = |n: f64| vec![Value::Number(n); 3];
        let ranges = Ranges::fit(&schema, &[record(0.0), record(20.0)])?;
        moves(&schema, &ranges, &applicant.to_vec(), cuts, 100, &rules)
    }

    fn group(members: &[usize]) -> Rule {
        let demand = Demand::Together(members.to_vec());
        Rule { text: "r".into(), name: Some("time".into()), must: false, demand }
    }

    #[test]
    fn values_that_rules_name_are_offered() {
        let own = [Value::Number(10.0), Value::Number(3.0), Value::Number(2.0)];
        let amounts = |rule: &str, cuts: Option<&[Vec<f64>]>| {
            let rule = Rule::parse(rule, &schema().features).unwrap();
            let moves = of(&own, &[rule], cuts).unwrap();
            moves[1].options.iter().map(|option| option[0]).collect::<Vec<Value>>()
        };
        let numbers = |list: &[f64]| list.iter().map(|&n| Value::Number(n)).collect::<Vec<_>>();
        // One cell, so that a tree would never need another value than the own.
        let cuts = vec![Vec::new(); 5];
        let rule = "if oldest rises then amount rises by at least 4";
        assert_eq!(amounts(rule, Some(&cuts)), numbers(&[2.0, 3.0, 4.0, 7.0, 8.0]));
        assert_eq!(amounts("amount >= 9", Some(&cuts)), numbers(&[3.0, 9.0, 10.0]));
        assert_eq!(amounts("amount <= oldest", Some(&cuts)).len(), 21);
    }

    #[test]
    fn members_move_by_the_same_amount_as_far_as_all_may() {
        let own = [Value::Number(10.0), Value::Number(3.0), Value::Number(2.0)];
        let moves = of(&own, &[group(&[0, 2])], None).unwrap();
        assert_eq!(
            moves.iter().map(|m| m.members.clone()).collect::<Vec<_>>(),
            [vec![0, 2], vec![1]]
        );
        assert_eq!((moves[0].name.as_str(), moves[0].keep, moves[0].options.len()), ("time", 0, 6));
        assert_eq!(moves[0].options[5], [Value::Number(15.0), Value::Number(7.0)]);
        assert_eq!(moves[0].value(2, 2), Some(Value::Number(4.0)));
        assert_eq!(moves[0].value(2, 1), None);
        assert_eq!(moves[1].options.len(), 21);
    }

    #[test]
    fn trees_get_the_first_amount_of_every_joint_cell() {
        let own = [Value::Number(10.0), Value::Number(3.0), Value::Number(2.0)];
        // The encoding has a column for the number and one for the code of both month features.
        let cuts = vec![vec![12.5], vec![], vec![], vec![3.0, 30.0], vec![]];
        let moves = of(&own, &[group(&[0, 2])], Some(&cuts)).unwrap();
        let amounts: Vec<Value> = moves[0].options.iter().map(|option| option[0]).collect();
        assert_eq!(amounts, [10.0, 12.0, 13.0].map(Value::Number));
        assert_eq!(moves[0].options[1], [Value::Number(12.0), Value::Number(4.0)]);
    }

    #[test]
    fn codes_stay_behind_and_the_last_member_goes_alone() {
        let own = [Value::Code(0), Value::Number(3.0), Value::Number(2.0)];
        let moves = of(&own, &[group(&[0, 2])], None).unwrap();
        assert_eq!(moves[0].options, [[Value::Code(0)]]);
        assert_eq!((moves[2].name.as_str(), moves[2].options.len()), ("newest", 10));
    }

    #[test]
    fn a_feature_in_two_groups_is_refused() {
        let own = [Value::Number(10.0), Value::Number(3.0), Value::Number(2.0)];
        let error = of(&own, &[group(&[0, 2]), group(&[1, 2])], None).unwrap_err();
        assert!(error.to_string().contains("feature `newest`: moves together"), "{error}");
    }

    #[test]
    fn many_amounts_are_thinned_from_zero_outwards() {
        let amounts: Vec<f64> = (-6..=9).map(f64::from).collect();
        assert_eq!(thinned(&amounts, 5), [-4.0, -1.0, 0.0, 1.0, 4.0, 7.0]);
        assert_eq!(thinned(&amounts, 100), amounts);
    }
}
