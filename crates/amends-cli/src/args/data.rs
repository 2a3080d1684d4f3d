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
    /// What may change in German credit [default: advice; free with the presets paper and dace]
    #[arg(long, value_enum)]
    german_schema: Option<GermanSchema>,
    /// What to do with HELOC's special codes -7, -8 and -9 [default: state; zero with the presets paper and dace]
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

/// What may change in the embedded data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum GermanSchema {
    /// What an applicant can do about an application, in the direction that helps
    Advice,
    /// Everything but protected attributes, as in the papers
    Free,
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
    German(GermanSchema),
    /// FICO's file.
    Heloc { path: PathBuf, reading: HelocReading },
    /// A table with its schema.
    File { path: PathBuf, schema: PathBuf },
}

/// How HELOC's special codes are read.
#[derive(Debug, Clone, Copy)]
pub enum HelocReading {
    /// As the user said.
    Chosen(HelocCodes),
    /// The default of the command.
    Usual(HelocCodes),
}

/// What a command is for: this decides which schema of a known data set is the default.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// Plans are for applicants.
    Advice,
    /// Plans are compared with those of the papers, where every feature may change.
    Papers,
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

    pub fn check(self, purpose: Purpose) -> Result<TableChoice> {
        let missing =
            |problem: &str, remedy: &str| Err(InputError::new(problem).remedy(remedy).into());
        let is_heloc = self.dataset == Some(KnownData::Heloc);
        let is_german = !is_heloc && self.data.is_none() && self.schema.is_none();
        if self.german_schema.is_some() && !is_german {
            return missing(
                "--german-schema is for German credit alone",
                "leave it out, or leave out --data and --dataset heloc",
            );
        }
        if self.heloc_codes.is_some() && !is_heloc {
            return missing(
                "--heloc-codes is for HELOC alone",
                "leave it out, or add --dataset heloc",
            );
        }
        match (self.dataset, self.data, self.schema) {
            (None | Some(KnownData::German), None, None) => {
                Ok(TableChoice::German(self.german_schema.unwrap_or(match purpose {
                    Purpose::Advice => GermanSchema::Advice,
                    Purpose::Papers => GermanSchema::Free,
                })))
            }
            (Some(KnownData::Heloc), Some(path), None) => {
                let reading = match (self.heloc_codes, purpose) {
                    (Some(CodeReading::Zero), _) => HelocReading::Chosen(HelocCodes::Zero),
                    (Some(CodeReading::Drop), _) => HelocReading::Chosen(HelocCodes::Drop),
                    (Some(CodeReading::State), _) => HelocReading::Chosen(HelocCodes::State),
                    (None, Purpose::Advice) => HelocReading::Usual(HelocCodes::State),
                    (None, Purpose::Papers) => HelocReading::Usual(HelocCodes::Zero),
                };
                Ok(TableChoice::Heloc { path, reading })
            }
            (Some(KnownData::Heloc), None, _) => missing(
                "--dataset heloc needs FICO's file, which may not be passed on with this program",
                "give your own copy with --data FILE",
            ),
            (None, Some(path), Some(schema)) => Ok(TableChoice::File { path, schema }),
            (None, Some(path), None) if !path.exists() => Err(InputError::new("does not exist")
                .file(path.display().to_string())
                .at("--data")
                .remedy("check the path")
                .into()),
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
    pub fn check(self, purpose: Purpose) -> Result<DataChoice> {
        let table = self.table.check(purpose)?;
        Ok(DataChoice { table, seed: self.seed, test_share: self.test_share })
    }
}
