//! `amends explain`: plans for rejected applicants.

mod args;
pub mod print;
mod run;

pub use args::{ExplainArgs, PlanFormat};
pub use run::run;
