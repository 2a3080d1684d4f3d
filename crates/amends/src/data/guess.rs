//! What a column of a table may mean, read off its cells and its name.

use std::collections::BTreeSet;

use super::schema::spelt;
use super::value::{is_whole, stands_for_missing};
use super::{Change, Code, Feature, Kind};

/// A column's cells without the missing ones.
pub(super) struct Cells<'a> {
    pub texts: BTreeSet<&'a str>,
    pub present: usize,
    pub missing: usize,
    /// The row of the first missing cell, counted from 1.
    pub first_missing: Option<usize>,
}

/// What to make of a column.
pub(super) enum Guess {
    /// A feature, and what to consider about it.
    Feature(Box<Feature>, Vec<String>),
    /// Better left out, for this reason.
    LeaveOut(String),
}

/// More different texts than this make levels that are too many to list or choose from.
const MOST_LEVELS: usize = 100;

impl<'a> Cells<'a> {
    pub fn of(cells: impl Iterator<Item = &'a str>) -> Self {
        let mut found =
            Self { texts: BTreeSet::new(), present: 0, missing: 0, first_missing: None };
        for (row, cell) in cells.enumerate() {
            // "none" is a fair level of a categorical column; other signs of a missing value are not.
            if cell.is_empty() || (stands_for_missing(cell) && !cell.eq_ignore_ascii_case("none")) {
                found.missing += 1;
                found.first_missing.get_or_insert(row + 1);
            } else {
                found.texts.insert(cell);
                found.present += 1;
            }
        }
        found
    }

    /// The cells as finite numbers, if they all are.
    fn numbers(&self) -> Option<Vec<f64>> {
        let parse = |text: &&str| text.parse().ok().filter(|number: &f64| number.is_finite());
        self.texts.iter().map(parse).collect()
    }

    /// The different texts: numbers by size, others by the alphabet.
    pub fn sorted(&self) -> Vec<String> {
        let mut texts: Vec<&str> = self.texts.iter().copied().collect();
        if self.numbers().is_some() {
            let number = |text: &str| text.parse::<f64>().unwrap_or_default();
            texts.sort_by(|a, b| number(a).total_cmp(&number(b)));
        }
        texts.into_iter().map(str::to_owned).collect()
    }
}

/// Guesses what the column `name` means.
pub(super) fn guess(name: &str, cells: &Cells) -> Guess {
    if let Some(reason) = reason_to_leave_out(name, cells) {
        return Guess::LeaveOut(reason);
    }
    let mut notes = Vec::new();
    let kind = guess_kind(cells, &mut notes);
    if cells.missing > 0 {
        notes.push(format!(
            "{} cells are missing (the first in row {}): fill them in or remove those rows before training, or declare \
             what stands there as a code: codes = [{}].",
            cells.missing,
            cells.first_missing.unwrap_or_default(),
            spelt(&Code::new("", "missing"))
        ));
    }
    let mut feature = Feature::new(name, kind);
    if let Some(attribute) = protected_attribute(name) {
        feature.change = Change::Immutable;
        notes.push(format!(
            "Immutable because its name says `{attribute}`: nobody should be advised to change a protected attribute."
        ));
    }
    Guess::Feature(Box::new(feature), notes)
}

/// Why a column can't be a feature, if it can't.
fn reason_to_leave_out(name: &str, cells: &Cells) -> Option<String> {
    let different = cells.texts.len();
    if different < 2 {
        return Some(match cells.texts.first() {
            Some(text) => format!("every row says `{text}`, which does not distinguish applicants"),
            None => "it is empty".into(),
        });
    }
    let all_different = different == cells.present && cells.present > 20;
    let names_rows = ["id", "key", "number", "no"];
    if all_different && words(name).iter().any(|word| names_rows.contains(&word.as_str())) {
        return Some("it looks like an identifier: every row has its own".into());
    }
    let free_text = different > 2 && cells.numbers().is_none();
    (free_text && (different > MOST_LEVELS || all_different)).then(|| {
        format!(
            "{different} different texts in {} rows look like names or free text, not like levels",
            cells.present
        )
    })
}

/// The kind of a column with at least two different values; notes say what it was guessed from.
fn guess_kind(cells: &Cells, notes: &mut Vec<String>) -> Kind {
    let different = cells.texts.len();
    match cells.numbers() {
        _ if different == 2 => {
            let mut levels = cells.sorted().into_iter();
            let (first, second) = (levels.next(), levels.next());
            notes.push("2 different values.".into());
            Kind::Binary { levels: [first.unwrap_or_default(), second.unwrap_or_default()] }
        }
        Some(numbers) => {
            let least = numbers.iter().copied().fold(f64::INFINITY, f64::min);
            let most = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            notes.push(format!("{different} different values, {least} to {most}."));
            if different <= 10 {
                notes.push(
                    "If these numbers are codes without an order, write kind = \"categorical\" \
                     and list them as levels."
                        .into(),
                );
            }
            notes.extend(likely_codes(&cells.sorted(), &numbers));
            let whole = numbers.iter().all(|&number| is_whole(number));
            if whole { Kind::Integer } else { Kind::Continuous }
        }
        None => {
            notes.push(format!("{different} different texts."));
            notes.push(
                "If they have an order, write kind = \"ordinal\" and list them from low to high."
                    .into(),
            );
            Kind::Categorical { levels: cells.sorted() }
        }
    }
}

/// What to say about a few negative numbers below many others: they are often codes.
fn likely_codes(texts: &[String], numbers: &[f64]) -> Option<String> {
    const MOST_CODES: usize = 5;
    let codes: Vec<String> = texts
        .iter()
        .filter(|text| {
            text.starts_with('-') && text.parse::<f64>().is_ok_and(|number| number < 0.0)
        })
        .map(|text| spelt(&Code::new(text.as_str(), "...")))
        .collect();
    let others = numbers.len() - codes.len();
    (1..=MOST_CODES.min(others / 2)).contains(&codes.len()).then(|| {
        format!(
            "If its few negative numbers are codes beside the numbers, say what they mean: codes = [{}]",
            codes.join(", ")
        )
    })
}

/// The word of a name that stands for a protected attribute.
fn protected_attribute(name: &str) -> Option<String> {
    const WORDS: [&str; 8] =
        ["age", "ages", "sex", "race", "dob", "religion", "nationality", "caste"];
    const BEGINNINGS: [&str; 8] =
        ["gender", "ethnic", "marital", "married", "national", "foreign", "birth", "disab"];
    words(name).into_iter().find(|word| {
        WORDS.contains(&word.as_str())
            || BEGINNINGS.iter().any(|beginning| word.starts_with(beginning))
    })
}

/// The words of a column name, split at signs and capitals, so that `mortgage` does not say `age`.
pub(super) fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut after_small = false;
    for c in name.chars() {
        if !c.is_alphanumeric() || (c.is_uppercase() && after_small) {
            words.push(String::new());
        }
        if c.is_alphanumeric() {
            words.last_mut().expect("there is always a word").extend(c.to_lowercase());
        }
        after_small = c.is_lowercase();
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind_of(cells: &[&str]) -> Kind {
        match guess("f", &Cells::of(cells.iter().copied())) {
            Guess::Feature(feature, _) => feature.kind,
            Guess::LeaveOut(reason) => panic!("left out: {reason}"),
        }
    }

    #[test]
    fn kinds_follow_the_cells() {
        assert_eq!(kind_of(&["3", "1", "2", "", "1"]), Kind::Integer);
        assert_eq!(kind_of(&["3.0", "1", "2.0"]), Kind::Integer);
        assert_eq!(kind_of(&["3.5", "1", "2"]), Kind::Continuous);
        assert_eq!(kind_of(&["1", "0", "1"]), Kind::Binary { levels: ["0".into(), "1".into()] });
        assert_eq!(kind_of(&["10", "9"]), Kind::Binary { levels: ["9".into(), "10".into()] });
        assert_eq!(kind_of(&["yes", "no"]), Kind::Binary { levels: ["no".into(), "yes".into()] });
        let levels = vec!["0".into(), "1".into(), "3+".into()];
        assert_eq!(kind_of(&["3+", "1", "0", "1"]), Kind::Categorical { levels });
    }

    #[test]
    fn negative_numbers_that_may_be_codes_are_pointed_out() {
        let notes = |cells: &[&str]| match guess("f", &Cells::of(cells.iter().copied())) {
            Guess::Feature(_, notes) => notes.join("\n"),
            Guess::LeaveOut(reason) => reason,
        };
        let suspicious = notes(&["-9", "-7", "0", "12", "15", "31", ""]);
        for part in [
            "codes = [{ value = -9, label = \"...\" }, { value = -7, label = \"...\" }]",
            "or declare what stands there as a code: codes = [{ value = \"\", label = \"missing\" }].",
        ] {
            assert!(suspicious.contains(part), "{suspicious}");
        }
        assert!(!notes(&["-9", "-7", "-5", "-1", "0", "2", "3"]).contains("codes = ["));
        assert!(!notes(&["1", "2", "3", "4"]).contains("codes = ["));
    }

    #[test]
    fn useless_columns_are_left_out() {
        let rows: Vec<String> = (0..30).map(|row| format!("K{row}")).collect();
        let numbers: Vec<String> = (0..30).map(|row| row.to_string()).collect();
        let left_out = |name: &str, cells: &[String]| {
            matches!(guess(name, &Cells::of(cells.iter().map(String::as_str))), Guess::LeaveOut(_))
        };
        assert!(left_out("customer", &rows));
        assert!(left_out("loan_id", &numbers));
        assert!(!left_out("amount", &numbers));
        assert!(left_out("constant", &["7".to_owned(), "7".to_owned()]));
        assert!(left_out("empty", &[String::new(), "NA".to_owned()]));
    }

    #[test]
    fn protected_attributes_are_found_by_whole_words() {
        for name in [
            "age",
            "Age_Years",
            "ApplicantSex",
            "foreign_worker",
            "maritalStatus",
            "race",
            "Gender",
        ] {
            assert!(protected_attribute(name).is_some(), "{name}");
        }
        for name in ["mortgage", "AverageMInFile", "trace", "sextant", "average", "percentage"] {
            assert!(protected_attribute(name).is_none(), "{name}");
        }
    }
}
