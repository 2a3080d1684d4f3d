//! The search engine.

mod brute_force;
mod cases;
mod extreme_numbers;
mod large;
mod overflow;
mod ranges;
mod rules;
