//! The exact engine.

mod probe;
mod reference;
mod space;
mod start;

pub use start::start_plan;
