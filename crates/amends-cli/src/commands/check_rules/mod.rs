//! `amends check-rules`: whether real people keep the rules that plans will have to keep.

mod args;
mod print;
mod run;

pub use args::CheckRulesArgs;
pub use run::run;
