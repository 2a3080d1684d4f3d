//! Programs as LP and MPS files, and the solution files that solvers write.

mod lp;
mod mps;
mod solution;
mod spelling;

pub use lp::write_lp;
pub use mps::write_mps;
pub(super) use solution::{Claim, SolutionFile, read_solution};
pub(super) use spelling::{Names, number};
