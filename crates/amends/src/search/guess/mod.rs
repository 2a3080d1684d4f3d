//! Plans that are good but not proven: where the search begins, and what it tries on the way.

pub(in crate::search) mod ascent;
pub(in crate::search) mod polish;
pub(in crate::search) mod probe;
pub(in crate::search) mod repair;
pub(in crate::search) mod samples;
pub(in crate::search) mod start;
