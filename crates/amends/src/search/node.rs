//! One step of the search: bound a region, exclude it, settle it, or split it.

use std::sync::Arc;

use super::best::Best;
use super::branch::split;
use super::lagrange::{Duals, Prices, Pull};
use super::nearby::{Nearby, NearbyScratch};
use super::polish::polish;
use super::probe::Probe;
use super::reference::Reference;
use super::region::Region;
use super::relax::{Aim, Relaxation, Relaxed};
use super::score::{Reach, ScoreBound};
use super::space::Space;
use super::tighten::tighten;
use crate::plausibility::Metric;
use crate::solution::Plan;

/// Reference points whose own relaxed problem is solved in one step.
const JOINT_TRIES: usize = 4;

/// A region that may hold the best plan, with what is known of it.
#[derive(Debug, Clone)]
pub(super) struct Node {
    pub region: Region,
    /// No plan inside costs less.
    pub bound: f64,
    /// The same without the outlier term.
    pub floor: f64,
    pub reach: Reach,
    pub nearby: Nearby,
    pub relaxed: Arc<Relaxed>,
    /// The part of the whole space that this region stands for.
    pub share: f64,
}

/// What all threads share while they search.
pub(super) struct Task<'s> {
    pub space: &'s Space<'s>,
    pub reference: Option<&'s Reference<'s>>,
    pub score: &'s dyn ScoreBound,
    pub best: &'s Best,
    pub guesses: bool,
    pub halted: &'s (dyn Fn() -> bool + Sync),
}

impl Task<'_> {
    /// The whole space.
    pub(super) fn root(&self) -> Node {
        Node {
            region: Region::whole(self.space),
            bound: 0.0,
            floor: 0.0,
            reach: self.score.whole(),
            nearby: Nearby::all(self.reference),
            relaxed: Arc::new(Relaxed {
                duals: Duals::zero(self.space),
                residual: vec![1.0; self.space.rows],
                bound: 0.0,
                tau: 1.0,
            }),
            share: 1.0,
        }
    }
}

/// One thread's tools.
pub(super) struct Worker<'s> {
    task: &'s Task<'s>,
    probe: Probe<'s>,
    prices: Prices,
    relaxation: Relaxation,
    scratch: NearbyScratch,
}

impl<'s> Worker<'s> {
    pub(super) fn new(task: &'s Task<'s>) -> Self {
        let keep = task.space.features.iter().map(|f| f.keep.0).collect();
        Self {
            task,
            probe: Probe::new(task.space, task.reference, keep),
            prices: Prices::default(),
            relaxation: Relaxation::default(),
            scratch: NearbyScratch::default(),
        }
    }

    /// Works on a node; what is left of it comes back as smaller nodes.
    pub(super) fn step(&mut self, node: &Node) -> Vec<Node> {
        let Task { space, reference, score, best, .. } = *self.task;
        let mut region = node.region.clone();
        if best.excludes(node.bound, &region, space) || !region.settle(space) {
            return Vec::new();
        }
        let Some(reach) = score.narrow(space, &region, &node.reach) else { return Vec::new() };
        if let Some(places) = region.single() {
            self.judge(&places);
            return Vec::new();
        }
        let mut bounds = Bounds { floor: node.floor, bound: node.bound, ..Bounds::default() };
        let mut nearby = node.nearby.clone();
        if let Some(reference) = reference {
            (nearby, bounds.values) =
                nearby.narrow(space, reference, &region, bounds.floor, best, &mut self.scratch);
            bounds.raise(bounds.floor + nearby.bound);
        }
        if best.excludes(bounds.bound, &region, space) {
            return Vec::new();
        }
        let relaxed = match reference {
            Some(reference) if joins(reference) => {
                self.bound_jointly(node, &region, reference, &mut nearby, &mut bounds)
            }
            _ => self.bound_apart(node, &region, &nearby, &mut bounds),
        };
        if best.excludes(bounds.bound, &region, space) {
            return Vec::new();
        }
        if self.task.guesses {
            self.try_rounding(&region);
        }
        self.prices.set(space, &relaxed.duals);
        if !tighten(self.task, &mut region, &mut self.prices, &nearby) || !region.settle(space) {
            return Vec::new();
        }
        let parts = split(self.task, &region, &self.relaxation, &reach);
        let share = node.share / parts.len() as f64;
        let relaxed = Arc::new(relaxed);
        let mut children = Vec::with_capacity(parts.len());
        for mut part in parts {
            if !part.settle(space) {
                continue;
            }
            let apart = self.prices.bound(space, &part, None).value;
            let floor = bounds.floor.max(apart);
            let bound = bounds.bound.max(floor + nearby.bound);
            if !best.excludes(bound, &part, space) {
                children.push(Node {
                    region: part,
                    bound,
                    floor,
                    reach: Arc::clone(&reach),
                    nearby: nearby.clone(),
                    relaxed: Arc::clone(&relaxed),
                    share,
                });
            }
        }
        children
    }

    /// Distance and validity in one bound, the outlier term added to it.
    fn bound_apart(
        &mut self,
        node: &Node,
        region: &Region,
        nearby: &Nearby,
        bounds: &mut Bounds,
    ) -> Relaxed {
        let aim = Aim {
            enough: self.task.best.limit(),
            extra: nearby.bound,
            pull: None,
            additive: self.task.score.additive(),
            halted: self.task.halted,
        };
        let relaxed =
            self.relaxation.improve(self.task.space, region, &node.relaxed, &mut self.prices, &aim);
        bounds.floor = bounds.floor.max(relaxed.bound);
        bounds.raise(bounds.floor + nearby.bound);
        relaxed
    }

    /// Distance, validity and the outlier term of each point in one bound; the least over points
    /// bounds the region. Points that are too dear are dropped for good.
    fn bound_jointly(
        &mut self,
        node: &Node,
        region: &Region,
        reference: &Reference,
        nearby: &mut Nearby,
        bounds: &mut Bounds,
    ) -> Relaxed {
        let Task { space, best, .. } = *self.task;
        let mut points: Vec<(u32, f64)> = nearby
            .points
            .iter()
            .zip(&bounds.values)
            .map(|(&n, &value)| (n, (bounds.floor + value).max(node.bound)))
            .collect();
        let mut relaxed = (*node.relaxed).clone();
        let mut tried: Vec<u32> = Vec::new();
        loop {
            let critical = points.iter().min_by(|a, b| a.1.total_cmp(&b.1)).copied();
            let Some((n, _)) = critical else { break };
            if tried.contains(&n) || tried.len() == JOINT_TRIES {
                break;
            }
            tried.push(n);
            let aim = Aim {
                enough: best.limit(),
                extra: 0.0,
                pull: Some((reference, n as usize)),
                additive: self.task.score.additive(),
                halted: self.task.halted,
            };
            relaxed = self.relaxation.improve(space, region, &relaxed, &mut self.prices, &aim);
            self.prices.set(space, &relaxed.duals);
            bounds.floor = bounds.floor.max(self.prices.bound(space, region, None).value);
            let outlier = reference.outlier;
            points.retain_mut(|(n, value)| {
                let index = *n as usize;
                let full = outlier.weight * outlier.density[index];
                for tau in [1.0, relaxed.tau] {
                    let pull = Pull { n: index, strength: full * tau };
                    let joint = self.prices.bound(space, region, Some((reference, pull))).value;
                    *value = value.max(joint);
                }
                !best.beats(*value)
            });
        }
        let least = points.iter().map(|p| p.1).fold(f64::INFINITY, f64::min);
        bounds.raise(least);
        nearby.points = points.iter().map(|p| p.0).collect();
        relaxed
    }

    /// Rounds the relaxed point to options, and improves what comes out.
    fn try_rounding(&mut self, region: &Region) {
        let space = self.task.space;
        let mut places: Vec<u32> = region.spans.iter().map(|span| span.0).collect();
        let mut changed: Vec<usize> = Vec::new();
        for (f, place) in places.iter_mut().enumerate() {
            let (low, high) = region.spans[f];
            *place = (self.relaxation.place[f].round() as u32).clamp(low, high);
            if !space.features[f].is_keep(*place) {
                changed.push(f);
            }
        }
        let usage = &self.relaxation.usage;
        changed.sort_by(|&a, &b| usage[b].total_cmp(&usage[a]));
        for &f in changed.iter().skip(space.instance.max_changes) {
            places[f] = space.features[f].keep.0;
        }
        if let Some(found) = polish(&mut self.probe, &places, self.task.best.limit()) {
            self.judge(&found);
        }
    }

    /// Lets the checker decide on a plan.
    fn judge(&mut self, places: &[u32]) {
        let space = self.task.space;
        self.probe.jump(places);
        let estimate = self.probe.distance(&[]) + self.probe.outlier(&[]);
        let terms = (space.instance.x.len() + space.features.len() + space.rows + 8) as f64;
        let slack = 8.0 * terms * f64::EPSILON * space.distance_scale + self.probe.outlier_slack();
        if estimate > self.task.best.limit() + slack {
            return;
        }
        if let Some(plan) = Plan::judge(space.instance, space.choice(places)) {
            self.task.best.offer(plan);
        }
    }
}

/// Whether a point's outlier term can join the bound of distance and validity.
fn joins(reference: &Reference) -> bool {
    reference.outlier.k.is_none() && reference.outlier.metric != Metric::Euclidean
}

/// The bounds of a region as they rise.
#[derive(Debug, Default)]
struct Bounds {
    floor: f64,
    bound: f64,
    values: Vec<f64>,
}

impl Bounds {
    fn raise(&mut self, bound: f64) {
        self.bound = self.bound.max(bound);
    }
}
