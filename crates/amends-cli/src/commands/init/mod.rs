//! `amends init`: a schema file to start from.

mod args;
mod print;
mod run;

pub use args::InitArgs;
pub use run::run;
