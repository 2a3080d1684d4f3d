//! Reading the table that the command line names, or the embedded one.

use amends::Result;
use amends::data::{Dataset, HelocCodes, Schema, Table, is_heloc_without_codes};

use super::read_table;
use crate::args::{GermanSchema, HelocReading, TableChoice};

/// A table as it is, without a split.
pub struct LoadedTable {
    /// As the schema reads it.
    pub dataset: Dataset,
    /// As the file has it.
    pub raw: Table,
    /// How HELOC's codes were read, where it is HELOC.
    pub heloc_codes: Option<HelocCodes>,
}

pub fn load_dataset(choice: &TableChoice) -> Result<LoadedTable> {
    match choice {
        TableChoice::German(schema) => {
            let dataset = match schema {
                GermanSchema::Advice => Dataset::german(),
                GermanSchema::Free => Dataset::german_free(),
            };
            let raw = dataset.to_table();
            Ok(LoadedTable { dataset, raw, heloc_codes: None })
        }
        TableChoice::Heloc { path, reading } => {
            let raw = read_table(path, None)?;
            let codes = heloc_codes(*reading, &raw);
            let dataset = Dataset::heloc_from_table(raw.clone(), codes)?;
            Ok(LoadedTable { dataset, raw, heloc_codes: Some(codes) })
        }
        TableChoice::File { path, schema } => {
            let schema = Schema::read(schema)?;
            let raw = read_table(path, Some(&schema))?;
            let dataset = Dataset::from_table(&raw, &schema)?;
            Ok(LoadedTable { dataset, raw, heloc_codes: None })
        }
    }
}

/// How HELOC's codes are read. Nobody should get zeros without being warned unless they asked for them: -7 means "never
/// delinquent", and as 0 it says the opposite.
fn heloc_codes(reading: HelocReading, table: &Table) -> HelocCodes {
    match reading {
        HelocReading::Chosen(codes) => codes,
        HelocReading::Usual(HelocCodes::State) if is_heloc_without_codes(table) => {
            eprintln!(
                "note: this file has 0 in place of HELOC's codes -7, -8 and -9, so that plans may change \
                 every feature, as in the papers; for advice, give FICO's raw file"
            );
            HelocCodes::Zero
        }
        HelocReading::Usual(codes) => {
            if codes == HelocCodes::Zero {
                eprintln!(
                    "note: HELOC's codes -7, -8 and -9 are read as 0, as DACE did; \
                     choose with --heloc-codes zero, drop or state"
                );
            }
            codes
        }
    }
}
