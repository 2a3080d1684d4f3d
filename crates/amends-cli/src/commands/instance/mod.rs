//! `amends instance`: applicants' problems as instance files, one per line.

mod args;
mod run;

pub use args::InstanceArgs;
pub use run::run;
