//! What `explain`, `instance`, `letter` and `audit` are asked about: which applicants, which model, which costs.

use amends::Result;
use clap::Args;

use super::applicants::ApplicantArgs;
use super::requirements::OwnRulesArgs;
use super::{ApplicantChoice, Setup, SetupArgs};

#[derive(Debug, Args)]
pub struct QuestionArgs {
    #[command(flatten)]
    setup: SetupArgs,
    #[command(flatten)]
    applicants: ApplicantArgs,
    #[command(flatten)]
    own_rules: OwnRulesArgs,
}

/// Who is asked about, which model decides, and what a plan costs.
pub struct Question {
    pub setup: Setup,
    pub applicants: ApplicantChoice,
}

impl QuestionArgs {
    /// Where it is `strict`, the first bad row of a file of applicants ends the run.
    pub fn check(self, strict: bool) -> Result<Question> {
        let mut setup = self.setup.check()?;
        setup.requirements = setup.requirements.with_own_rules(self.own_rules);
        Ok(Question { setup, applicants: self.applicants.check(strict) })
    }
}
