//! What an applicant may change: for each feature, the values that the rules and the data allow.
//!
//! Every value that an applicant could write is one: whole numbers, multiples of the schema's step, decimals as fine as
//! the training rows have them. [`limited`] has the few of the papers instead.

mod domain;
mod lattice;
mod limited;
mod moves;
mod numbers;
mod ranges;
mod room;
mod single;
#[cfg(test)]
mod tests;
mod together;

pub(crate) use domain::Domain;
pub(crate) use domain::Piece;
pub(crate) use lattice::Lattice;
pub(crate) use moves::{Limit, Move, moves};
pub(crate) use ranges::{Range, Ranges};
use room::Room;
