//! How a column writes its dates.

use chrono::{Datelike as _, NaiveDate};

use super::cells::{Cells, rows_in_words};
use super::date_patterns::{DIGITS, PATTERNS, swapped};
use super::names::{Words, is_birth};
use super::numbers::Conventions;
use crate::data::DateUnit;
use crate::data::format::{
    ReadDate, Unread, has_day, has_month_name, has_short_years, read_day, written,
};

/// A column of dates.
#[derive(Debug)]
pub(in crate::data) struct Dates<'a> {
    pub pattern: &'static str,
    /// Cells that stand for something other than a date, such as 0000-00-00.
    pub others: Vec<&'a str>,
    /// Cells with days that don't exist, such as 2023-02-30.
    pub impossible: Vec<&'a str>,
    /// The different dates.
    read: Vec<ReadDate>,
    /// What should be checked.
    pub checks: Vec<String>,
}

/// At most this many texts may occur among dates, in columns with many more dates.
const MOST_STATES: usize = 3;

/// Where nearly all cells have one order of day and month, one in this many with the other order counts as a typing error.
const CELLS_PER_SLIP: usize = 10;

/// How a cell reads under a pattern.
enum Cell {
    Date(ReadDate),
    Impossible,
    Other,
}

impl Cell {
    fn of(text: &str, pattern: &str) -> Self {
        if !is_likely(text) {
            return Self::Other;
        }
        match read_day(text, pattern) {
            Ok(date) if (1850..=2150).contains(&date.not_after(NaiveDate::MAX).year()) => {
                Self::Date(date)
            }
            // 0000-00-00 and 9999-99-99 are not typing errors.
            Err(Unread::Impossible) if has_different_digits(text) => Self::Impossible,
            _ => Self::Other,
        }
    }
}

/// Whether a cell can be a date at all, before patterns are tried.
fn is_likely(text: &str) -> bool {
    (6..=40).contains(&text.len()) && text.bytes().filter(u8::is_ascii_digit).count() >= 3
}

fn has_different_digits(text: &str) -> bool {
    let mut digits = text.bytes().filter(u8::is_ascii_digit);
    let first = digits.next();
    digits.any(|digit| Some(digit) != first)
}

fn plausible(text: &str, pattern: &str) -> bool {
    matches!(Cell::of(text, pattern), Cell::Date(_))
}

/// Reads a column as dates.
pub(in crate::data) fn read<'a>(cells: &Cells<'a>, conventions: Conventions) -> Option<Dates<'a>> {
    let texts = cells.texts();
    let patterns = fitting(&texts);
    let (&chosen, others) = patterns.split_first()?;
    if exchanged(&texts, chosen).is_some() {
        return None;
    }
    let mut checks = Vec::new();
    let rival = others.iter().find(|other| swapped(chosen) == Some(**other)).copied();
    let pattern = match rival {
        None => chosen,
        Some(rival) => decide(chosen, rival, conventions, &texts, &mut checks),
    };
    let mut dates =
        Dates { pattern, others: Vec::new(), impossible: Vec::new(), read: Vec::new(), checks };
    for text in texts {
        match Cell::of(text, pattern) {
            Cell::Date(date) => dates.read.push(date),
            Cell::Impossible => dates.impossible.push(text),
            Cell::Other => dates.others.push(text),
        }
    }
    Some(dates)
}

/// Why a column of dates can't be read as such: some cells can only have the day first, others only the month.
pub(super) fn mixed(cells: &Cells) -> Option<String> {
    let texts = cells.texts();
    let &chosen = fitting(&texts).first()?;
    let [own, others] = exchanged(&texts, chosen)?;
    let first = |pattern: &str| if pattern.starts_with("%d") { "day" } else { "month" };
    let shown = |texts: &[&str]| {
        let text = texts.first().copied().unwrap_or_default();
        format!("`{text}`, in {}", rows_in_words(cells.rows_with(texts)))
    };
    Some(format!(
        "some of its dates can only have the {} first ({}) and others only the {} ({}): write them in one way, because of the rest \
         nobody can tell which is which",
        first(chosen),
        shown(&own),
        first(swapped(chosen)?),
        shown(&others)
    ))
}

/// Why a column of dates is not read as such: they are written in several forms, of which no pattern reads all.
pub(super) fn in_several_forms(cells: &Cells) -> Option<String> {
    let texts = cells.texts();
    let sample = sample(&texts);
    let form = |text: &str| PATTERNS.into_iter().find(|pattern| plausible(text, pattern));
    let dates: Vec<(&str, &str)> =
        sample.iter().filter_map(|&text| Some((text, form(text)?))).collect();
    if sample.len() < 3 || 10 * dates.len() < 9 * sample.len() {
        return None;
    }
    let (first, pattern) = dates.first()?;
    let (other, _) = dates.iter().find(|(_, other)| other != pattern)?;
    Some(format!(
        "its dates have several forms, such as `{first}` and `{other}`: write them all in one, because no `date` reads both"
    ))
}

/// The cells that only a pattern reads, and those that only the one with day and month exchanged does, where they are too many to
/// be typing errors.
fn exchanged<'a>(texts: &[&'a str], pattern: &'static str) -> Option<[Vec<&'a str>; 2]> {
    let other = swapped(pattern)?;
    let only = |one: &str, other: &str| -> Vec<&'a str> {
        let only = texts.iter().filter(|text| plausible(text, one) && !plausible(text, other));
        only.copied().collect()
    };
    let (own, others) = (only(pattern, other), only(other, pattern));
    let few = own.len().min(others.len());
    let read = texts.iter().filter(|text| plausible(text, pattern) || plausible(text, other));
    (few > 0 && few * CELLS_PER_SLIP > read.count()).then_some([own, others])
}

/// The patterns that read the cells of a column: at least three different ones, or two that are clear, and all but a few.
fn fitting(texts: &[&str]) -> Vec<&'static str> {
    let digits = |text: &&str| text.len() == 8 && text.bytes().all(|byte| byte.is_ascii_digit());
    if texts.iter().all(digits) {
        let all = texts.len() > 20 && texts.iter().all(|text| plausible(text, DIGITS));
        return if all { vec![DIGITS] } else { Vec::new() };
    }
    let sample = sample(texts);
    let mostly = |pattern: &&str| {
        2 * sample.iter().filter(|text| plausible(text, pattern)).count() > sample.len()
    };
    let candidates = PATTERNS.into_iter().filter(mostly);
    let counts = candidates.map(|pattern| (pattern, Counts::of(texts, pattern)));
    let counts: Vec<(&'static str, Counts)> = counts.collect();
    let Some(least) = counts.iter().map(|(_, counts)| counts.unread()).min() else {
        return Vec::new();
    };
    let best = counts.into_iter().filter(|(_, counts)| counts.unread() == least);
    best.filter(|(pattern, counts)| counts.are_dates(pattern)).map(|(pattern, _)| pattern).collect()
}

/// Some of many texts: trying every pattern on every cell of a long column of numbers would take seconds.
fn sample<'a>(texts: &[&'a str]) -> Vec<&'a str> {
    const SAMPLE: usize = 60;
    texts.iter().copied().step_by(texts.len().div_ceil(SAMPLE).max(1)).collect()
}

/// How many different cells read in which way under a pattern.
struct Counts {
    dates: usize,
    impossible: usize,
    others: usize,
}

impl Counts {
    fn of(texts: &[&str], pattern: &str) -> Self {
        let mut counts = Self { dates: 0, impossible: 0, others: 0 };
        for text in texts {
            match Cell::of(text, pattern) {
                Cell::Date(_) => counts.dates += 1,
                Cell::Impossible => counts.impossible += 1,
                Cell::Other => counts.others += 1,
            }
        }
        counts
    }

    fn unread(&self) -> usize {
        self.impossible + self.others
    }

    /// Whether this is enough for a column of dates. Cells that fit the pattern but are not days are mistakes in dates, however many there are.
    fn are_dates(&self, pattern: &str) -> bool {
        let clear = has_month_name(pattern) || (has_day(pattern) && pattern.contains("%Y"));
        self.dates >= if clear { 2 } else { 3 }
            && self.dates > self.impossible
            && self.others <= MOST_STATES
            && (self.others == 0 || self.dates >= 10 * self.others)
    }
}

/// Whether days come first, judged by other columns, with a note that this column doesn't show it.
fn decide(
    one: &'static str,
    other: &'static str,
    conventions: Conventions,
    texts: &[&str],
    checks: &mut Vec<String>,
) -> &'static str {
    let Conventions { days_first, months_first, dollars, .. } = conventions;
    let (day_first, because) = if days_first != months_first {
        (days_first > months_first, "as in other columns")
    } else if dollars {
        (false, "because amounts are in dollars")
    } else if conventions.has_commas() || one.contains('-') {
        (true, "as is usual where numbers have decimal commas, or dates hyphens")
    } else {
        (false, "though no column shows the order for certain")
    };
    let (day, month) = if one.starts_with("%d") { (one, other) } else { (other, one) };
    let chosen = if day_first { day } else { month };
    checks.push(format!(
        "`{}` could have the day or the month first; it is read as {chosen}, {because}. If that is wrong, change `date`.",
        texts.iter().find(|text| plausible(text, chosen)).unwrap_or(&"")
    ));
    chosen
}

impl Conventions {
    /// Adds whether this column shows that the day or the month comes first.
    pub fn add_dates(&mut self, cells: &Cells) {
        let texts = cells.texts();
        let patterns = fitting(&texts);
        let Some(&first) = patterns.first() else { return };
        let Some(other) = swapped(first) else { return };
        if exchanged(&texts, first).is_none() && !patterns.contains(&other) {
            let count =
                if first.starts_with("%d") { &mut self.days_first } else { &mut self.months_first };
            *count += 1;
        }
    }
}

impl Dates<'_> {
    /// Whether years have two digits.
    pub fn has_short_years(&self) -> bool {
        has_short_years(self.pattern)
    }

    /// The last date; with two-digit years, none is after the day given.
    pub fn last(&self, today: NaiveDate) -> Option<NaiveDate> {
        self.days(today).max()
    }

    /// The days, those with two-digit years not after another day.
    fn days(&self, latest: NaiveDate) -> impl Iterator<Item = NaiveDate> {
        self.read.iter().map(move |date| date.not_after(latest))
    }

    /// Says how two-digit years are read with a reference date.
    pub fn explain_years(&mut self, reference: NaiveDate) {
        if !self.has_short_years() {
            return;
        }
        let moved = |date: &&ReadDate| date.not_after(reference) != date.not_after(NaiveDate::MAX);
        let moved = match self.read.iter().filter(moved).count() {
            0 => String::new(),
            1 => " (1 date here)".into(),
            count => format!(" ({count} dates here)"),
        };
        let long = match self.read.iter().filter(|date| !date.short_year).count() {
            0 => String::new(),
            count => format!(" {count} of its {} different dates have four.", self.read.len()),
        };
        self.checks.push(format!(
            "Its years have two digits: 69 to 99 are read as 1969 to 1999, 00 to 68 as 2000 to 2068, but what would then lie after {} \
             as a century earlier{moved}. If dates may lie ahead, write four digits in the table.{long}",
            written(reference)
        ));
    }

    /// The best unit for the time before the reference date: years for births, otherwise one that keeps the numbers small and different.
    pub fn unit(&self, about_birth: bool, reference: NaiveDate) -> DateUnit {
        const FEW_YEARS: i64 = 3 * 365;
        let [first, last] = self.ends(reference);
        if about_birth {
            DateUnit::Years
        } else if has_day(self.pattern) && (last - first).num_days() <= FEW_YEARS {
            DateUnit::Days
        } else {
            DateUnit::Months
        }
    }

    /// The first and the last date, for people.
    pub fn span(&self, reference: NaiveDate) -> [String; 2] {
        self.ends(reference).map(written)
    }

    fn ends(&self, reference: NaiveDate) -> [NaiveDate; 2] {
        let [first, last] = [self.days(reference).min(), self.days(reference).max()];
        [first, last].map(Option::unwrap_or_default)
    }
}

/// The reference date of a table: the last date in the columns that best show when the table was made.
///
/// Years of four digits come before those of two, whose century is a guess. Births are long ago, and dates that lie ahead say nothing:
/// where there is nothing else, it is today, and the second part says so.
pub(in crate::data) fn reference_date<'a>(
    columns: impl Iterator<Item = (&'a Words, Dates<'a>)>,
    today: NaiveDate,
) -> Option<(NaiveDate, bool)> {
    let columns = columns.filter_map(|(name, dates)| {
        let rank = (is_ahead(name) || is_birth(name), dates.has_short_years());
        Some((rank, dates.last(today)?))
    });
    let columns: Vec<_> = columns.collect();
    let best = columns.iter().map(|(rank, _)| *rank).min()?;
    if best.0 {
        return Some((today, true));
    }
    let last = columns.into_iter().filter(|(rank, _)| *rank == best).map(|(_, last)| last).max();
    last.map(|last| (last, false))
}

/// Whether a name is about a future date.
fn is_ahead(name: &Words) -> bool {
    let words = ["maturity", "due", "end", "expiry", "next", "until", "faellig", "ende", "bis"];
    name.one_of(&words).is_some()
}

#[cfg(test)]
mod tests;
