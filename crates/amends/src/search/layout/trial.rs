//! Random regions of small spaces and all that is in them, for tests of bounds.

use rand::{Rng, RngExt};

use crate::search::layout::region::{Region, Stand};
use crate::search::layout::space::Space;
use crate::search::layout::values::ValueIndex;

/// Some of the space, at random; `None` where it holds nothing.
pub(in crate::search) fn region(random: &mut impl Rng, space: &Space) -> Option<Region> {
    let mut region = Region::whole(space);
    for (f, feature) in space.features.iter().enumerate() {
        if random.random_bool(0.5) {
            let ends = [0, 1].map(|_| random.random_range(0..=feature.last()));
            region.spans[f] = (ends[0].min(ends[1]), ends[0].max(ends[1]));
        }
        region.counted[f] = random.random_bool(0.2);
    }
    region.settle(space).then_some(region)
}

/// Every point of a region within its limit on changes.
pub(in crate::search) fn points(space: &Space, region: &Region) -> Vec<Vec<ValueIndex>> {
    let mut points: Vec<Vec<ValueIndex>> = vec![Vec::new()];
    for &(low, high) in &region.spans {
        let longer =
            |point: Vec<ValueIndex>| (low..=high).map(move |index| [&point[..], &[index]].concat());
        points = points.into_iter().flat_map(longer).collect();
    }
    points.retain(|point| {
        let changes = |f: &usize| {
            region.stand(space, *f) == Stand::Undecided && !space.features[*f].is_keep(point[*f])
        };
        (0..point.len()).filter(changes).count() <= region.left
    });
    points
}
