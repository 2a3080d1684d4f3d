//! Tables, the schema file, and the encoding of rows to columns of numbers.
//!
//! A [`Table`] is raw CSV text. A [`Schema`] says what its columns mean; together they make a [`Dataset`] of
//! [`Record`]s in raw units. An [`Encoder`] turns a record into the numbers that models work on, and back.

mod applicant_reader;
mod broken;
mod dataset;
mod embedded;
mod encoder;
mod encoding;
mod first_line;
mod format;
mod german;
mod guess;
mod heloc;
mod infer;
mod local_rule;
mod rows;
mod rule;
mod schema;
mod table;
mod tally;
mod value;

pub use crate::decimal::Decimal;
pub use applicant_reader::ApplicantReader;
pub use broken::{Broken, BrokenRule};
pub use dataset::Dataset;
pub use encoder::{Column, Encoder};
pub use encoding::{TextEncoding, TextFile};
pub use format::{CellFormat, DateFormat, DateUnit, Grouping, NumberFormat};
pub use heloc::{HelocCodes, is_heloc_without_codes};
pub use infer::{About, Draft, draft};
pub use local_rule::LocalRule;
pub use rows::TableRows;
pub use rule::{Addend, Atom, Demand, Direction, Formula, Quantity, Rule};
pub(crate) use schema::CORRECT_FILE;
pub use schema::{
    Change, Code, Feature, FeatureLimits, Kind, LevelMoves, Schema, Target, Translation,
};
pub use table::Table;
pub use tally::{RowTally, TalliedRule};
pub(crate) use value::stands_for_missing;
pub use value::{Record, Value};

/// The first few of many names, for a message that must stay readable.
pub(crate) fn some_of(names: &[String]) -> String {
    const SHOWN: usize = 8;
    let shown: Vec<String> = names.iter().take(SHOWN).map(|name| format!("`{name}`")).collect();
    match names.len().saturating_sub(SHOWN) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}
