//! The search engine.

mod brute_force;
mod cases;
mod large;
mod ranges;
mod rules;
