//! `amends export`: an instance as a program that any solver reads.

mod args;
mod run;

pub use args::ExportArgs;
pub use run::run;
