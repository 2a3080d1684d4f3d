//! The `milp` engine: the paper's mixed-integer programs, and the solvers behind one small trait.

mod engine;
mod files;
mod formulation;
mod program;
mod run;
mod solvers;
mod units;
mod work;

pub(crate) use engine::solve_until;
pub use engine::{MilpSettings, solve};
pub use files::{write_lp, write_mps};
pub use formulation::{EncodedInstance, Formulation, encode};
pub use program::{Program, ProgramColumn, Row};
pub(crate) use solvers::check_used;
pub use solvers::{
    BUILT_IN_SOLVERS, Capabilities, CommandSolver, Outcome, Solver, SolverAnswer, SolverSettings,
    SolverTask, default_solver, solver_by_name,
};
pub(crate) use work::MilpReport;
pub use work::MilpWork;
