//! The places that guesses try where a feature has too many to try all.

use crate::search::layout::feature::Feature;
use crate::search::layout::space::Space;
use crate::search::layout::values::Place;

/// Up to this many places are all tried.
const ALL: Place = 200;

/// Places of a long feature that are tried, evenly spread over its cells or over all of it.
const SPREAD: usize = 100;

/// Per feature the places that are always tried; none where all are.
pub(in crate::search) struct Samples<'s> {
    space: &'s Space<'s>,
    places: Vec<Vec<Place>>,
}

impl<'s> Samples<'s> {
    pub(in crate::search) fn new(space: &'s Space<'s>) -> Self {
        Self { space, places: space.features.iter().map(spread).collect() }
    }

    /// The places of a feature to try from where it is now, in rising order.
    pub(in crate::search) fn of(
        &self,
        f: usize,
        now: Place,
    ) -> impl Iterator<Item = Place> + use<> {
        let last = self.space.features[f].last();
        let mut places: Vec<Place> = if last < ALL {
            (0..=last).collect()
        } else {
            let mut places = self.places[f].clone();
            places.push(now);
            let mut step = 1;
            while step <= last {
                places.extend(now.checked_sub(step));
                places.extend(now.checked_add(step).filter(|&place| place <= last));
                step *= 4;
            }
            places
        };
        places.sort_unstable();
        places.dedup();
        places.into_iter()
    }
}

/// Places spread over a long feature: the end of each cell that is nearer to the own value, which is the cheapest way to
/// another score, thinned where cells are many, and an even grid.
fn spread(feature: &Feature) -> Vec<Place> {
    let last = feature.last();
    if last < ALL {
        return Vec::new();
    }
    let keep = feature.keep;
    let nearer = |(_, first, end): (u32, Place, Place)| {
        if end < keep.0 { end } else { first.max(keep.0.min(end)) }
    };
    let cells: Vec<Place> = feature.cells.inside((0, last)).map(nearer).collect();
    let stride = cells.len().div_ceil(2 * SPREAD).max(1);
    let mut places: Vec<Place> = cells.into_iter().step_by(stride).collect();
    let gap = last / SPREAD as Place;
    places.extend((0..SPREAD as Place).map(|at| at * gap));
    places.extend([0, last, keep.0, keep.1]);
    places
}
