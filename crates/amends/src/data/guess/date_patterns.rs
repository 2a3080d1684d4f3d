//! The forms of dates that are recognised.

/// Patterns by the length and the separators of what they read, the likelier first. Names of months may be English or German, and
/// `%B` reads short ones, too.
pub(super) const PATTERNS: [&str; 60] = [
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
    "%Y-%m-%dT%H:%M",
    "%Y-%m-%dT%H:%M:%S%.f%z",
    "%Y-%m-%d %H:%M:%S%.f%z",
    "%Y-%m-%dT%H:%M%z",
    "%Y-%m-%d %H:%M%z",
    "%d.%m.%Y %H:%M",
    "%d.%m.%Y %H:%M:%S",
    "%m/%d/%Y %H:%M",
    "%d/%m/%Y %H:%M",
    "%m/%d/%Y %H:%M:%S",
    "%d/%m/%Y %H:%M:%S",
    "%m/%d/%Y %I:%M %p",
    "%d/%m/%Y %I:%M %p",
    "%m/%d/%Y %I:%M:%S %p",
    "%d/%m/%Y %I:%M:%S %p",
    "%Y-%m-%d %I:%M %p",
    "%Y-%m-%d %I:%M:%S %p",
    "%d.%m.%Y %I:%M %p",
    "%d.%m.%Y %I:%M:%S %p",
    "%d %b %Y",
    "%d-%b-%Y",
    "%b %d, %Y",
    "%b-%Y",
    "%b %Y",
    "%d-%b-%y",
    "%d %b %y",
    "%b-%y",
    "%d %B %Y",
    "%d-%B-%Y",
    "%B %d, %Y",
    "%B %d %Y",
    "%d. %b %Y",
    "%d. %b. %Y",
    "%d. %B %Y",
    "%d. %b %y",
    "%d. %b. %y",
    "%d. %B %y",
    "%B-%Y",
    "%B %Y",
    "%B %y",
    "%m/%Y",
    "%Y-%m",
    "%m.%Y",
    "%d-%B-%y",
];

/// Columns of digits alone may be dates, too, if every cell is one.
pub(super) const DIGITS: &str = "%Y%m%d";

/// The pattern with day and month exchanged, where both are common.
pub(super) fn swapped(pattern: &str) -> Option<&'static str> {
    let [day, month] = [["%d/%m/", "%d-%m-"], ["%m/%d/", "%m-%d-"]];
    let pairs = day.into_iter().zip(month);
    let other = pairs
        .flat_map(|(day, month)| [(day, month), (month, day)])
        .find_map(|(from, to)| pattern.strip_prefix(from).map(|rest| [to, rest].concat()))?;
    PATTERNS.into_iter().find(|pattern| *pattern == other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{CellFormat, DateFormat, DateUnit, Feature, Kind};

    #[test]
    fn exchanged_patterns_are_patterns() {
        assert_eq!(swapped("%m/%d/%Y"), Some("%d/%m/%Y"));
        assert_eq!(swapped("%d-%m-%Y"), Some("%m-%d-%Y"));
        assert_eq!(swapped("%d/%m/%Y %I:%M %p"), Some("%m/%d/%Y %I:%M %p"));
        assert_eq!(
            (swapped("%d.%m.%Y"), swapped("%Y-%m-%d"), swapped("%d-%b-%Y")),
            (None, None, None)
        );
        for pattern in PATTERNS {
            let back = swapped(pattern).and_then(swapped);
            assert!(back.is_none_or(|back| back == pattern), "{pattern}");
        }
    }

    /// Every recognised form may stand in a schema.
    #[test]
    fn schemas_take_every_pattern() {
        for pattern in PATTERNS.into_iter().chain([DIGITS]) {
            let mut feature = Feature::new("f", Kind::Integer);
            let (pattern, reference) = (pattern.to_owned(), "2024-12-31".to_owned());
            let unit = DateUnit::Days;
            feature.format = CellFormat::Date(DateFormat { pattern, reference, unit });
            assert!(feature.check_format().is_ok(), "{:?}", feature.format);
        }
    }
}
