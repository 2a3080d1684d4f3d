//! What plans have to reach and to respect, in addition to the schema.

use amends::Result;
use amends::data::Schema;
use amends::explain::{Goal, Wishes};
use amends::model::Origin;
use clap::Args;

use super::number;

#[derive(Debug, Args)]
#[command(next_help_heading = "What plans must respect")]
pub struct RequirementArgs {
    /// A rule for every applicant, in the words of the schema's rules, or a key of a feature, such as
    /// 'income.max_change = 500'; may begin with a minus sign (may be given several times)
    #[arg(long = "rule", value_name = "RULE", allow_hyphen_values = true)]
    rules: Vec<String>,
    /// Accept from this score on instead of the model's own cut
    #[arg(long, value_name = "SCORE", allow_negative_numbers = true, value_parser = number)]
    target_score: Option<f64>,
    /// Accept from this probability of approval on (not svm)
    #[arg(long, value_name = "P", allow_negative_numbers = true, conflicts_with = "target_score", value_parser = number)]
    target_probability: Option<f64>,
    /// Plans stay accepted if the model's score drops by this much
    #[arg(long, value_name = "SCORE", default_value_t = 0.0, allow_negative_numbers = true, value_parser = number)]
    margin: f64,
    /// Plans stay accepted if any changed numbers are off by a step, up or down
    #[arg(long)]
    margin_step: bool,
    /// Plans have no change that would lower the model's score by itself
    #[arg(long)]
    harmless: bool,
    /// Plans have no change that they could do without: the model rejects every part of a plan
    #[arg(long)]
    needed: bool,
}

/// Rules of each applicant's own.
#[derive(Debug, Args)]
#[command(next_help_heading = "What plans must respect")]
pub struct OwnRulesArgs {
    /// The column of --applicants with each applicant's own rules, separated by semicolons
    #[arg(long, value_name = "COLUMN", requires = "applicants")]
    pub rules_column: Option<String>,
}

/// What plans have to reach and to respect, in addition to the schema.
#[derive(Debug, Clone)]
pub struct Requirements {
    /// Rules for all applicants.
    pub rules: Vec<String>,
    /// The column of the applicants' file with their own rules.
    pub rules_column: Option<String>,
    target: Target,
    margin: f64,
    margin_step: bool,
    harmless: bool,
    needed: bool,
}

/// From where on the model accepts.
#[derive(Debug, Clone, Copy)]
enum Target {
    Score(f64),
    Probability(f64),
}

impl RequirementArgs {
    /// Rules need a schema and targets a model: they are checked when those are known.
    pub fn check(self) -> Requirements {
        let target = match (self.target_score, self.target_probability) {
            (Some(score), _) => Target::Score(score),
            (None, Some(probability)) => Target::Probability(probability),
            (None, None) => Target::Score(0.0),
        };
        Requirements {
            rules: self.rules,
            rules_column: None,
            target,
            margin: self.margin,
            margin_step: self.margin_step,
            harmless: self.harmless,
            needed: self.needed,
        }
    }
}

impl Requirements {
    /// The same for people who would follow a plan to the letter: no plan has a change that it could do without.
    pub fn with_needed_changes(mut self) -> Self {
        self.needed = true;
        self
    }

    /// The same where applicants have rules of their own.
    pub fn with_own_rules(mut self, own: OwnRulesArgs) -> Self {
        self.rules_column = own.rules_column;
        self
    }

    /// What plans have to reach, for a model of some origin.
    pub fn goal(&self, origin: &Origin) -> Result<Goal> {
        let score = match self.target {
            Target::Score(score) => score,
            Target::Probability(probability) => origin.score_to_reach(
                probability,
                "--target-probability",
                "give a score with --target-score",
            )?,
        };
        let Self { margin, margin_step, harmless, needed, .. } = *self;
        Ok(Goal { score, margin, step_to_spare: margin_step, harmless, needed })
    }

    /// The rules for all applicants.
    pub fn common_rules(&self, schema: &Schema) -> Result<Wishes> {
        let parsed = Wishes::parse(self.rules.iter().map(String::as_str), schema);
        Ok(parsed.map_err(|error| error.file("--rule"))?)
    }
}
