//! The outlier term of a region: which reference points can be near, and the least term that they leave possible.

pub(in crate::search) mod around;
mod least_sums;
pub(in crate::search) mod nearby;
pub(in crate::search) mod neighbours;
mod offsets;
pub(in crate::search) mod order;
pub(in crate::search) mod reference;
pub(in crate::search) mod region_distances;
pub(in crate::search) mod rivals;
