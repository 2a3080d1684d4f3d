//! The score of an ensemble in every cell of a small region, computed outright.
//!
//! Bounds tree by tree take the best leaf of every tree, though no plan may reach them all at once. Within a region of few
//! features and few cells it costs no more to add up every leaf over the box of cells that it holds for: as differences at the
//! corners of the box, which are summed up along each feature at the end. What is left of the region are the cells in which
//! plans are accepted, and not too expensive by the prices that the multipliers give them. Short searches are over before that pays;
//! applicants far from all reference rows, around whom a large region has to be shown to be rejected, need it most.

use super::leaves::{Condition, TreeScore, cell_spans};
use super::steps::{Allowed, bits};
use crate::search::layout::region::Region;
use crate::search::layout::space::Space;
use crate::search::layout::values::ValueIndex;
use crate::search::score::{Counted, Reach};

/// Regions with more cells than this are not counted.
const CELLS: usize = 4096;

/// Regions in which more features vary than this are not counted.
const FEATURES: usize = 6;

/// As many cells that are left become regions of their own.
const FEW: usize = 3;

/// A feature that varies in the region.
struct Axis {
    f: usize,
    /// Its first cell, how many there are, and how far apart they lie in the table.
    first: u32,
    count: usize,
    stride: usize,
    /// What each cell costs more than the cheapest.
    prices: Vec<f64>,
    /// The values of each cell, within the region.
    indices: Vec<(ValueIndex, ValueIndex)>,
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
        price: &dyn Fn(usize, (ValueIndex, ValueIndex)) -> f64,
        (cut, room): (f64, f64),
    ) -> Counted {
        let Some(mut axes) = axes(space, region, price) else { return Counted::Unknown };
        let size = axes.iter().map(|axis| axis.count).product();
        let (table, needed) = self.table(reach, &cell_spans(space, region), &axes, size);
        let needed = needed + cut;
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
                    part.spans[axis.f] = axis.indices[at / axis.stride % axis.count];
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
    price: &dyn Fn(usize, (ValueIndex, ValueIndex)) -> f64,
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
        let indices = feature.cells.inside(span).map(|(_, low, high)| (low, high)).collect();
        let left = vec![0; count];
        axes.push(Axis { f, first, count, stride, prices: Vec::new(), indices, left });
        stride *= count;
    }
    for axis in &mut axes {
        axis.prices = axis.indices.iter().map(|&indices| price(axis.f, indices)).collect();
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
    let mut gap: Option<(usize, ValueIndex, ValueIndex)> = None;
    for axis in axes {
        let holds = |cell: &usize| axis.left[*cell] > 0;
        let first = (0..axis.count).find(holds).unwrap_or(0);
        let last = (0..axis.count).rfind(holds).unwrap_or(axis.count - 1);
        within.spans[axis.f] = (axis.indices[first].0, axis.indices[last].1);
        if let Some(empty) = (first..last).find(|cell| !holds(cell))
            && let Some(next) = (empty..=last).find(holds)
        {
            gap = Some((axis.f, axis.indices[empty - 1].1, axis.indices[next].0));
        }
    }
    let Some((f, below, above)) = gap else { return Counted::Within(within) };
    let mut parts = vec![within.clone(), within];
    parts[0].spans[f].1 = below;
    parts[1].spans[f].0 = above;
    Counted::Parts(parts)
}

#[cfg(test)]
mod tests {
    use rand::{Rng, RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::instance::{Cost, Distance, FeatureOptions, Instance, Limits};
    use crate::model::{Classifier, Sums, Tree, TreeEnsemble};
    use crate::search::layout::trial::{points, region};
    use crate::search::score::ScoreBound;

    /// A tree of depth two over some columns, with thresholds between the options.
    fn tree(random: &mut impl Rng) -> Tree {
        let feature = (0..3).map(|_| random.random_range(0..5)).chain([-1; 4]).collect();
        let threshold = (0..7).map(|_| f64::from(random.random_range(-4..4)) + 0.5).collect();
        let value = (0..7).map(|_| random.random_range(-1.0..1.0)).collect();
        let (left, right) = (vec![1, 3, 5, -1, -1, -1, -1], vec![2, 4, 6, -1, -1, -1, -1]);
        Tree { feature, threshold, left, right, value }
    }

    /// Three numbers and a feature of two columns without an order.
    fn instance(random: &mut impl Rng) -> Instance {
        let columns = [vec![0], vec![1], vec![2], vec![3, 4]];
        let features =
            columns.into_iter().enumerate().map(|(index, columns)| {
                let mut options = vec![vec![0.0; columns.len()]];
                options.extend((0..6).map(|_| {
                    columns.iter().map(|_| f64::from(random.random_range(-5..6))).collect()
                }));
                FeatureOptions::of_changes(format!("f{index}"), columns, &[0.0; 5], &options)
            });
        let features = features.collect();
        let trees = (0..6).map(|_| tree(random)).collect();
        let ensemble =
            TreeEnsemble { threshold: 0.5, sums: Sums::Double, trees: std::sync::Arc::new(trees) };
        let distance = Distance::L1Mahalanobis { factor: vec![vec![1.0; 5]] };
        let cost = Cost { distance, outlier: None, change_cost: 0.0, most: Limits::default() };
        Instance::new(vec![0.0; 5], features, 4, Classifier::Trees(ensemble), cost).unwrap()
    }

    #[test]
    fn accepted_plans_that_are_cheap_enough_stay() {
        let mut random = ChaCha8Rng::seed_from_u64(8);
        let (mut cut, mut kept) = (0, 0);
        for _ in 0..2_000 {
            let instance = instance(&mut random);
            let Classifier::Trees(ensemble) = instance.classifier() else { unreachable!() };
            let space = Space::new(&instance);
            let score = TreeScore::new(&space, ensemble).unwrap();
            let Some(region) = region(&mut random, &space) else { continue };
            // What is known of the leaves may be of a larger region.
            let reach = if random.random_bool(0.5) {
                Some(score.whole())
            } else {
                score.narrow(&space, &region, &score.whole(), None)
            };
            let Some(reach) = reach else { continue };
            let price = |f: usize, (low, _): (ValueIndex, ValueIndex)| low.min(3) as f64 * f as f64;
            let room = random.random_range(0.0..12.0);
            let counted = score.count(&space, &region, &reach, &price, (0.0, room));
            let parts = match counted {
                Counted::Unknown => vec![region.clone()],
                Counted::Within(within) => vec![within],
                Counted::Parts(parts) => parts,
            };
            let holds = |part: &Region, point: &[ValueIndex]| {
                part.spans.iter().zip(point).all(|(span, at)| span.0 <= *at && *at <= span.1)
            };
            for point in points(&space, &region) {
                let accepted = instance.evaluate(&space.choice(&point)).accepted;
                // Prices rise with values, so that the value itself costs at least what its cell does.
                let cost: f64 = (0..point.len()).map(|f| price(f, (point[f], point[f]))).sum();
                let homes = parts.iter().filter(|part| holds(part, &point)).count();
                assert!(homes <= 1);
                assert!(homes == 1 || !accepted || cost > room);
                cut += usize::from(homes == 0);
                kept += usize::from(homes == 1);
            }
        }
        assert!(cut > 10_000 && kept > 10_000, "{cut}, {kept}");
    }

    #[test]
    fn no_plan_is_accepted_with_a_last_change_that_is_ruled_out() {
        let mut random = ChaCha8Rng::seed_from_u64(9);
        let (mut ruled_out, mut left) = (0, 0);
        for _ in 0..4_000 {
            let mut instance = instance(&mut random);
            instance.set_max_changes(random.random_range(1..=3));
            let Classifier::Trees(ensemble) = instance.classifier() else { unreachable!() };
            let space = Space::new(&instance);
            let score = TreeScore::new(&space, ensemble).unwrap();
            let Some(region) = region(&mut random, &space).filter(|region| region.left == 1) else {
                continue;
            };
            let Some(reach) = score.narrow(&space, &region, &score.whole(), None) else { continue };
            let may_be_last = score.last_changes(&space, &region, &reach).unwrap();
            let undecided = region.undecided(&space);
            for point in points(&space, &region) {
                let changed = |f: &&usize| !space.features[**f].is_keep(point[**f]);
                let accepted = instance.evaluate(&space.choice(&point)).accepted;
                for &last in &undecided {
                    // The part of this feature holds the points that change no other undecided one.
                    if undecided.iter().filter(changed).any(|&f| f != last) {
                        continue;
                    }
                    assert!(may_be_last[last] || !accepted);
                    ruled_out += usize::from(!may_be_last[last]);
                    left += usize::from(may_be_last[last]);
                }
            }
        }
        assert!(ruled_out > 1_000 && left > 1_000, "{ruled_out}, {left}");
    }
}
