//! Records as the numbers that models work on, and back.

use std::ops::Range;

use super::{Feature, Kind, Record, Schema, Value};
use crate::{InputError, Result};

/// Turns records into rows of numbers: one column per feature, or one per level of a categorical feature, followed by
/// one 0/1 column per code.
///
/// In a row with a code, the number or level is missing, and their columns hold 0 in every such row. Any other constant would
/// do as well: it only shifts what the code's own column says, so that linear scores and Mahalanobis distances stay the same
/// (changing it is an invertible linear map of the columns), and trees split on the code's column. With 0 nothing
/// has to be fitted, and the weight of a code's column is the whole effect of its state.
#[derive(Debug, Clone, PartialEq)]
pub struct Encoder {
    features: Vec<Feature>,
    /// Where each feature's columns start, and the width at the end.
    starts: Vec<usize>,
    columns: Vec<Column>,
}

/// One column of the encoding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// The feature's name, with the level for a one-hot column, `housing: own`, and the cell for a code's,
    /// `months_since_delay: -7`.
    pub name: String,
    /// The feature it belongs to.
    pub feature: usize,
    /// Whether it holds 0 or 1 only.
    pub binary: bool,
}

impl Encoder {
    /// The encoding of a schema.
    pub fn new(schema: &Schema) -> Self {
        let mut starts = vec![0];
        let mut columns = Vec::new();
        for (feature, entry) in schema.features.iter().enumerate() {
            if let Kind::Categorical { levels } = &entry.kind {
                columns.extend(levels.iter().map(|level| Column {
                    name: format!("{}: {level}", entry.name),
                    feature,
                    binary: true,
                }));
            } else {
                let binary = matches!(entry.kind, Kind::Binary { .. });
                columns.push(Column { name: entry.name.clone(), feature, binary });
            }
            columns.extend(entry.codes.iter().map(|code| Column {
                name: format!(
                    "{}: {}",
                    entry.name,
                    if code.text.is_empty() { "(empty)" } else { &code.text }
                ),
                feature,
                binary: true,
            }));
            starts.push(columns.len());
        }
        Self { features: schema.features.clone(), starts, columns }
    }

    /// The columns, in order.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// The columns of one feature: those of its number or levels first, then those of its codes.
    pub(crate) fn feature_columns(&self, feature: usize) -> Range<usize> {
        self.starts[feature]..self.starts[feature + 1]
    }

    /// How many columns there are.
    pub fn width(&self) -> usize {
        self.columns.len()
    }

    /// The numbers of a record that [`Schema::check_record`] accepts. A value of the wrong kind becomes not-a-number.
    pub fn encode(&self, record: &[Value]) -> Vec<f64> {
        let mut row = Vec::with_capacity(self.width());
        for (feature, &value) in self.features.iter().zip(record) {
            encode_into(&mut row, feature, value);
        }
        row.resize(self.width(), f64::NAN);
        row
    }

    /// The numbers of one value of one feature.
    pub(crate) fn encode_value(&self, feature: usize, value: Value) -> Vec<f64> {
        let mut row = Vec::with_capacity(1);
        encode_into(&mut row, &self.features[feature], value);
        row
    }

    /// The record that a row of numbers encodes.
    pub fn decode(&self, row: &[f64]) -> Result<Record> {
        if row.len() != self.width() {
            return Err(InputError::new(format!(
                "a row has {} numbers, but the encoding has {} columns",
                row.len(),
                self.width()
            ))
            .remedy("give one number per encoded column")
            .into());
        }
        let decoded = self.features.iter().enumerate().map(|(index, feature)| {
            let numbers = &row[self.feature_columns(index)];
            decode_value(feature, numbers).map_err(|error| error.column(&feature.name).into())
        });
        decoded.collect()
    }
}

/// What the columns of numbers and levels hold in rows with a code.
const BESIDE_CODE: f64 = 0.0;

fn encode_into(row: &mut Vec<f64>, feature: &Feature, value: Value) {
    let fits = |level: usize| level < feature.levels().len();
    let own_code = match value {
        Value::Code(code) => Some(code),
        _ => None,
    };
    match (&feature.kind, value) {
        (Kind::Integer | Kind::Continuous, Value::Number(number)) => row.push(number),
        (kind, Value::Code(code)) if code < feature.codes.len() => {
            row.extend(std::iter::repeat_n(BESIDE_CODE, own_columns(kind)));
        }
        (Kind::Binary { .. } | Kind::Ordinal { .. }, Value::Level(level)) if fits(level) => {
            row.push(level as f64);
        }
        (Kind::Categorical { levels }, Value::Level(level)) if fits(level) => {
            row.extend((0..levels.len()).map(|other| f64::from(u8::from(other == level))));
        }
        (Kind::Categorical { levels }, _) => row.extend(levels.iter().map(|_| f64::NAN)),
        _ => row.push(f64::NAN),
    }
    row.extend((0..feature.codes.len()).map(|code| f64::from(u8::from(own_code == Some(code)))));
}

/// How many columns a feature has, not counting those of its codes.
fn own_columns(kind: &Kind) -> usize {
    match kind {
        Kind::Categorical { levels } => levels.len(),
        Kind::Integer | Kind::Continuous | Kind::Binary { .. } | Kind::Ordinal { .. } => 1,
    }
}

fn decode_value(feature: &Feature, columns: &[f64]) -> Result<Value, InputError> {
    let (numbers, codes) = columns.split_at(own_columns(&feature.kind));
    if let Some(code) = codes.iter().position(|&flag| flag != 0.0) {
        let alone = codes.iter().filter(|&&flag| flag == 0.0).count() == codes.len() - 1;
        if codes[code] == 1.0 && alone && numbers.iter().all(|&number| number == BESIDE_CODE) {
            return Ok(Value::Code(code));
        }
        let what = if feature.is_numeric() { "number" } else { "level" };
        return Err(InputError::new(format!("is not one code without a {what}: {columns:?}"))
            .remedy(format!("set one code's column to 1 and the others and the {what} to 0")));
    }
    match &feature.kind {
        Kind::Integer | Kind::Continuous => {
            let number = numbers[0];
            let fits = number.is_finite() && !feature.is_code(number);
            if !fits || (feature.kind == Kind::Integer && number.fract() != 0.0) {
                return Err(InputError::new(format!(
                    "is not a value of kind {}",
                    feature.kind.name()
                ))
                .value(number)
                .remedy("give a number that the table could hold"));
            }
            Ok(Value::Number(number))
        }
        Kind::Binary { .. } | Kind::Ordinal { .. } => {
            let count = feature.levels().len();
            (0..count).find(|&level| level as f64 == numbers[0]).map(Value::Level).ok_or_else(
                || {
                    InputError::new("is not a level's rank")
                        .value(numbers[0])
                        .remedy(format!("give a whole number from 0 to {}", count - 1))
                },
            )
        }
        Kind::Categorical { .. } => {
            let zeros = numbers.iter().filter(|&&number| number == 0.0).count();
            match numbers.iter().position(|&number| number == 1.0) {
                Some(level) if zeros == numbers.len() - 1 => Ok(Value::Level(level)),
                _ => Err(InputError::new(format!("is not one level: {numbers:?}"))
                    .remedy("set exactly one of its columns to 1 and the others to 0")),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::test_runner::RngSeed;

    use super::*;
    use crate::data::{Code, Dataset, Target};

    fn schema_of(kinds: Vec<Kind>) -> Schema {
        coded_schema_of(kinds.into_iter().map(|kind| (kind, Vec::new())).collect())
    }

    fn coded_schema_of(kinds: Vec<(Kind, Vec<Code>)>) -> Schema {
        let target =
            Target { column: "y".into(), favourable: "1".into(), unfavourable: "0".into() };
        let features = kinds.into_iter().enumerate();
        let features = features
            .map(|(index, (kind, codes))| Feature {
                codes,
                ..Feature::new(format!("f{index}"), kind)
            })
            .collect();
        Schema { name: "t".into(), target, features, rules: Vec::new() }
    }

    fn codes() -> Vec<Code> {
        let codes = [("-7", "never"), ("-8.5", "unusable"), ("", "missing"), ("NA", "not asked")];
        codes.map(|(text, label)| Code::new(text, label)).to_vec()
    }

    fn names(count: usize) -> Vec<String> {
        (0..count).map(|index| format!("l{index}")).collect()
    }

    fn cell() -> impl Strategy<Value = ((Kind, Vec<Code>), Value)> {
        prop_oneof![
            plain_cell().prop_map(|(kind, value)| ((kind, Vec::new()), value)),
            (0i32..1000).prop_map(|n| ((Kind::Integer, codes()), Value::Number(f64::from(n)))),
            (-7.0..1e9).prop_map(|x| ((Kind::Continuous, codes()), Value::Number(x + 0.001))),
            (0usize..4).prop_map(|code| ((Kind::Integer, codes()), Value::Code(code))),
            (0usize..4).prop_map(|code| ((Kind::Continuous, codes()), Value::Code(code))),
            (plain_cell(), 0usize..8).prop_map(|((kind, value), code)| {
                ((kind, codes()), if code < 4 { Value::Code(code) } else { value })
            }),
        ]
    }

    fn plain_cell() -> impl Strategy<Value = (Kind, Value)> {
        prop_oneof![
            (-1_000_000i32..1_000_000).prop_map(|n| (Kind::Integer, Value::Number(f64::from(n)))),
            (-1e9..1e9).prop_map(|x| (Kind::Continuous, Value::Number(x))),
            (0usize..2).prop_map(|level| {
                (Kind::Binary { levels: ["no".into(), "yes".into()] }, Value::Level(level))
            }),
            (2usize..7, 0usize..7).prop_map(|(count, level)| {
                (Kind::Categorical { levels: names(count) }, Value::Level(level % count))
            }),
            (2usize..7, 0usize..7).prop_map(|(count, level)| {
                (Kind::Ordinal { levels: names(count) }, Value::Level(level % count))
            }),
        ]
    }

    /// The same cases in every run.
    fn repeatable() -> ProptestConfig {
        ProptestConfig {
            rng_seed: RngSeed::Fixed(1),
            failure_persistence: None,
            ..ProptestConfig::default()
        }
    }

    proptest! {
        #![proptest_config(repeatable())]

        #[test]
        fn any_record_comes_back(cells in prop::collection::vec(cell(), 1..12)) {
            let (kinds, record): (Vec<(Kind, Vec<Code>)>, Record) = cells.into_iter().unzip();
            let schema = coded_schema_of(kinds);
            prop_assert!(schema.check_record(&record).is_ok());
            let encoder = Encoder::new(&schema);
            let row = encoder.encode(&record);
            prop_assert_eq!(row.len(), encoder.width());
            prop_assert_eq!(encoder.decode(&row).unwrap(), record.clone());
            for (feature, value) in record.iter().enumerate() {
                prop_assert_eq!(&encoder.encode_value(feature, *value), &row[encoder.feature_columns(feature)]);
            }
            for (feature, value) in schema.features.iter().zip(&record) {
                prop_assert_eq!(feature.parse(&feature.show(*value)).unwrap(), *value);
            }
        }
    }

    #[test]
    fn german_comes_back_from_61_columns() {
        let data = Dataset::german();
        let encoder = Encoder::new(&data.schema);
        assert_eq!(encoder.width(), 61);
        assert_eq!(encoder.columns()[7].name, "checking_account: 0 to 200 DM");
        assert_eq!(encoder.columns().iter().filter(|column| column.binary).count(), 54);
        for record in &data.records {
            assert_eq!(&encoder.decode(&encoder.encode(record)).unwrap(), record);
        }
    }

    #[test]
    fn state_and_number_have_columns_of_their_own() {
        let schema = coded_schema_of(vec![(Kind::Integer, codes()), (Kind::Integer, Vec::new())]);
        let encoder = Encoder::new(&schema);
        let names: Vec<&str> =
            encoder.columns().iter().map(|column| column.name.as_str()).collect();
        assert_eq!(names, ["f0", "f0: -7", "f0: -8.5", "f0: (empty)", "f0: NA", "f1"]);
        let binary: Vec<bool> = encoder.columns().iter().map(|column| column.binary).collect();
        assert_eq!(binary, [false, true, true, true, true, false]);
        let row = |value| encoder.encode(&[value, Value::Number(3.0)]);
        assert_eq!(row(Value::Number(0.0)), [0.0, 0.0, 0.0, 0.0, 0.0, 3.0]);
        assert_eq!(row(Value::Code(0)), [0.0, 1.0, 0.0, 0.0, 0.0, 3.0]);
        assert_eq!(row(Value::Code(3)), [0.0, 0.0, 0.0, 0.0, 1.0, 3.0]);
        for wrong in [[1.0, 1.0, 0.0], [0.0, 1.0, 1.0], [0.0, 0.5, 0.0], [0.0, f64::NAN, 0.0]] {
            let row = [&wrong[..], &[0.0, 0.0, 3.0]].concat();
            let message = encoder.decode(&row).unwrap_err().to_string();
            assert!(message.contains("column `f0`: is not one code without a number"), "{message}");
        }
        let message = encoder.decode(&[-7.0, 0.0, 0.0, 0.0, 0.0, 3.0]).unwrap_err().to_string();
        assert!(message.contains("`-7` is not a value of kind integer"), "{message}");
    }

    #[test]
    fn rows_that_encode_nothing_are_refused() {
        let kinds = vec![
            Kind::Integer,
            Kind::Ordinal { levels: names(3) },
            Kind::Categorical { levels: names(2) },
        ];
        let encoder = Encoder::new(&schema_of(kinds));
        assert!(encoder.decode(&[1.0, 2.0, 0.0, 1.0]).is_ok());
        for (row, part) in [
            (vec![1.0, 2.0, 0.0], "has 3 numbers"),
            (vec![1.5, 2.0, 0.0, 1.0], "column `f0`: `1.5` is not a value of kind integer"),
            (vec![f64::NAN, 2.0, 0.0, 1.0], "`NaN` is not a value"),
            (vec![1.0, 3.0, 0.0, 1.0], "column `f1`: `3` is not a level's rank"),
            (vec![1.0, 2.0, 0.0, 0.0], "column `f2`: is not one level"),
            (vec![1.0, 2.0, 1.0, 1.0], "column `f2`: is not one level"),
            (vec![1.0, 2.0, 0.5, 1.0], "column `f2`: is not one level: [0.5, 1.0]"),
        ] {
            let message = encoder.decode(&row).unwrap_err().to_string();
            assert!(message.contains(part), "{message}");
        }
    }
}
