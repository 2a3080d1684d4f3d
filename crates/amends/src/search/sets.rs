//! Sets of features first: which of them can change at all in a plan that is cheap enough.
//!
//! Of a linear model, under the length of `U a`, the least distance at which a set S of directions gains what the score
//! lacks is a closed form, whatever the values. Where some features are fixed at a place already, which moves `U a` by `v`, leaves
//! `need` to gain and has the products `b = U_S'v` with the directions,
//!
//! ```text
//! distance^2 >= |v|^2 - b'G^-1 b + max(0, need + w'G^-1 b)^2 / (w'G^-1 w),      G the products of the directions in S,
//! ```
//!
//! and for any multiplier `t >= 0` of the score, `distance^2 >= |v|^2 + 2 t need - (t w - b)'G^-1 (t w - b)`: sets within a radius are
//! those that gain enough by `t w - b`, which a walk finds without looking at most sets (`subsets.rs`). A region that leaves open
//! which features change is replaced by its nearest sets, each with only as many features to look at as may change, and a rest, which
//! comes up again once nothing nearer is left; by then the best plan is cheaper, and there may be no rest. Where
//! most sets hold a feature of few values, moving it by less than a step is what makes them near: then the region is
//! split by that feature's values instead. Options without an order count as directions of their own, which only makes the bound lower.

use std::collections::HashSet;
use std::sync::{PoisonError, RwLock};

use super::around::{Around, Numbers};
use super::ball::Ball;
use super::ground::Ground;
use super::nearby::{narrow_lof, narrow_undecided};
use super::node::{Node, Task};
use super::region::{Region, Stand};
use super::space::{Feature, Norm, Space, dot};
use super::subsets::{Directions, MOST_SIZE};
use super::values::Place;

/// How often a smaller radius is tried where sets are too many.
const MOST_FAILURES: usize = 4;

/// At least so many sets are taken from a region at a time, and at most so many; a quarter of what is near, between both.
const TAKEN: usize = 256;
const MOST_TAKEN: usize = 8192;

/// With at most this many features, most of them have to be numeric.
const FEW_FEATURES: usize = 40;

/// More sets than this within a radius are too many to order by their distance.
const MOST_SETS: usize = 100_000;

/// The nearest sets of a region are searched before its rest is looked at again: this many.
const FIRST: usize = 16;

/// A feature with at most this many values within reach is split by them, where at least this share of the sets holds it.
const FEW_VALUES: Place = 16;
const LARGE_SHARE: f64 = 0.25;

/// A set whose products can be inverted with this error, relatively, is known well.
const WELL_KNOWN: f64 = 1e-4;

/// What rounding may take off a bound, relatively: generous beside a few products.
const ROUNDING: f64 = 1e-9;

/// The sets of features that regions were replaced by.
#[derive(Debug, Default)]
pub(super) struct Sets<'s> {
    ways: Option<Ways<'s>>,
    taken: RwLock<Taken>,
}

/// Where a region comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Origin {
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
    pub(super) fn split(self) -> Self {
        match self {
            Self::Whole | Self::Part => Self::Part,
            Self::Set(set) => Self::Set(set),
        }
    }
}

/// The ways to change one feature, per feature.
#[derive(Debug)]
struct Ways<'s> {
    directions: Directions,
    images: Vec<&'s [f64]>,
    gains: Vec<f64>,
}

/// A set that a region was replaced by.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Set {
    /// Features that change, and where to.
    fixed: Vec<(usize, Place)>,
    /// Features that may change.
    free: Vec<usize>,
}

#[derive(Debug, Default)]
struct Taken {
    sets: Vec<Set>,
    /// The same.
    known: HashSet<Set>,
    /// Per feature, the sets in which it may change, in rising order.
    of_feature: Vec<Vec<u32>>,
}

impl<'s> Sets<'s> {
    /// Nothing where sets have no closed form.
    pub(super) fn new(task: &Task<'s>) -> Self {
        let space = task.space;
        let limit = space.instance.max_changes;
        let numeric = space.features.iter().filter(|feature| feature.numeric).count();
        if space.norm != Norm::Length
            || !task.score.additive()
            || space.score_error >= -space.score
            || space.features.iter().any(Feature::is_state)
            || space.features.len() <= limit
            // Taking any multiple of an option without an order is a weak relaxation: as long as features are few, bounds over
            // regions are better.
            || 4 * numeric < 3 * space.features.len() && space.features.len() <= FEW_FEATURES
            || !(2..=MOST_SIZE).contains(&limit)
        {
            return Self::default();
        }
        let taken =
            Taken { of_feature: vec![Vec::new(); space.features.len()], ..Taken::default() };
        Self { ways: Some(Ways::new(space)), taken: RwLock::new(taken) }
    }

    /// Whether a region of one of the sets repeats what an earlier set covers: plans that change fewer features than the set has
    /// belong to several sets, and are looked for in the first of them.
    pub(super) fn repeats(&self, space: &Space, set: usize, region: &Region) -> bool {
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
    pub(super) fn parts(&self, task: &Task, node: &Node, region: &Region) -> Option<Vec<Node>> {
        let space = task.space;
        let ways = self.ways.as_ref()?;
        if node.origin != Origin::Whole
            // Without a plan to compare with, all sets would stay.
            || task.best.objective().is_none()
            || region.counted.contains(&true)
            || region.undecided(space).is_empty()
        {
            return None;
        }
        let mut region = region.clone();
        let mut nearby = node.nearby.clone();
        let most = space.caps.distance.min(task.best.limit() - node.nearby.bound);
        // Dear with many features, and with some of them fixed the others' intervals hardly matter.
        if region.left == space.instance.max_changes {
            let mut ball = Ball::new(space, &region, most)?;
            if !(ball.shorten(&mut region) && region.settle(space)) {
                return Some(Vec::new());
            }
        }
        if let Some(reference) = task.reference
            && let Some(k) = reference.outlier.k
        {
            let mut ground = Ground::new(space, reference, &region);
            nearby = narrow_lof(&nearby, &mut ground, k).0;
            nearby = narrow_undecided(&nearby, &mut ground, k);
        }
        let from = Node { region, nearby, ..node.clone() };
        let radius = space.caps.distance.min(task.best.limit() - from.nearby.bound);
        let mut problem = Problem::new(space, ways, &from.region)?;
        let near = {
            let taken = self.taken.read().unwrap_or_else(PoisonError::into_inner);
            problem.nearest(ways, &taken, node.floor, radius, task.halted)
        };
        let Some(near) = near else {
            // Fixing a feature of a near set leaves fewer sets.
            let few = |f: &&usize| few_values(&from.region, **f);
            let f = problem.near.iter().find(few)?;
            return Some(by_place(task, &from, *f, node.floor));
        };
        if near.sets.len() > TAKEN
            && let Some(f) = often(space, &from.region, &near.sets)
        {
            return Some(by_place(task, &from, f, near.sets[0].1));
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
            if task.best.beats(bound) {
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

impl Set {
    /// The least outlier term of plans of the set that may be the best, at this distance or beyond.
    fn least_term(
        &self,
        task: &Task,
        ways: &Ways,
        around: &Around,
        from: &Node,
        floor: f64,
    ) -> f64 {
        let space = task.space;
        let weight = task.reference.map_or(0.0, |reference| reference.outlier.weight);
        if !self.fixed.is_empty() || !self.free.iter().all(|&f| space.features[f].numeric) {
            return 0.0;
        }
        let way = |f: &usize| ways.directions.groups.partition_point(|group| group < f);
        let directions: Vec<usize> = self.free.iter().map(way).collect();
        let (_, _, _, error) = ways.directions.squares(&directions, |_| (0.0, 0.0));
        if error >= WELL_KNOWN {
            return 0.0;
        }
        let size = directions.len();
        let mut inverse = Vec::with_capacity(size * size);
        for i in 0..size {
            let mut column = vec![0.0; size];
            column[i] = 1.0;
            ways.directions.divide(&directions, &mut [&mut column]);
            inverse.extend(column);
        }
        let scales: Vec<f64> = directions.iter().map(|&j| ways.directions.inverse[j]).collect();
        let numbers = Numbers { features: &self.free, scales: &scales, inverse: &inverse, error };
        let mut term = from.nearby.term;
        // A larger term leaves less room, in which the term is larger.
        for _ in 0..4 {
            let radius = space.caps.distance.min(task.best.limit() - weight * term);
            if radius < floor {
                break;
            }
            match around.least_factor(&numbers, radius) {
                Some(factor) if factor > term + 1e-3 * (task.best.limit() - floor - term).abs() => {
                    term = factor;
                }
                _ => break,
            }
        }
        term
    }

    /// Whether all plans of a region in which these features may change are plans of the set.
    fn covers(&self, open: &[usize], region: &Region) -> bool {
        let fixed = |&(f, place): &(usize, Place)| region.spans[f] == (place, place);
        self.fixed.iter().all(fixed)
            && open.iter().all(|f| self.free.contains(f) || self.fixed.iter().any(|p| p.0 == *f))
    }
}

impl<'s> Ways<'s> {
    fn new(space: &'s Space) -> Self {
        let (mut features, mut images, mut gains) = (Vec::new(), Vec::new(), Vec::new());
        for (f, feature) in space.features.iter().enumerate() {
            if feature.numeric {
                features.push(f);
                images.push(&feature.image[..]);
                gains.push(feature.unit_gain);
                continue;
            }
            for place in (0..=feature.last()).filter(|&place| !feature.is_keep(place)) {
                features.push(f);
                images.push(image(space, feature, place));
                gains.push(feature.gain[place as usize]);
            }
        }
        let products = images.iter().flat_map(|a| images.iter().map(move |b| dot(a, b))).collect();
        let directions = Directions::new(features, products, space.rows);
        for (gain, inverse) in gains.iter_mut().zip(&directions.inverse) {
            *gain *= inverse;
        }
        Self { directions, images, gains }
    }
}

/// What an option without an order moves `U a` by.
fn image<'s>(space: &Space, feature: &'s Feature, place: Place) -> &'s [f64] {
    &feature.image[place as usize * space.rows..][..space.rows]
}

/// What is left to gain in a region, once what is fixed is counted.
struct Problem {
    fixed: Vec<(usize, Place)>,
    /// How many more features may change.
    left: usize,
    need: f64,
    /// How far what is fixed moves `U a`, squared.
    square: f64,
    /// The directions in which others may change, and their products with what is fixed.
    candidates: Vec<usize>,
    pulls: Vec<f64>,
    /// The least and the most that a candidate, scaled to length one, may be taken of.
    limits: Vec<(f64, f64)>,
    /// Where what is fixed moves `U a` to.
    position: Vec<f64>,
    /// What changes of a near set gain, how much of what is fixed they make up for, and both together, as squares.
    typical: (f64, f64, f64),
    /// The features of that set, the most useful first.
    near: Vec<usize>,
}

/// Sets of features by their least distance, the nearest first.
struct Near {
    sets: Vec<(Vec<usize>, f64)>,
    /// All sets up to this distance are there.
    up_to: f64,
    /// No set beyond this distance matters.
    radius: f64,
    /// So many are enough for now.
    wanted: usize,
}

impl Problem {
    /// `None` where a feature that surely changes is not fixed at one place.
    fn new(space: &Space, ways: &Ways, region: &Region) -> Option<Self> {
        let mut fixed = Vec::new();
        let mut need = -space.score - space.score_error;
        let mut position = vec![0.0; space.rows];
        let mut open = vec![false; space.features.len()];
        for (f, feature) in space.features.iter().enumerate() {
            let (low, high) = region.spans[f];
            match region.stand(space, f) {
                Stand::Kept => {}
                Stand::Undecided => open[f] = true,
                Stand::Decided if low == high => {
                    fixed.push((f, low));
                    need -= feature.gain(low);
                    feature.add_image(low, 1.0, &mut position);
                }
                Stand::Decided => return None,
            }
        }
        let groups = &ways.directions.groups;
        let candidates: Vec<usize> = (0..groups.len()).filter(|&j| open[groups[j]]).collect();
        let pull = |&j: &usize| dot(ways.images[j], &position) * ways.directions.inverse[j];
        let pulls = if fixed.is_empty() {
            vec![0.0; candidates.len()]
        } else {
            candidates.iter().map(pull).collect()
        };
        let limit = |&j: &usize| {
            let feature = &space.features[groups[j]];
            let (low, high) = region.spans[groups[j]];
            let length = 1.0 / ways.directions.inverse[j];
            // An option without an order is taken or not.
            if !feature.numeric {
                return (0.0, length);
            }
            (feature.change(low) * length, feature.change(high) * length)
        };
        let limits = candidates.iter().map(limit).collect();
        let square = dot(&position, &position);
        let left = region.left;
        let (typical, near) = ((0.0, 0.0, 0.0), Vec::new());
        Some(Self { fixed, left, need, square, candidates, pulls, limits, position, typical, near })
    }

    /// The nearest sets that have not been taken, none of them nearer than `after`, up to a radius; `None` where too many are
    /// about equally near.
    fn nearest(
        &mut self,
        ways: &Ways,
        taken: &Taken,
        after: f64,
        radius: f64,
        halted: &dyn Fn() -> bool,
    ) -> Option<Near> {
        let (mut low, mut up_to) = (after, self.first_radius(ways, after).min(radius));
        // The more were taken, the more are wanted, so that there are few rounds.
        let wanted = (taken.known.len() / 2).clamp(TAKEN, MOST_TAKEN);
        let (mut too_many, mut failures, mut some) = (f64::INFINITY, 0, None);
        loop {
            if halted() {
                return None;
            }
            if failures > MOST_FAILURES {
                return some;
            }
            match self.within(ways, taken, up_to) {
                Some(sets) if sets.len() >= wanted || up_to >= radius => {
                    return Some(Near { sets, up_to, radius, wanted });
                }
                Some(sets) => {
                    if !sets.is_empty() {
                        some = Some(Near { sets, up_to, radius, wanted });
                    }
                    low = up_to;
                    up_to = (1.15 * up_to).max(1e-3 * radius).min(radius);
                    if up_to >= too_many {
                        up_to = 0.5 * (low + too_many);
                    }
                }
                None => {
                    failures += 1;
                    too_many = up_to;
                    up_to = 0.5 * (low + up_to);
                }
            }
        }
    }

    /// A radius within which there may be a set: a little more than the distance of one that is put together greedily.
    fn first_radius(&mut self, ways: &Ways, after: f64) -> f64 {
        let mut set = Vec::new();
        let groups = &ways.directions.groups;
        let mut least = self.distance(ways, &set);
        while set.len() < self.left {
            let mut best: Option<(f64, usize)> = None;
            for &j in &self.candidates {
                if set.iter().any(|&other| groups[other] == groups[j]) {
                    continue;
                }
                set.push(j);
                let distance = self.distance(ways, &set);
                set.pop();
                if best.is_none_or(|best| distance < best.0) {
                    best = Some((distance, j));
                }
            }
            let Some((distance, j)) = best else { break };
            least = distance;
            set.push(j);
        }
        let (gained, pulled, both, error) =
            ways.directions.squares(&set, |j| (ways.gains[j], self.pull(j)));
        if error.is_finite() {
            self.typical = (gained, pulled, both);
        }
        self.near = set.iter().map(|&j| groups[j]).collect();
        least.max(after) * 1.02
    }

    /// The product of a candidate with what is fixed.
    fn pull(&self, j: usize) -> f64 {
        self.candidates.binary_search(&j).map_or(0.0, |at| self.pulls[at])
    }

    /// All sets within a radius that have not been taken, the nearest first; `None` where they are too many.
    fn within(&self, ways: &Ways, taken: &Taken, radius: f64) -> Option<Vec<(Vec<usize>, f64)>> {
        let groups = &ways.directions.groups;
        let multiplier = self.multiplier(radius);
        let gains: Vec<f64> = self
            .candidates
            .iter()
            .zip(&self.pulls)
            .map(|(&j, pull)| multiplier * ways.gains[j] - pull)
            .collect();
        let parts = [self.square, 2.0 * multiplier * self.need, -radius * radius];
        let sizes: f64 = parts.iter().map(|part| part.abs()).sum();
        let least = parts.iter().sum::<f64>() - ROUNDING * sizes;
        if !least.is_finite() || gains.iter().any(|gain| !gain.is_finite()) {
            return None;
        }
        let size = self.left.min(self.groups(ways));
        let found = ways.directions.gaining(
            &self.candidates,
            &gains,
            &self.limits,
            size,
            (least, MOST_SETS),
        )?;
        let mut sets: Vec<(Vec<usize>, f64)> = Vec::with_capacity(found.len());
        let mut known = Set { fixed: self.fixed.clone(), free: Vec::new() };
        for mut set in found {
            set.sort_unstable();
            known.free.clear();
            known.free.extend(set.iter().map(|&j| groups[j]));
            if taken.known.contains(&known) {
                continue;
            }
            let mut distance = self.distance(ways, &set);
            if distance <= radius {
                distance = distance.max(self.limited(ways, &set));
            }
            if distance <= radius {
                sets.push((known.free.clone(), distance));
            }
        }
        // Several directions of the same features: the nearest counts.
        sets.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
        sets.dedup_by(|later, first| later.0 == first.0);
        sets.sort_by(|a, b| a.1.total_cmp(&b.1));
        Some(sets)
    }

    /// How many features may still change.
    fn groups(&self, ways: &Ways) -> usize {
        let mut groups: Vec<usize> =
            self.candidates.iter().map(|&j| ways.directions.groups[j]).collect();
        groups.dedup();
        groups.len()
    }

    /// The multiplier of the score by which the fewest sets seem to be within a radius; any is valid.
    fn multiplier(&self, radius: f64) -> f64 {
        let (gained, pulled, both) = self.typical;
        let missing = self.need + both;
        let room = radius * radius - self.square + pulled;
        // That of the near set, where it is beyond the radius; else that of sets like it which are just at the radius.
        if missing > 0.0 && gained > 0.0 { (room / missing).max(missing / gained) } else { 0.0 }
    }

    /// The least distance of a set of directions, at most.
    fn distance(&self, ways: &Ways, set: &[usize]) -> f64 {
        let (gained, pulled, both, error) =
            ways.directions.squares(set, |j| (ways.gains[j], self.pull(j)));
        if !error.is_finite() {
            return 0.0;
        }
        let scale = self.need.abs() + both.abs() + (gained * pulled).sqrt();
        let missing = (self.need + both - 4.0 * error * scale).max(0.0);
        let along =
            if missing > 0.0 { missing * missing / gained * (1.0 - 2.0 * error) } else { 0.0 };
        let square = self.square - pulled - 4.0 * error * (self.square + pulled) + along;
        square.max(0.0).sqrt() * (1.0 - ROUNDING)
    }
}

impl Problem {
    /// The same within the limits of each direction, by multipliers of about the nearest point.
    fn limited(&self, ways: &Ways, set: &[usize]) -> f64 {
        let size = set.len();
        let at: Vec<usize> =
            set.iter().filter_map(|j| self.candidates.binary_search(j).ok()).collect();
        let gain = |i: usize| ways.gains[set[i]];
        let limits = |i: usize| self.limits[at[i]];
        let most = |i: usize| (gain(i) * limits(i).0).max(gain(i) * limits(i).1);
        let reach: f64 = (0..size).map(most).sum();
        let sizes: f64 = (0..size).map(|i| (gain(i) * limits(i).0).abs().max(most(i))).sum();
        if reach < self.need - ROUNDING * (self.need.abs() + sizes) {
            return f64::INFINITY;
        }
        // The nearest point, with those at a limit that would go beyond it.
        let mut held: Vec<Option<f64>> = vec![None; size];
        let (mut point, mut theta) = self.solve(ways, set, &at, &held);
        for _ in 0..size {
            let beyond = |i: usize| (limits(i).0 - point[i]).max(point[i] - limits(i).1);
            let free = (0..size).filter(|&i| held[i].is_none());
            let Some(worst) = free.max_by(|&a, &b| beyond(a).total_cmp(&beyond(b))) else { break };
            if beyond(worst) <= 1e-9 * (1.0 + point[worst].abs()) {
                break;
            }
            held[worst] = Some(point[worst].clamp(limits(worst).0, limits(worst).1));
            (point, theta) = self.solve(ways, set, &at, &held);
        }
        let mut y = self.position.clone();
        for (i, &j) in set.iter().enumerate() {
            let factor = point[i] * ways.directions.inverse[j];
            for (y, image) in y.iter_mut().zip(ways.images[j]) {
                *y += factor * image;
            }
        }
        let length = dot(&y, &y).sqrt();
        if length == 0.0 || !length.is_finite() || !theta.is_finite() {
            return 0.0;
        }
        // Any direction and any multiplier give a bound: the least over the limits, one by one.
        let scale = (1.0 - ROUNDING) / length;
        let theta = theta.max(0.0) * scale;
        let mut bound = scale * dot(&y, &self.position) + theta * self.need;
        let mut sizes = self.square.sqrt() + theta * self.need.abs();
        for (i, &j) in set.iter().enumerate() {
            let product = scale * dot(&y, ways.images[j]) * ways.directions.inverse[j];
            let price = product - theta * gain(i);
            let (low, high) = limits(i);
            bound += (price * low).min(price * high);
            sizes += low.abs().max(high.abs()) * (1.0 + theta * gain(i).abs());
        }
        let terms = (self.position.len() + 64) as f64;
        (bound - 8.0 * terms * f64::EPSILON * sizes).max(0.0)
    }

    /// About the nearest point of a set of directions, some of them held, and its multiplier of the score.
    fn solve(
        &self,
        ways: &Ways,
        set: &[usize],
        at: &[usize],
        held: &[Option<f64>],
    ) -> (Vec<f64>, f64) {
        let free: Vec<usize> = (0..set.len()).filter(|&i| held[i].is_none()).collect();
        let mut need = self.need;
        let mut pulls: Vec<f64> = free.iter().map(|&i| self.pulls[at[i]]).collect();
        for (i, held) in held.iter().enumerate() {
            if let Some(held) = held {
                need -= ways.gains[set[i]] * held;
                for (pull, &j) in pulls.iter_mut().zip(&free) {
                    *pull += held * ways.directions.product(set[i], set[j]);
                }
            }
        }
        let directions: Vec<usize> = free.iter().map(|&i| set[i]).collect();
        let mut gained: Vec<f64> = directions.iter().map(|&j| ways.gains[j]).collect();
        let both = |values: &[f64]| -> f64 {
            directions.iter().zip(values).map(|(&j, value)| ways.gains[j] * value).sum()
        };
        ways.directions.divide(&directions, &mut [&mut gained, &mut pulls]);
        let square = both(&gained);
        let theta = if square > 0.0 { ((need + both(&pulls)) / square).max(0.0) } else { 0.0 };
        let mut point: Vec<f64> = held.iter().map(|held| held.unwrap_or(0.0)).collect();
        for (k, &i) in free.iter().enumerate() {
            point[i] = theta * gained[k] - pulls[k];
        }
        (point, theta)
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
fn by_place(task: &Task, from: &Node, f: usize, distance: f64) -> Vec<Node> {
    let space = task.space;
    let (low, high) = from.region.spans[f];
    let feature = &space.features[f];
    let changed = (low..=high).filter(|&place| !feature.is_keep(place));
    let mut regions: Vec<Region> = Vec::new();
    for place in changed {
        let mut region = from.region.clone();
        region.spans[f] = (place, place);
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

#[cfg(test)]
mod tests {
    use rand::{Rng, RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::instance::{Cost, Distance, FeatureOptions, Instance, Limits};
    use crate::model::{Classifier, Linear};
    use crate::search::trial::points;

    /// Numbers and two features of levels; some columns are nearly the same, or count for nothing.
    fn instance(random: &mut impl Rng) -> Instance {
        let columns = [vec![0], vec![1], vec![2], vec![3], vec![4, 5, 6], vec![7, 8]];
        let mut row = |length: usize| -> Vec<f64> {
            (0..length).map(|_| random.random_range(-1.0..1.0)).collect()
        };
        let mut factor: Vec<Vec<f64>> = (0..9).map(|_| row(9)).collect();
        let weights = row(9);
        let features: Vec<FeatureOptions> = columns
            .into_iter()
            .enumerate()
            .map(|(index, columns)| {
                let mut options = vec![vec![0.0; columns.len()]];
                options.extend((0..3).map(|_| row(columns.len())));
                FeatureOptions::of_changes(format!("f{index}"), columns, &[0.0; 9], &options)
            })
            .collect();
        let alike = [0.0, 1e-9, 1e-5, 1e-2][random.random_range(0..4)];
        let near = random.random_bool(0.5);
        let nothing = random.random_bool(0.1);
        for row in &mut factor {
            if near {
                row[1] = alike * row[1] - row[0];
                row[7] = row[3] + alike * row[7];
            }
            row[2] *= if nothing { 0.0 } else { 1.0 };
        }
        let most = random.random_range(2..4);
        let linear = Linear { weights, intercept: -random.random_range(0.1..1.5) };
        let limits = Limits::default();
        let cost = Cost { distance: Distance::Mahalanobis { factor }, outlier: None, most: limits };
        Instance::new(vec![0.0; 9], features, most, Classifier::Linear(linear), cost).unwrap()
    }

    #[test]
    fn every_plan_within_a_radius_is_in_a_set_at_no_more_than_its_distance() {
        let mut random = ChaCha8Rng::seed_from_u64(11);
        let (mut inside, mut outside, mut fixed, mut tight) = (0, 0, 0, 0);
        for round in 0..1500 {
            let instance = instance(&mut random);
            let space = Space::new(&instance);
            let ways = Ways::new(&space);
            let mut region = Region::whole(&space);
            if round % 2 == 0 {
                // One of the features stays at a place that changes it.
                let f = random.random_range(0..space.features.len());
                let place = random.random_range(0..=space.features[f].last());
                region.spans[f] = (place, place);
            }
            if !region.settle(&space) || region.undecided(&space).is_empty() {
                continue;
            }
            let mut problem = Problem::new(&space, &ways, &region).unwrap();
            fixed += usize::from(!problem.fixed.is_empty());
            let radius = problem.first_radius(&ways, 0.0) * random.random_range(0.8..1.6);
            let sets = problem.within(&ways, &Taken::default(), radius).unwrap();
            for places in points(&space, &region) {
                let plan = instance.evaluate(&space.choice(&places));
                if plan.score < 0.0 || plan.distance > radius {
                    continue;
                }
                let changed = |f: &usize| !space.features[*f].is_keep(places[*f]);
                let changed: Vec<usize> = (0..places.len()).filter(changed).collect();
                if changed.len() > instance.max_changes {
                    continue;
                }
                let of_problem = |f: &usize| problem.fixed.iter().any(|fixed| fixed.0 == *f);
                let holds = |set: &&(Vec<usize>, f64)| {
                    changed.iter().all(|f| set.0.contains(f) || of_problem(f))
                };
                let mut least = f64::INFINITY;
                for set in sets.iter().filter(holds) {
                    assert!(set.1 <= plan.distance, "{} above {}", set.1, plan.distance);
                    least = least.min(set.1);
                }
                assert!(least < f64::INFINITY, "a plan at {} is in no set", plan.distance);
                tight += usize::from(least > 0.9 * plan.distance);
                inside += 1;
            }
            let all = problem.within(&ways, &Taken::default(), 1e3 * radius);
            outside += all.map_or(0, |all| all.len() - sets.len());
            assert!(problem.within(&ways, &Taken::default(), f64::MAX).is_none());
        }
        assert!(
            inside > 500 && outside > 3000 && fixed > 300 && tight > 150,
            "{inside} {outside} {fixed} {tight}"
        );
    }
}
