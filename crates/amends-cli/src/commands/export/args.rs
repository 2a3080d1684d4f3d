//! The arguments of `amends export`.

use std::path::PathBuf;

use amends::Result;
use amends::milp::Formulation;
use clap::{Args, ValueEnum};

use crate::args::{OutputArgs, choice, file_extension};

#[derive(Debug, Args)]
pub struct ExportArgs {
    /// The instance, as JSON; - for standard input
    file: PathBuf,
    /// pairwise, reduced or compact
    #[arg(long, default_value = "reduced")]
    formulation: String,
    /// mps or lp; taken from the output's name where it is left out
    #[arg(long, value_enum)]
    format: Option<ProgramFormat>,
    #[command(flatten)]
    output: OutputArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ProgramFormat {
    Mps,
    Lp,
}

/// What is asked of `amends export`, checked.
pub struct ExportCommand {
    pub file: PathBuf,
    pub formulation: Formulation,
    pub format: ProgramFormat,
    pub output: Option<PathBuf>,
}

impl ExportArgs {
    pub fn check(self) -> Result<ExportCommand> {
        let by_name = match self.output.path().and_then(file_extension).as_deref() {
            Some("lp") => ProgramFormat::Lp,
            _ => ProgramFormat::Mps,
        };
        Ok(ExportCommand {
            formulation: choice("--formulation", &self.formulation)?,
            format: self.format.unwrap_or(by_name),
            output: self.output.check()?,
            file: self.file,
        })
    }
}
