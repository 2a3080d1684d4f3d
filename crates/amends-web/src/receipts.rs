//! Receipts that the lender who runs the server signs.

use amends::{InputError, Result};
use amends_receipt::SigningKey;

/// A receipt that is valid for longer than this outlives the model.
const MOST_DAYS: u32 = 366;

/// What receipts are signed with, and for how long they are valid.
pub struct Receipts {
    pub(crate) key: SigningKey,
    pub(crate) days: u32,
}

impl Receipts {
    /// Receipts that are signed with this key and valid for so many days.
    pub fn new(key: SigningKey, days: u32) -> Result<Self> {
        if !(1..=MOST_DAYS).contains(&days) {
            return Err(InputError::new("is not a number of days that a receipt may be valid")
                .at("receipt-days")
                .value(days)
                .remedy(format!("give 1 to {MOST_DAYS}"))
                .into());
        }
        Ok(Self { key, days })
    }
}
