//! The score of an ensemble in every cell of a small region, computed outright.
//!
//! Bounds tree by tree take the best leaf of every tree, though no plan may reach them all at once. Within a region of few
//! features and few cells it costs no more to add up every leaf over the box of cells that it holds for: as differences at the
//! corners of the box, which are summed up along each feature at the end. What is left of the region are the cells in which
//! plans are accepted, and not too dear by the prices that the multipliers give them.

use super::steps::{Allowed, bits};
use super::trees::{Condition, TreeScore, cell_spans};
use super::{Counted, Reach};
use crate::search::region::Region;
use crate::search::space::Space;
use crate::search::values::Place;

/// Regions with more cells than this are not counted.
const CELLS: usize = 4096;

/// Regions in which more features vary than this are not counted.
const FEATURES: usize = 6;

/// As many cells that are left become regions of their own.
const FEW: usize = 12;

/// A feature that varies in the region.
struct Axis {
    f: usize,
    /// Its first cell, how many there are, and how far apart they lie in the table.
    first: u32,
    count: usize,
    stride: usize,
    /// What each cell costs more than the cheapest.
    prices: Vec<f64>,
    /// The places of each cell, within the region.
    places: Vec<(Place, Place)>,
    /// How many cells of the table are left in each.
    left: Vec<usize>,
}

impl TreeScore {
    /// What is left of a region: cells in which plans are accepted and cost at most `room` more than the least price of the region.
    pub(super) fn count(
        &self,
        space: &Space,
        region: &Region,
        reach: &Reach,
        price: &dyn Fn(usize, (Place, Place)) -> f64,
        room: f64,
    ) -> Counted {
        let Some(mut axes) = axes(space, region, price) else { return Counted::Unknown };
        let size = axes.iter().map(|axis| axis.count).product();
        let (table, needed) = self.table(reach, &cell_spans(space, region), &axes, size);
        let mut few: Vec<usize> = Vec::new();
        let mut left = 0;
        for (at, _) in table.iter().enumerate().filter(|cell| *cell.1 >= needed) {
            let cell = |axis: &Axis| at / axis.stride % axis.count;
            if axes.iter().map(|axis| axis.prices[cell(axis)]).sum::<f64>() > room {
                continue;
            }
            for axis in &mut axes {
                axis.left[at / axis.stride % axis.count] += 1;
            }
            if left < FEW {
                few.push(at);
            }
            left += 1;
        }
        if left == size {
            return Counted::Unknown;
        }
        if left <= FEW {
            let part = |&at: &usize| {
                let mut part = region.clone();
                for axis in &axes {
                    part.spans[axis.f] = axis.places[at / axis.stride % axis.count];
                }
                part
            };
            return Counted::Parts(few.iter().map(part).collect());
        }
        around(region, &axes)
    }

    /// The sum over trees in every cell, and what it must reach, rounding forgiven.
    fn table(
        &self,
        reach: &Reach,
        spans: &[(u32, u32)],
        axes: &[Axis],
        size: usize,
    ) -> (Vec<f64>, f64) {
        let mut table = vec![0.0; size];
        let mut corners: Vec<(usize, f64)> = Vec::new();
        let mut grown: Vec<(usize, f64)> = Vec::new();
        let (mut sizes, mut additions) = (0.0, 0_usize);
        for &leaf in reach.leaves.iter() {
            // The leaves were found for a region around this one.
            let holds = |c: &Condition| c.allowed.meets(spans[c.feature as usize]);
            if !self.conditions(leaf).iter().all(holds) {
                continue;
            }
            let value = self.value(leaf);
            sizes += value.abs();
            corners.clear();
            corners.push((0, value));
            for condition in self.conditions(leaf) {
                let f = condition.feature as usize;
                let Some(axis) = axes.iter().find(|axis| axis.f == f) else { continue };
                grown.clear();
                for (low, end) in runs(condition.allowed, axis) {
                    for &(at, value) in &corners {
                        grown.push((at + low * axis.stride, value));
                        if end < axis.count {
                            grown.push((at + end * axis.stride, -value));
                        }
                    }
                }
                std::mem::swap(&mut corners, &mut grown);
            }
            additions += corners.len();
            for &(at, value) in &corners {
                table[at] += value;
            }
        }
        for axis in axes {
            let block = axis.stride * axis.count;
            for from in (0..size).step_by(block) {
                for at in from + axis.stride..from + block {
                    table[at] += table[at - axis.stride];
                }
            }
        }
        let rounding = f64::EPSILON * (additions + size) as f64 * sizes;
        (table, self.needed - rounding)
    }
}

/// The features that vary, laid out; `None` where there are none, or too many cells.
fn axes(
    space: &Space,
    region: &Region,
    price: &dyn Fn(usize, (Place, Place)) -> f64,
) -> Option<Vec<Axis>> {
    let mut axes: Vec<Axis> = Vec::new();
    let mut stride = 1_usize;
    for (f, (feature, &span)) in space.features.iter().zip(&region.spans).enumerate() {
        let (first, last) = (feature.cells.of(span.0), feature.cells.of(span.1));
        if first == last {
            continue;
        }
        let count = (last - first) as usize + 1;
        if axes.len() == FEATURES || stride.saturating_mul(count) > CELLS {
            return None;
        }
        let places = feature.cells.inside(span).map(|(_, low, high)| (low, high)).collect();
        let left = vec![0; count];
        axes.push(Axis { f, first, count, stride, prices: Vec::new(), places, left });
        stride *= count;
    }
    for axis in &mut axes {
        axis.prices = axis.places.iter().map(|&places| price(axis.f, places)).collect();
    }
    (!axes.is_empty()).then_some(axes)
}

/// The cells of an axis that a condition allows: where each run of them begins and ends.
fn runs(allowed: Allowed, axis: &Axis) -> Vec<(usize, usize)> {
    let last = axis.first + axis.count as u32 - 1;
    match allowed {
        Allowed::Interval(low, high) => {
            let (low, high) = (low.max(axis.first), high.min(last));
            if low > high {
                return Vec::new();
            }
            vec![((low - axis.first) as usize, (high - axis.first) as usize + 1)]
        }
        Allowed::Set(set) => {
            let set = set.set() & bits((axis.first, last));
            let mut runs: Vec<(usize, usize)> = Vec::new();
            for cell in (0..axis.count).filter(|&cell| set >> (axis.first as usize + cell) & 1 == 1)
            {
                match runs.last_mut() {
                    Some(run) if run.1 == cell => run.1 = cell + 1,
                    _ => runs.push((cell, cell + 1)),
                }
            }
            runs
        }
    }
}

/// The region cut down to the cells that are left, in two parts where a feature has none left in between.
fn around(region: &Region, axes: &[Axis]) -> Counted {
    let mut within = region.clone();
    let mut gap: Option<(usize, Place, Place)> = None;
    for axis in axes {
        let holds = |cell: &usize| axis.left[*cell] > 0;
        let first = (0..axis.count).find(holds).unwrap_or(0);
        let last = (0..axis.count).rfind(holds).unwrap_or(axis.count - 1);
        within.spans[axis.f] = (axis.places[first].0, axis.places[last].1);
        if let Some(empty) = (first..last).find(|cell| !holds(cell))
            && let Some(next) = (empty..last + 1).find(holds)
        {
            gap = Some((axis.f, axis.places[empty - 1].1, axis.places[next].0));
        }
    }
    let Some((f, below, above)) = gap else { return Counted::Within(within) };
    let mut parts = vec![within.clone(), within];
    parts[0].spans[f].1 = below;
    parts[1].spans[f].0 = above;
    Counted::Parts(parts)
}
