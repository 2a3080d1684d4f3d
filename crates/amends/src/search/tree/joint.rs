//! Distance, validity and outlier term in one bound, one reference point at a time.

use crate::search::bound::lagrange::Pull;
use crate::search::bound::relax::{Aim, Relaxed};
use crate::search::layout::region::Region;
use crate::search::outlier::nearby::Nearby;
use crate::search::outlier::reference::Reference;
use crate::search::outlier::region_distances::RegionDistances;
use crate::search::outlier::rivals::Rivals;
use crate::search::tree::bounds::Bounds;
use crate::search::tree::node::Node;
use crate::search::tree::step::Worker;

/// Points whose own relaxed problem is solved in one step, at most.
const TRIES: u32 = 4;

/// Looks at points in one step, at most: smaller regions tell more for the same effort.
const LOOKS: usize = 100;

/// With more points than this the term hardly depends on which of them is nearest, so the bound
/// without any of them comes first.
const MANY: usize = 40;

impl Worker<'_> {
    /// For every point that may be nearest, a bound of what plans cost then; the least over points
    /// bounds the region. Points that make plans too expensive, or can't be nearest, are dropped for good.
    ///
    /// Only the point with the least bound is worked on: looked at again, bounded by the current
    /// multipliers, given multipliers of its own. It either makes room for the next, or is as good as it
    /// gets.
    pub(in crate::search) fn bound_jointly(
        &mut self,
        node: &Node,
        region: &Region,
        reference: &Reference,
        bounds: &mut Bounds,
    ) -> (Nearby, Relaxed) {
        let (space, best) = (self.task.space, self.cutoff());
        let mut relaxed = (*node.relaxed).clone();
        if node.nearby.len() > MANY {
            relaxed = self.bound_plainly(node, region, bounds);
            if !bounds.outlier_matters(best, &space.cost_limits, &node.nearby, region.left > 0) {
                return (node.nearby.clone(), relaxed);
            }
        }
        let mut distances = RegionDistances::new(space, reference, region);
        let rivals = Rivals::new(&mut distances, &node.nearby.rivals);
        let weight = reference.outlier.weight;
        let mut queue = node.nearby.queue(bounds.floor, weight);
        let mut tries = 0;
        let mut least = f64::INFINITY;
        let mut looks = 0;
        while let Some(mut entry) = queue.pop(bounds.floor) {
            looks += 1;
            let candidate = &mut entry.candidate;
            if best.beats(candidate.total) {
                // The least of all.
                queue.clear();
                break;
            }
            if looks > LOOKS && tries > 0 {
                least = candidate.total;
                queue.push(entry);
                break;
            }
            if !entry.fresh {
                entry.fresh = true;
                if !rivals.refresh(&mut distances, candidate)
                    || !space.cost_limits.admits(candidate.value)
                {
                    continue;
                }
            } else if entry.tries < tries {
                entry.tries = tries;
                let pull = Pull::new(candidate.n as usize, reference.strength(candidate.n));
                let joint = self.prices.bound(space, region, Some((reference, pull))).value;
                candidate.total = candidate.total.max(joint);
            } else if !entry.own && tries < TRIES {
                if rivals.beat(&mut distances, candidate.n) {
                    continue;
                }
                tries += 1;
                (entry.own, entry.tries) = (true, tries);
                relaxed = self.join(region, reference, &rivals, candidate.n, &relaxed, bounds);
                candidate.total = candidate.total.max(relaxed.bound);
            } else {
                least = candidate.total;
                queue.push(entry);
                break;
            }
            candidate.total = candidate.total.max(bounds.floor + weight * candidate.value);
            queue.push(entry);
        }
        bounds.raise(least);
        queue.drop_dear(bounds.floor, best, &space.cost_limits);
        let nearby = queue.finish_least(rivals, node.nearby.term);
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
            space,
            region,
            start,
            enough: self.cutoff().limit(),
            extra: 0.0,
            pull: Some((reference, n as usize)),
            rivals: &rivals.points,
            additive: self.task.score.additive(),
            losses: bounds.losses.as_ref(),
            halted: self.task.halted,
        };
        let relaxed = self.relaxation.improve(&mut self.prices, &aim);
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
