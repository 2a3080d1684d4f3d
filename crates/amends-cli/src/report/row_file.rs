//! Rows of typed columns, written one at a time as CSV, JSON lines or Parquet: one set of columns for all three.

use std::io::Write;
use std::path::Path;

use amends::data::{Feature, Kind};
use amends_run::output::Output;
use serde_json::{Map, Value};

use super::parquet::ParquetRows;
use crate::args::file_extension;

/// A column; an empty cell is a missing value.
#[derive(Debug, Clone)]
pub struct Column {
    pub name: String,
    pub kind: ColumnKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnKind {
    Whole,
    Number,
    Text,
    Flag,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowFormat {
    Csv,
    JsonLines,
    Parquet,
}

/// An open file of rows.
pub enum RowWriter {
    Csv(Box<csv::Writer<Output>>),
    JsonLines { output: Output, columns: Vec<Column> },
    Parquet(Box<ParquetRows<Output>>),
}

impl Column {
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

impl RowFormat {
    /// By the extension of a file's name; CSV where it says nothing else.
    pub fn by_name(path: &Path) -> Self {
        match file_extension(path).as_deref() {
            Some("parquet") => Self::Parquet,
            Some("json" | "jsonl" | "ndjson") => Self::JsonLines,
            _ => Self::Csv,
        }
    }
}

impl RowWriter {
    pub fn new(format: RowFormat, columns: Vec<Column>, output: Output) -> anyhow::Result<Self> {
        Ok(match format {
            RowFormat::Csv => {
                let mut writer = csv::Writer::from_writer(output);
                writer.write_record(columns.iter().map(|column| &column.name))?;
                Self::Csv(Box::new(writer))
            }
            RowFormat::JsonLines => Self::JsonLines { output, columns },
            RowFormat::Parquet => Self::Parquet(Box::new(ParquetRows::new(columns, output)?)),
        })
    }

    /// Writes a row: a cell per column.
    pub fn write(&mut self, cells: &[String]) -> anyhow::Result<()> {
        match self {
            Self::Csv(writer) => Ok(writer.write_record(cells)?),
            Self::JsonLines { output, columns } => {
                let named = columns.iter().zip(cells);
                let named = named.map(|(column, cell)| (column.name.clone(), column.json(cell)));
                Ok(writeln!(output, "{}", Value::Object(named.collect::<Map<String, Value>>()))?)
            }
            Self::Parquet(rows) => rows.write(cells),
        }
    }

    /// Lets readers have what was written so far, as far as the format can be read before its end.
    pub fn flush(&mut self) -> anyhow::Result<()> {
        match self {
            Self::Csv(writer) => Ok(writer.flush()?),
            Self::JsonLines { output, .. } => Ok(output.flush()?),
            Self::Parquet(_) => Ok(()),
        }
    }

    /// Ends the file; from now on it can be seen under its name.
    pub fn finish(self) -> anyhow::Result<()> {
        let output = match self {
            Self::Csv(writer) => writer.into_inner().map_err(csv::IntoInnerError::into_error)?,
            Self::JsonLines { output, .. } => output,
            Self::Parquet(rows) => rows.finish()?,
        };
        Ok(output.finish()?)
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
