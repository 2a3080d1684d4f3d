//! `amends solve`: an instance file, solved and checked.

mod args;
mod print;
mod run;

pub use args::SolveArgs;
pub use run::run;
