//! Question and answer: the one layer between applicants and front ends.
//!
//! An [`Ask`] says what is asked of every applicant and answers them one by one. An [`Answer`] is what comes back: the plans,
//! or that there is none and why. [`PlanRecord`] is its one shape for programs, [`Words`] are its sentences for people. The
//! command line and the Python package only show them.

mod ask;
mod cache;
mod end;
mod header;
mod reasons;
mod record;
mod words;

pub use ask::{Answer, Ask};
pub use cache::CachedAsk;
pub use end::End;
pub use header::{capitalised, header};
pub use reasons::{ReasonRecord, ReasonWords};
pub use record::{ERROR, PlanRecord, value_as_json};
pub use words::{FrontEndNames, PlanWords, WayWords, WhyWords, Words};
