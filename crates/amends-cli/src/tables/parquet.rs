//! Parquet files as tables: cells become the texts that a CSV file would have, and are read as those are.

use std::collections::HashSet;
use std::fs::File;
use std::io;
use std::sync::Arc;

use amends::{Error, InputError, Result};
use parquet::basic::{ConvertedType, LogicalType, Type as PhysicalType};
use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::reader::RowIter;
use parquet::record::{Field, Row};
use parquet::schema::types::Type;

/// The rows of a Parquet file, group of rows by group of rows.
pub struct ParquetTable {
    source: String,
    header: Vec<String>,
    /// Columns that hold neither numbers nor dates nor texts nor booleans, and what they hold.
    others: Vec<(String, String)>,
    /// Columns of dates, in the same form.
    dates: Vec<(String, String)>,
    count: usize,
    rows: RowIter<'static>,
}

impl ParquetTable {
    /// Reads the names and types of a file's columns; `source` is what it is called in messages.
    pub fn open(file: File, source: &str) -> Result<Self> {
        let refused = |error: ParquetError| InputError::from(Unreadable(&error)).file(source);
        let reader = SerializedFileReader::new(file).map_err(refused)?;
        let about = reader.metadata().file_metadata();
        let count = usize::try_from(about.num_rows()).unwrap_or_default();
        let schema = about.schema().clone();
        let mut seen = HashSet::new();
        for column in schema.get_fields() {
            if !seen.insert(column.name()) {
                return Err(InputError::new("is a column name that occurs twice")
                    .file(source)
                    .value(column.name())
                    .remedy("rename one of the two")
                    .into());
            }
        }
        let columns = schema.get_fields().iter().cloned();
        let (readable, others): (Vec<Arc<Type>>, _) = columns.partition(|column| is_cell(column));
        let header = readable.iter().map(|column| column.name().to_owned()).collect();
        let is_date =
            |column: &&Arc<Type>| column.get_basic_info().converted_type() == ConvertedType::DATE;
        let dates = readable.iter().filter(is_date);
        let dates = dates.map(|date| (date.name().to_owned(), "date".to_owned())).collect();
        let others = others.iter().map(|other| (other.name().to_owned(), kind(other))).collect();
        let wanted = Type::group_type_builder(schema.name()).with_fields(readable).build();
        let rows = RowIter::from_file_into(Box::new(reader));
        let rows = wanted.and_then(|wanted| rows.project(Some(wanted))).map_err(refused)?;
        Ok(Self { source: source.to_owned(), header, others, dates, count, rows })
    }

    /// The names of the columns whose cells can be read.
    pub fn header(&self) -> &[String] {
        &self.header
    }

    /// The columns whose cells can't be read, and what they hold.
    pub fn unreadable(&self) -> &[(String, String)] {
        &self.others
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Refuses columns of these names that hold something else than numbers, texts and booleans; or dates, where those are read.
    pub fn check_types<'a>(
        &self,
        mut columns: impl Iterator<Item = (&'a str, ReadsDates)>,
    ) -> Result<()> {
        let found = columns.find_map(|(name, dates)| {
            let known = |list: &'_ [(String, String)]| {
                list.iter().find(|(other, _)| other == name).map(|(_, kind)| kind.clone())
            };
            let date = known(&self.dates).filter(|_| !dates.0);
            Some((name, known(&self.others).or(date)?))
        });
        let Some((name, kind)) = found else { return Ok(()) };
        Err(InputError::new(format!("is of type {kind}"))
            .file(&self.source)
            .column(name)
            .remedy("give numbers, texts or booleans")
            .into())
    }
}

/// Whether the cells of a column are read as dates.
#[derive(Clone, Copy)]
pub struct ReadsDates(pub bool);

impl Iterator for ParquetTable {
    type Item = Result<Vec<String>>;

    fn next(&mut self) -> Option<Self::Item> {
        // A file that breaks off is the end of the run, not one bad row.
        let refused = |error: ParquetError| {
            Error::file(&self.source, io::Error::other(Unreadable(&error).to_string()))
        };
        let row = self.rows.next()?.map_err(refused);
        Some(row.map(|row: Row| row.get_column_iter().map(|(_, field)| cell(field)).collect()))
    }
}

/// What a file that can't be read is answered with.
struct Unreadable<'a>(&'a ParquetError);

impl std::fmt::Display for Unreadable<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "is a Parquet file that can't be read ({}); write it again, compressed with Snappy, gzip, LZ4 or Zstandard, or as CSV",
            self.0
        )
    }
}

impl From<Unreadable<'_>> for InputError {
    fn from(unreadable: Unreadable<'_>) -> Self {
        Self::new(unreadable.to_string())
    }
}

/// Whether a column's values are numbers, dates, texts or booleans.
fn is_cell(column: &Type) -> bool {
    if column.is_group()
        || column.get_basic_info().repetition() == parquet::basic::Repetition::REPEATED
    {
        return false;
    }
    let about = column.get_basic_info();
    let logical = about.logical_type_ref();
    let converted = about.converted_type();
    match column.get_physical_type() {
        PhysicalType::BOOLEAN | PhysicalType::FLOAT | PhysicalType::DOUBLE => true,
        // Times in nanoseconds have a logical type alone.
        PhysicalType::INT32 | PhysicalType::INT64 => {
            let plain = matches!(
                converted,
                ConvertedType::NONE
                    | ConvertedType::INT_8
                    | ConvertedType::INT_16
                    | ConvertedType::INT_32
                    | ConvertedType::INT_64
                    | ConvertedType::UINT_8
                    | ConvertedType::UINT_16
                    | ConvertedType::UINT_32
                    | ConvertedType::UINT_64
                    | ConvertedType::DECIMAL
                    | ConvertedType::DATE
            );
            let time =
                matches!(logical, Some(LogicalType::Timestamp { .. } | LogicalType::Time { .. }));
            plain && !time
        }
        PhysicalType::BYTE_ARRAY => {
            matches!(converted, ConvertedType::UTF8 | ConvertedType::ENUM | ConvertedType::DECIMAL)
        }
        PhysicalType::FIXED_LEN_BYTE_ARRAY => {
            converted == ConvertedType::DECIMAL || matches!(logical, Some(LogicalType::Float16))
        }
        PhysicalType::INT96 => false,
    }
}

/// A column's type in a message.
fn kind(column: &Type) -> String {
    let about = column.get_basic_info();
    if column.is_group() {
        return "group (a list, map or struct)".to_owned();
    }
    match (about.logical_type_ref(), column.get_physical_type()) {
        (Some(LogicalType::Timestamp { .. }), _) | (_, PhysicalType::INT96) => {
            "timestamp".to_owned()
        }
        (Some(LogicalType::Time { .. }), _) => "time".to_owned(),
        (_, PhysicalType::BYTE_ARRAY | PhysicalType::FIXED_LEN_BYTE_ARRAY) => "binary".to_owned(),
        (_, physical) => physical.to_string(),
    }
}

/// A value as a CSV file would have it; what is missing is empty.
fn cell(field: &Field) -> String {
    match field {
        Field::Null => String::new(),
        // As pandas and the Python package write them.
        Field::Bool(true) => "True".to_owned(),
        Field::Bool(false) => "False".to_owned(),
        Field::Str(text) => text.trim().to_owned(),
        Field::Double(number) if number.is_nan() => String::new(),
        Field::Double(number) => number.to_string(),
        // The shortest number of 32 bits: 0.1 stays 0.1.
        Field::Float(number) if number.is_nan() => String::new(),
        Field::Float(number) => number.to_string(),
        Field::Float16(number) if number.is_nan() => String::new(),
        Field::Decimal(_) => {
            let text = field.to_string();
            if text.contains('.') {
                text.trim_end_matches('0').trim_end_matches('.').to_owned()
            } else {
                text
            }
        }
        other => other.to_string(),
    }
}
