//! `amends letter`: a letter to every rejected applicant.

mod args;
mod names;
mod protected;
mod recipients;
mod run;
mod write_files;

pub use args::LetterArgs;
pub use run::run;
