//! The `milp` engine: the paper's mixed-integer programs, and the solvers behind one small trait.

mod engine;
mod formulation;
mod program;
mod solver;

pub use engine::{MilpReport, MilpSettings, solve};
pub use formulation::{EncodedInstance, Formulation, encode};
pub use program::{Column, Program, Row};
pub use solver::{Answer, Outcome, Solver, SolverSettings};
