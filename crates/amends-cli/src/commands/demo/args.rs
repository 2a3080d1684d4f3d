//! The arguments of `amends demo`.

use std::time::Duration;

use amends::Result;
use clap::Args;

use crate::args::{number, seconds, whole};

#[derive(Debug, Args)]
pub struct DemoArgs {
    /// How many rejected applicants each model explains
    #[arg(long, default_value_t = 2, value_parser = whole::<usize>)]
    applicants: usize,
    /// Stop after this many seconds per applicant
    #[arg(long, default_value_t = 5.0, value_name = "SECONDS", allow_negative_numbers = true, value_parser = number)]
    time_limit: f64,
}

/// What is asked of `amends demo`, checked.
pub struct DemoCommand {
    pub applicants: usize,
    pub time_limit: Duration,
}

impl DemoArgs {
    pub fn check(self) -> Result<DemoCommand> {
        Ok(DemoCommand { applicants: self.applicants, time_limit: seconds(self.time_limit)? })
    }
}
