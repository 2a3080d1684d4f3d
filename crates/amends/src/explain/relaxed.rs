//! Rules that could be relaxed, one by one, and what people read about them.

use std::fmt;

use serde::Serialize;

use crate::data::{Change, Feature, LocalRule, Record, Schema, Value};

/// A rule that stands in the way of a plan.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Relaxed {
    /// The number of changes.
    MaxChanges {
        /// As many as are allowed.
        allowed: usize,
        /// As many as the plan needs.
        needed: usize,
    },
    /// A rule of a single feature.
    Feature {
        /// The feature's name in the table.
        feature: String,
        /// Its title for people.
        title: String,
        /// Which of its rules.
        rule: FeatureRule,
        /// The rule as the schema has it.
        said: String,
        /// What the feature would have to be able to do, in words that follow "could".
        #[serde(skip)]
        wish: String,
    },
    /// That no change lowers the score by itself.
    Harmless,
    /// A rule between features, or one of the applicant's own.
    Rule {
        /// What it is called.
        rule: String,
    },
}

/// The rules of a feature that are relaxed as one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum FeatureRule {
    /// It may not change at all.
    Immutable,
    /// It may only go one way.
    Direction,
    /// Ranges and sizes of a change.
    Range,
    /// Which level may follow which.
    Moves,
    /// Codes that may not be left or entered.
    Codes,
}

/// A feature, by its index in the schema, and one of its rules.
pub(super) type Unit = (usize, FeatureRule);

impl FeatureRule {
    fn of(rule: LocalRule) -> Option<Self> {
        match rule {
            LocalRule::Immutable => Some(Self::Immutable),
            LocalRule::Direction => Some(Self::Direction),
            LocalRule::Range
            | LocalRule::RelativeRange
            | LocalRule::MaxChange
            | LocalRule::LeastChange
            | LocalRule::OneStep => Some(Self::Range),
            LocalRule::Moves => Some(Self::Moves),
            LocalRule::CodeLeft | LocalRule::CodeEntered => Some(Self::Codes),
            // What a value is, and how it is written, is not a rule that could be relaxed.
            LocalRule::Kind | LocalRule::Step | LocalRule::ReadsAsCode => None,
        }
    }
}

/// The schema without the rules of single features: everything may change, as far as the data goes.
pub(super) fn without_feature_rules(schema: &Schema) -> Schema {
    let mut wide = schema.clone();
    for feature in &mut wide.features {
        feature.change = Change::Free;
        feature.limits = crate::data::FeatureLimits::default();
        feature.moves = Vec::new();
        for code in &mut feature.codes {
            code.leave = true;
            code.enter = true;
        }
    }
    wide
}

/// The rules of a feature that a change needs relaxed; `None` where no rule allows it.
pub(super) fn units(
    schema: &Schema,
    feature: usize,
    before: Value,
    after: Value,
) -> Option<Vec<Unit>> {
    let broken = schema.features[feature].broken(before, after);
    let mut units = broken
        .into_iter()
        .map(|rule| FeatureRule::of(rule).map(|rule| (feature, rule)))
        .collect::<Option<Vec<Unit>>>()?;
    units.sort_unstable();
    units.dedup();
    // Who may not change at all has no direction or range to speak of. A code that may not be left or entered is one more
    // obstacle: it would stay one.
    if units.iter().any(|(_, rule)| *rule == FeatureRule::Immutable) {
        units.retain(|(_, rule)| matches!(rule, FeatureRule::Immutable | FeatureRule::Codes));
    }
    Some(units)
}

impl Relaxed {
    /// A rule of a feature, with what it says.
    pub(super) fn of_feature(
        schema: &Schema,
        (index, rule): Unit,
        before: &Record,
        after: &Record,
    ) -> Self {
        let feature = &schema.features[index];
        let broken = feature.broken(before[index], after[index]);
        let said = match rule {
            FeatureRule::Immutable | FeatureRule::Direction => {
                format!("change = \"{}\"", feature.change.name())
            }
            FeatureRule::Range => {
                let keys = broken.iter().filter(|broken| FeatureRule::of(**broken) == Some(rule));
                keys.map(|key| said(feature, *key)).collect::<Vec<_>>().join(", ")
            }
            FeatureRule::Moves => LocalRule::Moves.key().to_owned(),
            FeatureRule::Codes => match (before[index], after[index]) {
                (Value::Code(code), _) if broken.contains(&LocalRule::CodeLeft) => {
                    format!("`{}` is not left", feature.codes[code].label)
                }
                (_, Value::Code(code)) => {
                    format!("`{}` is not entered", feature.codes[code].label)
                }
                _ => "codes".to_owned(),
            },
        };
        Self::Feature {
            feature: feature.name.clone(),
            title: feature.title().to_owned(),
            rule,
            said,
            wish: match rule {
                FeatureRule::Moves => format!("become `{}`", feature.describe(after[index])),
                _ => wish(rule, &broken).to_owned(),
            },
        }
    }
}

/// What a feature would have to be able to do, in words that follow "could".
fn wish(rule: FeatureRule, broken: &[LocalRule]) -> &'static str {
    let breaks = |key: LocalRule| broken.contains(&key);
    let too_far = [LocalRule::RelativeRange, LocalRule::MaxChange, LocalRule::OneStep]
        .into_iter()
        .any(breaks);
    match rule {
        FeatureRule::Immutable => "change",
        FeatureRule::Direction => "go the other way",
        FeatureRule::Codes | FeatureRule::Moves => "change its state",
        FeatureRule::Range if too_far => "go farther",
        FeatureRule::Range if !breaks(LocalRule::LeastChange) => "lie outside its range",
        FeatureRule::Range if !breaks(LocalRule::Range) => "change by less",
        FeatureRule::Range => "change by less and lie outside its range",
    }
}

fn said(feature: &Feature, rule: LocalRule) -> String {
    let pair = |pair: Option<[f64; 2]>| {
        pair.map_or_else(String::new, |[low, high]| format!("[{low}, {high}]"))
    };
    let size = |size: Option<f64>| size.map_or_else(String::new, |size| size.to_string());
    let limits = &feature.limits;
    let value = match rule {
        LocalRule::Range => pair(limits.range),
        LocalRule::RelativeRange => pair(limits.relative_range),
        LocalRule::MaxChange => size(limits.max_change),
        LocalRule::LeastChange => size(limits.least_change),
        _ => limits.one_step.to_string(),
    };
    format!("{} = {value}", rule.key())
}

impl fmt::Display for Relaxed {
    /// A part of a sentence that begins "There would be one".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::MaxChanges { allowed, needed } => {
                write!(f, "with {needed} changes instead of at most {allowed}")
            }
            Self::Harmless => f.write_str("with changes that lower the score by themselves"),
            Self::Rule { rule } => write!(f, "without the rule `{rule}`"),
            Self::Feature { title, rule: FeatureRule::Immutable, wish, .. } => {
                write!(f, "if `{title}` could {wish}")
            }
            Self::Feature { title, said, wish, .. } => {
                write!(f, "if `{title}` could {wish} ({said})")
            }
        }
    }
}
