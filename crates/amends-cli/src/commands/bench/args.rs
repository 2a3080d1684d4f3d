//! The arguments of `amends bench`.

use std::path::PathBuf;
use std::time::Duration;

use amends::model::ModelKind;
use amends::{InputError, Result};
use amends_run::output::check_writable;
use clap::Args;

use crate::args::{ModelListArgs, number, seconds, whole};

/// Rejected applicants per model and setting.
const APPLICANTS: u16 = 30;

/// The time limit of the general solver per applicant.
const MILP_LIMIT: Duration = Duration::from_secs(300);

#[derive(Debug, Args)]
pub struct BenchArgs {
    /// Rejected applicants per model and setting; 30 where it is left out
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..))]
    applicants: Option<u16>,
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
    /// Stop the general solver after this many seconds per applicant; 300 where it is left out
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true, value_parser = number)]
    milp_time_limit: Option<f64>,
    /// The seed of the split and of the training; 0 where it is left out
    #[arg(long, value_parser = whole::<u64>)]
    seed: Option<u64>,
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
        self.refuse_unused()?;
        let limit = seconds(self.time_limit)?;
        let milp_limit = self.milp_time_limit.map_or(Ok(MILP_LIMIT), seconds)?;
        self.output.as_deref().map_or(Ok(()), check_writable)?;
        Ok(BenchCommand {
            applicants: usize::from(self.applicants.unwrap_or(APPLICANTS)),
            kinds: self.models.check()?,
            heloc: self.heloc,
            german: !self.without_german,
            instances: self.instances,
            limit,
            milp_applicants: self.milp_applicants,
            milp_limit,
            seed: self.seed.unwrap_or(0),
            output: self.output,
        })
    }
    fn refuse_unused(&self) -> Result<()> {
        let data_sets = !self.without_german || self.heloc.is_some();
        if !data_sets && self.instances.is_empty() {
            return Err(InputError::new("leaves nothing to time")
                .at("--without-german")
                .remedy("leave it out, or add --heloc or --instances")
                .into());
        }
        let of_data_sets = "it is for data sets, and none is timed";
        let of_solver = "the general solver gets no applicants (--milp-applicants 0)";
        for (option, unused, reason) in [
            ("--applicants", self.applicants.is_some() && !data_sets, of_data_sets),
            ("--models", self.models.is_given() && !data_sets, of_data_sets),
            ("--seed", self.seed.is_some() && !data_sets, of_data_sets),
            (
                "--milp-time-limit",
                self.milp_time_limit.is_some() && self.milp_applicants == 0,
                of_solver,
            ),
        ] {
            if unused {
                return Err(InputError::new(format!("has no effect: {reason}"))
                    .at(option)
                    .remedy("leave it out")
                    .into());
            }
        }
        Ok(())
    }
}
