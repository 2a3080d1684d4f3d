//! The arguments of `amends explain`.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use amends::answer::Ask;
use amends::plans::SeveralSettings;
use amends::{InputError, Result};
use clap::{Args, ValueEnum};

use crate::args::{
    AnswerArgs, AnswerSettings, OutputArgs, check_output_files, file_extension, number, whole,
};

#[derive(Debug, Args)]
pub struct ExplainArgs {
    #[command(flatten)]
    answers: AnswerArgs,
    #[command(flatten)]
    several: SeveralArgs,
    /// text, json (JSON lines, one object per plan), csv, parquet or html (a page with pictures); by the output's name where it is left out, else text
    #[arg(long, value_enum, help_heading = "Answers")]
    format: Option<PlanFormat>,
    #[command(flatten, next_help_heading = "Answers")]
    output: OutputArgs,
}

/// More than one plan per applicant.
#[derive(Debug, Args)]
#[command(next_help_heading = "Several plans")]
struct SeveralArgs {
    /// The best N plans, none of which changes everything that a better one changes
    #[arg(long, value_name = "N", conflicts_with = "pareto", value_parser = whole::<usize>)]
    plans: Option<usize>,
    /// Plans differ in at least M changes from every better one
    #[arg(long, value_name = "M", requires = "plans", default_value_t = 1, value_parser = whole::<usize>)]
    apart: usize,
    /// Allow plans that change everything that a better one changes, and something else
    #[arg(long, requires = "plans")]
    supersets: bool,
    /// The trade-off between distance and outlier term: every plan that no other beats in both, at most N of them
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "20", value_parser = whole::<usize>)]
    pareto: Option<usize>,
    /// Ignore differences in the trade-off below this share
    #[arg(
        long,
        value_name = "SHARE",
        default_value_t = 0.01,
        requires = "pareto",
        allow_negative_numbers = true, value_parser = number
    )]
    resolution: f64,
}

/// How plans are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum PlanFormat {
    Text,
    #[value(alias = "json-lines", alias = "jsonl")]
    Json,
    Csv,
    Parquet,
    Html,
}

/// What is asked of `amends explain`, checked.
pub struct ExplainCommand {
    pub answers: AnswerSettings,
    /// Which plans are asked for.
    pub ask: Ask,
    pub format: PlanFormat,
    pub output: Option<PathBuf>,
}

impl ExplainArgs {
    pub fn check(self) -> Result<ExplainCommand> {
        let output = self.output.check()?;
        let format = self.format.unwrap_or_else(|| PlanFormat::by_name(output.as_deref()));
        if output.is_none() && format == PlanFormat::Parquet && std::io::stdout().is_terminal() {
            return Err(InputError::new("is not for a terminal")
                .at("--format")
                .value("parquet")
                .remedy("name a file with --output")
                .into());
        }
        let answers = self.answers.check()?;
        check_output_files(
            output.as_deref(),
            &[("--journal", answers.journal.as_deref())],
            "name a file of its own for the journal",
        )?;
        let ask = answers.with_reasons(self.several.check()?)?;
        Ok(ExplainCommand { answers, ask, format, output })
    }
}

impl SeveralArgs {
    fn check(&self) -> Result<Ask> {
        match (self.plans, self.pareto) {
            (Some(count), _) => {
                let (apart, supersets) = (self.apart, self.supersets);
                Ask::several(SeveralSettings { count, apart, supersets })
            }
            (None, Some(at_most)) => Ask::front(at_most, self.resolution),
            (None, None) => Ok(Ask::best()),
        }
    }
}

impl PlanFormat {
    /// By the extension of a file's name; text where it says nothing.
    fn by_name(path: Option<&Path>) -> Self {
        match path.and_then(file_extension).as_deref() {
            Some("parquet") => Self::Parquet,
            Some("json" | "jsonl" | "ndjson") => Self::Json,
            Some("csv") => Self::Csv,
            Some("html" | "htm") => Self::Html,
            _ => Self::Text,
        }
    }
}
