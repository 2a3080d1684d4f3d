//! The arguments of `amends solve`.

use std::path::PathBuf;

use amends::Result;
use clap::Args;

use crate::args::{EngineArgs, EngineChoice};

#[derive(Debug, Args)]
pub struct SolveArgs {
    /// The instance, as JSON or JSON lines; - for standard input
    file: PathBuf,
    #[command(flatten)]
    engine: EngineArgs,
    /// Print one JSON object per instance
    #[arg(long)]
    json: bool,
}

/// What is asked of `amends solve`, checked.
pub struct SolveCommand {
    pub file: PathBuf,
    pub engine: EngineChoice,
    pub json: bool,
}

impl SolveArgs {
    pub fn check(self) -> Result<SolveCommand> {
        Ok(SolveCommand { file: self.file, engine: self.engine.check()?, json: self.json })
    }
}
