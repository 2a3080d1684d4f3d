//! Under which conditions results were measured. Results of different conditions are never mixed.

use serde::{Deserialize, Serialize};

use super::study::Study;

/// The version of the results file.
const FORMAT: u32 = 1;

/// The first line of a results file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Header {
    pub format: u32,
    /// The day on which the file was begun, as 2026-11-15.
    pub began: String,
    /// The commit that the program was built from then, where that is known.
    pub commit: String,
    pub conditions: Conditions,
}

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

impl Header {
    pub fn today(conditions: Conditions) -> Self {
        let commit = env!("AMENDS_COMMIT").to_owned();
        Self { format: FORMAT, began: super::machine::today(), commit, conditions }
    }

    /// Whether this program can read the file.
    pub const fn is_known(&self) -> bool {
        self.format == FORMAT
    }
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
            machine: super::machine::describe(),
        }
    }

    /// What differs, for people: "seed 1 there, 0 now".
    pub fn differences(&self, now: &Self) -> Vec<String> {
        let limit = |conditions: &Self| {
            conditions.time_limit.map_or_else(|| "the paper's".to_owned(), |s| format!("{s} s"))
        };
        let pairs = [
            ("version", self.version.clone(), now.version.clone()),
            ("preset", self.preset.clone(), now.preset.clone()),
            ("solver", self.solver.clone(), now.solver.clone()),
            ("threads", self.threads.to_string(), now.threads.to_string()),
            ("time limit", limit(self), limit(now)),
            ("seed", self.seed.to_string(), now.seed.to_string()),
            ("machine", self.machine.clone(), now.machine.clone()),
        ];
        let differ = pairs.into_iter().filter(|(_, there, here)| there != here);
        differ.map(|(what, there, here)| format!("{what} {there} there, {here} now")).collect()
    }
}
