//! What applicants may change, and to what.

mod applicants;
mod checker;
mod known;
mod limits;
