//! Applicants read row by row: cells of a table as a record in raw units.

use super::heloc::is_without_record;
use super::{Feature, HelocCodes, Record, Schema, some_of};
use crate::{InputError, Result};

/// Reads applicants of one table: the target column may be missing, other columns (an identifier) are ignored.
#[derive(Debug, Clone)]
pub struct ApplicantReader<'a> {
    schema: &'a Schema,
    source: String,
    /// The column index of each feature in the table.
    columns: Vec<usize>,
    /// How HELOC's codes are read, where it is HELOC.
    codes: Option<HelocCodes>,
}

impl<'a> ApplicantReader<'a> {
    /// A reader for a table of this header; `source` is its name in messages.
    pub fn new(schema: &'a Schema, header: &[String], source: &str) -> Result<Self> {
        schema.check()?;
        let column = |feature: &Feature| find_column(header, source, &feature.name);
        let columns = schema.features.iter().map(column).collect::<Result<_>>()?;
        Ok(Self { schema, source: source.to_owned(), columns, codes: None })
    }

    /// Reads HELOC's codes in the same way as the training table.
    #[must_use]
    pub fn with_heloc_codes(mut self, codes: HelocCodes) -> Self {
        self.codes = Some(codes);
        self
    }

    /// Reads one applicant; `number` is the row's number in messages.
    pub fn read(&self, number: usize, cells: &[String]) -> Result<Record> {
        if self.codes.is_some() && is_without_record(self.columns.iter().map(|&c| &cells[c])) {
            return Err(InputError::new("has no record: every cell is -9")
                .file(&self.source)
                .row(number)
                .remedy("leave the applicant out: there is nothing to go by")
                .into());
        }
        let mut record = Record::with_capacity(self.columns.len());
        for (feature, &column) in self.schema.features.iter().zip(&self.columns) {
            let cell = cells[column].as_str();
            let cell = self.codes.map_or(Ok(cell), |codes| codes.read_cell(feature, cell));
            let value = cell.and_then(|cell| feature.parse_cell(cell));
            record.push(
                value
                    .map_err(|error| error.file(&self.source).row(number).column(&feature.name))?,
            );
        }
        Ok(record)
    }
}

/// The index of the column with this name.
pub(super) fn find_column(header: &[String], source: &str, name: &str) -> Result<usize> {
    header.iter().position(|column| column == name).ok_or_else(|| {
        InputError::new("is in the schema but not in the table")
            .file(source)
            .column(name)
            .remedy(format!(
                "add the column, or correct its name in the schema; the table has {}",
                some_of(header)
            ))
            .into()
    })
}
