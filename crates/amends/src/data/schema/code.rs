//! Codes beside numbers and levels: cells that state why there is none.

use std::collections::HashSet;

use super::Feature;
use super::check::Flaw;
use crate::InputError;
use crate::data::some_of;
use crate::data::value::level_of;

/// A cell that is neither a number nor a level, but a state beside them: "never late", "missing".
///
/// Moves between the state and the numbers or levels are forbidden unless `leave` or `enter` allows them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Code {
    /// The cell as the table writes it: `-7`, `NA`, or nothing at all.
    pub text: String,
    /// Other cells that mean the same; the table is read with them, but nothing is written with them.
    pub others: Vec<String>,
    /// What it means, for people.
    pub label: String,
    /// Whether an applicant with this code may get a number or a level instead.
    pub leave: bool,
    /// Whether an applicant with a number or a level, or with a code that may be left, may get this code.
    pub enter: bool,
}

impl Code {
    /// A code that is neither left nor entered.
    pub fn new(text: impl Into<String>, label: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            others: Vec::new(),
            label: label.into(),
            leave: false,
            enter: false,
        }
    }

    /// The number that the code looks like, if it does.
    pub(crate) fn number(&self) -> Option<f64> {
        number_of(&self.text)
    }

    /// Every cell that is read as this code.
    pub fn texts(&self) -> impl Iterator<Item = &String> {
        std::iter::once(&self.text).chain(&self.others)
    }

    /// Whether it looks like this number.
    fn is_number(&self, number: f64) -> bool {
        self.texts().any(|text| number_of(text) == Some(number))
    }
}

/// The number that a text looks like, if it does.
fn number_of(text: &str) -> Option<f64> {
    text.parse().ok().filter(|number: &f64| number.is_finite())
}

impl Feature {
    /// The index of the code that a cell holds. `-7.0` is also found as `-7`: programs that write tables add the point.
    pub(in crate::data) fn code_of(&self, text: &str) -> Option<usize> {
        self.codes.iter().position(|code| code.texts().any(|own| own == text)).or_else(|| {
            let number: f64 = text.parse().ok()?;
            self.code_of_number(number)
        })
    }

    /// The index of the code that looks like this number.
    pub(in crate::data) fn code_of_number(&self, number: f64) -> Option<usize> {
        self.codes.iter().position(|code| code.is_number(number))
    }

    /// Whether a table would read this number as a code.
    pub(crate) fn is_code(&self, number: f64) -> bool {
        self.codes.iter().any(|code| code.is_number(number))
    }

    fn has_level(&self, text: &str) -> bool {
        level_of(self.levels(), text).is_some()
    }

    pub(super) fn check_codes(&self) -> Result<(), Flaw> {
        if self.codes.is_empty() {
            return Ok(());
        }
        let flaw = |error| Err(Flaw::of("codes", error));
        let mut texts = HashSet::new();
        let mut labels = HashSet::new();
        for code in &self.codes {
            let blank = code.texts().chain([&code.label]).find(|text| text.trim() != *text);
            if let Some(blank) = blank {
                return flaw(
                    InputError::new("starts or ends with a blank")
                        .value(blank)
                        .remedy("remove the blank: cells lose theirs when a table is read"),
                );
            }
            if code.label.is_empty() {
                return flaw(
                    InputError::new("has no label")
                        .value(&code.text)
                        .remedy("say what it means, such as label = \"missing\""),
                );
            }
            if code.label.parse::<f64>().is_ok() {
                return flaw(
                    InputError::new("is a label that reads like a number")
                        .value(&code.label)
                        .remedy("say in words what the code means"),
                );
            }
            let level = code.texts().chain([&code.label]).find(|text| self.has_level(text));
            if let Some(level) = level {
                return flaw(
                    InputError::new("is a level of this feature, too").value(level).remedy(
                        format!(
                            "give the code a text and words of its own: the levels are {}",
                            some_of(self.levels())
                        ),
                    ),
                );
            }
            // Numbers are the same code however they are written.
            let known = |text: &String| {
                number_of(text).map_or_else(|| text.clone(), |number| number.to_string())
            };
            if let Some(twice) = code.texts().find(|text| !texts.insert(known(text))) {
                return flaw(
                    InputError::new("is listed twice").value(twice).remedy("keep one of the two"),
                );
            }
            if !labels.insert(&code.label) {
                return flaw(
                    InputError::new("is the label of two codes").value(&code.label).remedy(
                        "give each code words of its own, so that a plan can distinguish them",
                    ),
                );
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Kind, Value};

    fn feature(codes: &[(&str, &str)]) -> Feature {
        let codes = codes.iter().map(|(text, label)| Code::new(*text, *label)).collect();
        Feature { codes, ..Feature::new("f", Kind::Integer) }
    }

    #[test]
    fn codes_are_read_before_numbers_and_come_out_as_they_went_in() {
        let feature = feature(&[("-7", "never late"), ("", "missing"), ("NA", "not asked")]);
        assert!(feature.check_codes().is_ok());
        for (text, value, shown) in [
            ("-7", Value::Code(0), "-7"),
            (" -7.0 ", Value::Code(0), "-7"),
            ("", Value::Code(1), ""),
            ("  ", Value::Code(1), ""),
            ("NA", Value::Code(2), "NA"),
            ("-6", Value::Number(-6.0), "-6"),
            ("7", Value::Number(7.0), "7"),
        ] {
            assert_eq!(feature.parse(text).unwrap(), value, "{text}");
            assert_eq!(feature.show(value), shown);
        }
        assert_eq!(feature.describe(Value::Code(0)), "never late");
        let mut several = feature.clone();
        several.codes[2].others = vec!["?".into(), "n/a".into()];
        assert!(several.check_codes().is_ok());
        assert_eq!(several.parse("?").unwrap(), Value::Code(2));
        assert_eq!(several.show(Value::Code(2)), "NA");
        several.codes[1].others = vec!["?".into()];
        let flaw = several.check_codes().unwrap_err();
        assert!(flaw.error.to_string().starts_with("`?` is listed twice"), "{}", flaw.error);
        assert_eq!(feature.describe(Value::Number(3.0)), "3");
        // Only what is declared: other signs of a missing value are refused as ever.
        assert!(feature.parse("?").unwrap_err().to_string().contains("stands for a missing value"));
        assert!(feature.parse("na").is_err());
    }

    #[test]
    fn codes_that_can_not_be_distinguished_are_refused() {
        for (codes, problem) in [
            (vec![("-7", "a"), ("-7.0", "b")], "`-7.0` is listed twice"),
            (vec![("-7", "a"), ("-8", "a")], "`a` is the label of two codes"),
            (vec![("-7", "")], "`-7` has no label"),
            (vec![(" NA", "a")], "` NA` starts or ends with a blank"),
            (vec![("NA", "12")], "`12` is a label that reads like a number"),
        ] {
            let flaw = feature(&codes).check_codes().unwrap_err();
            assert!(flaw.error.to_string().starts_with(problem), "{}", flaw.error);
        }
    }

    #[test]
    fn levels_have_codes_beside_them_that_are_no_levels() {
        let levels = Kind::Ordinal { levels: vec!["a".into(), "1".into()] };
        let beside = |text, label| Feature { kind: levels.clone(), ..feature(&[(text, label)]) };
        let missing = beside("", "missing");
        assert!(missing.check_codes().is_ok());
        assert_eq!(missing.parse("  ").unwrap(), Value::Code(0));
        assert_eq!(missing.parse("1.0").unwrap(), Value::Level(1));
        assert_eq!(missing.describe(Value::Code(0)), "missing");
        assert!(missing.parse("NA").unwrap_err().to_string().contains("`NA` is not a level"));
        for (text, label, value) in [("1.0", "one", "1.0"), ("", "a", "a")] {
            let flaw = beside(text, label).check_codes().unwrap_err();
            let expected = format!("`{value}` is a level of this feature, too");
            assert!(flaw.error.to_string().starts_with(&expected), "{}", flaw.error);
        }
    }
}
