//! Dates as tables write them, counted back from a reference date.

use chrono::format::{Item, StrftimeItems};
use chrono::{Datelike as _, Months, NaiveDate};

use crate::InputError;
use crate::data::schema::Flaw;

/// How a table writes the dates of a column, and what becomes of them: the time before a reference date.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DateFormat {
    /// The order of day, month and year: `%d.%m.%Y`. Without a day, dates are the first of their month.
    pub pattern: String,
    /// The day from which is counted back, as year, month and day: `2024-12-31`.
    pub reference: String,
    /// What is counted.
    pub unit: DateUnit,
}

/// What the time between two dates is counted in; only what is complete counts.
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
        let date = read_date(text, &self.pattern).ok_or_else(|| {
            InputError::new(format!("is not a date of the form {}", self.pattern))
                .value(text)
                .remedy(
                    "write the date as the feature's `date` in the schema says, or correct that",
                )
        })?;
        let reference =
            read_date(&self.reference, REFERENCE).ok_or_else(|| self.bad_reference())?;
        let date = if has_short_years(&self.pattern) { not_after(date, reference) } else { date };
        Ok(self.unit.between(date, reference) as f64)
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

    fn bad_reference(&self) -> InputError {
        InputError::new("is not a day")
            .value(&self.reference)
            .remedy("write year, month and day, such as \"2024-12-31\"")
    }
}

/// Reads a date; without a day in the pattern, the first of the month.
pub(in crate::data) fn read_date(text: &str, pattern: &str) -> Option<NaiveDate> {
    let date = if has_day(pattern) {
        NaiveDate::parse_from_str(text, pattern)
    } else {
        NaiveDate::parse_from_str(&format!("01 {text}"), &format!("%d {pattern}"))
    };
    // `%Y` takes 96 for the year 96, which nobody means.
    date.ok().filter(|date| date.year() >= 1000)
}

/// Whether the years of a pattern have two digits, so that their century has to be guessed.
pub(in crate::data) fn has_short_years(pattern: &str) -> bool {
    ["%y", "%-y", "%D", "%x"].iter().any(|part| pattern.contains(part))
}

/// A date that is later than another by its two-digit year belongs to the century before.
pub(in crate::data) fn not_after(date: NaiveDate, latest: NaiveDate) -> NaiveDate {
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
            ("%d.%m.%Y", Days, "31.02.2024", None),
            ("%d.%m.%Y", Days, "2024-02-28", None),
            ("%m/%d/%Y", Days, "31/12/2024", None),
        ] {
            assert_eq!(counted(pattern, unit, text), expected, "{text} as {pattern}");
        }
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
