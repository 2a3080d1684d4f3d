//! Tables as files: CSV, or Parquet where the file is one; and the table that the command line names.

mod load;
mod parquet;

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use amends::data::{CellFormat, Feature, Schema, Table, TableRows, TextEncoding, TextFile};
use amends::{Error, InputError, Result};

pub use self::load::{LoadedTable, load_dataset};
use self::parquet::{ParquetTable, ReadsDates};

/// The first bytes of a Parquet file.
const PARQUET: &[u8] = b"PAR1";

/// A table that is read row by row.
pub enum TableFile {
    Csv(TableRows<TextFile>),
    Parquet(ParquetTable),
}

impl TableFile {
    /// Reads the header of a file; `name` is what it is called in messages.
    pub fn open(path: &Path, name: &str) -> Result<Self> {
        let refused = |error| Error::file(name, error);
        if is_parquet(path).map_err(refused)? {
            let file = File::open(path).map_err(refused)?;
            return ParquetTable::open(file, name).map(Self::Parquet);
        }
        TableRows::new(TextFile::open(path).map_err(refused)?, name).map(Self::Csv)
    }

    /// The names of the columns, all different.
    pub fn header(&self) -> &[String] {
        match self {
            Self::Csv(rows) => rows.header(),
            Self::Parquet(table) => table.header(),
        }
    }

    /// The line in which the last row that was read begins, in files that have lines.
    pub fn line(&self) -> Option<u64> {
        match self {
            Self::Csv(rows) => Some(rows.line()),
            Self::Parquet(_) => None,
        }
    }

    /// Refuses a file in which a feature is of a type that features can't have.
    pub fn check_types(&self, schema: &Schema) -> Result<()> {
        match self {
            Self::Csv(_) => Ok(()),
            Self::Parquet(table) => table.check_types(schema.features.iter().map(with_dates)),
        }
    }
}

impl Iterator for TableFile {
    type Item = Result<Vec<String>>;

    fn next(&mut self) -> Option<Self::Item> {
        match self {
            Self::Csv(rows) => rows.next(),
            Self::Parquet(table) => table.next(),
        }
    }
}

/// Reads a whole table. With a schema, its features and target must be of types that can be read.
pub fn read_table(path: &Path, schema: Option<&Schema>) -> Result<Table> {
    if !is_parquet(path).map_err(|error| Error::file(path, error))? {
        return Table::read(path);
    }
    let source = path.display().to_string();
    let file = File::open(path).map_err(|error| Error::file(path, error))?;
    let table = ParquetTable::open(file, &source)?;
    if let Some(schema) = schema {
        let target = (schema.target.column.as_str(), ReadsDates(false));
        table.check_types(schema.features.iter().map(with_dates).chain([target]))?;
    }
    let header = table.header().to_vec();
    Table::check_memory(table.len(), table.len().saturating_mul(header.len()))?;
    let rows = table.collect::<Result<Vec<Vec<String>>>>()?;
    if rows.is_empty() {
        return Err(InputError::new("has columns but no rows")
            .file(source)
            .remedy("add one row per application")
            .into());
    }
    Ok(Table { source, header, rows })
}

/// The name of a feature's column, and whether it holds dates.
fn with_dates(feature: &Feature) -> (&str, ReadsDates) {
    (&feature.name, ReadsDates(matches!(feature.format, CellFormat::Date(_))))
}

/// The encoding of a text file; none of a Parquet file.
pub fn encoding(path: &Path) -> Result<Option<TextEncoding>> {
    let refused = |error| Error::file(path, error);
    if is_parquet(path).map_err(refused)? {
        return Ok(None);
    }
    Ok(Some(TextFile::open(path).map_err(refused)?.encoding()))
}

/// The columns of a Parquet file that hold neither numbers nor texts nor booleans, and what they hold.
pub fn unreadable_columns(path: &Path) -> Result<Vec<(String, String)>> {
    let refused = |error| Error::file(path, error);
    if !is_parquet(path).map_err(refused)? {
        return Ok(Vec::new());
    }
    let file = File::open(path).map_err(refused)?;
    Ok(ParquetTable::open(file, &path.display().to_string())?.unreadable().to_vec())
}

fn is_parquet(path: &Path) -> io::Result<bool> {
    let mut start = Vec::new();
    File::open(path)?.take(PARQUET.len() as u64).read_to_end(&mut start)?;
    Ok(start == PARQUET)
}
