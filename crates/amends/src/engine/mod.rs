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
use crate::milp::{Formulation, MilpSettings, Solver, check_used};
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

    /// Refuses settings that can't be used, or that this engine would ignore.
    pub fn check(&self, settings: &SolveSettings) -> Result<()> {
        settings.check()?;
        match self {
            Self::Search => Ok(()),
            Self::Milp { solver, .. } => check_used(solver.as_ref(), settings),
        }
    }

    /// Whether it can use more than one thread for one instance.
    pub fn uses_threads(&self) -> bool {
        match self {
            Self::Search => true,
            Self::Milp { solver, .. } => solver.capabilities().threads,
        }
    }
}

/// What is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// The cheapest plan, proven.
    Cheapest,
    /// Any plan, whatever it costs, or the proof that there is none.
    Any,
}

/// Finds the cheapest plan of an instance and proves it, or proves that there is none.
pub fn solve(
    instance: &Instance,
    engine: &Engine,
    settings: &SolveSettings,
    control: &Control<'_>,
) -> Result<SolveReport> {
    find(instance, Wanted::Cheapest, &Solving { engine, settings, control })
}

/// Finds what is asked for, in an instance that has been checked. A general solver finds the cheapest plan in any case.
pub(crate) fn find(
    instance: &Instance,
    wanted: Wanted,
    solving: &Solving<'_>,
) -> Result<SolveReport> {
    let Solving { engine, settings, control } = *solving;
    engine.check(settings)?;
    match engine {
        Engine::Search => {
            let any_plan = wanted == Wanted::Any;
            let settings = SearchSettings { any_plan, ..settings.clone().into() };
            Ok(search::search(instance, &settings, control)?.into_either(Work::Search))
        }
        Engine::Milp { formulation, solver } => {
            let settings = MilpSettings {
                formulation: *formulation,
                solver: settings.clone().into(),
                start: search::start_plan(instance).map(|plan| plan.choice),
            };
            let report = second_opinion::confirmed(instance, solver.as_ref(), &settings, control)?;
            Ok(report.into_either(Work::Milp))
        }
    }
}
