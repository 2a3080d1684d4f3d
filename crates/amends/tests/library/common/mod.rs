//! What several test files share: random small instances, and brute force to solve them.

pub mod brute_force;
pub mod cases;
pub mod random_combined;
mod random_features;
pub mod random_instance;
pub mod random_rules;
pub mod real_data;
pub mod repeatable;

use amends::Result;
use amends::data::{ApplicantReader, Record, Schema, Table};

/// Reads every row of a table as an applicant.
pub fn read_applicants(table: &Table, schema: &Schema) -> Result<Vec<Record>> {
    let reader = ApplicantReader::new(schema, &table.header, &table.source)?;
    table.rows.iter().enumerate().map(|(row, cells)| reader.read(row + 1, cells)).collect()
}
