//! One cell of a table: reading it from text and showing it in the table's own words.

use super::{CellFormat, Feature, Kind, Schema, some_of};
use crate::decimal::without_noise;
use crate::names::nearest;
use crate::shape::shown;
use crate::{InputError, Result, Setting};

/// The value of one feature.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Value {
    /// The number of an integer or continuous feature.
    Number(f64),
    /// The level of a binary, categorical or ordinal feature: its index in the schema's list.
    Level(usize),
    /// The code that stands there instead of a number or a level: its index in the schema's list.
    Code(usize),
}

/// One application: a value per feature, in the schema's order.
pub type Record = Vec<Value>;

impl Feature {
    /// The value for programs: a number in digits with a decimal point (`3` rather than `3.0`), whatever the table's format; the
    /// text of a level, the cell of a code.
    ///
    /// A level or code that the feature does not have is shown as its index with a question mark.
    pub fn show(&self, value: Value) -> String {
        match value {
            Value::Number(number) => number.to_string(),
            Value::Level(level) => {
                self.levels().get(level).cloned().unwrap_or_else(|| format!("level {level}?"))
            }
            Value::Code(code) => self
                .codes
                .get(code)
                .map_or_else(|| format!("code {code}?"), |code| code.text.clone()),
        }
    }

    /// The value for people: as [`Feature::show`] has it, but the label of a code, and no number with more digits
    /// than people write: 3.6 where binary arithmetic left 3.5999999999999996.
    pub fn describe(&self, value: Value) -> String {
        match value {
            Value::Code(code) if code < self.codes.len() => self.codes[code].label.clone(),
            Value::Number(number) => self.write_number(without_noise(number)),
            _ => self.show(value),
        }
    }

    /// The value for people, where amounts of a currency have no decimals or two: nobody writes 33.582,5 euros.
    pub(crate) fn describe_amount(&self, value: Value) -> String {
        let mut text = self.describe(value);
        let point = match &self.format {
            CellFormat::Number(format) => format.decimal,
            CellFormat::Date(_) => return text,
        };
        let has_tenths = text.split_once(point).is_some_and(|(_, tenths)| {
            tenths.len() == 1 && tenths.bytes().all(|byte| byte.is_ascii_digit())
        });
        if has_tenths && matches!(value, Value::Number(_)) && self.counts_money() {
            text.push('0');
        }
        text
    }

    /// The value for people, with every digit where it has more than people write: a value that somebody has to reach must
    /// read back as what was meant.
    pub(crate) fn describe_exactly(&self, value: Value) -> String {
        match value {
            Value::Number(number) => self.write_number(number),
            _ => self.describe(value),
        }
    }

    /// A number in the form of the table, so that people recognise it.
    fn write_number(&self, number: f64) -> String {
        match &self.format {
            CellFormat::Number(format) => format.write(number),
            CellFormat::Date(_) => number.to_string(),
        }
    }

    /// The digits of a number that is written in the form of the table, with a decimal point and without groups; none where the
    /// text is something else, such as a level or a code.
    pub fn plain_number(&self, text: &str) -> Option<String> {
        if !self.is_numeric() {
            return None;
        }
        let plain = match &self.format {
            CellFormat::Number(format) => format.plain(text)?.into_owned(),
            CellFormat::Date(_) => text.parse::<f64>().ok().map(|_| text.to_owned())?,
        };
        Some(plain.trim_end_matches('.').to_owned())
    }

    /// Reads a cell.
    pub fn parse(&self, text: &str) -> Result<Value, InputError> {
        self.parse_cell(text).map_err(|error| error.column(&self.name))
    }

    /// Reads a cell; the caller adds to an error where the cell is.
    pub(super) fn parse_cell(&self, text: &str) -> Result<Value, InputError> {
        let text = text.trim();
        if let Some(code) = self.code_of(text) {
            return Ok(Value::Code(code));
        }
        if text.is_empty() {
            return Err(InputError::new("the cell is empty").remedy(ABOUT_MISSING));
        }
        if self.is_numeric() {
            return self.parse_number(text).map(Value::Number);
        }
        level_of(self.levels(), text).map(Value::Level).ok_or_else(|| {
            InputError::new("is not a level of this feature").value(text).remedy(format!(
                "use one of {}, or add it to the feature's `levels` in the schema",
                some_of(self.levels())
            ))
        })
    }

    /// Reads a value that is given as a number: a number of the feature, or the code that looks like it. The table's format of
    /// numbers and dates plays no part.
    pub fn value_of_number(&self, number: f64) -> Result<Value, InputError> {
        if let Some(code) = self.code_of_number(number) {
            return Ok(Value::Code(code));
        }
        if !self.is_numeric() {
            return Err(InputError::new("is a number, where a level is needed")
                .value(number)
                .remedy(format!("use one of {}", some_of(self.levels()))));
        }
        self.check_number(number, &number.to_string()).map(Value::Number)
    }

    /// Reads a value that is given as a text: a level, or the cell of a code.
    pub fn value_of_text(&self, text: &str) -> Result<Value, InputError> {
        if let Some(code) = self.codes.iter().position(|code| code.texts().any(|own| own == text)) {
            return Ok(Value::Code(code));
        }
        if let Some(level) = self.levels().iter().position(|level| level == text) {
            return Ok(Value::Level(level));
        }
        let known: Vec<&str> = self
            .levels()
            .iter()
            .map(String::as_str)
            .chain(self.codes.iter().flat_map(|code| code.texts().map(String::as_str)))
            .collect();
        let near = nearest(text, known.iter().copied());
        if self.is_numeric() {
            let error = InputError::new("is a text, where a number is needed").value(shown(text));
            return Err(error.remedy(near.map_or_else(
                || "write a number, without quotes".to_owned(),
                |near| format!("write a number, without quotes, or the code `{near}`"),
            )));
        }
        Err(InputError::new("is not a level of this feature").value(shown(text)).remedy(
            near.map_or_else(
                || format!("use one of {}", some_of(self.levels())),
                |near| format!("did you mean `{near}`?"),
            ),
        ))
    }

    fn parse_number(&self, text: &str) -> Result<f64, InputError> {
        let problem =
            |problem: &str, remedy: &str| Err(InputError::new(problem).value(text).remedy(remedy));
        if stands_for_missing(text) {
            return problem("stands for a missing value", ABOUT_MISSING);
        }
        self.check_number(self.format.read(text)?, text)
    }

    /// Refuses numbers that the feature can't have; `text` is how it was written.
    fn check_number(&self, number: f64, text: &str) -> Result<f64, InputError> {
        let problem =
            |problem: &str, remedy: &str| Err(InputError::new(problem).value(text).remedy(remedy));
        if !number.is_finite() {
            return problem("is not a finite number", "write a finite number");
        }
        if number.abs() > LARGEST {
            return problem(
                "is too large to compute with",
                "correct it, or count in a larger unit: numbers may go up to 1e15",
            );
        }
        if self.kind == Kind::Integer && !is_whole(number) {
            return problem(
                "is not a whole number",
                "round it, or declare the feature as continuous in the schema",
            )
            .map_err(|error| error.remedy_setting(Setting::FeatureKind));
        }
        // Minus zero would be shown as "-0".
        Ok(number + 0.0)
    }
}

/// What to do about a missing value.
const ABOUT_MISSING: &str =
    "fill it in, remove the row, or declare a code for missing values in the schema";

/// Larger numbers have no digits left for decimals, and their squares outweigh every other feature.
const LARGEST: f64 = 1e15;

impl Schema {
    /// Checks that a record has one value per feature, each of the feature's kind.
    pub(crate) fn check_record(&self, record: &[Value]) -> Result<()> {
        if record.len() != self.features.len() {
            return Err(InputError::new(format!(
                "a record has {} values, but the schema `{}` has {} features",
                record.len(),
                self.name,
                self.features.len()
            ))
            .remedy("give one value per feature, in the schema's order")
            .into());
        }
        for (feature, &value) in self.features.iter().zip(record) {
            let fits = match (value, &feature.kind) {
                (Value::Number(number), _) if feature.is_code(number) => false,
                (Value::Number(number), Kind::Integer) => is_whole(number),
                (Value::Number(number), Kind::Continuous) => number.is_finite(),
                (Value::Number(_), _) => false,
                (Value::Level(level), _) => level < feature.levels().len(),
                (Value::Code(code), _) => code < feature.codes.len(),
            };
            if !fits {
                return Err(InputError::new(format!(
                    "is not a value of kind {}",
                    feature.kind.name()
                ))
                .column(&feature.name)
                .value(feature.show(value))
                .remedy("read the value with the schema it belongs to")
                .into());
            }
        }
        Ok(())
    }
}

/// The index of `text` among levels. `1.0` is also found as `1`: programs that write tables add the point.
pub(super) fn level_of(levels: &[String], text: &str) -> Option<usize> {
    levels.iter().position(|level| level == text).or_else(|| {
        let number: f64 = text.parse().ok()?;
        levels.iter().position(|level| level.parse() == Ok(number))
    })
}

/// Whether a number is an exact whole number; beyond 2^53 they no longer are.
pub(super) fn is_whole(number: f64) -> bool {
    number.fract() == 0.0 && number.abs() <= 9_007_199_254_740_992.0
}

/// The words that programs write for a missing number.
pub(crate) fn stands_for_missing(text: &str) -> bool {
    const WORDS: [&str; 16] = [
        "na", "n/a", "n.a.", "#n/a", "<na>", "nan", "null", "nil", "none", "missing", "k.a.", "?",
        "-", "--", ".", "\u{2013}",
    ];
    /// Errors of spreadsheets.
    const ERRORS: [&str; 7] =
        ["#div/0!", "#value!", "#ref!", "#num!", "#name?", "#null!", "#wert!"];
    let small = text.to_lowercase();
    WORDS.contains(&small.as_str()) || ERRORS.contains(&small.as_str())
}

/// Whether a text is what programs write for the result of a division by zero.
pub(super) fn is_infinite(text: &str) -> bool {
    text.parse::<f64>().is_ok_and(f64::is_infinite) && !text.contains(|c: char| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Code;

    fn feature(kind: Kind) -> Feature {
        Feature::new("f", kind)
    }

    #[test]
    fn text_goes_through_unchanged_or_tidied() {
        for (kind, text, shown) in [
            (Kind::Integer, "3", "3"),
            (Kind::Integer, " 3.0 ", "3"),
            (Kind::Integer, "-0", "0"),
            (Kind::Continuous, "0.10", "0.1"),
            (Kind::Continuous, "1e3", "1000"),
            (Kind::Binary { levels: ["0".into(), "1".into()] }, "1.0", "1"),
            (Kind::Categorical { levels: vec!["own".into(), "rent".into()] }, "rent", "rent"),
        ] {
            let feature = feature(kind);
            let value = feature.parse(text).unwrap();
            assert_eq!(feature.show(value), shown, "{text}");
            assert_eq!(feature.parse(&feature.show(value)).unwrap(), value);
        }
    }

    #[test]
    fn numbers_are_shown_without_noise() {
        let feature = feature(Kind::Continuous);
        let noisy = Value::Number(0.3 * 12.0);
        assert_eq!(
            (feature.describe(noisy), feature.show(noisy)),
            ("3.6".into(), "3.5999999999999996".into())
        );
        assert_eq!(feature.describe(Value::Number(123_456.789)), "123456.789");
        assert_eq!(feature.describe_exactly(noisy), feature.show(noisy));
    }

    #[test]
    fn bad_cells_are_named_with_a_remedy() {
        for (kind, text, start) in [
            (Kind::Integer, "", "column `f`: the cell is empty; fill it in"),
            (Kind::Integer, "NA", "column `f`: `NA` stands for a missing value; fill it in"),
            (Kind::Integer, "NaN", "column `f`: `NaN` stands for a missing value"),
            (Kind::Integer, "#DIV/0!", "column `f`: `#DIV/0!` stands for a missing value"),
            (Kind::Continuous, "inf", "column `f`: `inf` is not a finite number"),
            (Kind::Continuous, "1e999", "column `f`: `1e999` is not a finite number"),
            (Kind::Continuous, "3,5", "column `f`: `3,5` is not a number; write digits"),
            (Kind::Integer, "3.5", "column `f`: `3.5` is not a whole number; round it"),
            (Kind::Integer, "1e300", "column `f`: `1e300` is too large to compute with"),
            (Kind::Continuous, "-2e15", "column `f`: `-2e15` is too large to compute with"),
            (
                Kind::Ordinal { levels: vec!["low".into(), "high".into()] },
                "Low",
                "column `f`: `Low` is not a level of this feature; use one of `low`, `high`, or add",
            ),
        ] {
            let error = feature(kind).parse(text).unwrap_err().to_string();
            assert!(error.starts_with(start), "{error}");
        }
    }

    #[test]
    fn numbers_and_texts_given_as_such_are_read_strictly() {
        let codes = vec![Code::new("-7", "never"), Code::new("NA", "missing")];
        let mut amount = Feature { codes, ..feature(Kind::Integer) };
        amount.format = CellFormat::Number(crate::data::NumberFormat::default());
        assert_eq!(amount.value_of_number(12.0).unwrap(), Value::Number(12.0));
        assert_eq!(amount.value_of_number(-7.0).unwrap(), Value::Code(0));
        assert_eq!(amount.value_of_text("NA").unwrap(), Value::Code(1));
        for (wrong, part) in [
            (amount.value_of_number(1.5), "`1.5` is not a whole number"),
            (amount.value_of_number(f64::NAN), "is not a finite number"),
            (amount.value_of_number(1e16), "is too large to compute with"),
            (amount.value_of_text("12"), "`12` is a text, where a number is needed"),
            (amount.value_of_text("NaA"), "or the code `NA`"),
        ] {
            let message = wrong.unwrap_err().to_string();
            assert!(message.contains(part), "{message}");
        }
        let housing = feature(Kind::Categorical { levels: vec!["own".into(), "rent".into()] });
        assert_eq!(housing.value_of_text("rent").unwrap(), Value::Level(1));
        assert!(housing.value_of_text("retn").unwrap_err().to_string().contains("mean `rent`?"));
        assert!(housing.value_of_number(1.0).unwrap_err().to_string().contains("level is needed"));
    }

    #[test]
    fn records_of_another_schema_are_refused() {
        let schema = Schema::german();
        assert!(schema.check_record(&[]).is_err());
        let mut record = crate::data::Dataset::german().records[0].clone();
        assert!(schema.check_record(&record).is_ok());
        record[0] = Value::Level(0);
        assert!(schema.check_record(&record).is_err());
        record[0] = Value::Number(1.5);
        assert!(schema.check_record(&record).is_err());
        record[0] = Value::Number(6.0);
        record[7] = Value::Level(4);
        assert!(schema.check_record(&record).is_err());
        record[7] = Value::Level(0);
        record[0] = Value::Code(0);
        assert!(schema.check_record(&record).is_err());
        let mut coded = schema;
        coded.features[0].codes = vec![Code::new("-7", "never")];
        assert!(coded.check_record(&record).is_ok());
        // A number that a table would read as a code is not a number of the feature.
        record[0] = Value::Number(-7.0);
        assert!(coded.check_record(&record).is_err());
    }
}
