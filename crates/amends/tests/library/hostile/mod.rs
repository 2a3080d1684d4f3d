//! Malformed input gets an answer or a refusal, never a panic.

mod input;
mod models;
