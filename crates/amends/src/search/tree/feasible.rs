//! Where plans cost nothing, any will do: the point of the highest score finds one, or shows which rule is in the way.

use crate::search::layout::region::{Region, Stand};
use crate::search::layout::space::{Norm, Space};
use crate::search::layout::values::ValueIndex;
use crate::search::tree::branch::by_conflict;

/// The point of the highest linear score in a region, by the features that gain most; rules aside.
fn highest(space: &Space, region: &Region) -> Vec<ValueIndex> {
    let mut indices: Vec<ValueIndex> = Vec::with_capacity(region.spans.len());
    let mut undecided: Vec<(f64, usize, ValueIndex)> = Vec::new();
    for (f, feature) in space.features.iter().enumerate() {
        let (low, high) = region.spans[f];
        let (best, gain) = feature.largest_gain_in((low, high));
        if region.stand(space, f) == Stand::Undecided {
            undecided.push((gain, f, best));
            indices.push(feature.keep.0.clamp(low, high));
        } else {
            indices.push(best);
        }
    }
    undecided.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    for &(gain, f, best) in undecided.iter().take(region.left) {
        if gain > 0.0 {
            indices[f] = best;
        }
    }
    indices
}

/// What the point of the highest score says about a region.
pub(in crate::search) enum Point {
    /// It holds every rule.
    Holds(Vec<ValueIndex>),
    /// It breaks one: the region in parts, by that rule.
    Breaks(Vec<Region>),
}

/// The point of the highest score in a region where plans cost nothing, and what it says.
pub(in crate::search) fn point(space: &Space, region: &Region) -> Point {
    let indices = highest(space, region);
    match by_conflict(space, region, &indices) {
        Some(parts) => Point::Breaks(parts),
        None => Point::Holds(indices),
    }
}

/// Whether no plan of the space costs anything.
pub(in crate::search) fn is_free(space: &Space) -> bool {
    space.norm == Norm::None
        && space.instance.cost().outlier.is_none()
        && space.instance.cost().change_cost == 0.0
        && space.features.iter().all(|feature| feature.costs.is_zero())
}
