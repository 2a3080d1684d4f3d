//! Rules in the words of the schema: what must hold between features, or of one.
//!
//! A rule is a statement about an application as it is and as it would become. This file says what rules mean;
//! nothing here knows of options, instances or engines, so plans can be checked against the schema itself.

mod atom;
mod check;
mod cursor;
mod parser;
mod situation;
mod statement;
mod sum;
mod token;
mod verdict;

use std::collections::BTreeSet;

use super::Value;

pub use atom::{Addend, Atom, Direction, Quantity};

/// A rule of the schema, or of one applicant.
#[derive(Debug, Clone, PartialEq)]
pub struct Rule {
    /// The rule as it was written.
    pub text: String,
    /// What people call it; the text where there is no name.
    pub name: Option<String>,
    /// Whether it also binds applicants who break it already and change nothing that it names.
    pub must: bool,
    /// What it demands.
    pub demand: Demand,
}

/// What a rule demands. Features are given by their index in the schema.
#[derive(Debug, Clone, PartialEq)]
pub enum Demand {
    /// These numbers only move together, by the same amount; it counts as one change. A code instead of a
    /// number stays, and the others move without it.
    Together(Vec<usize>),
    /// At most this many of the features change.
    AtMost {
        /// How many.
        most: usize,
        /// Of which.
        features: Vec<usize>,
    },
    /// The formula holds.
    Formula(Formula),
}

/// Statements joined by words.
#[derive(Debug, Clone, PartialEq)]
pub enum Formula {
    /// A single statement.
    Atom(Atom),
    /// The opposite.
    Not(Box<Formula>),
    /// All hold.
    All(Vec<Formula>),
    /// At least one holds.
    Any(Vec<Formula>),
}

impl Rule {
    /// How the rule is shown: by its name, or its text.
    pub fn title(&self) -> &str {
        self.name.as_deref().unwrap_or(&self.text)
    }

    /// The features that it names, in the schema's order.
    pub fn features(&self) -> Vec<usize> {
        match &self.demand {
            Demand::Together(features) | Demand::AtMost { features, .. } => {
                features.iter().copied().collect::<BTreeSet<_>>().into_iter().collect()
            }
            Demand::Formula(formula) => {
                let mut features = BTreeSet::new();
                formula.visit(&mut |atom| features.extend(atom.features()));
                features.into_iter().collect()
            }
        }
    }

    /// Whether it is about values alone, so that a row of a table can be checked against it.
    pub fn is_about_values(&self) -> bool {
        match &self.demand {
            Demand::Together(_) | Demand::AtMost { .. } => false,
            Demand::Formula(formula) => {
                let mut values = true;
                formula.visit(&mut |atom| values &= atom.is_about_values());
                values
            }
        }
    }

    /// Whether an application respects a rule about values.
    pub fn holds(&self, record: &[Value]) -> bool {
        self.holds_for(record, record)
    }

    /// Whether going from one application to another is allowed.
    ///
    /// An applicant who already breaks a rule about values may leave everything it names as it is, unless the rule is a `must`.
    pub fn allows(&self, before: &[Value], after: &[Value]) -> bool {
        self.holds_for(before, after)
            || (!self.must
                && self.is_about_values()
                && self.features().iter().all(|&f| before[f] == after[f]))
    }

    fn holds_for(&self, before: &[Value], after: &[Value]) -> bool {
        match &self.demand {
            Demand::Together(features) => {
                let mut moves =
                    features.iter().filter_map(|&f| atom::number_move(before[f], after[f]));
                let none_left = features.iter().all(|&f| {
                    atom::number_move(before[f], after[f]).is_some() || before[f] == after[f]
                });
                let first = moves.next();
                none_left
                    && moves.all(|other| first.is_none_or(|first| atom::same_move(first, other)))
            }
            Demand::AtMost { most, features } => {
                features.iter().filter(|&&f| before[f] != after[f]).count() <= *most
            }
            Demand::Formula(formula) => {
                let mut silent = false;
                formula.visit(&mut |atom| silent |= atom.is_silent(before, after));
                silent || formula.holds(before, after)
            }
        }
    }
}

impl Formula {
    /// Visits every statement.
    pub fn visit(&self, see: &mut dyn FnMut(&Atom)) {
        match self {
            Self::Atom(atom) => see(atom),
            Self::Not(inner) => inner.visit(see),
            Self::All(parts) | Self::Any(parts) => parts.iter().for_each(|part| part.visit(see)),
        }
    }

    fn holds(&self, before: &[Value], after: &[Value]) -> bool {
        match self {
            Self::Atom(atom) => atom.holds(before, after),
            Self::Not(inner) => !inner.holds(before, after),
            Self::All(parts) => parts.iter().all(|part| part.holds(before, after)),
            Self::Any(parts) => parts.iter().any(|part| part.holds(before, after)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Code, Feature, Kind};
    use crate::decimal::Decimal;

    fn rule(demand: Demand) -> Rule {
        Rule { text: "r".into(), name: None, must: false, demand }
    }

    fn numbers(values: &[f64]) -> Vec<Value> {
        values.iter().map(|&value| Value::Number(value)).collect()
    }

    fn at_most(feature: usize, other: usize) -> Atom {
        let addend = |factor: f64, feature| Addend {
            factor: Decimal::of(factor).unwrap(),
            feature,
            quantity: Quantity::Value,
        };
        let terms = vec![addend(1.0, feature), addend(-1.0, other)];
        Atom::Sum { terms, most: Decimal::default() }
    }

    #[test]
    fn an_applicant_who_breaks_a_rule_may_leave_it_or_repair_it() {
        let mut below = rule(Demand::Formula(Formula::Atom(at_most(0, 1))));
        let before = numbers(&[5.0, 3.0, 0.0]);
        assert!(below.is_about_values() && !below.holds(&before));
        assert!(below.allows(&before, &numbers(&[5.0, 3.0, 9.0])));
        assert!(below.allows(&before, &numbers(&[3.0, 3.0, 9.0])));
        assert!(!below.allows(&before, &numbers(&[4.0, 3.0, 0.0])));
        below.must = true;
        assert!(!below.allows(&before, &before));
        assert!(below.allows(&before, &numbers(&[5.0, 6.0, 0.0])));
    }

    #[test]
    fn implications_bind_only_where_they_apply() {
        let rises = |feature, least| {
            Formula::Atom(Atom::Moves { feature, direction: Direction::Up, least, most: None })
        };
        let formula =
            Formula::Any(vec![Formula::Not(Box::new(rises(0, None))), rises(1, Some(2.0))]);
        let studies = rule(Demand::Formula(formula));
        assert!(!studies.is_about_values());
        assert_eq!(studies.features(), [0, 1]);
        let before = numbers(&[1.0, 30.0]);
        for (after, allowed) in
            [([1.0, 30.0], true), ([2.0, 32.0], true), ([2.0, 31.0], false), ([0.0, 30.0], true)]
        {
            assert_eq!(studies.allows(&before, &numbers(&after)), allowed, "{after:?}");
        }
    }

    #[test]
    fn rules_say_nothing_about_codes_that_stand_for_numbers() {
        let below = rule(Demand::Formula(Formula::Atom(at_most(0, 1))));
        assert!(below.holds(&[Value::Number(5.0), Value::Code(0)]));
        assert!(!below.holds(&[Value::Number(5.0), Value::Number(4.0)]));
    }

    #[test]
    fn codes_beside_levels_are_states_without_a_rank() {
        let levels = ["none", "some", "much"].map(str::to_owned).to_vec();
        let codes = vec![Code::new("", "missing")];
        let savings = Feature { codes, ..Feature::new("savings", Kind::Ordinal { levels }) };
        let features = [savings];
        let (missing, some) = ([Value::Code(0)], [Value::Level(1)]);
        let allows = |text: &str, before: &[Value], after: &[Value]| {
            Rule::parse(text, &features).unwrap().allows(before, after)
        };
        assert!(!allows("savings is not missing", &some, &missing));
        assert!(allows("savings is missing", &some, &missing));
        assert!(allows("savings != missing", &missing, &some));
        assert!(!allows("savings stays", &missing, &some));
        // Neither less nor more than any level.
        assert!(allows("savings >= some", &some, &missing));
        assert!(allows("savings does not fall", &missing, &some));
        let refusal = Rule::parse("savings <= missing", &features).unwrap_err().to_string();
        assert!(refusal.contains("compares with a state, which has no rank"), "{refusal}");
        let refusal = Rule::parse("savings is lots", &features).unwrap_err().to_string();
        assert!(refusal.contains("use one of `none`, `some`, `much`, `missing`"), "{refusal}");
    }

    #[test]
    fn together_means_by_the_same_amount() {
        let months = rule(Demand::Together(vec![0, 2]));
        let before = numbers(&[0.1, 7.0, 10.0]);
        assert!(months.allows(&before, &numbers(&[0.3, 8.0, 10.2])));
        assert!(!months.allows(&before, &numbers(&[0.3, 7.0, 10.3])));
        assert!(!months.allows(&before, &numbers(&[0.1, 7.0, 11.0])));
        let coded = [Value::Code(0), Value::Number(7.0), Value::Number(10.0)];
        let moved = [Value::Code(0), Value::Number(7.0), Value::Number(12.0)];
        assert!(months.allows(&coded, &moved));
        assert!(
            !months.allows(&coded, &[Value::Number(1.0), Value::Number(7.0), Value::Number(11.0)])
        );
    }

    #[test]
    fn groups_count_changes() {
        let one = rule(Demand::AtMost { most: 1, features: vec![0, 1] });
        let before = numbers(&[1.0, 1.0, 1.0]);
        assert!(one.allows(&before, &numbers(&[2.0, 1.0, 2.0])));
        assert!(!one.allows(&before, &numbers(&[2.0, 0.0, 1.0])));
    }
}
