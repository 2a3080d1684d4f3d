//! The mixed-integer programs and those who solve them.

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
