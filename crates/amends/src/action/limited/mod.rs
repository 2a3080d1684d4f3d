//! Few values instead of all, as the papers have them.
//!
//! Where a linear model decides, every number gets about as many values as a limit says, evenly spread; where trees
//! decide, one value of every cell between two thresholds. Values at which a rule begins or ceases to hold come on top.
//! What is optimal among these need not be optimal among all values: answers must say so.

mod cells;
mod grid;
mod moves;
pub(super) mod options;
mod rounding;
mod rule_points;

pub(super) use moves::{joint_options, single_options};
