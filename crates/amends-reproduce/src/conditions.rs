//! Under which conditions results were measured. Results of different conditions are never mixed.

use serde::{Deserialize, Serialize};

use crate::study::Study;
use amends_run::journal;

/// The first line of a results file.
pub type Header = journal::Header<Conditions>;

/// Everything but the task that a measurement depends on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Conditions {
    /// The program's version.
    pub version: String,
    pub preset: String,
    /// The general solver.
    pub solver: String,
    pub threads: usize,
    /// The limit in seconds; the paper's where absent.
    pub time_limit: Option<f64>,
    pub seed: u64,
    /// Times are those of one machine.
    pub machine: String,
}

impl Conditions {
    pub fn of(study: &Study, solver: &str, threads: usize, seed: u64) -> Self {
        Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            preset: study.preset.name().to_owned(),
            solver: solver.to_owned(),
            threads,
            time_limit: study.time_limit.map(|limit| limit.as_secs_f64()),
            seed,
            machine: amends_run::machine::describe(),
        }
    }
}

impl journal::Conditions for Conditions {
    const FILE: &'static str = "results file";
    const ELSEWHERE: &'static str = "choose another output folder";

    fn facts(&self) -> Vec<(String, String)> {
        let limit = self.time_limit.map_or_else(|| "the paper's".to_owned(), |s| format!("{s} s"));
        let facts = [
            ("version", self.version.clone()),
            ("preset", self.preset.clone()),
            ("solver", self.solver.clone()),
            ("threads", self.threads.to_string()),
            ("time limit", limit),
            ("seed", self.seed.to_string()),
            ("machine", self.machine.clone()),
        ];
        facts.map(|(name, value)| (name.to_owned(), value)).into()
    }
}
