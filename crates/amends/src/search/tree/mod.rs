//! Branch and bound: one step on a node, how a node is split, and the threads that work on open nodes.

pub(in crate::search) mod bounds;
pub(in crate::search) mod branch;
mod changes;
pub(in crate::search) mod feasible;
pub(in crate::search) mod joint;
pub(in crate::search) mod node;
mod rounding;
pub(in crate::search) mod sets;
mod step;
pub(in crate::search) mod tighten;
pub(in crate::search) mod workers;
