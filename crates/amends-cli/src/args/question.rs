//! What `explain`, `instance` and `audit` are asked: about these applicants, this model, these costs.

use amends::Result;
use amends::explain::{CostChoices, ExplainSettings};
use amends::model::TrainSettings;
use clap::Args;

use super::applicants::ApplicantArgs;
use super::models::ModelArgs;
use super::requirements::RequirementArgs;
use super::{
    ApplicantChoice, CostArgs, DataArgs, DataChoice, ModelChoice, Requirements, TrainingArgs,
};

#[derive(Debug, Args)]
pub struct QuestionArgs {
    #[command(flatten)]
    data: DataArgs,
    #[command(flatten)]
    training: TrainingArgs,
    #[command(flatten)]
    model: ModelArgs,
    #[command(flatten)]
    applicants: ApplicantArgs,
    #[command(flatten)]
    cost: CostArgs,
    #[command(flatten)]
    requirements: RequirementArgs,
}

/// Who is asked about, which model decides, and what a plan costs.
pub struct Question {
    pub data: DataChoice,
    pub training: TrainSettings,
    pub model: ModelChoice,
    pub applicants: ApplicantChoice,
    cost: CostChoices,
    pub requirements: Requirements,
}

impl QuestionArgs {
    /// Where it is `strict`, the first bad row of a file of applicants ends the run.
    pub fn check(self, strict: bool) -> Result<Question> {
        let data = self.data.check(self.cost.purpose())?;
        Ok(Question {
            training: self.training.check(data.seed)?,
            data,
            model: self.model.check()?,
            applicants: self.applicants.check(strict),
            cost: self.cost.choices(),
            requirements: self.requirements.check(),
        })
    }
}

impl Question {
    /// The cost of a plan, for a schema of some name.
    pub fn costs(&self, schema_name: &str) -> Result<ExplainSettings> {
        self.cost.check(schema_name, |choice| format!("--{choice}"))
    }
}
