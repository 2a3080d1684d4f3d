//! What applicants may change, and to what. No front end uses this module by itself, so that its tests are here.

mod applicants;
mod checker;
mod every_amount;
mod every_value;
mod known;
mod limits;
#[path = "../../../tests/library/common/repeatable.rs"]
mod repeatable;
