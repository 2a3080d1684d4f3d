//! The arguments of `amends train`.

use std::path::PathBuf;

use amends::Result;
use amends::model::{ModelKind, TrainSettings};
use amends_run::output::check_writable;
use clap::Args;

use crate::args::{DataArgs, DataChoice, Purpose, TrainingArgs, choice, model_names};

#[derive(Debug, Args)]
pub struct TrainArgs {
    #[command(flatten)]
    data: DataArgs,
    #[command(flatten)]
    training: TrainingArgs,
    #[arg(long, help = model_names())]
    model: String,
    /// Where to save the model
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

/// What is asked of `amends train`, checked.
pub struct TrainCommand {
    pub data: DataChoice,
    pub kind: ModelKind,
    pub training: TrainSettings,
    pub output: PathBuf,
}

impl TrainArgs {
    pub fn check(self) -> Result<TrainCommand> {
        let kind = choice("--model", &self.model)?;
        check_writable(&self.output)?;
        let data = self.data.check(Purpose::Advice)?;
        let training = self.training.check(data.seed, &[kind])?;
        Ok(TrainCommand { data, kind, training, output: self.output })
    }
}
