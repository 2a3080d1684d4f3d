//! The mixed-integer programs and their solvers.

use amends::milp::{Solver, solver_by_name};

mod agreement;
#[cfg(feature = "highs")]
mod cases;
mod long_ranges;
mod lying_solvers;
mod midsize;
mod small_costs;
#[cfg(unix)]
mod solver_commands;
mod solvers;

/// The solver that every build has.
fn microlp() -> Box<dyn Solver> {
    solver_by_name("microlp").expect("built in")
}
