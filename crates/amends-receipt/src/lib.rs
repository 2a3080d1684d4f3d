//! Signed receipts: the plan that a lender confirmed, with exact values, and until when.
//!
//! A [`Receipt`] says what was confirmed. A [`SigningKey`] signs it, which makes a [`SignedReceipt`], the file that an applicant
//! keeps; [`SignedReceipt::verify`] checks it with the lender's [`PublicKey`].

mod key;
mod receipt;
mod signed;

pub use key::{PublicKey, SigningKey};
pub use receipt::{FORMAT, Receipt, ReceiptChange, ReceiptPlan};
pub use signed::{Invalid, SignedReceipt};
