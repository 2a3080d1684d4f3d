//! The arguments of `amends bench`.

use std::path::PathBuf;
use std::time::Duration;

use amends::Result;
use amends::model::ModelKind;
use amends_run::output::check_writable;
use clap::Args;

use crate::args::{ModelListArgs, number, seconds, whole};

#[derive(Debug, Args)]
pub struct BenchArgs {
    /// Rejected applicants per model and setting
    #[arg(long, default_value_t = 30, value_parser = clap::value_parser!(u16).range(1..))]
    applicants: u16,
    #[command(flatten)]
    models: ModelListArgs,
    /// FICO's HELOC file, to be timed too
    #[arg(long, value_name = "FILE")]
    heloc: Option<PathBuf>,
    /// Leave German credit out
    #[arg(long)]
    without_german: bool,
    /// Instance files (JSON lines), each timed as one row of the table
    #[arg(long, value_name = "FILE", num_args = 1..)]
    instances: Vec<PathBuf>,
    /// Stop the search after this many seconds per applicant
    #[arg(long, default_value_t = 60.0, value_name = "SECONDS", allow_negative_numbers = true, value_parser = number)]
    time_limit: f64,
    /// How many of the applicants the general solver is given (linear models, N = 20); 0 for none
    #[arg(long, default_value_t = 3, value_name = "N", value_parser = whole::<usize>)]
    milp_applicants: usize,
    /// Stop the general solver after this many seconds per applicant
    #[arg(long, default_value_t = 300.0, value_name = "SECONDS", allow_negative_numbers = true, value_parser = number)]
    milp_time_limit: f64,
    /// The seed of the split and of the training
    #[arg(long, default_value_t = 0, value_parser = whole::<u64>)]
    seed: u64,
    /// Write the figures as JSON, too
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// What is asked of `amends bench`, checked.
pub struct BenchCommand {
    pub applicants: usize,
    pub kinds: Vec<ModelKind>,
    pub heloc: Option<PathBuf>,
    pub german: bool,
    pub instances: Vec<PathBuf>,
    pub limit: Duration,
    pub milp_applicants: usize,
    pub milp_limit: Duration,
    pub seed: u64,
    pub output: Option<PathBuf>,
}

impl BenchArgs {
    pub fn check(self) -> Result<BenchCommand> {
        let (limit, milp_limit) = (seconds(self.time_limit)?, seconds(self.milp_time_limit)?);
        self.output.as_deref().map_or(Ok(()), check_writable)?;
        Ok(BenchCommand {
            applicants: usize::from(self.applicants),
            kinds: self.models.check()?,
            heloc: self.heloc,
            german: !self.without_german,
            instances: self.instances,
            limit,
            milp_applicants: self.milp_applicants,
            milp_limit,
            seed: self.seed,
            output: self.output,
        })
    }
}
