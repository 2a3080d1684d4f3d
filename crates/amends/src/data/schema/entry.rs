//! Features and rules as the schema file writes them.

use std::fmt;
use std::ops::Range;

use serde::de::{Deserializer, Visitor};
use serde::{Deserialize, de};
use toml::Spanned;

use super::{Change, Code, Feature, FeatureLimits, Kind};
use crate::{InputError, Result};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FeatureEntry {
    pub name: Spanned<String>,
    kind: Spanned<KindName>,
    change: Option<Spanned<ChangeName>>,
    levels: Option<Spanned<Vec<String>>>,
    label: Option<String>,
    unit: Option<String>,
    step: Option<Spanned<f64>>,
    range: Option<Spanned<Pair>>,
    relative_range: Option<Spanned<Pair>>,
    max_change: Option<Spanned<f64>>,
    least_change: Option<Spanned<f64>>,
    one_step: Option<Spanned<bool>>,
    effort: Option<Spanned<f64>>,
    codes: Option<Spanned<Vec<CodeEntry>>>,
}

/// A rule between features.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RuleEntry {
    pub rule: Spanned<String>,
    pub name: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CodeEntry {
    value: CodeText,
    label: String,
    #[serde(default)]
    leave: bool,
    #[serde(default)]
    enter: bool,
}

/// The two ends of a range. Reading into an array would ignore a third number without a word.
#[derive(Deserialize)]
#[serde(try_from = "Vec<f64>")]
struct Pair([f64; 2]);

impl TryFrom<Vec<f64>> for Pair {
    type Error = String;

    fn try_from(numbers: Vec<f64>) -> Result<Self, String> {
        let ends = <[f64; 2]>::try_from(numbers);
        ends.map(Self).map_err(|numbers| {
            format!("a range has two ends, [low, high], but {} numbers are given", numbers.len())
        })
    }
}

/// A cell, given as a number or as a text in quotes.
struct CodeText(String);

impl<'de> Deserialize<'de> for CodeText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(CodeVisitor)
    }
}

struct CodeVisitor;

impl Visitor<'_> for CodeVisitor {
    type Value = CodeText;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a finite number, or a text in quotes such as \"\" or \"NA\"")
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<CodeText, E> {
        Ok(CodeText(number.to_string()))
    }

    fn visit_f64<E: de::Error>(self, number: f64) -> Result<CodeText, E> {
        if number.is_finite() {
            Ok(CodeText(number.to_string()))
        } else {
            Err(E::custom(format!("`{number}` is not a finite number")))
        }
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<CodeText, E> {
        Ok(CodeText(text.to_owned()))
    }
}

#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "lowercase")]
enum KindName {
    Integer,
    Continuous,
    Binary,
    Categorical,
    Ordinal,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum ChangeName {
    Free,
    Immutable,
    Increase,
    Decrease,
}

/// The lines of a feature's keys.
pub(super) struct FeatureLines {
    name: String,
    keys: Vec<(&'static str, String)>,
}

impl FeatureLines {
    /// The line of a key; the feature's name where the key is left out.
    pub fn of(&self, key: &str) -> &str {
        self.keys.iter().find(|(name, _)| *name == key).map_or(&self.name, |(_, line)| line)
    }
}

impl FeatureEntry {
    pub fn lines(&self, line: impl Fn(Range<usize>) -> String) -> FeatureLines {
        let span = |key, span: Option<Range<usize>>| Some((key, line(span?)));
        let keys = [
            span("kind", Some(self.kind.span())),
            span("change", self.change.as_ref().map(Spanned::span)),
            span("levels", self.levels.as_ref().map(Spanned::span)),
            span("step", self.step.as_ref().map(Spanned::span)),
            span("range", self.range.as_ref().map(Spanned::span)),
            span("relative_range", self.relative_range.as_ref().map(Spanned::span)),
            span("max_change", self.max_change.as_ref().map(Spanned::span)),
            span("least_change", self.least_change.as_ref().map(Spanned::span)),
            span("one_step", self.one_step.as_ref().map(Spanned::span)),
            span("effort", self.effort.as_ref().map(Spanned::span)),
            span("codes", self.codes.as_ref().map(Spanned::span)),
        ];
        FeatureLines { name: line(self.name.span()), keys: keys.into_iter().flatten().collect() }
    }

    pub fn into_feature(self) -> Result<Feature, InputError> {
        let levels = self.levels.map(Spanned::into_inner);
        let kind = match (self.kind.into_inner(), levels) {
            (KindName::Integer, None) => Kind::Integer,
            (KindName::Continuous, None) => Kind::Continuous,
            (KindName::Integer | KindName::Continuous, Some(_)) => {
                return Err(InputError::new("levels don't fit a numeric kind")
                    .remedy("remove them, or choose kind categorical or ordinal"));
            }
            (KindName::Binary, None) => Kind::Binary { levels: ["0".into(), "1".into()] },
            (KindName::Binary, Some(levels)) => Kind::Binary {
                levels: levels.try_into().map_err(|levels: Vec<String>| {
                    InputError::new(format!("kind binary has 2 levels, not {}", levels.len()))
                        .remedy("list two, or choose kind categorical or ordinal")
                })?,
            },
            (KindName::Categorical | KindName::Ordinal, None) => {
                return Err(InputError::new("has no levels")
                    .remedy("add levels = [\"...\", \"...\"] with the texts of the table"));
            }
            (KindName::Categorical, Some(levels)) => Kind::Categorical { levels },
            (KindName::Ordinal, Some(levels)) => Kind::Ordinal { levels },
        };
        let change = match self.change.map(Spanned::into_inner) {
            Some(ChangeName::Free) | None => Change::Free,
            Some(ChangeName::Immutable) => Change::Immutable,
            Some(ChangeName::Increase) => Change::Increase,
            Some(ChangeName::Decrease) => Change::Decrease,
        };
        let codes = self.codes.map(Spanned::into_inner).unwrap_or_default();
        Ok(Feature {
            name: self.name.into_inner(),
            label: self.label,
            unit: self.unit,
            kind,
            change,
            step: self.step.map(Spanned::into_inner),
            limits: FeatureLimits {
                range: self.range.map(|pair| pair.into_inner().0),
                relative_range: self.relative_range.map(|pair| pair.into_inner().0),
                max_change: self.max_change.map(Spanned::into_inner),
                least_change: self.least_change.map(Spanned::into_inner),
                one_step: self.one_step.is_some_and(Spanned::into_inner),
            },
            effort: self.effort.map_or(1.0, Spanned::into_inner),
            codes: codes.into_iter().map(CodeEntry::into_code).collect(),
        })
    }
}

impl CodeEntry {
    fn into_code(self) -> Code {
        let Self { value: CodeText(text), label, leave, enter } = self;
        Code { text, label, leave, enter }
    }
}
