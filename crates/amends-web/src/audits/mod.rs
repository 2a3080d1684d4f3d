//! Audits: many applicants answered in the background, one audit at a time, and counted as `amends audit` counts them.
//!
//! A [`Request`] is what is asked, a [`Job`] an audit with what is known of it so far. [`Audits`] has those that wait, the one that
//! runs and the last few that ended.

mod job;
mod request;
mod run;
mod store;

pub use job::{Answered, Job};
pub use request::Request;
pub use store::Audits;
