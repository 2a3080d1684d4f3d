//! An engine's answer, and what it reports about its work.

use crate::Solution;
use crate::milp::MilpWork;
use crate::search::SearchWork;

/// An answer, and what the engine reports about its work.
#[derive(Debug, Clone, PartialEq)]
pub struct Report<W> {
    /// The checked answer.
    pub solution: Solution,
    /// What the engine reports about its work.
    pub work: W,
}

/// An answer of either engine.
pub type SolveReport = Report<Work>;

/// What an engine reports about its work.
#[derive(Debug, Clone, PartialEq)]
pub enum Work {
    /// The search engine's counts.
    Search(SearchWork),
    /// The program's size and the solver's conduct.
    Milp(MilpWork),
}

impl<W> Report<W> {
    /// The same answer as that of either engine.
    pub(super) fn into_either(self, work: impl FnOnce(W) -> Work) -> SolveReport {
        Report { solution: self.solution, work: work(self.work) }
    }
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
            Work::Milp(work) => work.solver_failed,
        }
    }

    /// What the reader should know beyond the status.
    pub fn remark(&self) -> Option<&str> {
        match &self.work {
            Work::Search(_) => None,
            Work::Milp(work) => work.remark.as_deref(),
        }
    }
}
