//! The search engine.

mod brute_force;
mod cases;
mod change_cost;
mod extreme_numbers;
mod large;
mod overflow;
mod ranges;
mod rules;
