//! How the cells of a column are written: decimal commas, currency signs, dates.

mod date;
mod number;

use super::schema::Flaw;
use super::{Feature, Kind};
use crate::InputError;

pub use date::{DateFormat, DateUnit};
pub(in crate::data) use date::{
    ReadDate, Unread, has_day, has_month_name, has_short_years, read as read_day, written,
};
pub use number::{Grouping, NumberFormat};

/// How a table writes the values of a numeric feature.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CellFormat {
    /// As a number.
    Number(NumberFormat),
    /// As a date, which becomes the time before a reference date.
    Date(DateFormat),
}

impl Default for CellFormat {
    fn default() -> Self {
        Self::Number(NumberFormat::default())
    }
}

impl CellFormat {
    /// Whether cells are numbers with a decimal point and nothing else.
    pub(crate) fn is_plain(&self) -> bool {
        *self == Self::default()
    }

    /// Reads a cell; the caller adds to an error where the cell is.
    pub(super) fn read(&self, text: &str) -> Result<f64, InputError> {
        match self {
            Self::Number(format) => format.read(text),
            Self::Date(format) => format.read(text),
        }
    }
}

impl Feature {
    /// Refuses formats that don't fit the kind, or that make cells ambiguous.
    pub(super) fn check_format(&self) -> Result<(), Flaw> {
        if self.format.is_plain() {
            return Ok(());
        }
        let key = match &self.format {
            CellFormat::Date(_) => "date",
            CellFormat::Number(format) if !format.signs.is_empty() => "sign",
            CellFormat::Number(format) if format.thousands.is_some() => "thousands",
            CellFormat::Number(_) => "decimal",
        };
        if !self.is_numeric() {
            let problem = format!("does not fit kind {}", self.kind.name());
            let error = InputError::new(problem)
                .remedy("only integer and continuous features have a format; levels are written as in the table");
            return Err(Flaw::of(key, error));
        }
        match &self.format {
            CellFormat::Number(format) => format.check(),
            CellFormat::Date(format) => {
                if self.kind != Kind::Integer {
                    let error = InputError::new("is counted in whole days, months or years")
                        .remedy("write kind = \"integer\"");
                    return Err(Flaw::of("date", error));
                }
                format.check()
            }
        }
    }
}
