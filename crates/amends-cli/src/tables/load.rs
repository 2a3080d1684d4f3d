//! Reading the table that the command line names, or the embedded one.

use amends::Result;
use amends::data::{Dataset, HelocCodes, Schema, Table};

use super::read_table;
use crate::args::TableChoice;

/// The table as it is, without a split: as the schema reads it, and raw.
pub fn load_dataset(choice: &TableChoice) -> Result<(Dataset, Table)> {
    match choice {
        TableChoice::German => {
            let german = Dataset::german();
            let table = german.to_table();
            Ok((german, table))
        }
        TableChoice::Heloc { path, codes } => {
            let table = read_table(path, None)?;
            let dataset =
                Dataset::heloc_from_table(table.clone(), codes.unwrap_or(HelocCodes::Zero))?;
            if codes.is_none() {
                // -7 means "never delinquent": as 0 it says the opposite. Nobody should get that
                // without being warned.
                eprintln!(
                    "note: HELOC's codes -7, -8 and -9 are read as 0, as DACE did; \
                     choose with --heloc-codes zero, drop or state"
                );
            }
            Ok((dataset, table))
        }
        TableChoice::File { path, schema } => {
            let schema = Schema::read(schema)?;
            let table = read_table(path, Some(&schema))?;
            Ok((Dataset::from_table(&table, &schema)?, table))
        }
    }
}
