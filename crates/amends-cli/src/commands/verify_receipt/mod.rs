//! `amends verify-receipt`: whether a lender confirmed a plan, and whether it still holds.

mod args;
mod decide;
mod run;

pub use args::VerifyReceiptArgs;
pub use run::run;
