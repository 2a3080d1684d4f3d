//! Tables as columns of numbers and of levels: a cell costs eight bytes or four on the way from Python, not a text.

use std::collections::HashMap;

use amends::data::{Feature, Kind, Record, Schema, Value};
use amends::{InputError, Result};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;

/// A column in the order of the rows, as Python hands it over.
#[derive(FromPyObject)]
pub enum Column {
    /// Numbers of 64 bits, and the text that stands for those that are missing (NaN).
    Numbers(PyBackedBytes, String),
    /// The texts that occur, and the index of each cell's among them, in 32 bits.
    Texts(Vec<String>, PyBackedBytes),
}

/// A column on its way to Python, which hands it back as a [`Column`].
#[derive(IntoPyObject)]
pub enum OwnedColumn {
    Numbers(Vec<u8>, String),
    Texts(Vec<String>, Vec<u8>),
}

/// Larger numbers are rare enough to be read as texts, which the library judges.
const ORDINARY: f64 = 1e9;

/// Reads rows from columns in the order of the schema's features. Of several bad cells, that of the first row is reported.
pub fn records(columns: &[Column], schema: &Schema) -> Result<Vec<Record>> {
    let rows = columns.first().map_or(0, Column::len);
    if columns.len() != schema.features.len() || columns.iter().any(|column| column.len() != rows) {
        return Err(InputError::new("has columns of several lengths, or too few of them")
            .at("X")
            .remedy("give a data frame")
            .into());
    }
    let mut records: Vec<Record> =
        (0..rows).map(|_| Record::with_capacity(columns.len())).collect();
    let mut first_bad: Option<(usize, InputError)> = None;
    for (column, feature) in columns.iter().zip(&schema.features) {
        // Rows after a bad one no longer matter.
        let wanted = first_bad.as_ref().map_or(rows, |(row, _)| *row);
        first_bad = column.read_into(&mut records[..wanted], feature).or(first_bad);
    }
    match first_bad {
        None => Ok(records),
        Some((row, error)) => Err(error.file("X").inside(format!("row {}", row + 1)).into()),
    }
}

impl Column {
    fn len(&self) -> usize {
        match self {
            Self::Numbers(bytes, _) => bytes.len() / size_of::<f64>(),
            Self::Texts(_, bytes) => bytes.len() / size_of::<u32>(),
        }
    }

    /// Adds a value to every record; the first bad cell's row and what is wrong with it, if there is one.
    fn read_into(&self, records: &mut [Record], feature: &Feature) -> Option<(usize, InputError)> {
        match self {
            Self::Numbers(bytes, missing) => {
                let reader = NumberReader::new(feature, missing);
                let numbers = bytes.as_chunks().0.iter().map(|&number| f64::from_ne_bytes(number));
                fill(records, numbers.map(|number| reader.read(number)))
            }
            Self::Texts(texts, bytes) => {
                let values: Vec<_> = texts.iter().map(|text| feature.parse(text)).collect();
                let indices = bytes.as_chunks().0.iter().map(|&index| u32::from_ne_bytes(index));
                let unknown =
                    || InputError::new("names no text of its column").remedy("give a data frame");
                let value = |index: u32| {
                    values.get(index as usize).cloned().unwrap_or_else(|| Err(unknown()))
                };
                fill(records, indices.map(value))
            }
        }
    }
}

fn fill(
    records: &mut [Record],
    values: impl Iterator<Item = Result<Value, InputError>>,
) -> Option<(usize, InputError)> {
    for (row, (record, value)) in records.iter_mut().zip(values).enumerate() {
        match value {
            Ok(value) => record.push(value),
            Err(error) => return Some((row, error)),
        }
    }
    None
}

/// Reads the numbers of a column: ordinary ones as they are, all others as the text that a table would have.
struct NumberReader<'a> {
    feature: &'a Feature,
    missing: &'a str,
    /// Numbers that are codes.
    codes: Vec<f64>,
}

impl<'a> NumberReader<'a> {
    fn new(feature: &'a Feature, missing: &'a str) -> Self {
        let codes = feature.codes.iter().filter_map(|code| code.text.parse().ok()).collect();
        Self { feature, missing, codes }
    }

    fn read(&self, number: f64) -> Result<Value, InputError> {
        let fits = match self.feature.kind {
            Kind::Integer => number.fract() == 0.0,
            Kind::Continuous => true,
            _ => false,
        };
        if fits && number.abs() <= ORDINARY && !self.codes.contains(&number) {
            // Minus zero would be shown as "-0".
            return Ok(Value::Number(number + 0.0));
        }
        if number.is_nan() {
            return self.feature.parse(self.missing);
        }
        self.feature.parse(&number.to_string())
    }
}

/// The columns of records, which [`records`] reads back.
pub fn columns(records: &[Record], schema: &Schema) -> Vec<OwnedColumn> {
    let column = |(index, feature): (usize, &Feature)| {
        let cells = || records.iter().map(|record| record[index]);
        let numbers: Option<Vec<u8>> = cells().try_fold(Vec::new(), |mut bytes, cell| {
            let Value::Number(number) = cell else { return None };
            bytes.extend(number.to_ne_bytes());
            Some(bytes)
        });
        numbers.map_or_else(
            || texts(cells().map(|cell| feature.show(cell))),
            |bytes| OwnedColumn::Numbers(bytes, String::new()),
        )
    };
    schema.features.iter().enumerate().map(column).collect()
}

fn texts(cells: impl Iterator<Item = String>) -> OwnedColumn {
    let mut known: HashMap<String, u32> = HashMap::new();
    let mut texts = Vec::new();
    let mut indices = Vec::new();
    for text in cells {
        let next = texts.len() as u32;
        let index = *known.entry(text.clone()).or_insert(next);
        if index == next {
            texts.push(text);
        }
        indices.extend(index.to_ne_bytes());
    }
    OwnedColumn::Texts(texts, indices)
}
