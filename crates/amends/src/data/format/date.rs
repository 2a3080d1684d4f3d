//! Dates as tables write them, counted back from a reference date.

use chrono::format::{Item, ParseErrorKind, StrftimeItems};
use chrono::{Datelike as _, Months, NaiveDate};

use crate::InputError;
use crate::data::schema::Flaw;

/// How a table writes the dates of a column, and what becomes of them: the time before a reference date.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DateFormat {
    /// The order of day, month and year: `%d.%m.%Y`. Without a day, dates are the first of their month.
    pub pattern: String,
    /// The reference date, as year, month and day: `2024-12-31`.
    pub reference: String,
    /// The unit of the time that is counted.
    pub unit: DateUnit,
}

/// The unit of the time between two dates; only complete units count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DateUnit {
    /// Days.
    Days,
    /// Months: from the 31st of January, the first month is complete on the 1st of March, or on the 29th of February.
    Months,
    /// Years.
    Years,
}

/// How reference dates are written.
const REFERENCE: &str = "%Y-%m-%d";

impl DateUnit {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Days, Self::Months, Self::Years];

    /// The name in the schema file.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Days => "days",
            Self::Months => "months",
            Self::Years => "years",
        }
    }

    /// The unit of this name.
    pub fn of(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|unit| unit.name() == name)
    }

    /// The complete units from one date to another; negative where the other is earlier.
    fn between(self, from: NaiveDate, to: NaiveDate) -> i64 {
        if from > to {
            return -self.between(to, from);
        }
        let months = i64::from(to.year() - from.year()) * 12 + i64::from(to.month())
            - i64::from(from.month())
            - i64::from(to.day() < from.day());
        match self {
            Self::Days => (to - from).num_days(),
            Self::Months => months,
            Self::Years => months / 12,
        }
    }
}

impl DateFormat {
    /// Reads a date as the time that has passed from it until the reference date.
    pub(super) fn read(&self, text: &str) -> Result<f64, InputError> {
        let date = read(text, &self.pattern).map_err(|unread| self.not_a_date(text, unread))?;
        let reference =
            read_date(&self.reference, REFERENCE).ok_or_else(|| self.bad_reference())?;
        Ok(self.unit.between(date.not_after(reference), reference) as f64)
    }

    pub(super) fn check(&self) -> Result<(), Flaw> {
        if !is_date_pattern(&self.pattern) {
            let error = InputError::new("is not the form of a date")
                .value(&self.pattern)
                .remedy("write the order of day, month and year, such as \"%d.%m.%Y\", \"%m/%d/%Y\" or \"%b-%Y\"");
            return Err(Flaw::of("date", error));
        }
        match read_date(&self.reference, REFERENCE) {
            Some(_) => Ok(()),
            None => Err(Flaw::of("reference_date", self.bad_reference())),
        }
    }

    fn not_a_date(&self, text: &str, unread: Unread) -> InputError {
        if unread == Unread::Impossible {
            return InputError::new(format!(
                "is not a day of the calendar, read as {}",
                self.pattern
            ))
            .value(text)
            .remedy("correct the cell");
        }
        InputError::new(format!("is not a date of the form {}", self.pattern))
            .value(text)
            .remedy("write the date as the feature's `date` in the schema says, or correct that")
    }

    fn bad_reference(&self) -> InputError {
        InputError::new("is not a day")
            .value(&self.reference)
            .remedy("write year, month and day, such as \"2024-12-31\"")
    }
}

/// A date as a cell has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::data) struct ReadDate {
    day: NaiveDate,
    /// Whether its year has two digits, so that the century is a guess.
    pub short_year: bool,
}

/// Why a cell is not a date of a pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::data) enum Unread {
    /// It fits the pattern, but there is no such day: the 30th of February.
    Impossible,
    Other,
}

impl ReadDate {
    /// The day; a two-digit year is taken to be one in which it is not after `latest`.
    pub(crate) fn not_after(self, latest: NaiveDate) -> NaiveDate {
        if self.short_year { not_after(self.day, latest) } else { self.day }
    }
}

/// Reads a date; if the pattern has no day, the first of the month. A pattern with two-digit years also reads four digits.
pub(in crate::data) fn read(text: &str, pattern: &str) -> Result<ReadDate, Unread> {
    let (text, pattern) = match pattern.strip_suffix(ZONE) {
        Some(pattern) => (without_zone(text).ok_or(Unread::Other)?, pattern),
        None => (text, pattern),
    };
    let short_year = has_short_years(pattern);
    match read_in(text, pattern) {
        Err(unread) if short_year => {
            let long = pattern.replace("%-y", "%Y").replace("%y", "%Y");
            let date = read_in(text, &long).map(|day| ReadDate { day, short_year: false });
            date.map_err(|other| if other == Unread::Impossible { other } else { unread })
        }
        date => date.map(|day| ReadDate { day, short_year }),
    }
}

fn read_in(text: &str, pattern: &str) -> Result<NaiveDate, Unread> {
    let date = parse(text, pattern).or_else(|unread| {
        let translated = with_english_months(text).filter(|_| has_month_name(pattern));
        translated.map_or(Err(unread), |text| parse(&text, pattern))
    })?;
    // `%Y` would read 96 as the year 96.
    if date.year() >= 1000 { Ok(date) } else { Err(Unread::Other) }
}

fn parse(text: &str, pattern: &str) -> Result<NaiveDate, Unread> {
    let date = if has_day(pattern) {
        NaiveDate::parse_from_str(text, pattern)
    } else {
        NaiveDate::parse_from_str(&format!("01 {text}"), &format!("%d {pattern}"))
    };
    date.map_err(|error| match error.kind() {
        ParseErrorKind::OutOfRange | ParseErrorKind::Impossible
            if is_separated_as(text, pattern) =>
        {
            Unread::Impossible
        }
        _ => Unread::Other,
    })
}

/// Whether a text has the separators of a pattern: 2025-01-13 is no month 20 of %m/%d/%Y.
fn is_separated_as(text: &str, pattern: &str) -> bool {
    let mut expected = String::new();
    let mut rest = pattern.chars();
    while let Some(c) = rest.next() {
        if c == '%' {
            // `%-d` has one more character, and `%.f` is optional.
            let _ = rest.next().filter(|c| ['-', '.'].contains(c)).and_then(|_| rest.next());
        } else if !c.is_alphanumeric() && !c.is_whitespace() {
            expected.push(c);
        }
    }
    let is_separator = |c: &char| !c.is_alphanumeric() && !c.is_whitespace();
    text.chars().filter(is_separator).collect::<String>().starts_with(&expected)
}

/// Reads a date, or nothing.
fn read_date(text: &str, pattern: &str) -> Option<NaiveDate> {
    read(text, pattern).ok().map(|date| date.day)
}

/// What stands for a time zone at the end of a pattern.
const ZONE: &str = "%z";

/// The text before a time zone: `Z`, `+02:00`, `+0200` or `+02`.
fn without_zone(text: &str) -> Option<&str> {
    if let Some(before) = text.strip_suffix(['Z', 'z']) {
        return Some(before.trim_end());
    }
    let at = text.rfind(['+', '-'])?;
    let zone = &text.as_bytes()[at + 1..];
    let digits = |at: &[usize]| at.iter().all(|&at| zone[at].is_ascii_digit());
    let is_zone = match zone.len() {
        2 => digits(&[0, 1]),
        4 => digits(&[0, 1, 2, 3]),
        5 => zone[2] == b':' && digits(&[0, 1, 3, 4]),
        _ => false,
    };
    is_zone.then(|| text[..at].trim_end())
}

/// German names of months that differ from the English ones, with the English name.
const GERMAN_MONTHS: [(&str, &str); 16] = [
    ("januar", "January"),
    ("j\u{e4}nner", "January"),
    ("j\u{e4}n", "Jan"),
    ("februar", "February"),
    ("m\u{e4}rz", "March"),
    ("maerz", "March"),
    ("m\u{e4}r", "Mar"),
    ("mrz", "Mar"),
    ("mai", "May"),
    ("juni", "June"),
    ("juli", "July"),
    ("oktober", "October"),
    ("okt", "Oct"),
    ("dezember", "December"),
    ("dez", "Dec"),
    // Also used in English, besides Sep.
    ("sept", "Sep"),
];

/// The text with the English name of its month, where it has a German one.
fn with_english_months(text: &str) -> Option<String> {
    let start = text.find(char::is_alphabetic)?;
    let word = text[start..].split(|c: char| !c.is_alphabetic()).next()?;
    let small = word.to_lowercase();
    let &(_, english) = GERMAN_MONTHS.iter().find(|(german, _)| *german == small)?;
    Some([&text[..start], english, &text[start + word.len()..]].concat())
}

/// Whether a pattern has the name of a month.
pub(in crate::data) fn has_month_name(pattern: &str) -> bool {
    ["%b", "%B", "%h", "%v"].iter().any(|part| pattern.contains(part))
}

/// Whether the years of a pattern have two digits, so that their century has to be guessed.
pub(in crate::data) fn has_short_years(pattern: &str) -> bool {
    ["%y", "%-y", "%D", "%x"].iter().any(|part| pattern.contains(part))
}

/// A date that is later than another by its two-digit year belongs to the century before.
fn not_after(date: NaiveDate, latest: NaiveDate) -> NaiveDate {
    const CENTURY: u32 = 12 * 100;
    if date <= latest {
        return date;
    }
    date.checked_sub_months(Months::new(CENTURY)).unwrap_or(date)
}

/// A date as reference dates are written.
pub(in crate::data) fn written(date: NaiveDate) -> String {
    date.format(REFERENCE).to_string()
}

pub(in crate::data) fn has_day(pattern: &str) -> bool {
    ["%d", "%e", "%-d", "%j", "%F", "%D", "%x", "%v"].iter().any(|part| pattern.contains(part))
}

/// Whether a pattern reads back the date that it writes.
fn is_date_pattern(pattern: &str) -> bool {
    // A zone belongs to a time; it says nothing about the day that was written.
    let has_time = ["%H", "%I", "%k", "%l", "%T", "%R"].iter().any(|part| pattern.contains(part));
    let pattern = pattern.strip_suffix(ZONE).filter(|_| has_time).unwrap_or(pattern);
    if StrftimeItems::new(pattern).any(|item| item == Item::Error) {
        return false;
    }
    let day = if has_day(pattern) { 23 } else { 1 };
    let Some(date) =
        NaiveDate::from_ymd_opt(2019, 11, day).and_then(|date| date.and_hms_opt(0, 0, 0))
    else {
        return false;
    };
    let mut text = String::new();
    // Patterns of times of day and zones may have no meaning for a date.
    if std::fmt::write(&mut text, format_args!("{}", date.format(pattern))).is_err() {
        return false;
    }
    read_date(&text, pattern) == Some(date.date())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counted(pattern: &str, unit: DateUnit, text: &str) -> Option<f64> {
        let format = DateFormat { pattern: pattern.into(), reference: "2024-02-29".into(), unit };
        assert!(format.check().is_ok(), "{pattern}");
        format.read(text).ok()
    }

    #[test]
    fn complete_units_are_counted_back_from_the_reference_date() {
        use DateUnit::{Days, Months, Years};
        for (pattern, unit, text, expected) in [
            ("%Y-%m-%d", Days, "2024-02-28", Some(1.0)),
            ("%Y-%m-%d", Days, "2023-02-28", Some(366.0)),
            ("%d.%m.%Y", Months, "29.01.2024", Some(1.0)),
            ("%d.%m.%Y", Months, "30.01.2024", Some(0.0)),
            ("%d.%m.%Y", Months, "1.3.2024", Some(0.0)),
            ("%d.%m.%Y", Months, "1.4.2024", Some(-1.0)),
            ("%m/%d/%Y", Years, "02/28/2020", Some(4.0)),
            ("%m/%d/%Y", Years, "03/01/2020", Some(3.0)),
            ("%d/%m/%Y", Years, "01/03/2020", Some(3.0)),
            ("%b-%Y", Months, "Dec-2015", Some(98.0)),
            ("%d.%m.%y", Years, "01.01.99", Some(25.0)),
            // What would lie after the reference date belongs to the century before.
            ("%d.%m.%y", Years, "23.11.58", Some(65.0)),
            ("%d.%m.%y", Days, "29.02.24", Some(0.0)),
            ("%d.%m.%y", Years, "01.03.24", Some(99.0)),
            ("%m/%d/%y", Years, "02/29/00", Some(24.0)),
            ("%b-%y", Years, "Mar-24", Some(99.0)),
            // Two digits are no year of four.
            ("%d.%m.%Y", Years, "23.11.96", None),
            ("%m/%d/%Y", Years, "11/23/96", None),
            ("%b-%Y", Months, "Dec-15", None),
            ("%d.%m.%Y", Days, "23.11.0996", None),
            ("%Y-%m-%d %H:%M:%S", Days, "2024-02-01 12:30:00", Some(28.0)),
            // Four digits of a year leave no doubt, also where others have two.
            ("%d.%m.%y", Days, "01.03.2024", Some(-1.0)),
            ("%d.%m.%y", Years, "17.03.1996", Some(27.0)),
            ("%d %B %Y", Days, "28 February 2024", Some(1.0)),
            ("%d. %B %Y", Days, "28. Februar 2024", Some(1.0)),
            ("%d. %B %Y", Months, "1. M\u{e4}rz 2023", Some(11.0)),
            ("%d-%b-%y", Days, "1-Okt-23", Some(151.0)),
            ("%d-%b-%y", Days, "18-Mar-23", Some(348.0)),
            ("%b %Y", Months, "Sept 2023", Some(5.0)),
            ("%m/%d/%Y %I:%M %p", Days, "02/28/2024 11:59 PM", Some(1.0)),
            ("%Y-%m-%dT%H:%M:%S%.f%z", Days, "2024-02-28T23:59:59Z", Some(1.0)),
            ("%Y-%m-%dT%H:%M:%S%.f%z", Days, "2024-02-28T23:59:59.125+02:00", Some(1.0)),
            ("%Y-%m-%d %H:%M%z", Days, "2024-02-28 23:59 -0500", Some(1.0)),
            ("%Y-%m-%d %H:%M%z", Days, "2024-02-28 23:59", None),
            ("%d.%m.%Y", Days, "31.02.2024", None),
            ("%d.%m.%Y", Days, "2024-02-28", None),
            ("%m/%d/%Y", Days, "31/12/2024", None),
        ] {
            assert_eq!(counted(pattern, unit, text), expected, "{text} as {pattern}");
        }
    }

    #[test]
    fn days_that_no_calendar_has_are_told_from_other_texts() {
        for (pattern, text, expected) in [
            ("%Y-%m-%d", "2023-02-30", Unread::Impossible),
            ("%Y-%m-%d", "2023-13-01", Unread::Impossible),
            ("%d.%m.%y", "31.04.23", Unread::Impossible),
            ("%d.%m.%y", "31.04.1996", Unread::Impossible),
            ("%d. %B %Y", "30. Februar 2023", Unread::Impossible),
            ("%Y-%m-%d", "never", Unread::Other),
            ("%Y-%m-%d", "30.02.2023", Unread::Other),
            ("%m/%d/%Y", "2025-01-13", Unread::Other),
            ("%m/%d/%Y", "13.01.2025", Unread::Other),
            ("%m/%d/%Y", "02/30/2025", Unread::Impossible),
            ("%Y-%m-%dT%H:%M:%S%.f%z", "2023-02-30T10:00:00.125Z", Unread::Impossible),
        ] {
            assert_eq!(read(text, pattern), Err(expected), "{text}");
        }
        let format = DateFormat {
            pattern: "%Y-%m-%d".into(),
            reference: "2024-02-29".into(),
            unit: DateUnit::Days,
        };
        let message = format.read("2023-02-30").unwrap_err().to_string();
        assert!(message.contains("`2023-02-30` is not a day of the calendar"), "{message}");
        let american = DateFormat { pattern: "%m/%d/%Y".into(), ..format };
        let message = american.read("2025-01-13").unwrap_err().to_string();
        assert!(message.contains("`2025-01-13` is not a date of the form %m/%d/%Y"), "{message}");
    }

    #[test]
    fn patterns_and_reference_dates_are_checked() {
        let flaw = |pattern: &str, reference: &str| {
            let (pattern, reference) = (pattern.into(), reference.into());
            DateFormat { pattern, reference, unit: DateUnit::Days }.check().err()?.key
        };
        for pattern in ["", "%d.%m", "%Y", "%Q", "%d.%m.%Y %", "%H:%M", "%Y-%m-%d %z"] {
            assert_eq!(flaw(pattern, "2024-12-31"), Some("date"), "{pattern}");
        }
        assert_eq!(flaw("%Y-%m-%d", "31.12.2024"), Some("reference_date"));
        assert_eq!(flaw("%Y-%m-%d", "2023-02-29"), Some("reference_date"));
        assert_eq!(flaw("%Y-%m-%d", "2024-12-31"), None);
    }
}
