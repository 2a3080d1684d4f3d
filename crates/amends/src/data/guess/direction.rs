//! How an applicant may change a column, by the words of its name.

mod amounts;
mod fixed;
mod meaning;

use self::amounts::{EDUCATION, TIME, less, more};
use self::fixed::{another_person, circumstance, family, location, past, purpose, set_by_others};
use self::meaning::{is_about, turned_round};
use super::names::{Words, is_measure, protected_attribute, protected_of_a_person};
use super::scales::Acquired;
use crate::data::Change;

/// A guessed direction and the reason for it, for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Direction {
    pub change: Change,
    /// The word that it was guessed from.
    pub word: String,
    pub reason: &'static str,
}

const PROTECTED: &str = "nobody should be advised to change a protected attribute";
const ANOTHER: &str = "it is another person's";
const FAMILY: &str = "nobody should be advised to change their family";
const PAST: &str = "the past can't be changed";
const PURPOSE: &str = "another purpose would be another application";
const PLACE: &str = "nobody should be advised to move";
const AREA: &str = "it describes an area, not the applicant";
const DAYS_AGO: &str = "it grows with time, and its numbers are negative";
const AGE: &str = "time alone changes it";
const CIRCUMSTANCE: &str = "it says how the application came in, which is no advice";
const OTHERS: &str = "others decide on it: it follows from the rest";
const UNORDERED_EDUCATION: &str = "an education is not lost, and which of these is higher is not known: to advise on it, list them \
                                   from low to high as kind = \"ordinal\" with change = \"increase\"";

/// The direction that a name suggests; `ordered` says whether the column's values have an order, `is_number` whether they are numbers.
pub(super) fn guess(name: &Words, ordered: bool, is_number: bool) -> Option<Direction> {
    let direction = |change: Change, word: &str, reason| {
        Some(Direction { change, word: word.to_owned(), reason })
    };
    let fixed = |word: &str, reason| direction(Change::Immutable, word, reason);
    if let Some(word) = protected_attribute(name) {
        let of_a_person = protected_of_a_person(name).is_some();
        return fixed(word, if of_a_person { PROTECTED } else { AGE });
    }
    if let Some(word) = family(name) {
        return fixed(word, FAMILY);
    }
    if let Some(word) = another_person(name) {
        return fixed(word, ANOTHER);
    }
    if let Some(word) = past(name) {
        return fixed(word, PAST);
    }
    if let Some(word) = purpose(name) {
        return fixed(word, PURPOSE);
    }
    if let Some(word) = circumstance(name) {
        return fixed(word, CIRCUMSTANCE);
    }
    if let Some(word) = location(name) {
        return fixed(word, if is_measure(name) { AREA } else { PLACE });
    }
    if let Some(word) = set_by_others(name) {
        return fixed(word, OTHERS);
    }
    if !ordered || is_about(name) || turned_round(name) {
        return None;
    }
    // A ratio moves as what is divided does.
    let divided = name.numerator();
    let words = divided.as_ref().unwrap_or(name);
    let less = less(words);
    let more = more(words, is_number);
    let is_share = divided.is_none()
        && name.one_of(&["ratio", "percent", "pct", "share", "quote", "anteil", "rate"]).is_some();
    match (less, more) {
        (Some((word, reason)), None) => direction(Change::Decrease, word, reason),
        (None, Some((word, reason))) if !is_share => direction(Change::Increase, word, reason),
        _ => None,
    }
}

/// The direction of numbers of which none is positive, if the time since then only grows: days of a job, counted back from today.
pub(super) fn of_days_ago(name: &Words) -> Option<Direction> {
    let direction = guess(name, true, true).filter(|direction| direction.reason == TIME)?;
    Some(Direction { change: Change::Decrease, reason: DAYS_AGO, ..direction })
}

/// Levels of education in an unknown order: any advice could be to give up a degree.
pub(super) fn of_unordered(name: &Words) -> Option<Direction> {
    let word = education(name)?.to_owned();
    Some(Direction { change: Change::Immutable, word, reason: UNORDERED_EDUCATION })
}

/// The direction of levels that people acquire and don't lose again, whatever the column's name is.
pub(super) fn of_levels(acquired: Acquired, ordered: bool) -> Direction {
    let (word, reason) = match acquired {
        Acquired::Education if ordered => ("levels of education", EDUCATION),
        Acquired::Education => ("levels of education", UNORDERED_EDUCATION),
        Acquired::Skill => ("levels of skill", "a skill is not lost"),
    };
    let change = if ordered { Change::Increase } else { Change::Immutable };
    Direction { change, word: word.to_owned(), reason }
}

fn education(name: &Words) -> Option<&str> {
    const WORDS: [&str; 13] = [
        "education",
        "degree",
        "university",
        "qualification",
        "bildung",
        "abschluss",
        "schulabschluss",
        "bildungsabschluss",
        "berufsabschluss",
        "hochschulabschluss",
        "studium",
        "ausbildung",
        "berufsausbildung",
    ];
    name.one_of(&WORDS).or_else(|| name.numbered(&WORDS))
}

#[cfg(test)]
mod tests;
