//! An instance laid out for searching: movable features, their values in order, rules, and regions of the space.

pub(in crate::search) mod cost_limits;
pub(in crate::search) mod feature;
pub(in crate::search) mod links;
pub(in crate::search) mod movable;
pub(in crate::search) mod propagate;
pub(in crate::search) mod region;
pub(in crate::search) mod rules;
pub(in crate::search) mod space;
#[cfg(test)]
pub(in crate::search) mod trial;
pub(in crate::search) mod values;
