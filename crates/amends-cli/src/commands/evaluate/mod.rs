//! `amends evaluate`: how good the models are, over several splits.

mod args;
mod print;
mod run;

pub use args::EvaluateArgs;
pub use run::run;
