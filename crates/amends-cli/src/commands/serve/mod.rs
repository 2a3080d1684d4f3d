//! `amends serve`: the page in the browser, and the HTTP API behind it.

mod args;
mod papers;
mod run;

pub use args::ServeArgs;
pub use run::run;
