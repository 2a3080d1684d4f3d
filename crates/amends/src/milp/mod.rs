//! The `milp` engine: the paper's mixed-integer programs, and the solvers behind one small trait.

mod program;
mod solver;

pub use program::{Column, Program, Row};
pub use solver::{Answer, Outcome, Solver, SolverSettings};
