//! Reading the table that the command line names, or the embedded one.

use amends::data::{Dataset, HelocCodes, Schema, Table};
use amends::{InputError, Result};

use crate::args::{Codes, KnownData, TableArgs};
use crate::table_file::read_table;

/// How HELOC's special codes are read.
pub fn heloc_codes(args: &TableArgs) -> HelocCodes {
    match args.heloc_codes {
        Some(Codes::Drop) => HelocCodes::Drop,
        Some(Codes::State) => HelocCodes::State,
        Some(Codes::Zero) | None => HelocCodes::Zero,
    }
}

/// The table as it is, without a split: as the schema reads it, and raw.
pub fn load_dataset(args: &TableArgs) -> Result<(Dataset, Table)> {
    let missing = |what: &str, remedy: &str| Err(InputError::new(what).remedy(remedy).into());
    match (args.dataset, &args.data, &args.schema) {
        (None | Some(KnownData::German), None, None) => {
            let german = Dataset::german();
            let table = german.to_table();
            Ok((german, table))
        }
        (Some(KnownData::Heloc), Some(path), None) => {
            let table = read_table(path, None)?;
            let dataset = Dataset::heloc_from_table(table.clone(), heloc_codes(args))?;
            if args.heloc_codes.is_none() {
                // -7 means "never delinquent": as 0 it says the opposite. Nobody should get that
                // without being warned.
                eprintln!(
                    "note: HELOC's codes -7, -8 and -9 are read as 0, as DACE did; \
                     choose with --heloc-codes zero, drop or state"
                );
            }
            Ok((dataset, table))
        }
        (Some(KnownData::Heloc), None, _) => missing(
            "--dataset heloc needs FICO's file, which may not be passed on with this program",
            "give your own copy with --data FILE",
        ),
        (None, Some(path), Some(schema)) => {
            let schema = Schema::read(schema)?;
            let table = read_table(path, Some(&schema))?;
            Ok((Dataset::from_table(&table, &schema)?, table))
        }
        (None, Some(path), None) => missing(
            &format!("{} has no schema", path.display()),
            "write one with `amends init`, edit it, and give it with --schema FILE",
        ),
        (None, None, Some(_)) => missing("--schema needs a table", "give it with --data FILE"),
        (Some(_), _, _) => missing(
            "--dataset names a table and a schema of its own",
            "leave out --dataset, or leave out --schema (and --data for german)",
        ),
    }
}
