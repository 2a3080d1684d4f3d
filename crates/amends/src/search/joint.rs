//! Distance, validity and outlier term in one bound, one reference point at a time.

use super::ground::Ground;
use super::lagrange::Pull;
use super::nearby::{Candidate, Nearby, Rivals};
use super::node::{Bounds, Node, Task, Worker};
use super::reference::Reference;
use super::region::Region;
use super::relax::{Aim, Relaxed};

/// Points whose own relaxed problem is solved in one step.
const TRIES: usize = 4;

/// Points that are looked at together, the most promising first.
const CHUNK: usize = 32;

/// What the tries bring.
struct Found<'a> {
    relaxed: &'a mut Relaxed,
    bounds: &'a mut Bounds,
    tries: &'a mut usize,
}

impl Worker<'_> {
    /// For every point that may be nearest, a bound of what plans cost then; the least over points
    /// bounds the region. Points that make plans too dear, or can't be nearest, are dropped for good.
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
        let mut rest: Vec<Candidate> = node.nearby.candidates.to_vec();
        let mut chunk: Vec<Candidate> = Vec::new();
        let mut tries = 0;
        while chunk.is_empty() && !rest.is_empty() {
            rest.retain_mut(|candidate| {
                candidate.total = candidate.total.max(bounds.floor + candidate.value);
                !best.beats(candidate.total)
            });
            let size = CHUNK.min(rest.len());
            if size < rest.len() {
                rest.select_nth_unstable_by(size, |a, b| a.total.total_cmp(&b.total));
            }
            chunk.extend(rest.drain(..size));
            chunk.retain_mut(|candidate| {
                let stays = rivals.refresh(&mut ground, candidate);
                candidate.total = candidate.total.max(bounds.floor + candidate.value);
                stays && !best.beats(candidate.total)
            });
            let mut found = Found { relaxed: &mut relaxed, bounds, tries: &mut tries };
            self.try_points(region, &mut ground, &rivals, &mut chunk, &mut found);
        }
        rest.append(&mut chunk);
        let least = |of: &dyn Fn(&Candidate) -> f64| rest.iter().map(of).fold(f64::INFINITY, f64::min);
        bounds.raise(least(&|candidate| candidate.total));
        let bound = least(&|candidate| candidate.value).max(node.nearby.bound);
        let nearby =
            Nearby { candidates: rest.into(), rivals: rivals.points.into(), bound };
        (nearby, relaxed)
    }

    /// Solves the relaxed problem of the point with the least bound, as long as that helps.
    fn try_points(
        &mut self,
        region: &Region,
        ground: &mut Ground,
        rivals: &Rivals,
        chunk: &mut Vec<Candidate>,
        found: &mut Found,
    ) {
        let Task { space, best, .. } = *self.task;
        let reference = ground.reference;
        let outlier = reference.outlier;
        let strength = |n: u32| outlier.weight * outlier.density[n as usize];
        let Found { relaxed, bounds, tries } = found;
        let mut tried: Vec<u32> = Vec::new();
        while tried.len() < TRIES && **tries < 4 * TRIES {
            let least = (0..chunk.len())
                .min_by(|&a, &b| chunk[a].total.total_cmp(&chunk[b].total));
            let Some(least) = least else { return };
            let n = chunk[least].n;
            if tried.contains(&n) {
                return;
            }
            if rivals.beat(ground, n) {
                chunk.swap_remove(least);
                continue;
            }
            tried.push(n);
            **tries += 1;
            let aim = Aim {
                enough: best.limit(),
                extra: 0.0,
                pull: Some((reference, n as usize)),
                rivals: &rivals.points,
                additive: self.task.score.additive(),
                losses: bounds.losses.as_ref(),
                halted: self.task.halted,
            };
            **relaxed = self.relaxation.improve(space, region, relaxed, &mut self.prices, &aim);
            self.prices.set(space, region, &relaxed.duals, bounds.losses.as_ref());
            bounds.floor = bounds.floor.max(self.prices.bound(space, region, None).value);
            bounds.pull = Some(Pull {
                n: n as usize,
                strength: strength(n) * relaxed.tau,
                rivals: relaxed.rivals,
            });
            let floor = bounds.floor;
            chunk.retain_mut(|candidate| {
                let joint = if candidate.n == n {
                    relaxed.bound
                } else {
                    let pull = Pull::new(candidate.n as usize, strength(candidate.n));
                    self.prices.bound(space, region, Some((reference, pull))).value
                };
                candidate.total = candidate.total.max(joint).max(floor + candidate.value);
                !best.beats(candidate.total)
            });
        }
    }
}
