//! Trees: the best leaf of every tree that a region can reach, added up.

use std::ops::Range;

use super::steps::{Allowed, Bits, Steps, bits};
use crate::memory;
use crate::model::{Tree, TreeEnsemble};
use crate::search::bound::ball::Ball;
use crate::search::bound::relax::Mix;
use crate::search::layout::feature::Feature;
use crate::search::layout::region::{Region, Stand};
use crate::search::layout::space::Space;
use crate::search::layout::values::ValueIndex;
use crate::search::score::{Counted, Losses, MemberBound, Reach, ScoreBound};

/// What a leaf asks of one feature.
#[derive(Debug, Clone, Copy)]
pub(super) struct Condition {
    pub feature: u32,
    /// Whether the applicant meets it unchanged.
    kept: bool,
    /// The cells that meet it: an interval, or for features without an order a set of bits.
    pub allowed: Allowed,
}

#[derive(Debug)]
struct Leaf {
    tree: u32,
    value: f64,
    conditions: (u32, u32),
    /// The features whose conditions the applicant does not meet unchanged, as bits; of those that
    /// bits can name.
    unmet: u128,
    /// The features that it asks anything of, likewise.
    asked: u128,
}

/// Features that bits can name.
const NAMED: usize = 128;

/// Lists of fewer bytes grow within what a search has claimed from the start.
const LITTLE: usize = 1 << 20;

/// About what a thread needs per leaf while it works on a region: its number in a few lists, and what it loses.
const WORK_PER_LEAF: usize = 64;

/// All leaves of all trees that some plan can reach, tree by tree, the best of each first.
pub(super) struct TreeScore {
    leaves: Vec<Leaf>,
    conditions: Vec<Condition>,
    trees: usize,
    /// What the sum over trees must reach, rounding forgiven.
    pub(super) needed: f64,
    /// What is to be taken from a sum over trees for no score to be lower.
    excess: f64,
    /// What a sum over trees can be off by.
    error: f64,
}

/// Makes room for more in a list; where there is no memory, says how many bytes were asked for.
fn make_room<T>(list: &mut Vec<T>, more: usize) -> Result<(), usize> {
    if list.len() + more <= list.capacity() {
        return Ok(());
    }
    let capacity = (2 * list.capacity()).max(list.len() + more);
    let bytes = capacity * size_of::<T>();
    let free = bytes < LITTLE || memory::is_free(bytes);
    if free && list.try_reserve_exact(capacity - list.len()).is_ok() {
        Ok(())
    } else {
        Err(memory::with_claims(bytes))
    }
}

impl TreeScore {
    /// Where memory is too short, the error is the bytes that could not be had.
    pub(super) fn new(space: &Space, ensemble: &TreeEnsemble) -> Result<Self, usize> {
        let mut owner: Vec<Option<usize>> = vec![None; space.instance.x().len()];
        for (f, feature) in space.features.iter().enumerate() {
            for &column in &feature.columns {
                owner[column] = Some(f);
            }
        }
        let mut score = Self {
            leaves: Vec::new(),
            conditions: Vec::new(),
            trees: ensemble.trees.len(),
            needed: 0.0,
            excess: 0.0,
            error: 0.0,
        };
        let mut scale = ensemble.threshold.abs();
        for (index, tree) in ensemble.trees.iter().enumerate() {
            let mut path = Vec::new();
            let first = score.leaves.len();
            score.collect(space, &owner, (tree, index as u32), 0, &mut path)?;
            let leaves = &mut score.leaves[first..];
            leaves.sort_by(|a, b| b.value.total_cmp(&a.value));
            scale += leaves.iter().map(|leaf| leaf.value.abs()).fold(0.0, f64::max);
        }
        let error = 4.0 * (ensemble.trees.len() as f64 + 4.0) * f64::EPSILON * scale;
        score.needed = ensemble.least_exact_sum() - error;
        score.excess = ensemble.threshold + ensemble.sums.rounding(&ensemble.trees) + error;
        score.error = error;
        Ok(score)
    }

    /// Walks down a tree, keeping for every feature on the path the cells that stay on it. Leaves that ask for more changes than
    /// may be made are left out: of deep trees, that is most of them.
    fn collect(
        &mut self,
        space: &Space,
        owner: &[Option<usize>],
        (tree, index): (&Tree, u32),
        node: usize,
        path: &mut Vec<Step>,
    ) -> Result<(), usize> {
        if tree.is_leaf(node) {
            return self.push_leaf(index, tree.value[node], path);
        }
        let column = tree.feature[node] as usize;
        for (child, left) in [(tree.left[node], true), (tree.right[node], false)] {
            let child = child as usize;
            let Some(f) = owner[column] else {
                if (space.instance.x()[column] <= tree.threshold[node]) == left {
                    self.collect(space, owner, (tree, index), child, path)?;
                }
                continue;
            };
            let before = path.iter().position(|step| step.f == f);
            let so_far = before.map(|at| path[at].allowed);
            let Some(allowed) = split(space, f, column, tree.threshold[node], left, so_far) else {
                continue;
            };
            let feature = &space.features[f];
            let kept = allowed.meets(cell_span(feature, feature.keep));
            let step = Step { f, allowed, kept, counts: !kept && !feature.is_state() };
            if let Some(at) = before {
                let old = std::mem::replace(&mut path[at], step);
                if may_change(space, path) {
                    self.collect(space, owner, (tree, index), child, path)?;
                }
                path[at] = old;
            } else {
                path.push(step);
                if may_change(space, path) {
                    self.collect(space, owner, (tree, index), child, path)?;
                }
                path.pop();
            }
        }
        Ok(())
    }

    fn push_leaf(&mut self, tree: u32, value: f64, path: &[Step]) -> Result<(), usize> {
        make_room(&mut self.leaves, 1)?;
        make_room(&mut self.conditions, path.len())?;
        let from = self.conditions.len();
        self.conditions.extend(path.iter().map(|step| Condition {
            feature: step.f as u32,
            kept: step.kept,
            allowed: step.allowed,
        }));
        let conditions = &mut self.conditions[from..];
        // The most selective conditions are the ones that the applicant does not meet.
        conditions.sort_by_key(|condition| condition.kept);
        let named = |unmet_only: bool| {
            let named = conditions.iter().filter(|c| (c.feature as usize) < NAMED);
            let asked = named.filter(|condition| !(unmet_only && condition.kept));
            asked.fold(0, |bits, condition| bits | 1 << condition.feature)
        };
        let (unmet, asked) = (named(true), named(false));
        let conditions = (from as u32, self.conditions.len() as u32);
        self.leaves.push(Leaf { tree, value, conditions, unmet, asked });
        Ok(())
    }
}

/// What the way down a tree asks of one feature.
#[derive(Debug, Clone, Copy)]
struct Step {
    f: usize,
    allowed: Allowed,
    /// Whether the applicant meets it unchanged.
    kept: bool,
    /// Whether it takes a change; that of a state is counted with its number.
    counts: bool,
}

/// Whether a path asks for no more changes than may be made.
fn may_change(space: &Space, path: &[Step]) -> bool {
    path.iter().filter(|step| step.counts).count() <= space.instance.max_changes()
}

/// The cells of an interval of values.
fn cell_span(feature: &Feature, (low, high): (ValueIndex, ValueIndex)) -> (u32, u32) {
    (feature.cells.of(low), feature.cells.of(high))
}

/// The cells of a region, feature by feature.
pub(super) fn cell_spans(space: &Space, region: &Region) -> Vec<(u32, u32)> {
    let pairs = space.features.iter().zip(&region.spans);
    pairs.map(|(feature, &span)| cell_span(feature, span)).collect()
}

/// The cells on one side of a split that were allowed before it; `None` where there are none.
fn split(
    space: &Space,
    f: usize,
    column: usize,
    threshold: f64,
    left: bool,
    so_far: Option<Allowed>,
) -> Option<Allowed> {
    let feature = &space.features[f];
    let position = feature.columns.iter().position(|&c| c == column)?;
    if let Some(numeric) = feature.numeric() {
        // Ordered by value: the left side is a prefix, and a cell begins where it ends.
        let cells = feature.cells.of(feature.last()) + 1;
        let first_right = numeric.cuts[position].first_above(threshold);
        let (low, high) = match so_far {
            Some(Allowed::Interval(low, high)) => (low, high + 1),
            _ => (0, cells),
        };
        let (low, end) =
            if left { (low, high.min(first_right)) } else { (low.max(first_right), high) };
        return (low < end).then(|| Allowed::Interval(low, end - 1));
    }
    // Features of more options, without an order, are left out of the conditions.
    let last = feature.last() as u32;
    if last as usize >= Bits::ROOM {
        return Some(Allowed::Interval(0, last));
    }
    let mut set = match so_far {
        Some(Allowed::Set(indices)) => indices.set(),
        _ => u128::MAX,
    };
    for index in 0..=last {
        if (feature.values.value(ValueIndex::from(index), position) <= threshold) != left {
            set &= !(1 << index);
        }
    }
    set &= bits((0, last));
    (set != 0).then(|| Allowed::Set(set.into()))
}

impl ScoreBound for TreeScore {
    fn whole(&self) -> Reach {
        // No feature has lost anything yet; the first region asks about all of them.
        Reach { leaves: (0..self.leaves.len() as u32).collect(), ..Reach::nothing() }
    }

    fn work(&self) -> usize {
        self.leaves.len() * WORK_PER_LEAF
    }

    fn narrow(
        &self,
        space: &Space,
        region: &Region,
        reach: &Reach,
        _: Option<&Ball>,
    ) -> Option<Reach> {
        let reachable = self.reachable(space, region, reach)?;
        (reachable.highest >= self.needed).then(|| reachable.reach(reach))
    }

    fn additive(&self) -> bool {
        false
    }

    fn gradual(&self) -> bool {
        false
    }

    fn losses(
        &self,
        space: &Space,
        region: &mut Region,
        reach: &mut Reach,
        point: &[Mix],
    ) -> Option<Losses> {
        let losses = self.above(space, region, reach, point)?;
        losses.shave(space, region).then_some(losses)
    }

    fn last_changes(&self, space: &Space, region: &Region, reach: &Reach) -> Option<Vec<bool>> {
        Some(self.accepted_with_one_change(space, region, reach, 0.0))
    }

    fn count_cells(
        &self,
        space: &Space,
        region: &Region,
        reach: &Reach,
        price: &dyn Fn(usize, (ValueIndex, ValueIndex)) -> f64,
        room: f64,
    ) -> Counted {
        self.count(space, region, reach, price, (0.0, room))
    }
}

impl MemberBound for TreeScore {
    fn range(
        &self,
        space: &Space,
        region: &Region,
        reach: &Reach,
        _: Option<&Ball>,
    ) -> Option<((f64, f64), Reach)> {
        let reachable = self.reachable(space, region, reach)?;
        let range = (reachable.lowest - self.excess, reachable.highest - self.needed);
        Some((range, reachable.reach(reach)))
    }

    fn above(&self, space: &Space, region: &Region, reach: &Reach, _: &[Mix]) -> Option<Losses> {
        let total: f64 = self.by_tree(reach).map(|tree| self.value(tree[0])).sum();
        let decided = region.undecided(space).is_empty();
        let mut losses =
            Losses::none(space, region, decided, total - self.needed, 32.0 * self.error);
        let mut own = Own::default();
        let spans = cell_spans(space, region);
        for tree in self.by_tree(reach).filter(|tree| tree.len() > 1) {
            self.losses_of_tree(space, &spans, tree, &mut own, &mut losses);
        }
        losses.finish(&spans);
        Some(losses)
    }

    fn last_changes_above(
        &self,
        space: &Space,
        region: &Region,
        reach: &Reach,
        cut: f64,
    ) -> Option<Vec<bool>> {
        Some(self.accepted_with_one_change(space, region, reach, cut))
    }

    fn count_cells_above(
        &self,
        space: &Space,
        region: &Region,
        reach: &Reach,
        price: &dyn Fn(usize, (ValueIndex, ValueIndex)) -> f64,
        (cut, room): (f64, f64),
    ) -> Counted {
        self.count(space, region, reach, price, (cut, room))
    }
}

/// The leaves that plans of a region can reach.
struct Reachable {
    leaves: Vec<u32>,
    spans: Vec<(u32, u32)>,
    /// The sums of the best and of the worst leaf of every tree.
    highest: f64,
    lowest: f64,
}

impl Reachable {
    fn reach(self, around: &Reach) -> Reach {
        Reach { leaves: self.leaves.into(), spans: self.spans.into(), ..around.clone() }
    }
}

impl TreeScore {
    /// The leaves in reach; `None` where some tree has none, so that there is no plan.
    fn reachable(&self, space: &Space, region: &Region, reach: &Reach) -> Option<Reachable> {
        let stands: Vec<Stand> = (0..region.spans.len()).map(|f| region.stand(space, f)).collect();
        let bits_of = |stand: Stand| {
            let named = stands.iter().take(NAMED).enumerate().filter(|s| *s.1 == stand);
            named.fold(0_u128, |bits, (f, _)| bits | 1 << f)
        };
        let (kept, undecided) = (bits_of(Stand::Kept), bits_of(Stand::Undecided));
        let spans = cell_spans(space, region);
        let fewer =
            |(f, span): (usize, &(u32, u32))| u128::from(reach.spans.get(f) != Some(span)) << f;
        // What kept features don't meet is known already.
        let narrowed = spans.iter().take(NAMED).enumerate().map(fewer).sum::<u128>() & !kept;
        let all_named = region.spans.len() <= NAMED;
        let mut inside = Vec::with_capacity(reach.leaves.len());
        let (mut highest, mut lowest) = (0.0, 0.0);
        let mut tree = u32::MAX;
        let mut seen = 0;
        for &index in reach.leaves.iter() {
            let leaf = &self.leaves[index as usize];
            if leaf.unmet & kept != 0
                || (leaf.unmet & undecided).count_ones() as usize > region.left
            {
                continue;
            }
            if (!all_named || leaf.asked & narrowed != 0)
                && !self.meets(index, &spans, region.left, &stands)
            {
                continue;
            }
            if leaf.tree != tree {
                // The best leaf of a tree comes first, the worst one last.
                lowest += inside.last().map_or(0.0, |&last| self.value(last));
                tree = leaf.tree;
                highest += leaf.value;
                seen += 1;
            }
            inside.push(index);
        }
        lowest += inside.last().map_or(0.0, |&last| self.value(last));
        // Every plan reaches a leaf of every tree.
        (seen == self.trees).then_some(Reachable { leaves: inside, spans, highest, lowest })
    }
}

/// One tree's losses, feature by feature, before they are weighted.
#[derive(Default)]
struct Own {
    /// The feature, its loss where changes are cheap, and its steps.
    features: Vec<(usize, f64, Range<usize>)>,
    steps: Steps,
}

impl TreeScore {
    pub(super) fn value(&self, leaf: u32) -> f64 {
        self.leaves[leaf as usize].value
    }

    /// Whether a region has values that meet all of a leaf's conditions.
    fn meets(&self, leaf: u32, spans: &[(u32, u32)], left: usize, stands: &[Stand]) -> bool {
        let mut forced = 0;
        self.conditions(leaf).iter().all(|condition| {
            let f = condition.feature as usize;
            match stands[f] {
                Stand::Kept => return condition.kept,
                Stand::Undecided => forced += usize::from(!condition.kept),
                Stand::Decided => {}
            }
            forced <= left && condition.allowed.meets(spans[f])
        })
    }

    /// For every feature: whether plans can be accepted that change it and no other undecided one. All features in one pass over the leaves,
    /// which takes about as long as to narrow down the leaves of a single feature's part.
    fn accepted_with_one_change(
        &self,
        space: &Space,
        region: &Region,
        reach: &Reach,
        cut: f64,
    ) -> Vec<bool> {
        let features = region.spans.len();
        let undecided: Vec<bool> =
            (0..features).map(|f| region.stand(space, f) == Stand::Undecided).collect();
        // The best that trees give where no undecided feature changes; of some trees that may be nothing.
        let mut unchanged = 0.0;
        let mut without = 0;
        // What a change of a feature adds, and in how many of those trees it reaches a leaf at all.
        let mut gains = vec![0.0; features];
        let mut reached = vec![0; features];
        let mut better: Vec<(usize, f64)> = Vec::new();
        for tree in self.by_tree(reach) {
            better.clear();
            let mut own = None;
            for &leaf in tree {
                let mut asked = (self.conditions(leaf).iter().take_while(|c| !c.kept))
                    .map(|condition| condition.feature as usize)
                    .filter(|&f| undecided[f]);
                match (asked.next(), asked.next()) {
                    (None, _) => {
                        own = Some(self.value(leaf));
                        break;
                    }
                    // The best leaf of a tree comes first.
                    (Some(f), None) if better.iter().all(|&(other, _)| other != f) => {
                        better.push((f, self.value(leaf)));
                    }
                    _ => {}
                }
            }
            unchanged += own.unwrap_or(0.0);
            without += usize::from(own.is_none());
            for &(f, value) in &better {
                gains[f] += value - own.unwrap_or(0.0);
                reached[f] += usize::from(own.is_none());
            }
        }
        // Differences are rounded, too.
        let needed = self.needed + cut - 2.0 * self.error;
        (0..features).map(|f| reached[f] == without && unchanged + gains[f] >= needed).collect()
    }

    pub(super) fn conditions(&self, leaf: u32) -> &[Condition] {
        let (from, to) = self.leaves[leaf as usize].conditions;
        &self.conditions[from as usize..to as usize]
    }

    /// The leaves of one tree after the other.
    fn by_tree<'r>(&self, reach: &'r Reach) -> impl Iterator<Item = &'r [u32]> {
        reach.leaves.chunk_by(|&a, &b| self.leaves[a as usize].tree == self.leaves[b as usize].tree)
    }

    /// Only features on the path to the best leaf lose anything: elsewhere it stays in reach.
    fn losses_of_tree(
        &self,
        space: &Space,
        spans: &[(u32, u32)],
        tree: &[u32],
        own: &mut Own,
        losses: &mut Losses,
    ) {
        own.features.clear();
        own.steps.list.clear();
        let best = self.value(tree[0]);
        for condition in self.conditions(tree[0]) {
            let f = condition.feature as usize;
            let (low, high) = spans[f];
            // The best leaf is in reach, so it allows an only cell.
            if low == high {
                continue;
            }
            let from = own.steps.list.len();
            own.steps.begin((low, high));
            own.steps.give(condition.allowed, 0.0);
            if own.steps.complete() {
                own.steps.list.truncate(from);
                continue;
            }
            for &leaf in &tree[1..] {
                let loss = best - self.value(leaf);
                match self.conditions(leaf).iter().find(|c| c.feature == condition.feature) {
                    Some(condition) => own.steps.give(condition.allowed, loss),
                    None => own.steps.give_rest(loss),
                }
                if own.steps.complete() {
                    break;
                }
            }
            // What is left no plan takes: any loss is true of it.
            own.steps.give_rest(2.0 * losses.slack.abs() + 1.0);
            let steps = &mut own.steps.list[from..];
            steps.sort_unstable_by_key(|step| step.0);
            // Features that lose where changes are cheap are the ones that matter.
            let keep = space.features[f].cells.of(space.features[f].keep.0).clamp(low, high);
            let cheap = steps.iter().find(|step| keep <= step.1).map_or(0.0, |step| step.2);
            own.features.push((f, cheap, from..own.steps.list.len()));
        }
        let total: f64 = own.features.iter().map(|own| own.1).sum();
        for (f, cheap, steps) in &own.features {
            let weight = if total > 0.0 { cheap / total } else { 0.0 };
            losses.add(spans[*f], *f, &own.steps.list[steps.clone()], weight);
        }
    }
}
