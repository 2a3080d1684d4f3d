//! Trees: the best leaf of every tree that a region can reach, added up.

use std::ops::Range;

use super::leaves::{Condition, NAMED, TreeScore, cell_spans};
use super::steps::Steps;
use crate::search::bound::ball::Ball;
use crate::search::bound::relax::Mix;
use crate::search::layout::region::{Region, Stand};
use crate::search::layout::space::Space;
use crate::search::layout::values::ValueIndex;
use crate::search::score::{Counted, Losses, MemberBound, Reach, ScoreBound};

/// About what a thread needs per leaf while it works on a region: its number in a few lists, and what it loses.
const WORK_PER_LEAF: usize = 64;

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
