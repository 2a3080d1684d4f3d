//! What an applicant may change: for each feature, the values that the rules and the data allow.
//!
//! Every value that an applicant could write is one: whole numbers, multiples of the schema's step, decimals as fine as
//! the training rows have them. [`limited`] has the few of the papers instead.

mod domain;
mod lattice;
pub mod limited;
mod moves;
mod numbers;
mod ranges;
mod room;
mod single;
mod together;

pub use domain::Domain;
pub(crate) use domain::Piece;
pub(crate) use lattice::Lattice;
pub use moves::{Limit, Move, moves};
pub use ranges::{Range, Ranges};
use room::Room;
