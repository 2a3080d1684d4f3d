//! The search engine.

mod brute_force;
mod cases;
mod large;
mod overflow;
mod ranges;
mod rules;
