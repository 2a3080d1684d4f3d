//! How a column writes its dates.

use chrono::{Datelike as _, NaiveDate};

use super::cells::Cells;
use super::numbers::Conventions;
use crate::data::DateUnit;
use crate::data::format::{has_day, read_date, written};

/// A column of dates.
#[derive(Debug)]
pub(in crate::data) struct Dates {
    pub pattern: &'static str,
    pub first: NaiveDate,
    pub last: NaiveDate,
    /// What should be checked.
    pub checks: Vec<String>,
}

/// Patterns by the length and the separators of what they read, the likelier first.
const PATTERNS: [&str; 27] = [
    "%Y-%m-%d",
    "%d.%m.%Y",
    "%m/%d/%Y",
    "%d/%m/%Y",
    "%d-%m-%Y",
    "%m-%d-%Y",
    "%Y/%m/%d",
    "%Y.%m.%d",
    "%d.%m.%y",
    "%m/%d/%y",
    "%d/%m/%y",
    "%Y-%m-%d %H:%M",
    "%Y-%m-%d %H:%M:%S",
    "%Y-%m-%dT%H:%M:%S",
    "%Y-%m-%d %H:%M:%S%.f",
    "%Y-%m-%dT%H:%M:%S%.f",
    "%d.%m.%Y %H:%M",
    "%d.%m.%Y %H:%M:%S",
    "%d %b %Y",
    "%d-%b-%Y",
    "%b %d, %Y",
    "%b-%Y",
    "%b %Y",
    "%b-%y",
    "%m/%Y",
    "%Y-%m",
    "%m.%Y",
];

/// Digits alone may be dates, too, if all of them are.
const DIGITS: &str = "%Y%m%d";

/// Reads a column as dates.
pub(in crate::data) fn read(cells: &Cells, conventions: Conventions) -> Option<Dates> {
    let texts = cells.texts();
    let patterns = fitting(&texts);
    let (&chosen, others) = patterns.split_first()?;
    let mut checks = Vec::new();
    let rival = others.iter().find(|other| swapped(chosen) == Some(**other)).copied();
    let pattern = match rival {
        None => chosen,
        Some(rival) => decide(chosen, rival, conventions, &texts, &mut checks),
    };
    if pattern.contains("%y") {
        checks.push(
            "Its years have two digits: 69 to 99 are read as 1969 to 1999, 00 to 68 as 2000 to 2068.".into(),
        );
    }
    let dates: Vec<NaiveDate> = texts.iter().filter_map(|text| read_date(text, pattern)).collect();
    let (first, last) = (*dates.iter().min()?, *dates.iter().max()?);
    Some(Dates { pattern, first, last, checks })
}

/// The patterns that read every cell of a column with at least three different ones.
fn fitting(texts: &[&str]) -> Vec<&'static str> {
    if texts.len() < 3 || !texts.iter().all(|text| is_likely(text)) {
        return Vec::new();
    }
    let reads_all = |pattern: &&str| texts.iter().all(|text| plausible(text, pattern));
    let digits =
        texts.iter().all(|text| text.len() == 8 && text.bytes().all(|b| b.is_ascii_digit()));
    if digits && texts.len() > 20 && reads_all(&DIGITS) {
        return vec![DIGITS];
    }
    if digits {
        return Vec::new();
    }
    PATTERNS.into_iter().filter(reads_all).collect()
}

/// Whether a cell can be a date at all, before patterns are tried.
fn is_likely(text: &str) -> bool {
    (6..=30).contains(&text.len()) && text.bytes().filter(u8::is_ascii_digit).count() >= 3
}

fn plausible(text: &str, pattern: &str) -> bool {
    read_date(text, pattern).is_some_and(|date| (1850..=2150).contains(&date.year()))
}

/// The pattern with day and month exchanged, where both are common.
fn swapped(pattern: &str) -> Option<&'static str> {
    let pairs = [("%m/%d/%Y", "%d/%m/%Y"), ("%m/%d/%y", "%d/%m/%y"), ("%d-%m-%Y", "%m-%d-%Y")];
    pairs.into_iter().find_map(|(a, b)| match pattern {
        _ if pattern == a => Some(b),
        _ if pattern == b => Some(a),
        _ => None,
    })
}

/// Whether days come first, by what other columns show; and a note that nothing in this column does.
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
        texts.first().unwrap_or(&"")
    ));
    chosen
}

impl Conventions {
    /// Adds whether this column shows that the day or the month comes first.
    pub fn add_dates(&mut self, cells: &Cells) {
        let patterns = fitting(&cells.texts());
        let Some(&first) = patterns.first() else { return };
        let Some(other) = swapped(first) else { return };
        if !patterns.contains(&other) {
            let count =
                if first.starts_with("%d") { &mut self.days_first } else { &mut self.months_first };
            *count += 1;
        }
    }
}

impl Dates {
    /// What the time before the reference date is best counted in: years for births, and what keeps the numbers small and different.
    pub fn unit(&self, about_birth: bool) -> DateUnit {
        const FEW_YEARS: i64 = 3 * 365;
        if about_birth {
            DateUnit::Years
        } else if has_day(self.pattern) && (self.last - self.first).num_days() <= FEW_YEARS {
            DateUnit::Days
        } else {
            DateUnit::Months
        }
    }

    /// The first and the last date, for people.
    pub fn span(&self) -> [String; 2] {
        [written(self.first), written(self.last)]
    }
}
