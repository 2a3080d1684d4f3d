//! Counterfactual plans for rejected applicants: valid, actionable, plausible, and proven optimal.
#![deny(missing_docs)]

pub mod action;
pub mod data;
pub mod engine;
mod error;
pub mod explain;
pub mod instance;
pub mod milp;
pub mod model;
mod names;
pub mod plausibility;
pub mod search;
mod solution;

pub use error::{Error, InputError, Result};
pub use solution::{Plan, Solution, Status};
