//! How a column writes its dates.

use chrono::{Datelike as _, NaiveDate};

use super::cells::Cells;
use super::names::{Words, is_birth};
use super::numbers::Conventions;
use crate::data::DateUnit;
use crate::data::format::{has_day, has_short_years, not_after, read_date, written};

/// A column of dates.
#[derive(Debug)]
pub(in crate::data) struct Dates<'a> {
    pub pattern: &'static str,
    /// Cells that are no dates, such as 0000-00-00.
    pub others: Vec<&'a str>,
    /// The different dates, as their pattern reads them.
    days: Vec<NaiveDate>,
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

/// At most this many texts may stand among dates, in columns with many more dates.
const MOST_STATES: usize = 3;

/// Reads a column as dates.
pub(in crate::data) fn read<'a>(cells: &Cells<'a>, conventions: Conventions) -> Option<Dates<'a>> {
    let texts = cells.texts();
    let patterns = fitting(&texts);
    let (&chosen, others) = patterns.split_first()?;
    let mut checks = Vec::new();
    let rival = others.iter().find(|other| swapped(chosen) == Some(**other)).copied();
    let pattern = match rival {
        None => chosen,
        Some(rival) => decide(chosen, rival, conventions, &texts, &mut checks),
    };
    let (readable, others): (Vec<&str>, Vec<&str>) =
        texts.iter().partition(|text| plausible(text, pattern));
    let days: Vec<NaiveDate> =
        readable.iter().filter_map(|text| read_date(text, pattern)).collect();
    (!days.is_empty()).then_some(Dates { pattern, others, days, checks })
}

/// The patterns that read the cells of a column: at least three different ones, and all but a few.
fn fitting(texts: &[&str]) -> Vec<&'static str> {
    const SAMPLE: usize = 60;
    let digits = |text: &&str| text.len() == 8 && text.bytes().all(|byte| byte.is_ascii_digit());
    if texts.iter().all(digits) {
        let all = texts.len() > 20 && texts.iter().all(|text| plausible(text, DIGITS));
        return if all { vec![DIGITS] } else { Vec::new() };
    }
    // Trying every pattern on every cell of a long column of numbers would take seconds.
    let step = texts.len().div_ceil(SAMPLE).max(1);
    let sample: Vec<&str> = texts.iter().copied().step_by(step).collect();
    let mostly = |pattern: &&str| {
        2 * sample.iter().filter(|text| plausible(text, pattern)).count() > sample.len()
    };
    let candidates: Vec<&'static str> = PATTERNS.into_iter().filter(mostly).collect();
    let unread = |pattern: &&str| texts.iter().filter(|text| !plausible(text, pattern)).count();
    let Some(least) = candidates.iter().map(unread).min() else {
        return Vec::new();
    };
    let read = texts.len() - least;
    if read < 3 || least > MOST_STATES || (least > 0 && read < 10 * least) {
        return Vec::new();
    }
    candidates.into_iter().filter(|pattern| unread(pattern) == least).collect()
}

/// Whether a cell can be a date at all, before patterns are tried.
fn is_likely(text: &str) -> bool {
    (6..=30).contains(&text.len()) && text.bytes().filter(u8::is_ascii_digit).count() >= 3
}

fn plausible(text: &str, pattern: &str) -> bool {
    is_likely(text)
        && read_date(text, pattern).is_some_and(|date| (1850..=2150).contains(&date.year()))
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
        texts.iter().find(|text| plausible(text, chosen)).unwrap_or(&"")
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

impl Dates<'_> {
    /// Whether years have two digits.
    pub fn has_short_years(&self) -> bool {
        has_short_years(self.pattern)
    }

    /// The last date; with two-digit years, none is after the day given.
    pub fn last(&self, today: NaiveDate) -> Option<NaiveDate> {
        self.read_before(today).max()
    }

    /// The dates as they are read with a reference date.
    fn read_before(&self, reference: NaiveDate) -> impl Iterator<Item = NaiveDate> {
        let short = self.has_short_years();
        self.days.iter().map(move |&day| if short { not_after(day, reference) } else { day })
    }

    /// Settles the century of two-digit years by the reference date, and says how they are read.
    pub fn settle(&mut self, reference: NaiveDate) {
        if !self.has_short_years() {
            return;
        }
        let settled: Vec<NaiveDate> = self.read_before(reference).collect();
        let earlier = settled.iter().zip(&self.days).filter(|(settled, day)| settled != day);
        let moved = match earlier.count() {
            0 => String::new(),
            1 => " (1 date here)".into(),
            count => format!(" ({count} dates here)"),
        };
        self.checks.push(format!(
            "Its years have two digits: 69 to 99 are read as 1969 to 1999, 00 to 68 as 2000 to 2068, but what would then lie after {} \
             as a century earlier{moved}. If dates may lie ahead, write four digits in the table.",
            written(reference)
        ));
        self.days = settled;
    }

    /// What the time before the reference date is best counted in: years for births, and what keeps the numbers small and different.
    pub fn unit(&self, about_birth: bool) -> DateUnit {
        const FEW_YEARS: i64 = 3 * 365;
        let [first, last] = self.ends();
        if about_birth {
            DateUnit::Years
        } else if has_day(self.pattern) && (last - first).num_days() <= FEW_YEARS {
            DateUnit::Days
        } else {
            DateUnit::Months
        }
    }

    /// The first and the last date, for people.
    pub fn span(&self) -> [String; 2] {
        self.ends().map(written)
    }

    fn ends(&self) -> [NaiveDate; 2] {
        let [first, last] = [self.days.iter().min(), self.days.iter().max()];
        [first, last].map(|end| end.copied().unwrap_or_default())
    }
}

/// The day from which the dates of a table are counted back: the last of those that tell best when the table was made.
///
/// Years of four digits come before those of two, whose century is a guess, and births last: they are long ago. Dates that lie ahead
/// say nothing, so they count only where there are no others.
pub(in crate::data) fn reference_date<'a>(
    columns: impl Iterator<Item = (&'a Words, Dates<'a>)>,
    today: NaiveDate,
) -> Option<NaiveDate> {
    let columns = columns.filter_map(|(name, dates)| {
        let rank = (is_ahead(name), is_birth(name), dates.has_short_years());
        Some((rank, dates.last(today)?))
    });
    let columns: Vec<_> = columns.collect();
    let best = columns.iter().map(|(rank, _)| *rank).min()?;
    columns.into_iter().filter(|(rank, _)| *rank == best).map(|(_, last)| last).max()
}

/// Whether a name is about a day to come.
fn is_ahead(name: &Words) -> bool {
    let words = ["maturity", "due", "end", "expiry", "next", "until", "faellig", "ende", "bis"];
    name.one_of(&words).is_some()
}
