//! Rows of typed columns: one set of columns for CSV, JSON lines and Parquet.

use amends::data::{Feature, Kind};
use serde_json::{Map, Value};

/// A column; an empty cell is a missing value.
#[derive(Debug, Clone)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// What its cells are.
    pub kind: ColumnKind,
}

/// What the cells of a column are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnKind {
    /// Whole numbers.
    Whole,
    /// Numbers.
    Number,
    /// Anything.
    Text,
    /// `true` or `false`.
    Flag,
}

impl Column {
    /// A column of this name.
    pub fn new(name: &str, kind: ColumnKind) -> Self {
        Self { name: name.to_owned(), kind }
    }
}

impl ColumnKind {
    /// What a feature's values are in a file: numbers only where its codes are numbers, too, or empty, which is a missing value.
    pub fn of(feature: &Feature) -> Self {
        let codes_are = |fits: fn(&str) -> bool| {
            feature.codes.iter().all(|code| code.text.is_empty() || fits(code.text.as_str()))
        };
        match feature.kind {
            Kind::Integer if codes_are(|code| code.parse::<i64>().is_ok()) => Self::Whole,
            Kind::Integer | Kind::Continuous if codes_are(|code| code.parse::<f64>().is_ok()) => {
                Self::Number
            }
            _ => Self::Text,
        }
    }
}

impl Column {
    fn json(&self, cell: &str) -> Value {
        match self.kind {
            _ if cell.is_empty() => Value::Null,
            // What JSON can't write as a number (an infinity) stays text.
            ColumnKind::Whole | ColumnKind::Number | ColumnKind::Flag => {
                serde_json::from_str(cell).unwrap_or_else(|_| cell.into())
            }
            ColumnKind::Text => cell.into(),
        }
    }
}

/// A row as one JSON object: a cell per column.
pub fn json_line(columns: &[Column], cells: &[String]) -> String {
    let named = columns.iter().zip(cells);
    let named = named.map(|(column, cell)| (column.name.clone(), column.json(cell)));
    Value::Object(named.collect::<Map<String, Value>>()).to_string()
}
