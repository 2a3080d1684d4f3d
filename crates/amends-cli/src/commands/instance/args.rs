//! The arguments of `amends instance`.

use std::path::PathBuf;

use amends::Result;
use clap::Args;

use crate::args::{OutputArgs, Question, QuestionArgs};

#[derive(Debug, Args)]
pub struct InstanceArgs {
    #[command(flatten)]
    question: QuestionArgs,
    #[command(flatten)]
    output: OutputArgs,
}

/// What is asked of `amends instance`, checked.
pub struct InstanceCommand {
    pub question: Question,
    pub output: Option<PathBuf>,
}

impl InstanceArgs {
    /// A file of instances has a line for every applicant: the first bad row ends the run.
    pub fn check(self) -> Result<InstanceCommand> {
        let output = self.output.check()?;
        Ok(InstanceCommand { question: self.question.check(true)?, output })
    }
}
