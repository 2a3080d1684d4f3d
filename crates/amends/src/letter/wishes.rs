//! An applicant's wishes in the words of their letter.

use super::Language;
use super::facts::{Wording, feature_of};
use crate::data::{Change, Schema, Value};

/// An applicant's wish: plans were looked for under it.
#[derive(Debug, Clone, PartialEq)]
pub enum LetterWish {
    /// At most so many changes.
    MaxChanges(usize),
    /// What is wanted of the feature of this name.
    Feature(String, FeatureWish),
    /// A rule, as it was written.
    Rule(String),
}

/// What an applicant wants of a feature.
#[derive(Debug, Clone, PartialEq)]
pub enum FeatureWish {
    /// It stays as it is.
    Stays,
    /// New numbers lie in this range.
    Range([f64; 2]),
    /// It only goes this way.
    Direction(Change),
    /// A change counts so many times as much.
    Effort(f64),
    /// New levels or codes are among these.
    Levels(Vec<Value>),
}

/// The most changes that these wishes leave of those that everybody may make.
pub(super) fn max_changes(wishes: &[LetterWish], of_all: usize) -> usize {
    let own = wishes.iter().filter_map(|wish| match wish {
        LetterWish::MaxChanges(most) => Some(*most),
        _ => None,
    });
    own.chain([of_all]).min().unwrap_or(of_all)
}

impl Wording<'_> {
    /// Every wish that takes something away, in words.
    pub(super) fn wishes(&self, wishes: &[LetterWish], schema: &Schema) -> Vec<String> {
        wishes.iter().filter_map(|wish| self.wish(wish, schema)).collect()
    }

    fn wish(&self, wish: &LetterWish, schema: &Schema) -> Option<String> {
        let german = self.kind.language == Language::German;
        match wish {
            LetterWish::MaxChanges(1) if german => Some("höchstens 1 Änderung".to_owned()),
            LetterWish::MaxChanges(1) => Some("at most 1 change".to_owned()),
            LetterWish::MaxChanges(most) if german => Some(format!("höchstens {most} Änderungen")),
            LetterWish::MaxChanges(most) => Some(format!("at most {most} changes")),
            LetterWish::Rule(rule) if german => Some(format!("Regel: {rule}")),
            LetterWish::Rule(rule) => Some(format!("rule: {rule}")),
            LetterWish::Feature(name, wish) => self.feature_wish(name, wish, schema),
        }
    }

    fn feature_wish(&self, name: &str, wish: &FeatureWish, schema: &Schema) -> Option<String> {
        let german = self.kind.language == Language::German;
        let feature = feature_of(schema, name);
        let title = self.title(feature);
        let text = |value: Value| {
            let text = feature.describe_exactly(value);
            let [shown, _] = self.values(feature, [text.as_str(), text.as_str()]);
            shown
        };
        let words = match wish {
            FeatureWish::Stays if german => format!("{title} bleibt, wie es ist"),
            FeatureWish::Stays => format!("{title} stays as it is"),
            FeatureWish::Range([low, high]) => {
                let [low, high] = [low, high].map(|&end| text(Value::Number(end)));
                if german {
                    format!("{title}: ein neuer Wert ist mindestens {low} und höchstens {high}")
                } else {
                    format!("{title}: a new value between {low} and {high}")
                }
            }
            FeatureWish::Direction(Change::Increase) if german => format!("{title} steigt nur"),
            FeatureWish::Direction(Change::Increase) => format!("{title} only rises"),
            FeatureWish::Direction(Change::Decrease) if german => format!("{title} sinkt nur"),
            FeatureWish::Direction(Change::Decrease) => format!("{title} only falls"),
            FeatureWish::Direction(_) => return None,
            FeatureWish::Effort(factor) => return self.effort_wish(title, *factor),
            FeatureWish::Levels(values) => {
                let or = if german { " oder " } else { " or " };
                let values: Vec<String> = values.iter().map(|&value| text(value)).collect();
                let only = if german { "wird nur" } else { "only becomes" };
                format!("{title} {only} {}", values.join(or))
            }
        };
        Some(words)
    }

    fn effort_wish(&self, title: &str, factor: f64) -> Option<String> {
        let german = self.kind.language == Language::German;
        let number = self.kind.language.number(&factor.to_string());
        let hard = match (factor > 1.0, german) {
            (true, true) => "schwer",
            (false, true) => "leicht",
            (true, false) => "hard",
            (false, false) => "easy",
        };
        let words = if german {
            format!("{title} ist {hard} zu ändern: eine Änderung zählt mal {number}")
        } else {
            format!("{title} is {hard} to change: a change counts times {number}")
        };
        // An effort of 1 is what everybody has.
        (factor.to_bits() != 1.0_f64.to_bits()).then_some(words)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_own_limit_only_narrows() {
        let wishes = [LetterWish::Rule("housing stays".to_owned()), LetterWish::MaxChanges(2)];
        assert_eq!([1, 2, 4].map(|of_all| max_changes(&wishes, of_all)), [1, 2, 2]);
        assert_eq!(max_changes(&[], 3), 3);
    }
}
