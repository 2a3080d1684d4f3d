//! `amends demo`: the whole way on the embedded data, in under a minute.

mod args;
mod run;

pub use args::DemoArgs;
pub use run::run;
