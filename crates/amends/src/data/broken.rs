//! Checking a changed application against the schema itself, independently of how it was found.

use std::fmt;

use super::{Change, Feature, LocalRule, Schema, Value};

/// A rule of the schema that a changed application breaks.
#[derive(Debug, Clone, PartialEq)]
pub struct Broken {
    /// The feature that breaks it, where it is a feature's own rule.
    pub feature: Option<usize>,
    /// Which rule.
    pub what: BrokenRule,
    /// What is wrong, in a sentence without a full stop.
    pub text: String,
}

/// Which rule is broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BrokenRule {
    /// One of the feature's own.
    Local(LocalRule),
    /// One of the schema's rules, by its index.
    Cross(usize),
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Schema {
    /// All rules that a change from one application to another breaks: the features' own rules, then
    /// [`Schema::rules`].
    ///
    /// # Panics
    /// If one of the two lacks a value for a feature: [`Schema::check_record`] checks that.
    pub fn broken(&self, before: &[Value], after: &[Value]) -> Vec<Broken> {
        let mut found = Vec::new();
        for (index, feature) in self.features.iter().enumerate() {
            let (old, new) = (before[index], after[index]);
            found.extend(feature.broken(old, new).into_iter().map(|rule| Broken {
                feature: Some(index),
                what: BrokenRule::Local(rule),
                text: feature.complaint(rule, old, new),
            }));
        }
        for (index, rule) in self.rules.iter().enumerate() {
            if !rule.allows(before, after) {
                let named = rule.features().into_iter().map(|index| {
                    let feature = &self.features[index];
                    let (old, new) = (before[index], after[index]);
                    if old == new {
                        format!("{} stays {}", feature.title(), feature.describe(new))
                    } else {
                        feature.move_in_words(old, new)
                    }
                });
                let named: Vec<String> = named.collect();
                found.push(Broken {
                    feature: None,
                    what: BrokenRule::Cross(index),
                    text: format!("{}, against the rule `{}`", named.join(", "), rule.title()),
                });
            }
        }
        found
    }
}

impl Feature {
    fn move_in_words(&self, old: Value, new: Value) -> String {
        format!("{} goes from {} to {}", self.title(), self.describe(old), self.describe(new))
    }

    /// How a change breaks a rule, with the key of the schema file and its value.
    fn complaint(&self, rule: LocalRule, old: Value, new: Value) -> String {
        let limits = &self.limits;
        let pair = |pair: Option<[f64; 2]>| {
            pair.map_or_else(String::new, |[low, high]| format!("[{low}, {high}]"))
        };
        let number = |number: Option<f64>| number.map_or_else(String::new, |n| n.to_string());
        let (problem, value) = match rule {
            LocalRule::Kind => ("is not a value of its kind", quoted(self.kind.name())),
            LocalRule::Immutable => ("it may not change", quoted(self.change.name())),
            LocalRule::Direction => {
                let problem = match self.change {
                    Change::Decrease => "it may only fall",
                    _ => "it may only rise",
                };
                (problem, quoted(self.change.name()))
            }
            LocalRule::Range => ("it may not leave its range", pair(limits.range)),
            LocalRule::RelativeRange => ("that is too far", pair(limits.relative_range)),
            LocalRule::MaxChange => ("that is too far", number(limits.max_change)),
            LocalRule::LeastChange => ("that is too little", number(limits.least_change)),
            LocalRule::OneStep => ("that skips a level", "true".to_owned()),
            LocalRule::Moves => ("", "none of its moves leads there".to_owned()),
            LocalRule::Step => ("that is not a multiple", number(self.step)),
            LocalRule::CodeLeft => ("", format!("`{}` has no leave", self.describe(old))),
            LocalRule::CodeEntered => ("", format!("`{}` has no enter", self.describe(new))),
            LocalRule::ReadsAsCode => ("", format!("{} reads as a code", self.show(new))),
        };
        let moved = self.move_in_words(old, new);
        let key = rule.key();
        match rule {
            LocalRule::Kind => format!("{moved}, which {problem} ({key} = {value})"),
            LocalRule::Moves
            | LocalRule::CodeLeft
            | LocalRule::CodeEntered
            | LocalRule::ReadsAsCode => {
                format!("{moved}, but {value} ({key})")
            }
            _ => format!("{moved}, but {problem} ({key} = {value})"),
        }
    }
}

fn quoted(text: &str) -> String {
    format!("\"{text}\"")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Dataset, Rule};

    #[test]
    fn a_row_breaks_nothing_by_staying_as_it_is() {
        let german = Dataset::german();
        for record in &german.records {
            assert_eq!(german.schema.broken(record, record), []);
        }
    }

    #[test]
    fn sentences_name_feature_key_and_rule() {
        let mut schema = Schema::german();
        let index = |name: &str| Schema::german().feature_index(name).unwrap();
        let (age, amount) = (index("age"), index("credit_amount"));
        schema.features[amount].label = Some("Amount asked for".into());
        schema.features[amount].limits.max_change = Some(1000.0);
        schema.rules = vec![Rule::parse("credit_amount does not fall", &schema.features).unwrap()];
        schema.rules[0].name = Some("never less".into());
        let before = Dataset::german().records[0].clone();
        let mut after = before.clone();
        after[age] = Value::Number(68.0);
        after[amount] = Value::Number(100.0);
        let found = schema.broken(&before, &after);
        let texts: Vec<String> = found.iter().map(ToString::to_string).collect();
        let expected = [
            "Amount asked for goes from 1169 to 100, but that is too far (max_change = 1000)",
            "Age goes from 67 to 68, but it may not change (change = \"immutable\")",
            "Amount asked for goes from 1169 to 100, against the rule `never less`",
        ];
        assert_eq!(texts, expected);
        assert_eq!(found[2].what, BrokenRule::Cross(0));
        assert_eq!(found[2].feature, None);
        assert!(found.iter().any(|broken| broken.feature == Some(age)
            && broken.what == BrokenRule::Local(LocalRule::Immutable)));
    }
}
