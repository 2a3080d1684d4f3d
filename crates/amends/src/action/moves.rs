//! What one applicant may do: moves of single features, and of features that only move together.

use super::{Domain, Ranges, limited, single, together};
use crate::data::{Demand, Record, Rule, Schema, Value};
use crate::instance::OptionSet;
use crate::{InputError, Result};

/// One thing that an applicant may do. It counts as one change, however many features it moves.
#[derive(Debug, Clone, PartialEq)]
pub struct Move {
    /// The feature's name, or what the features that move together are called.
    pub name: String,
    /// The features, by their index in the schema.
    pub members: Vec<usize>,
    /// The values of every member; one option keeps them all.
    pub options: Domain,
    /// The option that keeps them.
    pub keep: usize,
}

/// Few values of every number instead of all: for the papers' settings.
#[derive(Debug, Clone, Copy)]
pub struct Limit<'a> {
    /// About this many values of a number besides the own.
    pub values: usize,
    /// The split thresholds of a tree ensemble, one list per encoded column: one value per cell is offered then.
    pub cut_points: Option<&'a [Vec<f64>]>,
}

impl Move {
    /// A move of these features, which keeps their own values at one of its options.
    pub(super) fn new(name: &str, members: Vec<usize>, options: Domain, own: &[Value]) -> Self {
        let keep = options.find(own).unwrap_or(0);
        Self { name: name.to_owned(), members, options, keep }
    }

    /// Forbids options, but not the one that keeps the own values.
    pub(crate) fn restrict(&mut self, allowed: &OptionSet) {
        let own = self.options.values(self.keep);
        self.options = self.options.only(&allowed.union(&std::iter::once(self.keep).collect()));
        self.keep = self.options.find(&own).unwrap_or(0);
    }

    /// How many options there are.
    pub fn len(&self) -> usize {
        self.options.len()
    }

    /// The values of the members at an option.
    pub fn values(&self, option: usize) -> Vec<Value> {
        self.options.values(option)
    }

    /// The value of a feature at an option; `None` where the move has nothing to do with the feature.
    #[cfg(test)]
    pub fn value(&self, option: usize, feature: usize) -> Option<Value> {
        let position = self.members.iter().position(|&member| member == feature)?;
        Some(self.options.value(option, position))
    }
}

/// The moves of an applicant, in the order of the schema; every feature is in exactly one.
///
/// Every value that the data and the rules of single features allow is an option, or about as many as a limit says. Rules
/// that move features together make one move of them, whose options are the amounts that all of them allow. A member that
/// holds a code keeps it.
pub fn moves(
    schema: &Schema,
    ranges: &Ranges,
    applicant: &Record,
    rules: &[&Rule],
    limit: Option<Limit>,
) -> Result<Vec<Move>> {
    check(schema, ranges, applicant)?;
    let listed = match limit {
        Some(limit) => Some(limited::single_options(schema, ranges, applicant, rules, limit)?),
        None => None,
    };
    let groups = groups(schema, applicant, rules)?;
    let mut moves = Vec::new();
    for group in groups.iter().filter(|group| group.moving.len() > 1) {
        let options = match (&listed, limit) {
            (Some(listed), Some(limit)) => {
                limited::joint_options(schema, ranges, applicant, listed, &group.moving, limit)
            }
            _ => together::domain(schema, ranges, applicant, &group.moving),
        };
        let own: Vec<Value> = group.moving.iter().map(|&member| applicant[member]).collect();
        moves.push(Move::new(group.name, group.moving.clone(), options, &own));
    }
    let is_joint = |moves: &[Move], index| moves.iter().any(|one| one.members.contains(&index));
    for (index, feature) in schema.features.iter().enumerate() {
        if is_joint(&moves, index) {
            continue;
        }
        let own = applicant[index];
        let mut options = match &listed {
            Some(listed) => {
                Domain::listed(listed[index].values.iter().map(|&value| vec![value]).collect())
            }
            None => single::domain(feature, index, ranges, own),
        };
        if groups.iter().any(|group| group.members.contains(&index)) {
            options = in_group(&options, own);
        }
        moves.push(Move::new(&feature.name, vec![index], options, &[own]));
    }
    moves.sort_by_key(|one| one.members[0]);
    Ok(moves)
}

/// Features that only move together, by the same amount.
struct Group<'a> {
    name: &'a str,
    members: &'a [usize],
    /// Those that hold numbers.
    moving: Vec<usize>,
}

fn groups<'a>(schema: &Schema, applicant: &Record, rules: &[&'a Rule]) -> Result<Vec<Group<'a>>> {
    let mut taken = vec![false; schema.features.len()];
    let mut groups = Vec::new();
    for &rule in rules {
        let Demand::Together(members) = &rule.demand else { continue };
        for &member in members {
            if std::mem::replace(&mut taken[member], true) {
                return Err(InputError::new("moves together with others by two rules")
                    .at(format!("feature `{}`", schema.features[member].name))
                    .remedy("join the two rules, or leave the feature out of one")
                    .into());
            }
        }
        let holds_number = |&member: &usize| matches!(applicant[member], Value::Number(_));
        let moving = members.iter().copied().filter(holds_number).collect();
        groups.push(Group { name: rule.title(), members, moving });
    }
    Ok(groups)
}

/// What is left to a member of a group that does not move with others: one that holds a code keeps it, and the last
/// number goes on alone, but into no code.
fn in_group(options: &Domain, own: Value) -> Domain {
    if matches!(own, Value::Code(_)) {
        return Domain::listed(vec![vec![own]]);
    }
    let ranges = options.ranges().map(|(_, range)| range.clone()).collect();
    let listed = options.listed_values().map(|(_, row)| row.clone());
    Domain::new(ranges, listed.filter(|row| !matches!(row[0], Value::Code(_))).collect())
}

fn check(schema: &Schema, ranges: &Ranges, applicant: &Record) -> Result<()> {
    schema.check_record(applicant)?;
    if ranges.len() == schema.features.len() {
        return Ok(());
    }
    Err(InputError::new(format!(
        "the ranges are of {} features, but the schema `{}` has {}",
        ranges.len(),
        schema.name,
        schema.features.len()
    ))
    .remedy("fit the ranges with the same schema")
    .into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Change, Code, Feature, FeatureLimits, Kind, Target};

    fn schema() -> Schema {
        let target =
            Target { column: "y".into(), favourable: "1".into(), unfavourable: "0".into() };
        let month = |name: &str, most| Feature {
            change: Change::Increase,
            limits: FeatureLimits { max_change: Some(most), ..FeatureLimits::default() },
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
        let limit = Limit { values: 100, cut_points: cuts };
        moves(&schema, &ranges, &applicant.to_vec(), &rules, Some(limit))
    }

    fn all_of(applicant: &[Value], rules: &[Rule]) -> Vec<Move> {
        let schema = schema();
        let rules: Vec<&Rule> = rules.iter().collect();
        let record = |n: f64| vec![Value::Number(n); 3];
        let ranges = Ranges::fit(&schema, &[record(0.0), record(20.0)]).unwrap();
        moves(&schema, &ranges, &applicant.to_vec(), &rules, None).unwrap()
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
            (0..moves[1].len()).map(|option| moves[1].values(option)[0]).collect::<Vec<Value>>()
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
        assert_eq!((moves[0].name.as_str(), moves[0].keep, moves[0].len()), ("time", 0, 6));
        assert_eq!(moves[0].values(5), [Value::Number(15.0), Value::Number(7.0)]);
        assert_eq!(moves[0].value(2, 2), Some(Value::Number(4.0)));
        assert_eq!(moves[0].value(2, 1), None);
        assert_eq!(moves[1].len(), 21);
    }

    #[test]
    fn every_amount_is_offered_without_a_limit() {
        let own = [Value::Number(10.0), Value::Number(3.0), Value::Number(2.0)];
        for (limited, all) in [
            (of(&own, &[group(&[0, 2])], None).unwrap(), all_of(&own, &[group(&[0, 2])])),
            (of(&own, &[], None).unwrap(), all_of(&own, &[])),
        ] {
            for (limited, all) in limited.iter().zip(&all) {
                assert_eq!((&limited.members, limited.len()), (&all.members, all.len()));
                let mut options = 0..limited.len();
                assert!(options.all(|option| all.options.find(&limited.values(option)).is_some()));
                assert_eq!(all.values(all.keep), limited.values(limited.keep));
            }
        }
        let codes = [Value::Code(0), Value::Number(3.0), Value::Number(2.0)];
        assert_eq!(all_of(&codes, &[group(&[0, 2])])[0].len(), 1);
        assert_eq!(all_of(&codes, &[group(&[0, 2])])[2].len(), 10);
    }

    #[test]
    fn trees_get_the_first_amount_of_every_joint_cell() {
        let own = [Value::Number(10.0), Value::Number(3.0), Value::Number(2.0)];
        // The encoding has a column for the number and one for the code of both month features.
        let cuts = vec![vec![12.5], vec![], vec![], vec![3.0, 30.0], vec![]];
        let moves = of(&own, &[group(&[0, 2])], Some(&cuts)).unwrap();
        let amounts: Vec<Value> =
            (0..moves[0].len()).map(|option| moves[0].values(option)[0]).collect();
        assert_eq!(amounts, [10.0, 12.0, 13.0].map(Value::Number));
        assert_eq!(moves[0].values(1), [Value::Number(12.0), Value::Number(4.0)]);
    }

    #[test]
    fn codes_stay_behind_and_the_last_member_goes_alone() {
        let own = [Value::Code(0), Value::Number(3.0), Value::Number(2.0)];
        let moves = of(&own, &[group(&[0, 2])], None).unwrap();
        assert_eq!(moves[0].options, Domain::listed(vec![vec![Value::Code(0)]]));
        assert_eq!((moves[2].name.as_str(), moves[2].len()), ("newest", 10));
    }

    #[test]
    fn a_feature_in_two_groups_is_refused() {
        let own = [Value::Number(10.0), Value::Number(3.0), Value::Number(2.0)];
        let error = of(&own, &[group(&[0, 2]), group(&[1, 2])], None).unwrap_err();
        assert!(error.to_string().contains("feature `newest`: moves together"), "{error}");
    }
}
