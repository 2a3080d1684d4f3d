//! Features and rules as the schema file writes them.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;

use serde::de::{Deserializer, SeqAccess, Visitor};
use serde::{Deserialize, de};
use toml::Spanned;

use super::{Change, Code, Feature, FeatureLimits, Kind, LevelMoves, Translation};
use crate::data::{CellFormat, DateFormat, DateUnit, Grouping, NumberFormat};
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
    decimal: Option<Spanned<char>>,
    thousands: Option<Spanned<char>>,
    grouping: Option<Spanned<GroupingName>>,
    sign: Option<Spanned<SignTexts>>,
    date: Option<Spanned<String>>,
    reference_date: Option<Spanned<String>>,
    step: Option<Spanned<f64>>,
    range: Option<Spanned<Pair>>,
    relative_range: Option<Spanned<Pair>>,
    max_change: Option<Spanned<f64>>,
    least_change: Option<Spanned<f64>>,
    one_step: Option<Spanned<bool>>,
    moves: Option<Spanned<Vec<MovesEntry>>>,
    effort: Option<Spanned<f64>>,
    codes: Option<Spanned<Vec<CodeEntry>>>,
    de: Option<Spanned<TranslationEntry>>,
}

/// A feature's texts in another language.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TranslationEntry {
    label: Option<String>,
    unit: Option<String>,
    #[serde(default)]
    levels: BTreeMap<String, String>,
    #[serde(default)]
    codes: BTreeMap<String, String>,
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
struct MovesEntry {
    from: String,
    to: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CodeEntry {
    value: CodeTexts,
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

/// The cells of a code, each a number or a text in quotes: one, or a list of those that mean the same.
struct CodeTexts(Vec<String>);

impl<'de> Deserialize<'de> for CodeTexts {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(CodeVisitor)
    }
}

struct CodeVisitor;

impl<'de> Visitor<'de> for CodeVisitor {
    type Value = CodeTexts;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a finite number, a text in quotes such as \"\" or \"NA\", or a list of those")
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<CodeTexts, E> {
        Ok(CodeTexts(vec![number.to_string()]))
    }

    fn visit_f64<E: de::Error>(self, number: f64) -> Result<CodeTexts, E> {
        if number.is_finite() {
            Ok(CodeTexts(vec![number.to_string()]))
        } else {
            Err(E::custom(format!("`{number}` is not a finite number")))
        }
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<CodeTexts, E> {
        Ok(CodeTexts(vec![text.to_owned()]))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<CodeTexts, A::Error> {
        let mut texts = Vec::new();
        while let Some(CodeTexts(cells)) = list.next_element()? {
            texts.extend(cells);
        }
        Ok(CodeTexts(texts))
    }
}

/// What stands beside numbers: one sign, or a list of those that mean the same.
#[derive(Deserialize)]
#[serde(untagged)]
enum SignTexts {
    One(String),
    Several(Vec<String>),
}

impl SignTexts {
    fn list(&self) -> Vec<String> {
        match self {
            Self::One(sign) => vec![sign.clone()],
            Self::Several(signs) => signs.clone(),
        }
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

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum GroupingName {
    Threes,
    Indian,
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
            span("decimal", self.decimal.as_ref().map(Spanned::span)),
            span("thousands", self.thousands.as_ref().map(Spanned::span)),
            span("grouping", self.grouping.as_ref().map(Spanned::span)),
            span("sign", self.sign.as_ref().map(Spanned::span)),
            span("date", self.date.as_ref().map(Spanned::span)),
            span("reference_date", self.reference_date.as_ref().map(Spanned::span)),
            span("step", self.step.as_ref().map(Spanned::span)),
            span("range", self.range.as_ref().map(Spanned::span)),
            span("relative_range", self.relative_range.as_ref().map(Spanned::span)),
            span("max_change", self.max_change.as_ref().map(Spanned::span)),
            span("least_change", self.least_change.as_ref().map(Spanned::span)),
            span("one_step", self.one_step.as_ref().map(Spanned::span)),
            span("moves", self.moves.as_ref().map(Spanned::span)),
            span("effort", self.effort.as_ref().map(Spanned::span)),
            span("codes", self.codes.as_ref().map(Spanned::span)),
            span("de", self.de.as_ref().map(Spanned::span)),
        ];
        FeatureLines { name: line(self.name.span()), keys: keys.into_iter().flatten().collect() }
    }

    /// The feature; `reference_date` is the day from which the file's dates are counted back.
    pub fn into_feature(self, reference_date: Option<&str>) -> Result<Feature, InputError> {
        let format = self.format(reference_date)?;
        let kind = kind_of(self.kind.into_inner(), self.levels.map(Spanned::into_inner))?;
        let change = match self.change.map(Spanned::into_inner) {
            Some(ChangeName::Free) | None => Change::Free,
            Some(ChangeName::Immutable) => Change::Immutable,
            Some(ChangeName::Increase) => Change::Increase,
            Some(ChangeName::Decrease) => Change::Decrease,
        };
        let moves = self.moves.map(Spanned::into_inner);
        if moves.as_ref().is_some_and(Vec::is_empty) {
            return Err(InputError::new("has moves, but lists none")
                .remedy("list them, or write change = \"immutable\""));
        }
        let codes = self.codes.map(Spanned::into_inner).unwrap_or_default();
        let codes =
            codes.into_iter().map(CodeEntry::into_code).collect::<Result<Vec<Code>, _>>()?;
        let translation = self.de.map(|entry| entry.into_inner().into_translation(&kind, &codes));
        let translations = translation.map(|texts| ("de".to_owned(), texts)).into_iter().collect();
        Ok(Feature {
            name: self.name.into_inner(),
            label: self.label,
            unit: self.unit,
            kind,
            format,
            change,
            step: self.step.map(Spanned::into_inner),
            limits: FeatureLimits {
                range: self.range.map(|pair| pair.into_inner().0),
                relative_range: self.relative_range.map(|pair| pair.into_inner().0),
                max_change: self.max_change.map(Spanned::into_inner),
                least_change: self.least_change.map(Spanned::into_inner),
                one_step: self.one_step.is_some_and(Spanned::into_inner),
            },
            moves: moves
                .unwrap_or_default()
                .into_iter()
                .map(|MovesEntry { from, to }| LevelMoves { from, to })
                .collect(),
            effort: self.effort.map_or(1.0, Spanned::into_inner),
            codes,
            translations,
        })
    }

    /// How the table writes the feature's numbers.
    fn format(&self, reference_date: Option<&str>) -> Result<CellFormat, InputError> {
        let text = |key: &Option<Spanned<String>>| key.as_ref().map(|text| text.get_ref().clone());
        let separator = |key: &Option<Spanned<char>>| key.as_ref().map(|c| *c.get_ref());
        let plain = NumberFormat::default();
        let number = NumberFormat {
            decimal: separator(&self.decimal).unwrap_or(plain.decimal),
            thousands: separator(&self.thousands),
            grouping: match self.grouping.as_ref().map(Spanned::get_ref) {
                Some(GroupingName::Indian) => Grouping::Indian,
                Some(GroupingName::Threes) | None => Grouping::Threes,
            },
            signs: self.sign.as_ref().map_or_else(Vec::new, |signs| signs.get_ref().list()),
        };
        let own_reference = text(&self.reference_date);
        let Some(pattern) = text(&self.date) else {
            if own_reference.is_some() {
                return Err(InputError::new("has a reference_date, but is not a date").remedy(
                    "add date = \"...\" with the form of the dates, or remove reference_date",
                ));
            }
            return Ok(CellFormat::Number(number));
        };
        if number != NumberFormat::default() {
            return Err(InputError::new("is written both as a date and as a number")
                .remedy("keep date, or decimal, thousands, grouping and sign"));
        }
        let unit = self.unit.as_deref().and_then(DateUnit::of).ok_or_else(|| {
            InputError::new(
                "is a date without the unit in which the time until reference_date is counted",
            )
            .remedy("write unit = \"days\", \"months\" or \"years\"")
        })?;
        let reference =
            own_reference.or_else(|| reference_date.map(str::to_owned)).ok_or_else(|| {
                InputError::new("is a date, but there is no day to count from").remedy(
                    "write reference_date = \"2024-12-31\", or another day, at the top of the file",
                )
            })?;
        Ok(CellFormat::Date(DateFormat { pattern, reference, unit }))
    }
}

impl TranslationEntry {
    /// With levels and codes in the order of the feature; those that it does not have come last.
    fn into_translation(self, kind: &Kind, codes: &[Code]) -> Translation {
        let in_order = |mut texts: BTreeMap<String, String>,
                        order: &mut dyn Iterator<Item = &String>| {
            let mut list: Vec<(String, String)> =
                order.filter_map(|known| texts.remove_entry(known)).collect();
            list.extend(texts);
            list
        };
        Translation {
            label: self.label,
            unit: self.unit,
            levels: in_order(self.levels, &mut kind.levels().iter()),
            codes: in_order(self.codes, &mut codes.iter().map(|code| &code.text)),
        }
    }
}

impl CodeEntry {
    fn into_code(self) -> Result<Code, InputError> {
        let Self { value: CodeTexts(texts), label, leave, enter } = self;
        let mut texts = texts.into_iter();
        let Some(text) = texts.next() else {
            return Err(InputError::new(format!("the code `{label}` has no cells"))
                .remedy("list at least one in its value, or remove the code"));
        };
        Ok(Code { text, others: texts.collect(), label, leave, enter })
    }
}

/// The kind of a feature with the levels that go with it.
fn kind_of(name: KindName, levels: Option<Vec<String>>) -> Result<Kind, InputError> {
    Ok(match (name, levels) {
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
    })
}
