//! One door to both engines, and what they share: settings, control, deadlines and reports.

mod clock;
mod control;
mod deadline;
mod report;
mod second_opinion;
mod settings;
mod solving;

use crate::Result;
use crate::instance::Instance;
use crate::milp::{Formulation, MilpSettings, Solver, SolverSettings};
use crate::search::{self, SearchSettings};

pub(crate) use clock::Clock;
pub use control::{Control, Progress};
pub use deadline::Deadline;
pub use report::{Report, SolveReport, Work};
pub use settings::{SolveSettings, time_limit};
pub use solving::{Solve, Solving};

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
                any_plan: settings.any_plan,
                ..SearchSettings::default()
            };
            Ok(search::search(instance, &settings, control)?.into_either(Work::Search))
        }
        Engine::Milp { formulation, solver } => {
            let settings = MilpSettings {
                formulation: *formulation,
                solver: SolverSettings {
                    time_limit: settings.time_limit,
                    relative_gap: settings.relative_gap,
                    threads: settings.threads,
                    ..SolverSettings::default()
                },
                start: search::start_plan(instance).map(|plan| plan.choice),
            };
            let report = second_opinion::confirmed(instance, solver.as_ref(), &settings)?;
            Ok(report.into_either(Work::Milp))
        }
    }
}
