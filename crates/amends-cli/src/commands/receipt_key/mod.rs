//! `amends receipt-key`: the key that a lender signs receipts with.

mod args;
mod run;

pub use args::ReceiptKeyArgs;
pub use run::run;
