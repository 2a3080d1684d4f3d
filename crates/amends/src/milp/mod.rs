//! The `milp` engine: the paper's mixed-integer programs, and the solvers behind one small trait.

mod attempt;
mod by_name;
mod command;
mod command_template;
mod engine;
mod formulation;
#[cfg(feature = "highs")]
mod highs;
mod microlp;
mod program;
mod read_solution;
mod screen;
mod solver;
mod spelling;
mod units;
mod write_lp;
mod write_mps;

pub use by_name::{BUILT_IN_SOLVERS, default_solver, solver_by_name};
pub use command::CommandSolver;
pub use engine::{MilpReport, MilpSettings, solve};
pub use formulation::{EncodedInstance, Formulation, encode};
#[cfg(feature = "highs")]
pub use highs::Highs;
pub use microlp::Microlp;
pub use program::{Column, Program, Row};
pub use solver::{Answer, Outcome, Solver, SolverSettings};
pub use write_lp::write_lp;
pub use write_mps::write_mps;
