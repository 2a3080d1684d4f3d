//! Levels that are ranges of numbers: `< 1 year`, `1-3 years`, `>= 7 years`.

use super::signs;
use crate::data::NumberFormat;

/// A range as a level writes it; a single number is a range from itself to itself.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Range {
    low: f64,
    high: f64,
    /// The sign beside its numbers.
    unit: Option<usize>,
}

/// Words for having none of what the ranges count.
const NONE: [&str; 13] = [
    "none",
    "no",
    "nothing",
    "zero",
    "never",
    "nil",
    "unemployed",
    "kein",
    "keine",
    "keiner",
    "nie",
    "nichts",
    "arbeitslos",
];

/// Words before the only end of an open range, and whether that is the upper end.
const ENDS: [(&str, bool); 26] = [
    ("<=", true),
    (">=", false),
    ("\u{2264}", true),
    ("\u{2265}", false),
    ("<", true),
    (">", false),
    ("less than", true),
    ("more than", false),
    ("greater than", false),
    ("up to", true),
    ("at most", true),
    ("at least", false),
    ("under", true),
    ("below", true),
    ("over", false),
    ("above", false),
    ("from", false),
    ("unter", true),
    ("\u{fc}ber", false),
    ("bis zu", true),
    ("bis", true),
    ("ab", false),
    ("mehr als", false),
    ("weniger als", true),
    ("mindestens", false),
    ("h\u{f6}chstens", true),
];

/// The levels from low to high where they are ranges that don't overlap; and whether one of them is a word for none.
pub(super) fn sorted(texts: &[&str]) -> Option<(Vec<String>, bool)> {
    const MOST: usize = 40;
    if texts.len() > MOST {
        return None;
    }
    let is_none = |text: &str| NONE.contains(&text.to_lowercase().as_str());
    let (none, ranged): (Vec<&str>, Vec<&str>) = texts.iter().partition(|text| is_none(text));
    let mut ranges: Vec<(&str, Range)> =
        ranged.iter().map(|text| Some((*text, read(text)?))).collect::<Option<_>>()?;
    ranges.sort_by(|(_, a), (_, b)| a.low.total_cmp(&b.low).then(a.high.total_cmp(&b.high)));
    let real = ranges.iter().any(|(_, range)| range.low < range.high);
    let apart = ranges.windows(2).all(|pair| {
        let ((_, a), (_, b)) = (pair[0], pair[1]);
        a.high <= b.low && (a.low, a.high) != (b.low, b.high)
    });
    let mut units: Vec<usize> = ranges.iter().filter_map(|(_, range)| range.unit).collect();
    units.dedup();
    // Where numbers may be negative, a word for none has no rank.
    let ranked = none.is_empty()
        || (none.len() == 1 && ranges.first()?.1.high >= 0.0 && no_negative(&ranges));
    if !real || !apart || units.len() > 1 || !ranked || ranges.len() < 2 {
        return None;
    }
    let levels = none.iter().copied().chain(ranges.iter().map(|(text, _)| *text));
    Some((levels.map(str::to_owned).collect(), !none.is_empty()))
}

fn no_negative(ranges: &[(&str, Range)]) -> bool {
    ranges
        .iter()
        .all(|(_, range)| range.high > 0.0 && (range.low >= 0.0 || range.low == f64::NEG_INFINITY))
}

/// Reads a level as a range.
fn read(text: &str) -> Option<Range> {
    let text = text.trim().to_lowercase().replace(['\u{2013}', '\u{2014}'], "-");
    for (word, upper) in ENDS {
        let Some(rest) = text.strip_prefix(word) else { continue };
        // "ab 5", but not "abc".
        if word.ends_with(char::is_alphabetic) && !rest.starts_with(char::is_whitespace) {
            continue;
        }
        let (number, unit) = end(rest)?;
        return Some(if upper {
            Range { low: f64::NEG_INFINITY, high: number, unit }
        } else {
            Range { low: number, high: f64::INFINITY, unit }
        });
    }
    if let Some(range) = interval(&text) {
        return Some(range);
    }
    for word in ["and more", "or more", "and over", "and above", "und mehr", "oder mehr"] {
        if let Some(rest) = text.strip_suffix(word) {
            let (low, unit) = end(rest)?;
            return Some(Range { low, high: f64::INFINITY, unit });
        }
    }
    if let Some((before, after)) = text.split_once('+') {
        let (low, _) = end(before)?;
        let unit = if after.trim().is_empty() { None } else { Some(unit_of(after)?) };
        return Some(Range { low, high: f64::INFINITY, unit });
    }
    two_ends(&text).or_else(|| {
        let (number, unit) = end(&text)?;
        Some(Range { low: number, high: number, unit })
    })
}

/// "1-3 years", "1 to 4", "0 bis 200 DM", "1 < 4".
fn two_ends(text: &str) -> Option<Range> {
    let text = text.strip_prefix("between ").or(text.strip_prefix("von ")).unwrap_or(text);
    for separator in ["...", "..", " to ", " bis ", " and ", " und ", "-"] {
        let from = usize::from(text.starts_with('-'));
        let Some(at) = text[from..].find(separator) else { continue };
        let (low, high) = (&text[..from + at], &text[from + at + separator.len()..]);
        let Some(((low, low_unit), (high, high_unit))) = end(low).zip(end(high)) else { continue };
        if low < high {
            return Some(Range { low, high, unit: high_unit.or(low_unit) });
        }
    }
    None
}

/// "(0.5, 1.2]" and "[0, inf)" as pandas writes them.
fn interval(text: &str) -> Option<Range> {
    let inner = text.strip_prefix(['(', '['])?.strip_suffix([')', ']'])?;
    let (low, high) = inner.split_once(',')?;
    let bound = |text: &str| text.trim().parse::<f64>().ok().filter(|number| !number.is_nan());
    let (low, high) = (bound(low)?, bound(high)?);
    (low < high).then_some(Range { low, high, unit: None })
}

/// One number with its sign.
fn end(text: &str) -> Option<(f64, Option<usize>)> {
    let text = text.trim();
    let apart = signs::take_apart(text)?;
    let negative = text.starts_with('-');
    let unit = match apart.sign {
        Some(sign) => Some(unit_of(sign)?),
        None => None,
    };
    let ways =
        [('.', None), ('.', Some(',')), (',', Some('.')), ('.', Some('\'')), ('.', Some(' '))];
    let size = ways.into_iter().find_map(|(decimal, thousands)| {
        // A point before three digits separates thousands among such round numbers.
        let grouped = thousands.is_none() && is_grouped(apart.number);
        let format = NumberFormat { decimal, thousands, ..NumberFormat::default() };
        format.plain(apart.number).filter(|_| !grouped)?.parse::<f64>().ok()
    })?;
    Some((if negative { -size } else { size }, unit))
}

/// Whether a number ends with a separator and three zeros.
fn is_grouped(number: &str) -> bool {
    number.ends_with(".000")
}

fn unit_of(sign: &str) -> Option<usize> {
    match signs::meaning(sign.trim())? {
        signs::Meaning::Unit(unit) => Some(unit),
        signs::Meaning::Multiplier => Some(usize::MAX),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_put_in_order() {
        for (texts, expected) in [
            (
                &["1-3 years", ">= 7 years", "< 1 year", "3-7 years"][..],
                &["< 1 year", "1-3 years", "3-7 years", ">= 7 years"][..],
            ),
            (
                &["10+ years", "< 1 year", "1 year", "9 years", "2 years"],
                &["< 1 year", "1 year", "2 years", "9 years", "10+ years"],
            ),
            (&["5000-10000", "0-1000", "1000-5000"], &["0-1000", "1000-5000", "5000-10000"]),
            (&["0", "3+", "1", "2"], &["0", "1", "2", "3+"]),
            (
                &["\u{fc}ber 5 Jahre", "unter 1 Jahr", "1 bis 5 Jahre"],
                &["unter 1 Jahr", "1 bis 5 Jahre", "\u{fc}ber 5 Jahre"],
            ),
            (&["(30.0, 40.0]", "(20.0, 30.0]"], &["(20.0, 30.0]", "(30.0, 40.0]"]),
            (&["1.000 - 5.000 EUR", "< 1.000 EUR"], &["< 1.000 EUR", "1.000 - 5.000 EUR"]),
            (&["0 to 200 DM", "< 0 DM", ">= 200 DM"], &["< 0 DM", "0 to 200 DM", ">= 200 DM"]),
            (&["unemployed", ">= 7 years", "< 1 year"], &["unemployed", "< 1 year", ">= 7 years"]),
        ] {
            let (levels, _) = sorted(texts).unwrap_or_else(|| panic!("{texts:?}"));
            assert_eq!(levels, expected);
        }
    }

    #[test]
    fn other_texts_are_no_ranges() {
        for texts in [
            &["own", "rent"][..],
            &["1", "2"],
            &["0-10", "5-20"],
            &["< 1 year", ">= 12 months"],
            &["A1-A3", "A4-A5"],
            &["< 5", "none", "no"],
            &["2020-01", "2020-02"],
            &["< 0 DM", ">= 0 DM", "none"],
        ] {
            assert_eq!(sorted(texts), None, "{texts:?}");
        }
    }
}
