//! The arguments of `amends init`.

use std::path::PathBuf;

use amends::{InputError, Result};
use clap::Args;

use crate::args::OutputArgs;

#[derive(Debug, Args)]
pub struct InitArgs {
    /// The table, as CSV
    data: PathBuf,
    /// The column with the decision or outcome
    #[arg(long)]
    target: String,
    /// The label that means approved, where it can't be guessed
    #[arg(long)]
    favourable: Option<String>,
    /// A name for the schema; the file's where it is left out
    #[arg(long)]
    name: Option<String>,
    /// Replace the output file where it exists
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    output: OutputArgs,
}

/// What is asked of `amends init`, checked.
pub struct InitCommand {
    pub data: PathBuf,
    pub target: String,
    pub favourable: Option<String>,
    /// The name of the schema.
    pub name: String,
    pub output: Option<PathBuf>,
}

impl InitArgs {
    pub fn check(self) -> Result<InitCommand> {
        if let Some(path) = self.output.path().filter(|path| path.is_file() && !self.force) {
            return Err(InputError::new("exists already, perhaps with your corrections")
                .file(path.display().to_string())
                .remedy("name another file, or replace it with --force")
                .into());
        }
        let stem = self.data.file_stem().map(|stem| stem.to_string_lossy().into_owned());
        Ok(InitCommand {
            name: self.name.or(stem).unwrap_or_else(|| "data".to_owned()),
            data: self.data,
            target: self.target,
            favourable: self.favourable,
            output: self.output.check()?,
        })
    }
}
