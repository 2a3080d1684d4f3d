//! `amends reproduce`: the papers' evaluation, run again and compared with what they published.

mod args;
mod run;

pub use args::ReproduceArgs;
pub use run::run;
