//! Signs beside the numbers of a column: currencies, percent signs, units.

use crate::data::Feature;

/// Currencies and percent signs, before or behind the number, in small letters; those of one group mean the same.
const MONEY: &[&[&str]] = &[
    &["%", "percent", "pct", "pct.", "prozent", "v.h.", "vh"],
    &["\u{2030}", "promille"],
    &["bps", "bp"],
    &["\u{20ac}", "eur", "euro", "euros"],
    &["$", "us$", "usd", "dollar", "dollars"],
    &["\u{a3}", "gbp", "pound", "pounds"],
    &["chf", "fr.", "sfr.", "sfr", "fr", "franken"],
    &["dm", "dem", "d-mark"],
    &["\u{a5}", "jpy", "yen"],
    &["cny", "rmb", "yuan"],
    &["\u{20b9}", "inr", "rs", "rs."],
    &["kr", "kr."],
    &["sek"],
    &["nok"],
    &["dkk"],
    &["isk"],
    &["z\u{142}", "pln"],
    &["k\u{10d}", "czk"],
    &["ft", "huf"],
    &["lei", "ron"],
    &["bgn"],
    &["\u{20bd}", "rub"],
    &["\u{20b4}", "uah"],
    &["\u{20ba}", "try", "tl"],
    &["\u{20a9}", "krw"],
    &["r$", "brl"],
    &["c$", "ca$", "cad"],
    &["a$", "au$", "aud"],
    &["nz$", "nzd"],
    &["hk$", "hkd"],
    &["s$", "sgd"],
    &["nt$", "twd"],
    &["mx$", "mxn"],
    &["zar"],
    &["thb", "\u{e3f}"],
    &["ils", "\u{20aa}"],
];

/// So many groups at the beginning are rates, and no currencies.
const RATES: usize = 3;

/// Units, which stand behind the number.
const UNITS: &[&[&str]] = &[
    &["days", "day", "tage", "tag", "tagen"],
    &["weeks", "week", "wochen", "woche"],
    &["months", "month", "mos", "mo", "mths", "mth", "monate", "monat", "monaten", "mon."],
    &["years", "year", "yrs", "yr", "jahre", "jahr", "jahren", "j."],
    &["hours", "hour", "hrs", "stunden"],
    &["km"],
    &["m\u{b2}", "qm", "sqm"],
    &["kg"],
    &["points", "point", "pts", "punkte", "punkt"],
    &["persons", "person", "personen", "people"],
];

/// Signs behind a number that multiply it, with what they stand for: every cell must have the same one.
const MULTIPLIERS: &[(&str, &[&str])] = &[
    ("thousands", &["k", "tsd", "tsd.", "t\u{20ac}", "teur", "k\u{20ac}", "thousand", "tausend"]),
    ("hundred thousands", &["lakh", "lakhs", "lac", "lacs"]),
    ("millions", &["m", "mio", "mio.", "mn", "million", "millions", "millionen"]),
    ("ten millions", &["crore", "crores", "cr", "cr."]),
    ("billions", &["bn", "mrd", "mrd.", "billion", "billions"]),
];

/// The number in a cell, and the sign beside it.
#[derive(Debug, PartialEq)]
pub(super) struct Signed<'a> {
    pub sign: Option<&'a str>,
    /// How much of the cell is digits and separators.
    pub number: &'a str,
}

/// What a sign stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Meaning {
    /// One of the groups.
    Unit(usize),
    Multiplier,
}

/// Takes a cell apart; `None` where it is not one number with at most one known sign.
pub(super) fn take_apart(cell: &str) -> Option<Signed<'_>> {
    let first = cell.find(|c: char| c.is_ascii_digit())?;
    let last = cell.rfind(|c: char| c.is_ascii_digit())?;
    let mut start = first;
    // ".5" and ",5" begin with the separator, but the point of "Fr. 5" or "Rs.5" belongs to the sign.
    let point = cell[..first].chars().next_back().filter(|c| ['.', ','].contains(c));
    let before_point = point.and_then(|point| cell[..first - point.len_utf8()].chars().next_back());
    if point.is_some() && !before_point.is_some_and(char::is_alphabetic) {
        start = first - 1;
    }
    let mut end = last + 1;
    // "5." and "5,-" end with a separator.
    if cell[end..].starts_with(['.', ',']) {
        end += 1;
    }
    let (before, after) =
        (cell[..start].trim_matches(is_frame), cell[end..].trim_matches(is_frame));
    let sign = match (before.is_empty(), after.is_empty()) {
        (true, true) => None,
        // "K7" is not 7 thousand.
        (false, true) => Some(before).filter(|sign| currency(sign).is_some()).map(Some)?,
        (true, false) => Some(after).filter(|sign| meaning(sign).is_some()).map(Some)?,
        (false, false) => return None,
    };
    Some(Signed { sign, number: &cell[start..end] })
}

/// What may stand around a number beside a sign: minus signs, dashes for decimals, parentheses and blanks.
fn is_frame(c: char) -> bool {
    "+-\u{2212}\u{2013}\u{2014}()".contains(c) || c.is_whitespace()
}

/// The digits and separators of a cell that consists of these and of known signs; and whether there is at most one sign.
pub(super) fn digits_in(cell: &str) -> Option<(&str, bool)> {
    let is_digit = |c: char| c.is_ascii_digit();
    let (first, last) = (cell.find(is_digit)?, cell.rfind(is_digit)?);
    let number = &cell[first..=last];
    let is_separator = |c: char| ".,'\u{2019}".contains(c) || c.is_whitespace();
    if !number.chars().all(|c| is_digit(c) || is_separator(c)) {
        return None;
    }
    if let Some(apart) = take_apart(cell) {
        return Some((apart.number, true));
    }
    let is_edge = |c: char| is_frame(c) || ".,".contains(c);
    let before = cell[..first].trim_matches(is_edge);
    let after = cell[last + 1..].trim_matches(is_edge);
    let known = (before.is_empty() || currency(before).is_some())
        && (after.is_empty() || meaning(after).is_some());
    known.then_some((number, false))
}

/// What a sign multiplies numbers by, in words.
pub(super) fn multiplier(sign: &str) -> Option<&'static str> {
    let core = core(sign);
    let found = MULTIPLIERS.iter().find(|(_, signs)| signs.contains(&core.as_str()));
    found.map(|(factor, _)| *factor)
}

/// What is known about a sign.
pub(super) fn meaning(sign: &str) -> Option<Meaning> {
    if multiplier(sign).is_some() {
        return Some(Meaning::Multiplier);
    }
    let core = core(sign);
    let unit = || UNITS.iter().position(|group| group.contains(&core.as_str()));
    let unit = || unit().map(|unit| MONEY.len() + unit);
    currency(sign).or_else(unit).map(Meaning::Unit)
}

fn currency(sign: &str) -> Option<usize> {
    let core = core(sign);
    MONEY.iter().position(|group| group.contains(&core.as_str()))
}

/// A sign in small letters, without the period of "EUR/month" and "% p.a.".
fn core(sign: &str) -> String {
    let small = sign.to_lowercase();
    small.split(['/', ' ']).next().unwrap_or_default().to_owned()
}

/// Whether a sign is that of a currency of the United States, whose dates put the month first.
pub(super) fn is_dollar(sign: &str) -> bool {
    meaning(sign) == meaning("$")
}

impl Feature {
    /// Whether its numbers are amounts of a currency, by its unit.
    pub(crate) fn counts_money(&self) -> bool {
        self.unit.as_deref().and_then(currency).is_some_and(|group| group >= RATES)
    }
}

/// Whether a sign stands for percent.
pub(super) fn is_percent(sign: &str) -> bool {
    meaning(sign) == meaning("%")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_taken_apart_at_known_signs() {
        for (cell, sign, number) in [
            ("1.234,50 EUR", Some("EUR"), "1.234,50"),
            ("-$1,234", Some("$"), "1,234"),
            ("($12.50)", Some("$"), "12.50"),
            ("12.5 %", Some("%"), "12.5"),
            ("Fr. 5", Some("Fr."), "5"),
            ("1 year", Some("year"), "1"),
            ("850 \u{20ac} p.m.", Some("\u{20ac} p.m."), "850"),
            (".5", None, ".5"),
            ("50k", Some("k"), "50"),
        ] {
            assert_eq!(take_apart(cell), Some(Signed { sign, number }), "{cell}");
        }
        // Codes, names and whole sentences are not numbers.
        for cell in ["A11", "K7", "3 rooms", "$5 EUR", "own", "L001", "12 x", ""] {
            assert_eq!(take_apart(cell), None, "{cell}");
        }
    }

    #[test]
    fn signs_of_one_meaning_belong_together() {
        assert_eq!(meaning("\u{20ac}"), meaning("EUR"));
        assert_eq!(meaning("Monat"), meaning("months"));
        assert_ne!(meaning("$"), meaning("\u{20ac}"));
        assert_eq!(meaning("Mio."), Some(Meaning::Multiplier));
        assert!(is_dollar("US$") && is_percent("Prozent") && !is_dollar("\u{20ac}"));
    }
}
