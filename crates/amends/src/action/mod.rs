//! What an applicant may change: for each feature, the values that the rules and the data allow.

mod cells;
mod decimal;
mod grid;
mod moves;
mod options;
mod ranges;
mod room;
mod rule_points;

pub use moves::{Move, moves};
pub use options::{FeatureOptions, options};
pub use ranges::{Range, Ranges};
use room::Room;
