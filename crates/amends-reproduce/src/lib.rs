//! The papers' evaluation, run again: which tasks there are ([`Study`]), performing them and keeping the results
//! ([`Reproduction`]), and a report beside what was published.

#![deny(missing_docs)]

mod conditions;
mod estimate;
mod published;
mod record;
mod report;
mod reproduction;
mod results;
mod run;
mod study;
mod summary;
mod task;
mod workbench;
mod yardstick;

pub use reproduction::{Reproduction, Settings};
pub use results::RESULTS;
pub use run::{Finish, Progress};
pub use study::Study;
pub use task::{Data, Method, Points};
