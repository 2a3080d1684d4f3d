//! What a finished task leaves behind: one line of the results file.

use amends::Status;
use amends::model::Quality;
use serde::{Deserialize, Serialize};

/// A finished task.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// The task's key.
    pub key: String,
    /// The fingerprint of the data set that it was measured on.
    pub data: String,
    #[serde(flatten)]
    pub measured: Measured,
}

/// What was measured.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Measured {
    /// A trained model on the held-out rows.
    Quality(Quality),
    /// A solve.
    Solve(Box<SolveRecord>),
}

/// How a solve ended, as far as a study is concerned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// Proven to be the cheapest plan.
    Optimal,
    /// A plan, but time ran out before a proof.
    Feasible,
    /// Proven that there is no plan.
    Infeasible,
    /// Time ran out without a plan.
    Timeout,
    /// The program would not fit into memory, and was not written.
    TooLarge,
    /// The solver broke down.
    Broke,
    /// There are not that many rejected applicants.
    Absent,
}

impl Ending {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Optimal => "optimal",
            Self::Feasible => "feasible",
            Self::Infeasible => "infeasible",
            Self::Timeout => "timeout",
            Self::TooLarge => "too-large",
            Self::Broke => "broke",
            Self::Absent => "absent",
        }
    }

    /// Whether something was proven.
    pub const fn proven(self) -> bool {
        matches!(self, Self::Optimal | Self::Infeasible)
    }

    /// Whether the time limit ended it.
    pub const fn hit_limit(self) -> bool {
        matches!(self, Self::Feasible | Self::Timeout)
    }

    /// Whether a method was run at all.
    pub const fn was_run(self) -> bool {
        !matches!(self, Self::TooLarge | Self::Absent)
    }
}

impl From<Status> for Ending {
    fn from(status: Status) -> Self {
        match status {
            Status::Optimal => Self::Optimal,
            Status::Feasible => Self::Feasible,
            Status::Infeasible => Self::Infeasible,
            Status::Timeout => Self::Timeout,
            // Only rejected applicants are asked about.
            Status::AlreadyAccepted => Self::Absent,
        }
    }
}

/// One applicant's plan by one method. Numbers of the plan are absent where there is none.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SolveRecord {
    /// The applicant's row in the table, counted from 1.
    pub row: usize,
    pub status: Ending,
    /// Wall-clock seconds of the solve.
    pub seconds: f64,
    /// The time limit in seconds.
    pub limit: f64,
    /// Which solver, for programs.
    pub solver: Option<String>,
    /// What was minimised, recomputed.
    pub cost: Option<f64>,
    /// No plan costs less.
    pub bound: Option<f64>,
    /// The Mahalanobis distance of the change, from the yardstick.
    pub md: Option<f64>,
    /// The 10-LOF of the changed applicant, from the yardstick.
    pub lof: Option<f64>,
    /// Changed features.
    pub changes: Option<usize>,
    /// Rows, columns and non-zeros of the program.
    pub size: Option<[usize; 3]>,
    /// How many of the solver's answers failed the check and had to be asked for again.
    pub refuted: usize,
    /// Whether the plan that was passed on failed the yardstick's own check. It never should.
    pub failed: bool,
    pub remark: Option<String>,
}

impl SolveRecord {
    /// A solve of which there is nothing to say but how it ended.
    pub fn without_plan(row: usize, status: Ending, limit: f64) -> Self {
        Self {
            row,
            status,
            seconds: 0.0,
            limit,
            solver: None,
            cost: None,
            bound: None,
            md: None,
            lof: None,
            changes: None,
            size: None,
            refuted: 0,
            failed: false,
            remark: None,
        }
    }
}
