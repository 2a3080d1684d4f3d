//! The arguments of `amends audit`.

use std::path::{Path, PathBuf};

use amends::Result;
use amends::audit::SMALL_GROUP;
use clap::{Args, ValueEnum};

use crate::args::{
    AnswerArgs, AnswerSettings, OutputArgs, check_format, check_output_files, file_extension, whole,
};

#[derive(Debug, Args)]
#[command(mut_arg("rejected", |arg| arg.help("Stop after the first N rejected applicants")))]
pub struct AuditArgs {
    #[command(flatten)]
    answers: AnswerArgs,
    /// Every row of the table, also those that the model was trained on; held-out rows where it is left out
    #[arg(long, conflicts_with_all = ["row", "applicants"], help_heading = "Applicants")]
    all_rows: bool,
    /// Compare groups by a column of the table, feature or not (several: repeat it); numbers are cut into quarters, or
    /// where you say: age:30,50
    #[arg(long, value_name = "COLUMN[:CUTS]", help_heading = "Report")]
    by: Vec<String>,
    /// Mark groups of fewer people than this as small
    #[arg(long, value_name = "N", default_value_t = SMALL_GROUP, help_heading = "Report", value_parser = whole::<usize>)]
    small_group: usize,
    /// Write one row per applicant to this file: Parquet or JSON lines where its name ends so, else CSV
    #[arg(long, value_name = "FILE", help_heading = "Report")]
    rows: Option<PathBuf>,
    /// text, json, csv or html (a page with pictures); by the output's name where it is left out, else text
    #[arg(long, value_enum, help_heading = "Report")]
    format: Option<AuditFormat>,
    #[command(flatten, next_help_heading = "Report")]
    output: OutputArgs,
}

/// How the report is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum AuditFormat {
    Text,
    Json,
    Csv,
    Html,
}

impl AuditFormat {
    /// By the extension of a file's name; text where it says nothing.
    fn by_name(path: Option<&Path>) -> Self {
        match path.and_then(file_extension).as_deref() {
            Some("json") => Self::Json,
            Some("csv") => Self::Csv,
            Some("html" | "htm") => Self::Html,
            _ => Self::Text,
        }
    }
}

/// What is asked of `amends audit`, checked.
pub struct AuditCommand {
    pub answers: AnswerSettings,
    /// Whether every row of the table is audited, not only the held-out ones.
    pub all_rows: bool,
    /// The columns that people are grouped by: checked when the table's header is known.
    pub by: Vec<String>,
    pub small_group: usize,
    pub rows: Option<PathBuf>,
    pub format: AuditFormat,
    pub output: Option<PathBuf>,
}

impl AuditArgs {
    pub fn check(self) -> Result<AuditCommand> {
        let output = self.output.check()?;
        self.rows.as_deref().map_or(Ok(()), check_format)?;
        let answers = self.answers.check()?;
        check_output_files(
            output.as_deref(),
            &[("--journal", answers.journal.as_deref()), ("--rows", self.rows.as_deref())],
            "name a file of its own for the report, the rows and the journal",
        )?;
        Ok(AuditCommand {
            answers,
            all_rows: self.all_rows,
            by: self.by,
            small_group: self.small_group,
            rows: self.rows,
            format: self.format.unwrap_or_else(|| AuditFormat::by_name(output.as_deref())),
            output,
        })
    }
}
