//! Which rows, which model and which costs: all that is fitted before the first applicant is answered.

use amends::Result;
use amends::explain::{CostChoices, ExplainSettings};
use amends::model::TrainSettings;
use clap::Args;

use super::models::ModelArgs;
use super::requirements::RequirementArgs;
use super::{CostArgs, DataArgs, DataChoice, ModelChoice, Requirements, TrainingArgs};

#[derive(Debug, Args)]
pub struct SetupArgs {
    #[command(flatten)]
    data: DataArgs,
    #[command(flatten)]
    training: TrainingArgs,
    #[command(flatten)]
    model: ModelArgs,
    #[command(flatten)]
    cost: CostArgs,
    #[command(flatten)]
    requirements: RequirementArgs,
}

/// Which model decides, on which rows it is fitted, and what a plan costs and must respect.
pub struct Setup {
    pub data: DataChoice,
    pub training: TrainSettings,
    pub model: ModelChoice,
    cost: CostChoices,
    pub requirements: Requirements,
}

impl SetupArgs {
    pub fn check(self) -> Result<Setup> {
        let data = self.data.check(self.cost.purpose())?;
        let model = self.model.check()?;
        Ok(Setup {
            training: self.training.check(data.seed, model.trained())?,
            data,
            model,
            cost: self.cost.choices(),
            requirements: self.requirements.check(),
        })
    }
}

impl Setup {
    /// The cost of a plan, for a schema of some name.
    pub fn costs(&self, schema_name: &str) -> Result<ExplainSettings> {
        self.cost.check(schema_name, |choice| format!("--{choice}"))
    }
}
