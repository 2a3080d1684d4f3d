//! Sets of features first: which of them can change at all in a plan that is cheap enough.
//!
//! Of a linear model, under the length of `U a`, the least distance at which a set S of directions gains what the score
//! lacks is a closed form, whatever the values. Where some features are fixed at a value already, which moves `U a` by `v`, leaves
//! `need` to gain and has the products `b = U_S'v` with the directions,
//!
//! ```text
//! distance^2 >= |v|^2 - b'G^-1 b + max(0, need + w'G^-1 b)^2 / (w'G^-1 w),      G the products of the directions in S,
//! ```
//!
//! and for any multiplier `t >= 0` of the score, `distance^2 >= |v|^2 + 2 t need - (t w - b)'G^-1 (t w - b)`: sets within a radius are
//! those that gain enough by `t w - b`, which a walk finds without looking at most sets (`subsets/`). A region that leaves open
//! which features change is replaced by its nearest sets, each with only as many features to look at as may change, and a rest, which
//! comes up again once nothing nearer is left; by then the best plan is cheaper, and there may be no rest. Where
//! most sets hold a feature of few values, moving it by less than a step is what makes them near: then the region is
//! split by that feature's values instead. Options without an order count as directions of their own, which only makes the bound lower.

mod limited;
mod problem;
mod set;
mod ways;

use std::sync::{PoisonError, RwLock};

use self::problem::{Near, Problem};
use self::set::{Set, Taken};
use self::ways::Ways;
use crate::search::bound::ball::Ball;
use crate::search::layout::feature::Feature;
use crate::search::layout::region::{Region, Stand};
use crate::search::layout::space::{Norm, Space};
use crate::search::layout::values::ValueIndex;
use crate::search::outlier::around::Around;
use crate::search::outlier::nearby::{narrow_lof, narrow_undecided};
use crate::search::outlier::region_distances::RegionDistances;
use crate::search::subsets::MOST_SIZE;
use crate::search::tree::node::{Node, Task};

/// At least so many sets are taken from a region at a time, and at most so many; a quarter of what is near, between both.
const TAKEN: usize = 256;
const MOST_TAKEN: usize = 8192;

/// With at most this many features, most of them have to be numeric.
const FEW_FEATURES: usize = 40;

/// The nearest sets of a region are searched before its rest is looked at again: this many.
const FIRST: usize = 16;

/// A feature with at most this many values within reach is split by them, where at least this share of the sets holds it.
const FEW_VALUES: ValueIndex = 16;
const LARGE_SHARE: f64 = 0.25;

/// The sets of features that regions were replaced by.
#[derive(Debug, Default)]
pub(in crate::search) struct Sets<'s> {
    ways: Option<Ways<'s>>,
    taken: RwLock<Taken>,
}

/// Where a region comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::search) enum Origin {
    /// It is the whole space, but for features that are fixed at one of their values or keep it, and for what can't hold the best
    /// plan. Only such regions are replaced by sets: two of them never share a plan, and a set's features have all their values.
    Whole,
    /// A set of features, or a part of one.
    Set(u32),
    /// A part of the space, split in some other way.
    Part,
}

impl Origin {
    /// That of a region's parts, unless they are sets.
    pub(in crate::search) fn split(self) -> Self {
        match self {
            Self::Whole | Self::Part => Self::Part,
            Self::Set(set) => Self::Set(set),
        }
    }
}

impl<'s> Sets<'s> {
    /// Nothing where sets have no closed form.
    pub(in crate::search) fn new(task: &Task<'s>) -> Self {
        let space = task.space;
        let most = space.instance.max_changes();
        // Where changes cost something, each number of them has sets of its own.
        let least = if space.instance.cost().change_cost > 0.0 { 2.min(most) } else { most };
        let numeric = space.features.iter().filter(|feature| feature.is_numeric()).count();
        if space.norm != Norm::Length
            || !task.score.additive()
            || space.score_error >= -space.score
            || space.features.iter().any(Feature::is_state)
            || space.features.len() <= least
            // Taking any multiple of an option without an order is a weak relaxation: as long as features are few, bounds over
            // regions are better.
            || 4 * numeric < 3 * space.features.len() && space.features.len() <= FEW_FEATURES
            || !(2..=MOST_SIZE).contains(&least)
        {
            return Self::default();
        }
        let taken =
            Taken { of_feature: vec![Vec::new(); space.features.len()], ..Taken::default() };
        Self { ways: Some(Ways::new(space)), taken: RwLock::new(taken) }
    }

    /// The largest sets that there are: so many features; `None` where sets have no closed form.
    pub(in crate::search) fn largest(&self) -> Option<usize> {
        self.ways.as_ref().map(|_| MOST_SIZE)
    }

    /// Whether a region of one of the sets repeats what an earlier set covers: plans that change fewer features than the set has
    /// belong to several sets, and are looked for in the first of them.
    pub(in crate::search) fn repeats(&self, space: &Space, set: usize, region: &Region) -> bool {
        let open = |f: &usize| region.stand(space, *f) != Stand::Kept;
        let open: Vec<usize> = (0..space.features.len()).filter(open).collect();
        let taken = self.taken.read().unwrap_or_else(PoisonError::into_inner);
        let own = &taken.sets[set];
        if open.len() >= own.fixed.len() + own.free.len() {
            return false;
        }
        let lists = open.iter().map(|&f| &taken.of_feature[f]);
        let Some(rarest) = lists.min_by_key(|list| list.len()) else { return set > 0 };
        let earlier = rarest.iter().take_while(|&&other| (other as usize) < set);
        earlier.into_iter().any(|&other| taken.sets[other as usize].covers(&open, region))
    }

    /// A region that leaves open which features change, replaced by parts that together hold every plan that may be the
    /// best. `None` where there is no closed form for it, or too many sets are near enough.
    pub(in crate::search) fn parts(
        &self,
        task: &Task,
        node: &Node,
        region: &Region,
    ) -> Option<Vec<Node>> {
        let space = task.space;
        let ways = self.ways.as_ref()?;
        if node.origin != Origin::Whole
            // Without a plan to compare with, all sets would stay.
            || task.best.objective().is_none()
            || !(2..=MOST_SIZE).contains(&region.wanted.1)
            || region.counted.contains(&true)
            || region.undecided(space).is_empty()
        {
            return None;
        }
        let mut region = region.clone();
        let mut nearby = node.nearby.clone();
        let best = task.best.beside(node.change_cost);
        let most = space.cost_limits.distance.min(best.limit() - node.nearby.bound);
        // Dear with many features, and with some of them fixed the others' intervals hardly matter.
        if region.left == region.wanted.1 {
            let mut ball = Ball::new(space, &region, most)?;
            if !(ball.shorten(&mut region) && region.settle(space)) {
                return Some(Vec::new());
            }
        }
        if let Some(reference) = task.reference
            && let Some(k) = reference.outlier.k
        {
            let mut distances = RegionDistances::new(space, reference, &region);
            nearby = narrow_lof(&nearby, &mut distances, k).0;
            nearby = narrow_undecided(&nearby, &mut distances, k);
        }
        let from = Node { region, nearby, ..node.clone() };
        let radius = space.cost_limits.distance.min(best.limit() - from.nearby.bound);
        let mut problem = Problem::new(space, ways, &from.region)?;
        let near = {
            let taken = self.taken.read().unwrap_or_else(PoisonError::into_inner);
            problem.nearest(ways, &taken, node.floor, radius, task.halted)
        };
        let Some(near) = near else {
            // Fixing a feature of a near set leaves fewer sets.
            let few = |f: &&usize| few_values(&from.region, **f);
            let f = problem.near.iter().find(few)?;
            return Some(by_value(task, &from, *f, node.floor));
        };
        if near.sets.len() > TAKEN
            && let Some(f) = often(space, &from.region, &near.sets)
        {
            return Some(by_value(task, &from, f, near.sets[0].1));
        }
        Some(self.take(task, ways, &from, &problem, near))
    }

    /// One part per set, and the rest.
    fn take(
        &self,
        task: &Task,
        ways: &Ways,
        from: &Node,
        problem: &Problem,
        near: Near,
    ) -> Vec<Node> {
        let space = task.space;
        let mut sets = near.sets;
        let mut up_to = near.up_to;
        let count = near.wanted.max(sets.len() / 4).min(MOST_TAKEN);
        if let Some(&(_, last)) = sets.get(count) {
            // All at the same distance, or none.
            let count = sets.partition_point(|set| set.1 <= last);
            sets.truncate(count);
            up_to = up_to.min(last);
        }
        let rest = up_to < near.radius;
        let share = from.share / (sets.len() + usize::from(rest)).max(1) as f64;
        let mut parts = Vec::with_capacity(sets.len() + 1);
        let around = Around::new(space, task.reference, &from.nearby, &from.region);
        let weight = task.reference.map_or(0.0, |reference| reference.outlier.weight);
        let mut taken = self.taken.write().unwrap_or_else(PoisonError::into_inner);
        for (free, distance) in sets {
            let mut region = from.region.clone();
            for f in (0..space.features.len()).filter(|f| !free.contains(f)) {
                if region.stand(space, f) == Stand::Undecided {
                    region.keep(space, f);
                }
            }
            let floor = from.floor.max(distance);
            let set = Set { fixed: problem.fixed.clone(), free };
            taken.known.insert(set.clone());
            let term = around.as_ref().map_or(0.0, |a| set.least_term(task, ways, a, from, floor));
            let nearby = from.nearby.at_least(term, weight);
            let mut bound = from.bound.max(floor + nearby.bound);
            if task.best.beside(from.change_cost).beats(bound) {
                continue;
            }
            if parts.len() < FIRST {
                // A better plan comes first, so that the rest is small.
                bound = from.bound;
            }
            let id = taken.sets.len() as u32;
            for f in set.fixed.iter().map(|fixed| fixed.0).chain(set.free.iter().copied()) {
                taken.of_feature[f].push(id);
            }
            taken.sets.push(set);
            let origin = Origin::Set(id);
            parts.push(Node { region, bound, floor, nearby, share, origin, ..from.clone() });
        }
        if rest {
            let floor = from.floor.max(up_to);
            let bound = from.bound.max(floor + from.nearby.bound);
            parts.push(Node { bound, floor, share, ..from.clone() });
        }
        parts
    }
}

fn few_values(region: &Region, f: usize) -> bool {
    region.spans[f].1 - region.spans[f].0 < FEW_VALUES
}

/// A feature of few values that many of the sets hold.
fn often(space: &Space, region: &Region, sets: &[(Vec<usize>, f64)]) -> Option<usize> {
    let mut counts = vec![0_usize; space.features.len()];
    for f in sets.iter().flat_map(|set| &set.0) {
        counts[*f] += 1;
    }
    let most = (0..counts.len()).filter(|&f| few_values(region, f)).max_by_key(|&f| counts[f])?;
    (counts[most] as f64 > LARGE_SHARE * sets.len() as f64).then_some(most)
}

/// One part per value of a feature.
fn by_value(task: &Task, from: &Node, f: usize, distance: f64) -> Vec<Node> {
    let space = task.space;
    let (low, high) = from.region.spans[f];
    let feature = &space.features[f];
    let changed = (low..=high).filter(|&index| !feature.is_keep(index));
    let mut regions: Vec<Region> = Vec::new();
    for index in changed {
        let mut region = from.region.clone();
        region.spans[f] = (index, index);
        regions.push(region);
    }
    let mut kept = from.region.clone();
    kept.keep(space, f);
    regions.push(kept);
    let share = from.share / regions.len() as f64;
    let floor = from.floor.max(distance);
    let bound = from.bound.max(floor + from.nearby.bound);
    regions.retain_mut(|region| region.settle(space));
    let part = |region: Region| Node { region, bound, floor, share, ..from.clone() };
    regions.into_iter().map(part).collect()
}
