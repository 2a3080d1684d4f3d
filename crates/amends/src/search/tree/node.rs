//! One step of the search: bound a region, exclude it, settle it, or split it.

use std::collections::HashSet;
use std::sync::Arc;

use crate::search::bound::ball::Ball;
use crate::search::bound::lagrange::{Duals, Prices};
use crate::search::bound::relax::{Mix, Relaxation, Relaxed};
use crate::search::guess::ascent::closer_plan;
use crate::search::guess::probe::Probe;
use crate::search::guess::start::cheapest_keep;
use crate::search::incumbent::{Cutoff, Incumbent};
use crate::search::layout::region::Region;
use crate::search::layout::space::Space;
use crate::search::layout::values::ValueIndex;
use crate::search::outlier::nearby::Nearby;
use crate::search::outlier::reference::Reference;
use crate::search::score::{Counted, Reach, ScoreBound};
use crate::search::tree::bounds::Bounds;
use crate::search::tree::branch::{Known, split};
use crate::search::tree::changes::by_number;
use crate::search::tree::feasible::{Point, point};
use crate::search::tree::sets::{Origin, Sets};
use crate::search::tree::tighten::tighten;

/// After this many regions a search is long enough to compute scores of whole regions outright.
const LONG: u64 = 1000;

/// A region that may hold the best plan, with what is known of it.
#[derive(Debug, Clone)]
pub(in crate::search) struct Node {
    pub region: Region,
    /// What every plan inside pays for its changes at least.
    pub change_cost: f64,
    /// No plan inside costs less than this and `change_cost`.
    pub bound: f64,
    /// The same without the outlier term.
    pub floor: f64,
    /// What the relaxed problem's multipliers alone say of the distance.
    pub apart: f64,
    pub reach: Reach,
    pub nearby: Nearby,
    pub relaxed: Arc<Relaxed>,
    /// The part of the whole space that this region stands for.
    pub share: f64,
    pub origin: Origin,
}

/// What all threads share while they search.
pub(in crate::search) struct Task<'s> {
    pub space: &'s Space<'s>,
    pub reference: Option<&'s Reference<'s>>,
    pub score: &'s dyn ScoreBound,
    pub best: &'s Incumbent,
    pub guesses: bool,
    /// Whether plans cost nothing.
    pub free: bool,
    pub halted: &'s (dyn Fn() -> bool + Sync),
}

impl Node {
    /// No plan inside costs less.
    pub(in crate::search) fn least_cost(&self) -> f64 {
        self.bound + self.change_cost
    }
}

impl Task<'_> {
    /// The plans of the whole space with so many changes, from and to, as a share of all.
    pub(in crate::search) fn root(&self, wanted: (usize, usize), share: f64) -> Node {
        let nearby = self.reference.map_or_else(Nearby::default, |r| r.whole.clone());
        let region = Region { wanted, ..Region::whole(self.space) };
        Node {
            change_cost: region.least_change_cost(self.space),
            region,
            bound: nearby.bound,
            floor: 0.0,
            apart: 0.0,
            reach: self.score.whole(),
            nearby,
            relaxed: Arc::new(Relaxed {
                duals: Duals::zero(self.space),
                residual: vec![1.0; self.space.rows],
                bound: 0.0,
                tau: 1.0,
                rivals: [(0, 0.0); 2],
                point: vec![0.0; self.space.features.len()],
                mixes: self.space.features.iter().map(|f| Mix::at(f.keep.0)).collect(),
            }),
            share,
            origin: Origin::Whole,
        }
    }
}

/// One thread's tools.
pub(in crate::search) struct Worker<'s> {
    pub task: &'s Task<'s>,
    sets: &'s Sets<'s>,
    pub probe: Probe<'s>,
    pub prices: Prices,
    pub relaxation: Relaxation,
    /// What plans of the current region pay for their changes at least.
    change_cost: f64,
    /// Rounded points that have been tried.
    pub rounded: HashSet<Vec<ValueIndex>>,
    steps: u64,
    /// When the next point is rounded, and how many steps after that the one after it.
    next_guess: u64,
    pause: u64,
}

impl<'s> Worker<'s> {
    pub(in crate::search) fn new(task: &'s Task<'s>, sets: &'s Sets<'s>) -> Self {
        let keep = task.space.features.iter().map(|f| f.keep.0).collect();
        Self {
            task,
            sets,
            probe: Probe::new(task.space, task.reference, keep),
            prices: Prices::default(),
            relaxation: Relaxation::default(),
            change_cost: 0.0,
            rounded: HashSet::new(),
            steps: 0,
            next_guess: 0,
            pause: 8,
        }
    }

    /// What the current region has to undercut.
    pub(in crate::search) fn cutoff(&self) -> Cutoff<'s> {
        self.task.best.beside(self.change_cost)
    }

    /// Works on a node; what is left of it comes back as smaller nodes.
    pub(in crate::search) fn step(&mut self, node: &Node) -> Vec<Node> {
        let Task { space, score, .. } = *self.task;
        self.change_cost = node.change_cost;
        let best = self.cutoff();
        let mut region = node.region.clone();
        if best.excludes(node.bound, &region, space) || !region.settle(space) {
            return Vec::new();
        }
        if let Some(parts) = self.sets.parts(self.task, node, &region) {
            return parts;
        }
        let mut ball = self.ball(&region, &node.nearby, &node.relaxed.duals, node.apart);
        if let Some(ball) = &mut ball
            && !(ball.shorten(&mut region) && region.settle(space))
        {
            return Vec::new();
        }
        if let Origin::Set(set) = node.origin
            && self.sets.repeats(space, set as usize, &region)
        {
            return Vec::new();
        }
        let Some(reach) = score.narrow(space, &region, &node.reach, ball.as_ref()) else {
            return Vec::new();
        };
        if let Some(indices) = region.single() {
            self.judge(&indices);
            return Vec::new();
        }
        if self.task.free && score.additive() {
            match point(space, &region) {
                Point::Holds(indices) => {
                    self.judge(&indices);
                }
                Point::Breaks(parts) => return self.parts(node, parts, &reach),
            }
        }
        let mut bounds = Bounds { floor: node.floor, bound: node.bound, ..Bounds::default() };
        if !score.additive() {
            let point = &node.relaxed.mixes;
            bounds.losses = score.losses(space, &mut region, &reach, point);
            if bounds.losses.is_none() || !region.settle(space) {
                return Vec::new();
            }
        }
        let (mut nearby, mut relaxed) = self.bound(node, &region, &mut bounds);
        if best.excludes(bounds.bound, &region, space)
            || space.cost_limits.exclude(bounds.floor, nearby.term)
        {
            return Vec::new();
        }
        if bounds.losses.is_some() && score.gradual() {
            // Once more, with a sum that is tight where the region's own relaxed point is.
            bounds.losses = score.losses(space, &mut region, &reach, &relaxed.mixes);
            if bounds.losses.is_none() || !region.settle(space) {
                return Vec::new();
            }
            let again = Node { nearby, relaxed: Arc::new(relaxed), ..node.clone() };
            (nearby, relaxed) = self.bound(&again, &region, &mut bounds);
            if best.excludes(bounds.bound, &region, space)
                || space.cost_limits.exclude(bounds.floor, nearby.term)
            {
                return Vec::new();
            }
        }
        self.round_now_and_then(&region);
        self.prices.set(space, &region, &relaxed.duals, bounds.losses.as_ref());
        let limit = best.limit();
        if !tighten(self.task, &mut region, &mut self.prices, &nearby, limit)
            || !region.settle(space)
        {
            return Vec::new();
        }
        let apart = self.prices.bound(space, &region, None).value;
        if let Some(mut ball) = self.ball(&region, &nearby, &relaxed.duals, apart)
            && !(ball.shorten(&mut region) && region.settle(space))
        {
            return Vec::new();
        }
        let parts = match self.count_cells(&region, &reach, &nearby) {
            Counted::Unknown => self.split(&region, &bounds, &reach),
            Counted::Parts(parts) => parts,
            Counted::Within(mut within) => {
                if !within.settle(space) {
                    return Vec::new();
                }
                self.split(&within, &bounds, &reach)
            }
        };
        let known = Node {
            region,
            change_cost: node.change_cost,
            bound: bounds.bound,
            floor: bounds.floor,
            apart,
            reach,
            nearby,
            relaxed: Arc::new(relaxed),
            share: node.share,
            origin: node.origin.split(),
        };
        self.children(&known, parts)
    }

    /// Rounds the relaxed solution of a region that is worked on, less often the longer nothing comes of it.
    fn round_now_and_then(&mut self, region: &Region) {
        self.steps += 1;
        let Task { score, guesses, .. } = *self.task;
        if guesses && score.gradual() && self.steps >= self.next_guess {
            self.pause = if self.try_rounding(region) { 8 } else { self.pause + self.pause / 8 };
            self.next_guess = self.steps + if self.steps < 8 { 1 } else { self.pause };
        }
    }

    /// Looks for a plan that is closer to the applicant than the best one.
    pub(in crate::search) fn look_closer(&mut self) {
        let Task { space, best, halted, guesses, .. } = *self.task;
        if !guesses {
            return;
        }
        let keep: Vec<ValueIndex> = space.features.iter().map(cheapest_keep).collect();
        if let Some(plan) = closer_plan(&mut self.probe, &keep, best.plan().as_ref(), &halted) {
            best.offer(plan);
        }
    }

    /// The parts of a node that are not excluded by its multipliers.
    fn children(&mut self, node: &Node, parts: Vec<Region>) -> Vec<Node> {
        let Task { space, best, .. } = *self.task;
        let share = node.share / parts.len() as f64;
        let mut children = Vec::with_capacity(parts.len());
        for mut part in parts {
            if !part.settle(space) {
                continue;
            }
            let apart = self.prices.bound(space, &part, None).value;
            let floor = node.floor.max(apart);
            let bound = node.bound.max(floor + node.nearby.bound);
            let change_cost = part.least_change_cost(space);
            if !best.beside(change_cost).excludes(bound, &part, space)
                && !space.cost_limits.exclude(floor, node.nearby.term)
            {
                children.push(Node {
                    region: part,
                    change_cost,
                    bound,
                    floor,
                    apart,
                    reach: node.reach.clone(),
                    nearby: node.nearby.clone(),
                    relaxed: Arc::clone(&node.relaxed),
                    share,
                    origin: node.origin,
                });
            }
        }
        children
    }

    /// Where the plans of a region are that could be the best: near enough, and not nearer than multipliers say.
    fn ball(
        &self,
        region: &Region,
        nearby: &Nearby,
        duals: &Duals,
        apart: f64,
    ) -> Option<Ball<'s>> {
        let (space, best) = (self.task.space, self.cutoff());
        let distance = space.cost_limits.distance.min(best.limit() - nearby.bound);
        let ball = Ball::new(space, region, distance)?;
        Some(ball.beyond(&duals.y, duals.least_along(space.norm, apart)))
    }

    /// Parts of a node that know as much as the node does.
    fn parts(&self, node: &Node, parts: Vec<Region>, reach: &Reach) -> Vec<Node> {
        let share = node.share / parts.len() as f64;
        let settled = parts.into_iter().filter_map(|mut part| {
            part.settle(self.task.space).then(|| Node {
                change_cost: part.least_change_cost(self.task.space),
                region: part,
                reach: reach.clone(),
                share,
                origin: node.origin.split(),
                ..node.clone()
            })
        });
        settled.collect()
    }

    /// Looks for the parts of a region in which plans are accepted, where it is decided what changes.
    fn count_cells(&mut self, region: &Region, reach: &Reach, nearby: &Nearby) -> Counted {
        let Task { space, score, .. } = *self.task;
        let best = self.cutoff();
        let most = space.cost_limits.distance.min(best.limit() - nearby.bound);
        if score.additive() || self.steps < LONG || !region.undecided(space).is_empty() {
            return Counted::Unknown;
        }
        let room = most - self.prices.bound(space, region, None).value;
        let prices = &self.prices;
        let price = |f: usize, part: (ValueIndex, ValueIndex)| {
            prices.least(space, None, f, part) - prices.least(space, None, f, region.spans[f])
        };
        score.count_cells(space, region, reach, &price, room)
    }

    /// Splits a region, with what the bounds know.
    fn split(&self, region: &Region, bounds: &Bounds, reach: &Reach) -> Vec<Region> {
        if let Some(parts) = by_number(self.task.space, region) {
            return parts;
        }
        let missing = self.cutoff().limit() - bounds.bound;
        let known = Known {
            relaxation: &self.relaxation,
            prices: &self.prices,
            losses: bounds.losses.as_ref(),
            reach,
            missing,
            factor: self.task.reference.is_some_and(|r| r.outlier.k.is_some()),
            pull: self.task.reference.and_then(|r| bounds.pull.map(|pull| (r, pull))),
        };
        split(self.task, region, &known)
    }
}
