//! Counterfactual plans for rejected applicants: valid, actionable, plausible, and proven optimal.
#![deny(missing_docs)]

pub mod action;
pub mod data;
mod error;
pub mod model;
pub mod plausibility;

pub use error::{Error, InputError, Result};
