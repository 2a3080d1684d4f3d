//! Input that nobody should send: an answer or a refusal, never a panic.

mod input;
mod models;
