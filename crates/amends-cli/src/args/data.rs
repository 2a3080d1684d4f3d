//! Which table, and how it is split.

use std::path::PathBuf;

use amends::data::HelocCodes;
use amends::{InputError, Result};
use clap::{Args, ValueEnum};

use super::{number, whole};

#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Data")]
pub struct TableArgs {
    /// A known data set: german (embedded) or heloc (give its file with --data)
    #[arg(long, value_enum)]
    dataset: Option<KnownData>,
    /// The table, as CSV
    #[arg(long, value_name = "FILE")]
    data: Option<PathBuf>,
    /// The schema of the table, as TOML (`amends init` writes one)
    #[arg(long, value_name = "FILE")]
    schema: Option<PathBuf>,
    /// What to do with HELOC's special codes -7, -8 and -9; zero where it is left out, with a note
    #[arg(long, value_enum)]
    heloc_codes: Option<CodeReading>,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Data")]
pub struct DataArgs {
    #[command(flatten)]
    table: TableArgs,
    /// The seed of the split and of the training
    #[arg(long, default_value_t = 0, value_parser = whole::<u64>)]
    seed: u64,
    /// The share of rows that is held out for testing; 0 keeps them all
    #[arg(long, default_value_t = 0.25, value_name = "SHARE", value_parser = number)]
    test_share: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum KnownData {
    German,
    Heloc,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum CodeReading {
    /// Replace them by 0, as DACE did
    Zero,
    /// Drop rows that hold any
    Drop,
    /// Keep them as states beside the numbers, with rules for real advice
    State,
}

/// Which table.
#[derive(Debug, Clone)]
pub enum TableChoice {
    /// The embedded German credit data.
    German,
    /// FICO's file; `codes` is none where the user did not choose how to read its special codes.
    Heloc { path: PathBuf, codes: Option<HelocCodes> },
    /// A table with its schema.
    File { path: PathBuf, schema: PathBuf },
}

/// Which table, and how it is split.
#[derive(Debug, Clone)]
pub struct DataChoice {
    pub table: TableChoice,
    pub seed: u64,
    pub test_share: f64,
}

impl TableArgs {
    /// With a table that was named without `--data`.
    pub fn or_data(mut self, path: Option<PathBuf>) -> Self {
        self.data = self.data.or(path);
        self
    }

    pub fn check(self) -> Result<TableChoice> {
        let missing =
            |problem: &str, remedy: &str| Err(InputError::new(problem).remedy(remedy).into());
        match (self.dataset, self.data, self.schema) {
            (None | Some(KnownData::German), None, None) => Ok(TableChoice::German),
            (Some(KnownData::Heloc), Some(path), None) => {
                let codes = self.heloc_codes.map(|codes| match codes {
                    CodeReading::Zero => HelocCodes::Zero,
                    CodeReading::Drop => HelocCodes::Drop,
                    CodeReading::State => HelocCodes::State,
                });
                Ok(TableChoice::Heloc { path, codes })
            }
            (Some(KnownData::Heloc), None, _) => missing(
                "--dataset heloc needs FICO's file, which may not be passed on with this program",
                "give your own copy with --data FILE",
            ),
            (None, Some(path), Some(schema)) => Ok(TableChoice::File { path, schema }),
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
}

impl DataArgs {
    /// The share of held-out rows is checked with the split.
    pub fn check(self) -> Result<DataChoice> {
        Ok(DataChoice { table: self.table.check()?, seed: self.seed, test_share: self.test_share })
    }
}
