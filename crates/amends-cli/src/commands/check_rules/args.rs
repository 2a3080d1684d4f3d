//! The arguments of `amends check-rules`.

use std::path::PathBuf;

use amends::Result;
use clap::Args;

use crate::args::{Format, OutputArgs, Purpose, TableArgs, TableChoice};

#[derive(Debug, Args)]
pub struct CheckRulesArgs {
    /// The table, as CSV; the same as --data
    #[arg(value_name = "DATA", conflicts_with = "data")]
    file: Option<PathBuf>,
    #[command(flatten)]
    table: TableArgs,
    /// text, json (one object per rule) or csv
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    #[command(flatten)]
    output: OutputArgs,
}

/// What is asked of `amends check-rules`, checked.
pub struct CheckRulesCommand {
    pub table: TableChoice,
    pub format: Format,
    pub output: Option<PathBuf>,
}

impl CheckRulesArgs {
    pub fn check(self) -> Result<CheckRulesCommand> {
        Ok(CheckRulesCommand {
            output: self.output.check()?,
            table: self.table.or_data(self.file).check(Purpose::Advice)?,
            format: self.format,
        })
    }
}
