//! `amends bench`: the engines side by side, in one run, on the same applicants.

mod args;
mod print;
mod run;

pub use args::BenchArgs;
pub use run::run;
