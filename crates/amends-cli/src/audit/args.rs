//! The command line of `amends audit` as typed.

use std::path::PathBuf;

use amends::audit::SMALL_GROUP;
use clap::Args;

use crate::args::{EngineArgs, Format, QuestionArgs};

#[derive(Debug, Args)]
#[command(mut_arg("rejected", |arg| arg.help("Stop after the first N rejected applicants")))]
pub struct AuditArgs {
    #[command(flatten)]
    pub question: QuestionArgs,
    /// Every row of the table, also those that the model was trained on; held-out rows where it is left out
    #[arg(long, conflicts_with_all = ["row", "applicants"], help_heading = "Applicants")]
    pub all_rows: bool,
    /// Refuse the whole file at its first bad row, before anything is solved, instead of answering the others
    #[arg(long, requires = "applicants", help_heading = "Applicants")]
    pub strict: bool,
    #[command(flatten)]
    pub engine: EngineArgs,
    /// Where there is no plan, don't look for the rules that stand in the way
    #[arg(long)]
    pub no_reasons: bool,
    /// Compare groups by a column of the table, feature or not (several: repeat it); numbers are cut into quarters, or
    /// where you say: age:30,50
    #[arg(long, value_name = "COLUMN[:CUTS]", help_heading = "Report")]
    pub by: Vec<String>,
    /// Mark groups of fewer people than this as small
    #[arg(long, value_name = "N", default_value_t = SMALL_GROUP, help_heading = "Report", value_parser = crate::args::whole::<usize>)]
    pub small_group: usize,
    /// Keep every finished applicant in this file; the same command continues where it stopped
    #[arg(long, value_name = "FILE", help_heading = "Report")]
    pub journal: Option<PathBuf>,
    /// Write one row per applicant to this file: Parquet or JSON lines where its name ends so, else CSV
    #[arg(long, value_name = "FILE", help_heading = "Report")]
    pub rows: Option<PathBuf>,
    /// text, json or csv; by the output's name where it is left out, else text
    #[arg(long, value_enum, help_heading = "Report")]
    pub format: Option<Format>,
    /// Where to write; standard output where it is left out
    #[arg(short, long, value_name = "FILE", help_heading = "Report")]
    pub output: Option<PathBuf>,
}
