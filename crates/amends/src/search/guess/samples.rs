//! The values that guesses try where a feature has too many to try all.

use crate::search::layout::feature::Feature;
use crate::search::layout::space::Space;
use crate::search::layout::values::ValueIndex;

/// Up to this many values are all tried.
const ALL: ValueIndex = 200;

/// Values of a long feature that are tried, evenly spread over its cells or over all of it.
const SPREAD: usize = 100;

/// Per feature the values that are always tried; none where all are.
pub(in crate::search) struct Samples<'s> {
    space: &'s Space<'s>,
    indices: Vec<Vec<ValueIndex>>,
}

impl<'s> Samples<'s> {
    pub(in crate::search) fn new(space: &'s Space<'s>) -> Self {
        Self { space, indices: space.features.iter().map(spread).collect() }
    }

    /// The values of a feature to try from where it is now, in rising order.
    pub(in crate::search) fn of(
        &self,
        f: usize,
        now: ValueIndex,
    ) -> impl Iterator<Item = ValueIndex> + use<> {
        let last = self.space.features[f].last();
        let mut indices: Vec<ValueIndex> = if last < ALL {
            (0..=last).collect()
        } else {
            let mut indices = self.indices[f].clone();
            indices.push(now);
            let mut step = 1;
            while step <= last {
                indices.extend(now.checked_sub(step));
                indices.extend(now.checked_add(step).filter(|&index| index <= last));
                step *= 4;
            }
            indices
        };
        indices.sort_unstable();
        indices.dedup();
        indices.into_iter()
    }
}

/// Values spread over a long feature: the end of each cell that is nearer to the own value, which is the cheapest way to
/// another score, thinned where cells are many, and an even grid.
fn spread(feature: &Feature) -> Vec<ValueIndex> {
    let last = feature.last();
    if last < ALL {
        return Vec::new();
    }
    let keep = feature.keep;
    let nearer = |(_, first, end): (u32, ValueIndex, ValueIndex)| {
        if end < keep.0 { end } else { first.max(keep.0.min(end)) }
    };
    let cells: Vec<ValueIndex> = feature.cells.inside((0, last)).map(nearer).collect();
    let stride = cells.len().div_ceil(2 * SPREAD).max(1);
    let mut indices: Vec<ValueIndex> = cells.into_iter().step_by(stride).collect();
    let gap = last / SPREAD as ValueIndex;
    indices.extend((0..SPREAD as ValueIndex).map(|at| at * gap));
    indices.extend([0, last, keep.0, keep.1]);
    indices
}
