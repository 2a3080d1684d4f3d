//! Rows of typed columns, written one at a time as CSV, JSON lines or Parquet: one set of columns for all three.

use std::io::Write;
use std::path::Path;

use amends_report::{Column, json_line};
use amends_run::output::Output;

use super::parquet::ParquetRows;
use crate::args::file_extension;

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
                Ok(writeln!(output, "{}", json_line(columns, cells))?)
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
