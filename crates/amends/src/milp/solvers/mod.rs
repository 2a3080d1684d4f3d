//! Solvers behind one small trait: a solver's task and its answer.

mod attempt;
mod by_name;
mod command;
mod command_template;
#[cfg(feature = "highs")]
mod highs;
mod microlp;
pub(super) mod screen;

use std::fmt::Display;

use super::Program;
use crate::engine::SolveSettings;
use crate::{InputError, Result, Setting};

pub use by_name::{BUILT_IN_SOLVERS, default_solver, solver_by_name};
pub use command::CommandSolver;
#[cfg(feature = "highs")]
pub use highs::Highs;
pub use microlp::Microlp;

/// A mixed-integer solver. Its answers are always checked.
pub trait Solver: Send + Sync {
    /// The name on the command line and in results.
    fn name(&self) -> &str;

    /// Which settings it uses. Others are refused, so that none is silently ignored.
    fn capabilities(&self) -> Capabilities;

    /// Minimises a program.
    ///
    /// An error means that the solver broke down; "no solution exists" and "out of time" are answers.
    fn solve(&self, task: &SolverTask<'_>) -> Result<SolverAnswer>;
}

/// Which settings of a solve a solver uses. Every solver has to keep the time limit; a start and
/// [`SolverSettings::doubts`] are hints.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Capabilities {
    /// Whether it can use more than one thread.
    pub threads: bool,
    /// Whether it can stop at a gap other than the default.
    pub gap: bool,
}

impl Capabilities {
    /// It uses every setting.
    pub const ALL: Self = Self { threads: true, gap: true };
}

/// Refuses settings that a solver would ignore.
pub(crate) fn check_used(solver: &dyn Solver, settings: &SolveSettings) -> Result<()> {
    let Capabilities { threads, gap } = solver.capabilities();
    let ignored = |setting: &str, value: &dyn Display, usual: &dyn Display| {
        InputError::new(format!("would be ignored by the solver {}", solver.name()))
            .at(setting)
            .value(value)
            .remedy(format!(
                "leave it at {usual}, or use a solver that takes it: a command needs {{{setting}}}"
            ))
            .remedy_setting(Setting::SolverCommand)
    };
    if settings.threads > 1 && !threads {
        return Err(ignored("threads", &settings.threads, &1).into());
    }
    let usual = SolveSettings::default().relative_gap;
    if settings.relative_gap != usual && !gap {
        let usual = format_args!("{usual:e}");
        return Err(ignored("gap", &settings.relative_gap, &usual).into());
    }
    Ok(())
}

/// A solver's task.
#[derive(Debug, Clone, Copy)]
pub struct SolverTask<'a> {
    /// What to minimise.
    pub program: &'a Program,
    /// Time limit, gap and threads.
    pub settings: &'a SolverSettings,
    /// A feasible point, one value per column, that the solver may use or ignore.
    pub start: Option<&'a [f64]>,
}

impl<'a> SolverTask<'a> {
    /// A program without a point to start from.
    pub const fn new(program: &'a Program, settings: &'a SolverSettings) -> Self {
        Self { program, settings, start: None }
    }
}

/// How to solve a program.
#[derive(Debug, Clone, PartialEq)]
pub struct SolverSettings {
    /// How long and how exactly: stop when (objective - bound) / |objective| is at most the gap.
    pub solve: SolveSettings,
    /// How many answers to the same program were found to be false. A solver that can should solve it
    /// differently (another seed, no presolve).
    pub doubts: u32,
}

impl Default for SolverSettings {
    fn default() -> Self {
        SolveSettings { relative_gap: 1e-9, ..SolveSettings::default() }.into()
    }
}

impl From<SolveSettings> for SolverSettings {
    fn from(solve: SolveSettings) -> Self {
        Self { solve, doubts: 0 }
    }
}

/// How a solve ended, as the solver sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// The solver claims an optimal solution.
    Optimal,
    /// The solver claims that no solution exists.
    Infeasible,
    /// The solver ran out of time, with or without a solution.
    TimeLimit,
}

/// What a solver found.
#[derive(Debug, Clone, PartialEq)]
pub struct SolverAnswer {
    /// How it ended.
    pub outcome: Outcome,
    /// The best solution, one value per column.
    pub values: Option<Vec<f64>>,
    /// A proven lower bound on every solution's objective, where the solver gives one.
    pub bound: Option<f64>,
    /// A remark for the user about how the answer was found, such as a second attempt with looser
    /// tolerances.
    pub note: Option<String>,
}

impl SolverAnswer {
    /// An answer without a note.
    pub fn new(outcome: Outcome, values: Option<Vec<f64>>, bound: Option<f64>) -> Self {
        Self { outcome, values, bound, note: None }
    }

    /// The same answer with a note.
    #[must_use]
    pub fn with_note(mut self, note: impl Into<String>) -> Self {
        self.note = Some(note.into());
        self
    }
}
