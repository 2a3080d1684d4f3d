//! An engine's answer, and what it tells of its work.

use crate::Solution;
use crate::milp::MilpReport;
use crate::search::SearchReport;

/// An answer, and what the engine tells of its work.
#[derive(Debug, Clone)]
pub struct SolveReport {
    /// The checked answer.
    pub solution: Solution,
    /// What the engine tells of its work.
    pub work: Work,
}

/// What an engine tells of its work.
#[derive(Debug, Clone)]
pub enum Work {
    /// The search engine's counts.
    Search(SearchReport),
    /// The program's size and the solver's conduct.
    Milp(MilpReport),
}

impl SolveReport {
    /// The engine's name.
    pub const fn engine(&self) -> &'static str {
        match self.work {
            Work::Search(_) => "search",
            Work::Milp(_) => "milp",
        }
    }

    /// Whether a general solver broke down; the remark says how.
    pub const fn solver_failed(&self) -> bool {
        match &self.work {
            Work::Search(_) => false,
            Work::Milp(report) => report.solver_failed,
        }
    }

    /// What the reader should know beyond the status.
    pub fn remark(&self) -> Option<&str> {
        match &self.work {
            Work::Search(_) => None,
            Work::Milp(report) => report.remark.as_deref(),
        }
    }
}
