//! What applicants may change, and to what.

mod applicants;
mod checker;
mod every_amount;
mod every_value;
mod known;
mod limits;
