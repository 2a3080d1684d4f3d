//! One door to both engines.

use std::time::Duration;

use crate::instance::Instance;
use crate::milp::{self, Formulation, MilpReport, MilpSettings, Solver, SolverSettings};
use crate::search::{self, Control, SearchReport, SearchSettings};
use crate::{InputError, Result, Solution};

/// What solves an instance.
pub enum Engine {
    /// Ours: exact search over sets of changed features.
    Search,
    /// A mixed-integer program and a general solver.
    Milp {
        /// Which program.
        formulation: Formulation,
        /// Which solver.
        solver: Box<dyn Solver>,
    },
}

impl Engine {
    /// The name on the command line and in results.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Search => "search",
            Self::Milp { .. } => "milp",
        }
    }
}

/// How long and how exactly to solve.
#[derive(Debug, Clone, PartialEq)]
pub struct SolveSettings {
    /// Stop after this time; `None` for no limit.
    pub time_limit: Option<Duration>,
    /// Stop when the gap is at most this.
    pub relative_gap: f64,
    /// How many threads to use.
    pub threads: usize,
}

impl Default for SolveSettings {
    fn default() -> Self {
        Self { time_limit: None, relative_gap: 1e-9, threads: 1 }
    }
}

impl SolveSettings {
    /// Checks that every setting can be used.
    pub fn check(&self) -> Result<()> {
        if self.time_limit.is_some_and(|limit| limit.is_zero()) {
            return Err(InputError::new("leaves no time to solve")
                .at("time limit")
                .value(0)
                .remedy("give seconds above 0, or leave it out")
                .into());
        }
        if !(self.relative_gap.is_finite() && self.relative_gap >= 0.0) {
            return Err(InputError::new("is no gap")
                .at("gap")
                .value(self.relative_gap)
                .remedy("give a number of 0 or more, such as 1e-9")
                .into());
        }
        if self.threads == 0 {
            return Err(InputError::new("can't work")
                .at("threads")
                .value(0)
                .remedy("give at least 1")
                .into());
        }
        Ok(())
    }
}

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

    /// What the reader should know beyond the status.
    pub fn remark(&self) -> Option<&str> {
        match &self.work {
            Work::Search(_) => None,
            Work::Milp(report) => report.remark.as_deref(),
        }
    }
}

/// Solves an instance.
pub fn solve(
    instance: &Instance,
    engine: &Engine,
    settings: &SolveSettings,
    control: &Control<'_>,
) -> Result<SolveReport> {
    settings.check()?;
    instance.check()?;
    match engine {
        Engine::Search => {
            let settings = SearchSettings {
                time_limit: settings.time_limit,
                relative_gap: settings.relative_gap,
                threads: settings.threads,
                ..SearchSettings::default()
            };
            let report = search::search(instance, &settings, control)?;
            Ok(SolveReport { solution: report.solution.clone(), work: Work::Search(report) })
        }
        Engine::Milp { formulation, solver } => {
            let settings = MilpSettings {
                formulation: *formulation,
                solver: SolverSettings {
                    time_limit: settings.time_limit,
                    relative_gap: settings.relative_gap,
                    threads: settings.threads,
                },
                start: search::start_plan(instance).map(|plan| plan.choice),
            };
            let report = milp::solve(instance, solver.as_ref(), &settings)?;
            Ok(SolveReport { solution: report.solution.clone(), work: Work::Milp(report) })
        }
    }
}
