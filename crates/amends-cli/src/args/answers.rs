//! What `explain` and `audit` share: they answer many applicants, and can be continued.

use std::path::PathBuf;
use std::time::Duration;

use amends::Result;
use amends::answer::Ask;
use clap::Args;

use super::{EngineArgs, EngineChoice, Question, QuestionArgs, ReasonArgs, ReasonChoice};

/// An applicant waits for an answer, and one hard applicant should not hold up all others.
const DEFAULT_LIMIT: Duration = Duration::from_secs(60);

#[derive(Debug, Args)]
pub struct AnswerArgs {
    #[command(flatten)]
    question: QuestionArgs,
    /// Refuse the whole file at its first bad row, before anything is solved, instead of answering the others
    #[arg(long, requires = "applicants", help_heading = "Applicants")]
    strict: bool,
    #[command(flatten)]
    engine: EngineArgs,
    /// Where there is no plan, don't look for the rules that stand in the way
    #[arg(long, help_heading = "Answers")]
    no_why_none: bool,
    #[command(flatten)]
    reasons: ReasonArgs,
    /// Keep every finished applicant in this file; the same command continues where it stopped
    #[arg(long, value_name = "FILE", help_heading = "Answers")]
    journal: Option<PathBuf>,
}

/// Who is asked about what, how they are answered, and where answers are kept.
pub struct AnswerSettings {
    pub question: Question,
    pub engine: EngineChoice,
    /// Whether to look for the rules that stand in the way where there is no plan.
    pub why_none: bool,
    /// The principal reasons of a rejection, where they are wanted.
    pub reasons: Option<ReasonChoice>,
    pub journal: Option<PathBuf>,
}

impl AnswerArgs {
    pub fn check(self) -> Result<AnswerSettings> {
        let mut engine = self.engine.check_for_many()?;
        engine.settings.time_limit.get_or_insert(DEFAULT_LIMIT);
        Ok(AnswerSettings {
            question: self.question.check(self.strict)?,
            engine,
            why_none: !self.no_why_none,
            reasons: self.reasons.check()?,
            journal: self.journal,
        })
    }
}

impl AnswerSettings {
    /// The same question, with the principal reasons and the search for the rules in the way as far as they are wanted.
    pub fn with_reasons(&self, ask: Ask) -> Result<Ask> {
        let ask = ask.with_why_none(self.why_none);
        self.reasons.map_or(Ok(ask.clone()), |reasons| ask.with_principal_reasons(reasons.most))
    }
}
