//! Distance, validity and outlier term in one bound, one reference point at a time.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::ground::Ground;
use super::lagrange::Pull;
use super::nearby::{Candidate, Nearby, Rivals};
use super::node::{Bounds, Node, Task, Worker};
use super::reference::Reference;
use super::region::Region;
use super::relax::{Aim, Relaxed};

/// Points whose own relaxed problem is solved in one step, at most.
const TRIES: u32 = 4;

/// A candidate and what has been done about it in this step.
struct Entry {
    candidate: Candidate,
    /// Looked at again in this region.
    fresh: bool,
    /// Bounded by the multipliers of this many tries.
    tries: u32,
    /// Had its own relaxed problem.
    own: bool,
}

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Entry {}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Entry {
    /// The least bound comes first.
    fn cmp(&self, other: &Self) -> Ordering {
        other.candidate.total.total_cmp(&self.candidate.total)
    }
}

impl Worker<'_> {
    /// For every point that may be nearest, a bound of what plans cost then; the least over points
    /// bounds the region. Points that make plans too dear, or can't be nearest, are dropped for good.
    ///
    /// Only the point with the least bound is worked on: looked at again, bounded by the current
    /// multipliers, given multipliers of its own. It either makes room for the next, or is as good as it
    /// gets.
    pub(super) fn bound_jointly(
        &mut self,
        node: &Node,
        region: &Region,
        reference: &Reference,
        bounds: &mut Bounds,
    ) -> (Nearby, Relaxed) {
        let Task { space, best, .. } = *self.task;
        let mut ground = Ground::new(space, reference, region);
        let rivals = Rivals::new(&mut ground, &node.nearby.rivals);
        let mut relaxed = (*node.relaxed).clone();
        let floor = bounds.floor;
        let mut heap: BinaryHeap<Entry> = node
            .nearby
            .candidates
            .iter()
            .map(|&known| Candidate { total: known.total.max(floor + known.value), ..known })
            .filter(|candidate| !best.beats(candidate.total))
            .map(|candidate| Entry { candidate, fresh: false, tries: 0, own: false })
            .collect();
        let mut tries = 0;
        while let Some(mut entry) = heap.pop() {
            let candidate = &mut entry.candidate;
            if best.beats(candidate.total) {
                // The least of all.
                heap.clear();
                break;
            }
            if !entry.fresh {
                entry.fresh = true;
                if !rivals.refresh(&mut ground, candidate) {
                    continue;
                }
            } else if entry.tries < tries {
                entry.tries = tries;
                let pull = Pull::new(candidate.n as usize, reference.strength(candidate.n));
                let joint = self.prices.bound(space, region, Some((reference, pull))).value;
                candidate.total = candidate.total.max(joint);
            } else if !entry.own && tries < TRIES {
                if rivals.beat(&mut ground, candidate.n) {
                    continue;
                }
                tries += 1;
                (entry.own, entry.tries) = (true, tries);
                relaxed = self.join(region, reference, &rivals, candidate.n, &relaxed, bounds);
                candidate.total = candidate.total.max(relaxed.bound);
            } else {
                heap.push(entry);
                break;
            }
            candidate.total = candidate.total.max(bounds.floor + candidate.value);
            heap.push(entry);
        }
        bounds.raise(heap.peek().map_or(f64::INFINITY, |entry| entry.candidate.total));
        let candidates: Vec<Candidate> = heap.into_iter().map(|entry| entry.candidate).collect();
        let least = candidates.iter().map(|c| c.value).fold(f64::INFINITY, f64::min);
        let nearby = Nearby {
            candidates: candidates.into(),
            rivals: rivals.points.into(),
            bound: least.max(node.nearby.bound),
        };
        (nearby, relaxed)
    }

    /// Solves the relaxed problem in which one point is nearest.
    fn join(
        &mut self,
        region: &Region,
        reference: &Reference,
        rivals: &Rivals,
        n: u32,
        start: &Relaxed,
        bounds: &mut Bounds,
    ) -> Relaxed {
        let space = self.task.space;
        let aim = Aim {
            enough: self.task.best.limit(),
            extra: 0.0,
            pull: Some((reference, n as usize)),
            rivals: &rivals.points,
            additive: self.task.score.additive(),
            losses: bounds.losses.as_ref(),
            halted: self.task.halted,
        };
        let relaxed = self.relaxation.improve(space, region, start, &mut self.prices, &aim);
        self.prices.set(space, region, &relaxed.duals, bounds.losses.as_ref());
        bounds.floor = bounds.floor.max(self.prices.bound(space, region, None).value);
        bounds.pull = Some(Pull {
            n: n as usize,
            strength: reference.strength(n) * relaxed.tau,
            rivals: relaxed.rivals,
        });
        relaxed
    }
}
