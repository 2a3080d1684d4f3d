//! Numbers as tables write them: `1.234,50 EUR`, `$1,234.50`, `12.5%`.

use std::borrow::Cow;

use crate::data::schema::Flaw;
use crate::{InputError, Setting};

/// How a table writes the numbers of a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NumberFormat {
    /// What separates whole numbers from decimals: a point or a comma.
    pub decimal: char,
    /// What may separate groups of digits: a comma, a point, an apostrophe or a blank.
    pub thousands: Option<char>,
    /// How many digits these groups have.
    pub grouping: Grouping,
    /// Signs before or behind the number, at most one per cell: currencies, a percent sign, units.
    pub signs: Vec<String>,
}

impl Default for NumberFormat {
    fn default() -> Self {
        Self { decimal: '.', thousands: None, grouping: Grouping::Threes, signs: Vec::new() }
    }
}

/// How the digits of a large number are grouped.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Grouping {
    /// In groups of three: 1,234,567.
    #[default]
    Threes,
    /// The last three, and groups of two before: 12,34,567. Groups of three are read, too, because they leave no doubt.
    Indian,
}

impl Grouping {
    /// The name in the schema file.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Threes => "threes",
            Self::Indian => "indian",
        }
    }

    /// Whether a group begins where so many digits follow, this one included.
    const fn begins(self, digits: usize) -> bool {
        match self {
            Self::Threes => digits.is_multiple_of(3),
            Self::Indian => digits == 3 || digits > 3 && digits % 2 == 1,
        }
    }

    /// Whether the groups of a whole number have the right lengths.
    fn fits(self, groups: &[&str]) -> bool {
        let [first, inner @ .., last] = groups else { return false };
        let lengths = |longest: usize| {
            (1..=longest).contains(&first.len())
                && inner.iter().all(|group| group.len() == longest)
                && last.len() == 3
        };
        lengths(3) || self == Self::Indian && lengths(2)
    }
}

/// The separators of thousands; other characters that look like them are read as these.
const THOUSANDS: [char; 4] = [',', '.', '\'', ' '];

impl NumberFormat {
    /// Reads a cell as a finite number.
    pub(super) fn read(&self, text: &str) -> Result<f64, InputError> {
        let plain = self.plain(text).ok_or_else(|| {
            let remedy = if *self == Self::default() {
                "write digits with a decimal point, or declare the feature as categorical in the schema"
            } else {
                "write the number as the feature's `decimal`, `thousands`, `grouping` and `sign` in the schema say, or correct those"
            };
            InputError::new("is not a number")
                .value(text)
                .remedy(remedy)
                .remedy_setting(Setting::FeatureKind)
        })?;
        // Plain digits are always a number, but it may be infinite.
        Ok(plain.parse().unwrap_or(f64::INFINITY))
    }

    /// The same number in digits with a decimal point; `None` where the cell is not a number in this format.
    pub(in crate::data) fn plain<'a>(&self, text: &'a str) -> Option<Cow<'a, str>> {
        if *self == Self::default() && text.parse::<f64>().is_ok() {
            return Some(Cow::Borrowed(text));
        }
        let (negative, rest) = split_minus(text.trim());
        let rest = self.without_sign(rest);
        // "$-5" as well as "-$5" and "($5)", but only one of them.
        let (negative, rest) = match split_minus(rest) {
            (true, _) if negative => return None,
            (inner, rest) => (negative || inner, rest),
        };
        let rest = self.without_dashes(rest)?;
        let (whole, fraction) = match rest.split_once(self.decimal) {
            Some((whole, fraction)) => (whole, Some(fraction)),
            None => (rest, None),
        };
        let (fraction, exponent) = match fraction {
            Some(fraction) => split_exponent(fraction),
            None => ("", ""),
        };
        let (whole, exponent) = if exponent.is_empty() && fraction.is_empty() {
            split_exponent(whole)
        } else {
            (whole, exponent)
        };
        let whole = self.without_groups(whole)?;
        let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        if !digits(&whole) || !digits(fraction) || whole.is_empty() && fraction.is_empty() {
            return None;
        }
        let minus = if negative { "-" } else { "" };
        let plain = format!("{minus}{whole}.{fraction}{exponent}");
        plain.parse::<f64>().ok().map(|_| Cow::Owned(plain))
    }

    /// The number as the table would write it, with groups of thousands; without the sign, which is shown as the unit.
    pub(in crate::data) fn write(&self, number: f64) -> String {
        let plain = number.to_string();
        if plain.contains(['e', 'n', 'i']) {
            return plain;
        }
        let (minus, digits) = match plain.strip_prefix('-') {
            Some(digits) => ("-", digits),
            None => ("", plain.as_str()),
        };
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let mut text = String::from(minus);
        for (index, digit) in whole.chars().enumerate() {
            let group_begins = index > 0 && self.grouping.begins(whole.len() - index);
            text.extend(self.thousands.filter(|_| group_begins));
            text.push(digit);
        }
        if !fraction.is_empty() {
            text.push(self.decimal);
            text.push_str(fraction);
        }
        text
    }

    pub(super) fn check(&self) -> Result<(), Flaw> {
        if !['.', ','].contains(&self.decimal) {
            let error = InputError::new("is not a decimal separator")
                .value(self.decimal)
                .remedy("write \".\" or \",\"");
            return Err(Flaw::of("decimal", error));
        }
        if self.grouping == Grouping::Indian && self.thousands.is_none() {
            let error = InputError::new("groups digits, but nothing separates the groups")
                .value(self.grouping.name())
                .remedy("add thousands = \",\", or remove grouping");
            return Err(Flaw::of("grouping", error));
        }
        if let Some(thousands) = self.thousands {
            let error = if !THOUSANDS.contains(&thousands) {
                InputError::new("is not a separator of thousands")
                    .remedy("write \",\", \".\", \"'\" or \" \"")
            } else if thousands == self.decimal {
                InputError::new("separates thousands and decimals alike")
                    .remedy("write another `decimal` or another `thousands`")
            } else {
                return self.check_sign();
            };
            return Err(Flaw::of("thousands", error.value(thousands)));
        }
        self.check_sign()
    }

    fn check_sign(&self) -> Result<(), Flaw> {
        let digits = |c: char| c.is_ascii_digit() || "+-,'()".contains(c);
        let unfit =
            |sign: &&String| sign.trim() != *sign || sign.is_empty() || sign.contains(digits);
        let Some(sign) = self.signs.iter().find(unfit) else { return Ok(()) };
        let error = InputError::new("is not a sign beside a number")
            .value(sign)
            .remedy("write what stands there, such as \"EUR\" or \"%\", without blanks and digits");
        Err(Flaw::of("sign", error))
    }

    /// The cell without the sign before or behind the number.
    fn without_sign<'a>(&self, text: &'a str) -> &'a str {
        let cut = |sign: &String| {
            text.strip_prefix(sign.as_str()).or_else(|| text.strip_suffix(sign.as_str()))
        };
        // "US$" before "$": what is left must be the number.
        let shortest = self.signs.iter().filter_map(cut).min_by_key(|rest| rest.len());
        shortest.map_or(text, str::trim)
    }

    /// The number without the dashes that stand for its decimals, as in price lists: `1.200,-`, `1'200.--`; `None` where there are
    /// both.
    fn without_dashes<'a>(&self, text: &'a str) -> Option<&'a str> {
        let bare = text.trim_end_matches(DASHES);
        let whole = bare.strip_suffix(['.', ',']).filter(|_| bare.len() < text.len());
        match whole {
            Some(whole) if whole.contains(self.decimal) => None,
            Some(whole) => Some(whole),
            None => Some(text),
        }
    }

    /// The digits of a whole number; `None` where groups don't have as many digits as they should.
    fn without_groups<'a>(&self, whole: &'a str) -> Option<Cow<'a, str>> {
        let Some(thousands) = self.thousands else { return Some(Cow::Borrowed(whole)) };
        if !whole.contains(|c| is_same_separator(c, thousands)) {
            return Some(Cow::Borrowed(whole));
        }
        let groups: Vec<&str> = whole.split(|c| is_same_separator(c, thousands)).collect();
        // A group of three that begins with 0 is the decimals of a small number.
        let begins = !whole.starts_with('0') && self.grouping.fits(&groups);
        begins.then(|| Cow::Owned(groups.concat()))
    }
}

/// Whether a character is a variant of this separator: programs write several kinds of blanks and apostrophes.
fn is_same_separator(c: char, thousands: char) -> bool {
    match thousands {
        ' ' => [' ', '\u{a0}', '\u{2009}', '\u{202f}'].contains(&c),
        '\'' => ['\'', '\u{2019}'].contains(&c),
        other => c == other,
    }
}

/// What may stand in place of decimals that are all zero.
const DASHES: [char; 4] = ['-', '\u{2212}', '\u{2013}', '\u{2014}'];

/// Whether a number has a minus sign, before or behind it, or the parentheses of accountants; and the rest without any sign.
fn split_minus(text: &str) -> (bool, &str) {
    const MINUS: [char; 3] = ['-', '\u{2212}', '\u{2013}'];
    if let Some(rest) = text.strip_prefix(MINUS) {
        return (true, rest.trim_start());
    }
    // "1.200,-" and "1.200,--" are not negative numbers.
    let is_price = text.trim_end_matches(DASHES).ends_with([',', '.']);
    if let Some(rest) = text.strip_suffix(MINUS).filter(|_| !is_price) {
        return (true, rest.trim_end());
    }
    match text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
        Some(rest) => (true, rest.trim()),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    }
}

/// Digits, and the exponent that follows them.
fn split_exponent(text: &str) -> (&str, &str) {
    text.find(['e', 'E']).map_or((text, ""), |at| text.split_at(at))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn format(decimal: char, thousands: Option<char>, sign: Option<&str>) -> NumberFormat {
        let signs = sign.into_iter().map(str::to_owned).collect();
        NumberFormat { decimal, thousands, grouping: Grouping::Threes, signs }
    }

    #[test]
    fn indian_groups_are_read_and_written() {
        for (decimal, separator, number, text) in [
            ('.', ',', 123_456.0, "1,23,456"),
            ('.', ',', 1_000_000.0, "10,00,000"),
            ('.', ',', -12_345_678.5, "-1,23,45,678.5"),
            ('.', ',', 99_999.0, "99,999"),
            ('.', ',', 999.0, "999"),
            (',', '.', 123_456.5, "1.23.456,5"),
            ('.', ' ', 1_234_567.0, "12 34 567"),
        ] {
            let threes = format(decimal, Some(separator), None);
            let indian = NumberFormat { grouping: Grouping::Indian, ..threes.clone() };
            assert_eq!(indian.read(text).unwrap(), number, "{text}");
            assert_eq!(indian.write(number), text);
            // Groups of three leave no doubt; groups of two do in a table that has only groups of three.
            assert_eq!(indian.read(&threes.write(number)).unwrap(), number, "{text}");
            assert_eq!(threes.read(text).is_ok(), number.abs() < 1e5, "{text}");
        }
        let indian = NumberFormat {
            thousands: Some(','),
            grouping: Grouping::Indian,
            ..NumberFormat::default()
        };
        for text in ["1,23,45", "123,45,678", "1,234,56,789", "0,23,456", "1,2,345", ",23,456"] {
            assert!(indian.read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn dashes_may_stand_for_decimals() {
        for (decimal, thousands, sign, text, expected) in [
            (',', Some('.'), None, "1.200,-", 1200.0),
            (',', Some('.'), Some("\u{20ac}"), "10.862,- \u{20ac}", 10862.0),
            (',', Some('.'), Some("EUR"), "EUR 1.200,--", 1200.0),
            (',', Some('.'), None, "-1.200,\u{2013}", -1200.0),
            ('.', Some('\''), Some("CHF"), "CHF 1'200.--", 1200.0),
            ('.', None, None, "85.-", 85.0),
            (',', Some('.'), None, "1.200.-", 1200.0),
        ] {
            let read = format(decimal, thousands, sign).read(text).unwrap();
            assert_eq!(read, expected, "{text}");
        }
        assert!(format(',', Some('.'), None).read("1.200,5,-").is_err());
        assert!(format('.', None, None).read("1.200,-").is_err());
    }

    #[test]
    fn numbers_of_both_worlds_are_read() {
        for (decimal, thousands, sign, text, expected) in [
            ('.', Some(','), Some("$"), "$1,234.50", 1234.5),
            ('.', Some(','), Some("$"), "-$1,234,567", -1_234_567.0),
            ('.', Some(','), Some("$"), "$ -12", -12.0),
            ('.', Some(','), None, "1234.5", 1234.5),
            (',', Some('.'), Some("EUR"), "1.234,56 EUR", 1234.56),
            (',', Some('.'), Some("\u{20ac}"), "\u{20ac}12,5", 12.5),
            (',', Some('.'), Some("EUR"), "1.234", 1234.0),
            (',', None, None, "0,25", 0.25),
            ('.', Some('\''), Some("CHF"), "CHF 1'234.50", 1234.5),
            ('.', Some('\''), None, "1\u{2019}234", 1234.0),
            (',', Some(' '), None, "1\u{a0}234,5", 1234.5),
            (',', Some(' '), None, "12 345 678", 12_345_678.0),
            ('.', None, Some("%"), "12.5 %", 12.5),
            ('.', None, Some("%"), "1.5e-3%", 0.0015),
            (',', None, None, "2e3", 2000.0),
            ('.', Some(','), Some("$"), "($1,234.50)", -1234.5),
            ('.', Some(','), Some("$"), "$(1,234.50)", -1234.5),
            (',', Some('.'), Some("EUR"), "1.234,50- EUR", -1234.5),
            ('.', None, None, "(5)", -5.0),
            ('.', None, None, "12.5-", -12.5),
        ] {
            let read = format(decimal, thousands, sign).read(text).unwrap();
            assert_eq!(read, expected, "{text}");
        }
    }

    #[test]
    fn what_is_not_a_number_in_the_format_is_refused() {
        for (decimal, thousands, sign, text) in [
            (',', Some('.'), None, "12.34"),
            (',', Some('.'), None, "1234.567"),
            (',', Some('.'), None, ".234"),
            (',', Some('.'), None, "0.234"),
            (',', Some('.'), None, "1,234,5"),
            (',', Some('.'), None, "1,234.5"),
            ('.', Some(','), Some("$"), "$"),
            ('.', Some(','), Some("$"), "EUR 5"),
            ('.', Some(','), Some("$"), "--5"),
            ('.', Some(','), Some("$"), "-$-5"),
            ('.', Some(','), Some("$"), "inf"),
            ('.', Some(','), Some("$"), "1,2e3"),
            ('.', None, None, "1,5"),
            ('.', None, None, "(-5)"),
            ('.', None, None, "(5"),
            ('.', None, None, "()"),
            (',', None, None, ""),
        ] {
            let format = format(decimal, thousands, sign);
            assert!(format.read(text).is_err(), "{text}: {:?}", format.read(text));
        }
    }

    #[test]
    fn one_of_several_signs_may_stand_there() {
        let signs = ["$", "US$", "year", "years"].map(str::to_owned).to_vec();
        let format = NumberFormat { signs, ..NumberFormat::default() };
        for (text, number) in [("$5", 5.0), ("US$ 5", 5.0), ("1 year", 1.0), ("2 years", 2.0)] {
            assert_eq!(format.read(text).unwrap(), number, "{text}");
        }
        assert!(format.check().is_ok() && format.read("$5 years").is_err());
    }

    #[test]
    fn numbers_are_written_as_they_are_read() {
        for (decimal, thousands, number, text) in [
            ('.', Some(','), 1_234_567.25, "1,234,567.25"),
            (',', Some('.'), -1234.0, "-1.234"),
            (',', Some('.'), -123.5, "-123,5"),
            (',', None, 1234.5, "1234,5"),
            (',', Some(' '), 0.0, "0"),
        ] {
            let format = format(decimal, thousands, None);
            assert_eq!(format.write(number), text);
            assert_eq!(format.read(text).unwrap(), number);
        }
    }

    #[test]
    fn formats_that_can_not_be_are_refused() {
        for (decimal, thousands, sign, key) in [
            (';', None, None, "decimal"),
            ('.', Some('.'), None, "thousands"),
            ('.', Some('x'), None, "thousands"),
            ('.', None, Some(" EUR"), "sign"),
            ('.', None, Some("5"), "sign"),
            ('.', None, Some(""), "sign"),
        ] {
            let flaw = format(decimal, thousands, sign).check().unwrap_err();
            assert_eq!(flaw.key, Some(key), "{}", flaw.error);
        }
        assert!(format(',', Some('\''), Some("Fr.")).check().is_ok());
    }
}
