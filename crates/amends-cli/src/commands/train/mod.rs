//! `amends train`: a model file.

mod args;
mod run;

pub use args::TrainArgs;
pub use run::run;
