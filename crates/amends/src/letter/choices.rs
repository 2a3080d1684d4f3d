//! What kind of letter: its language, the law that it follows, and its format.

use chrono::{Datelike, NaiveDate};
use serde::{Serialize, Serializer};

use crate::names::named;

/// The language of a letter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// English: 1,234.5.
    English,
    /// German: 1.234,5.
    German,
}

named!(Language, "language", { English => "en", German => "de" });

/// The law whose notices a letter has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Law {
    /// The United States: Regulation B and the Fair Credit Reporting Act.
    UnitedStates,
    /// The European Union: the General Data Protection Regulation and the Consumer Credit Directive 2023/2225.
    EuropeanUnion,
}

named!(Law, "law", { UnitedStates => "us", EuropeanUnion => "eu" });

/// The format of a letter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LetterFormat {
    /// A page that prints well and needs nothing from elsewhere.
    Html,
    /// Plain text in lines of at most 76 letters.
    Text,
    /// Markdown.
    Markdown,
}

named!(LetterFormat, "format of letters", { Html => "html", Text => "text", Markdown => "markdown" });

/// What kind of letter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LetterKind {
    /// Its language.
    pub language: Language,
    /// Its law.
    pub law: Law,
    /// Its format.
    pub format: LetterFormat,
}

impl Serialize for Language {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl Serialize for Law {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl LetterFormat {
    /// The ending of its files' names.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Html => "html",
            Self::Text => "txt",
            Self::Markdown => "md",
        }
    }
}

const ENGLISH_MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

const GERMAN_MONTHS: [&str; 12] = [
    "Januar",
    "Februar",
    "März",
    "April",
    "Mai",
    "Juni",
    "Juli",
    "August",
    "September",
    "Oktober",
    "November",
    "Dezember",
];

impl LetterKind {
    /// A day as people write it in this language, and in English in these countries.
    pub fn date(self, day: NaiveDate) -> String {
        let (number, month, year) = (day.day(), day.month0() as usize, day.year());
        match (self.language, self.law) {
            (Language::German, _) => format!("{number}. {} {year}", GERMAN_MONTHS[month]),
            (Language::English, Law::UnitedStates) => {
                format!("{} {number}, {year}", ENGLISH_MONTHS[month])
            }
            (Language::English, Law::EuropeanUnion) => {
                format!("{number} {} {year}", ENGLISH_MONTHS[month])
            }
        }
    }
}

impl Language {
    /// A decimal number, as tables write it, with the separators of this language and with every digit: 1234.5 as 1,234.5 or
    /// 1.234,5. Any other text is left as it is.
    ///
    /// ```
    /// use amends::letter::Language;
    /// assert_eq!(Language::German.number("-1234567.5"), "-1.234.567,5");
    /// assert_eq!(Language::English.number("1234.50"), "1,234.50");
    /// assert_eq!(Language::German.number("1e300"), "1e300");
    /// ```
    pub fn number(self, text: &str) -> String {
        let Some((sign, whole, decimals)) = parts(text) else { return text.to_owned() };
        let (thousands, point) = match self {
            Self::English => (',', '.'),
            Self::German => ('.', ','),
        };
        let mut shown = sign.to_owned();
        for (index, digit) in whole.chars().enumerate() {
            if index > 0 && (whole.len() - index).is_multiple_of(3) {
                shown.push(thousands);
            }
            shown.push(digit);
        }
        if let Some(decimals) = decimals {
            shown.push(point);
            shown.push_str(decimals);
        }
        shown
    }
}

/// The sign, the whole part and the decimals of a number without an exponent.
fn parts(text: &str) -> Option<(&str, &str, Option<&str>)> {
    let (sign, digits) = text.strip_prefix('-').map_or(("", text), |digits| ("-", digits));
    let (whole, decimals) =
        digits.split_once('.').map_or((digits, None), |(whole, decimals)| (whole, Some(decimals)));
    let sound = |digits: &str| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    (sound(whole) && decimals.is_none_or(sound)).then_some((sign, whole, decimals))
}

/// Whether two numbers look like years: grouping their digits would be wrong.
pub(super) fn are_years(numbers: &[Option<String>; 2]) -> bool {
    let is_year = |text: &String| {
        text.len() == 4 && text.parse::<u32>().is_ok_and(|year| (1900..2100).contains(&year))
    };
    numbers.iter().all(|number| number.as_ref().is_some_and(is_year))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_the_separators_of_the_language() {
        for (plain, english, german) in [
            ("0", "0", "0"),
            ("999", "999", "999"),
            ("1000", "1,000", "1.000"),
            ("123456", "123,456", "123.456"),
            ("-4051.25", "-4,051.25", "-4.051,25"),
            ("0.5", "0.5", "0,5"),
        ] {
            assert_eq!(Language::English.number(plain), english);
            assert_eq!(Language::German.number(plain), german);
        }
        for text in ["", "-", ".5", "1.", "1.2.3", "12a", "NaN", "no checking account"] {
            assert_eq!(Language::German.number(text), text);
        }
    }

    #[test]
    fn years_are_whole_numbers_of_our_time() {
        let years = |texts: [&str; 2]| are_years(&texts.map(|text| Some(text.to_owned())));
        assert!(years(["1987", "2026"]));
        assert!(!years(["1987", "2100"]) && !years(["1987", "1990.5"]));
        assert!(!are_years(&[Some("1987".to_owned()), None]));
    }

    #[test]
    fn days_are_written_as_in_the_country() {
        let day = NaiveDate::from_ymd_opt(2026, 3, 8).unwrap();
        let date =
            |language, law| LetterKind { language, law, format: LetterFormat::Text }.date(day);
        assert_eq!(date(Language::English, Law::UnitedStates), "March 8, 2026");
        assert_eq!(date(Language::English, Law::EuropeanUnion), "8 March 2026");
        assert_eq!(date(Language::German, Law::EuropeanUnion), "8. März 2026");
    }
}
