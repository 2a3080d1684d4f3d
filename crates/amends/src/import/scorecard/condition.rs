//! What a bin of a scorecard asks of a value.

use std::fmt;

/// A value as a card sees it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::import) enum Given<'a> {
    /// A number.
    Number(f64),
    /// A level or code as the table writes it, which may be a number.
    Text(&'a str),
    /// Nothing.
    Missing,
}

/// A condition. Of a missing value most are neither true nor false.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::import) enum Condition {
    Always,
    Never,
    Missing,
    Present,
    /// Equal to any of these.
    Among(Vec<String>),
    /// Equal to none of these.
    NotAmong(Vec<String>),
    Below(f64),
    AtMost(f64),
    Above(f64),
    AtLeast(f64),
    All(Vec<Condition>),
    Any(Vec<Condition>),
    /// An odd number of these.
    Odd(Vec<Condition>),
}

impl fmt::Display for Given<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Text(text) => f.write_str(text),
            Self::Missing => f.write_str("a missing value"),
        }
    }
}

impl Given<'_> {
    fn number(&self) -> Option<f64> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Text(text) => text.trim().parse().ok(),
            Self::Missing => None,
        }
    }

    /// Whether it is this constant: as a text, or as a number.
    fn is(&self, constant: &str) -> bool {
        let same_text = matches!(self, Self::Text(text) if text.trim() == constant.trim());
        same_text
            || matches!((self.number(), constant.trim().parse::<f64>()), (Some(a), Ok(b)) if a == b)
    }
}

impl Condition {
    /// Whether it holds; `None` where that is unknown.
    pub(super) fn holds(&self, given: &Given<'_>) -> Option<bool> {
        let missing = matches!(given, Given::Missing);
        let compared =
            |test: fn(f64, f64) -> bool, limit: f64| given.number().map(|x| test(x, limit));
        let among = |values: &[String]| values.iter().any(|value| given.is(value));
        match self {
            Self::Always => Some(true),
            Self::Never => Some(false),
            Self::Missing => Some(missing),
            Self::Present => Some(!missing),
            Self::Among(_) | Self::NotAmong(_) if missing => None,
            Self::Among(values) => Some(among(values)),
            Self::NotAmong(values) => Some(!among(values)),
            Self::Below(limit) => compared(|x, limit| x < limit, *limit),
            Self::AtMost(limit) => compared(|x, limit| x <= limit, *limit),
            Self::Above(limit) => compared(|x, limit| x > limit, *limit),
            Self::AtLeast(limit) => compared(|x, limit| x >= limit, *limit),
            Self::All(parts) => all(parts.iter().map(|part| part.holds(given))),
            Self::Any(parts) => all(parts.iter().map(|part| part.holds(given).map(|holds| !holds)))
                .map(|none| !none),
            Self::Odd(parts) => parts
                .iter()
                .try_fold(false, |odd, part| part.holds(given).map(|holds| odd != holds)),
        }
    }

    /// The numbers at which it may change.
    pub(super) fn constants(&self, found: &mut Vec<f64>) {
        match self {
            Self::Always | Self::Never | Self::Missing | Self::Present => {}
            Self::Among(values) | Self::NotAmong(values) => {
                found.extend(values.iter().filter_map(|value| value.trim().parse::<f64>().ok()));
            }
            Self::Below(limit)
            | Self::AtMost(limit)
            | Self::Above(limit)
            | Self::AtLeast(limit) => {
                found.push(*limit);
            }
            Self::All(parts) | Self::Any(parts) | Self::Odd(parts) => {
                for part in parts {
                    part.constants(found);
                }
            }
        }
    }
}

/// False where one is false, otherwise unknown where one is unknown.
fn all(parts: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let mut known = true;
    for part in parts {
        match part {
            Some(false) => return Some(false),
            Some(true) => {}
            None => known = false,
        }
    }
    known.then_some(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_is_neither_true_nor_false() {
        use Condition::{Above, All, Always, Any, AtLeast, Below, Missing, Never, Odd};
        let nothing = Given::Missing;
        for (condition, holds) in [
            (Above(1.0), None),
            (Missing, Some(true)),
            (All(vec![Above(1.0), Never]), Some(false)),
            (All(vec![Above(1.0), Always]), None),
            (Any(vec![Above(1.0), Always]), Some(true)),
            (Any(vec![Above(1.0), Never]), None),
            (Odd(vec![Above(1.0), Always]), None),
        ] {
            assert_eq!(condition.holds(&nothing), holds, "{condition:?}");
        }
        let between = All(vec![AtLeast(1.0), Below(2.0)]);
        for (number, holds) in [(0.9, false), (1.0, true), (1.9, true), (2.0, false)] {
            assert_eq!(between.holds(&Given::Number(number)), Some(holds));
        }
    }

    #[test]
    fn constants_are_texts_or_numbers() {
        let among = Condition::Among(vec!["own".into(), "-7".into()]);
        for (given, holds) in [
            (Given::Text("own"), true),
            (Given::Text("-7.0"), true),
            (Given::Number(-7.0), true),
            (Given::Text("rent"), false),
        ] {
            assert_eq!(among.holds(&given), Some(holds), "{given}");
        }
    }
}
