//! The arguments of `amends evaluate`.

use amends::model::{ModelKind, TrainSettings};
use amends::{InputError, Result};
use clap::Args;

use crate::args::{DataArgs, DataChoice, Format, ModelListArgs, Purpose, TrainingArgs, whole};

#[derive(Debug, Args)]
pub struct EvaluateArgs {
    #[command(flatten)]
    data: DataArgs,
    #[command(flatten)]
    training: TrainingArgs,
    #[command(flatten)]
    models: ModelListArgs,
    /// How many splits, seeded with --seed and the numbers after it
    #[arg(long, default_value_t = 10, value_parser = whole::<u64>)]
    splits: u64,
    /// text, json or csv
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

/// What is asked of `amends evaluate`, checked.
pub struct EvaluateCommand {
    pub data: DataChoice,
    pub kinds: Vec<ModelKind>,
    /// For the first split.
    pub training: TrainSettings,
    pub splits: u64,
    pub format: Format,
}

impl EvaluateArgs {
    pub fn check(self) -> Result<EvaluateCommand> {
        if self.splits == 0 {
            return Err(InputError::new("must be at least 1")
                .at("--splits")
                .value(0)
                .remedy("10 is usual")
                .into());
        }
        let kinds = self.models.check()?;
        let data = self.data.check(Purpose::Advice)?;
        let training = self.training.check(data.seed, &kinds)?;
        Ok(EvaluateCommand { data, kinds, training, splits: self.splits, format: self.format })
    }
}
