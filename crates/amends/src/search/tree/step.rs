//! One step of the search: bound a region, exclude it, settle it, or split it.

use std::collections::HashSet;
use std::sync::Arc;

use crate::search::bound::ball::Ball;
use crate::search::bound::lagrange::{Duals, Prices};
use crate::search::bound::losses::Losses;
use crate::search::bound::relax::{Mix, Relaxation, Relaxed};
use crate::search::guess::ascent::closer_plan;
use crate::search::guess::probe::Probe;
use crate::search::guess::start::cheapest_keep;
use crate::search::incumbent::Cutoff;
use crate::search::layout::region::Region;
use crate::search::layout::space::Space;
use crate::search::layout::values::ValueIndex;
use crate::search::outlier::nearby::Nearby;
use crate::search::score::{Counted, Reach};
use crate::search::tree::bounds::Bounds;
use crate::search::tree::branch::{Known, split};
use crate::search::tree::changes::by_number;
use crate::search::tree::feasible::{Point, point};
use crate::search::tree::node::{Node, Task};
use crate::search::tree::sets::{Origin, Sets};
use crate::search::tree::tighten::tighten;

/// After this many regions a search is long enough to compute scores of whole regions outright.
const LONG: u64 = 1000;

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
        self.change_cost = node.change_cost;
        self.rest(node).unwrap_or_default()
    }

    /// What is left of a node; `None` where it is excluded or settled.
    fn rest(&mut self, node: &Node) -> Option<Vec<Node>> {
        let Task { space, score, .. } = *self.task;
        let mut region = node.region.clone();
        if self.cutoff().excludes(node.bound, &region, space) || !region.settle(space) {
            return None;
        }
        if let Some(parts) = self.sets.parts(self.task, node, &region) {
            return Some(parts);
        }
        let mut ball = self.ball(&region, &node.nearby, &node.relaxed.duals, node.apart);
        if !shorten(ball.as_mut(), &mut region, space) {
            return None;
        }
        if let Origin::Set(set) = node.origin
            && self.sets.repeats(space, set as usize, &region)
        {
            return None;
        }
        let mut reach = score.narrow(space, &region, &node.reach, ball.as_ref())?;
        if let Some(indices) = region.single() {
            self.judge(&indices);
            return None;
        }
        if self.task.free && score.additive() {
            match point(space, &region) {
                Point::Holds(indices) => {
                    self.judge(&indices);
                }
                Point::Breaks(parts) => return Some(self.parts(node, parts, &reach)),
            }
        }
        let (bounds, nearby, relaxed) = self.bounded(node, &mut region, &mut reach)?;
        self.round_now_and_then(&region);
        let apart = self.shrink(&mut region, &bounds, &nearby, &relaxed.duals)?;
        let parts = match self.count_cells(&region, &reach, &nearby) {
            Counted::Unknown => self.split(&region, &bounds, &reach),
            Counted::Parts(parts) => parts,
            Counted::Within(mut within) => {
                within.settle(space).then(|| self.split(&within, &bounds, &reach))?
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
        Some(self.children(&known, parts))
    }

    /// The bounds of a region, unless they exclude it. The region loses values that no accepted plan has.
    fn bounded(
        &mut self,
        node: &Node,
        region: &mut Region,
        reach: &mut Reach,
    ) -> Option<(Bounds, Nearby, Relaxed)> {
        let score = self.task.score;
        let mut bounds = Bounds { floor: node.floor, bound: node.bound, ..Bounds::default() };
        if !score.additive() {
            bounds.losses = Some(self.losses(region, reach, &node.relaxed.mixes)?);
        }
        let (mut nearby, mut relaxed) = self.bound(node, region, &mut bounds);
        if self.excludes(&bounds, region, &nearby) {
            return None;
        }
        if bounds.losses.is_some() && score.depends_on_point() {
            // Once more, with a sum that is tight where the region's own relaxed point is.
            bounds.losses = Some(self.losses(region, reach, &relaxed.mixes)?);
            let again = Node { nearby, relaxed: Arc::new(relaxed), ..node.clone() };
            (nearby, relaxed) = self.bound(&again, region, &mut bounds);
            if self.excludes(&bounds, region, &nearby) {
                return None;
            }
        }
        Some((bounds, nearby, relaxed))
    }

    /// A sum that bounds the score in a region; `None` where no plan is left in it.
    fn losses(&self, region: &mut Region, reach: &mut Reach, point: &[Mix]) -> Option<Losses> {
        let Task { space, score, .. } = *self.task;
        let losses = score.losses(space, region, reach, point)?;
        region.settle(space).then_some(losses)
    }

    /// Whether bounds exclude a region.
    fn excludes(&self, bounds: &Bounds, region: &Region, nearby: &Nearby) -> bool {
        let space = self.task.space;
        self.cutoff().excludes(bounds.bound, region, space)
            || space.cost_limits.exclude(bounds.floor, nearby.term)
    }

    /// Removes values from a region that its multipliers and its ball exclude, and returns what the multipliers then say of the
    /// distance; `None` where nothing is left.
    fn shrink(
        &mut self,
        region: &mut Region,
        bounds: &Bounds,
        nearby: &Nearby,
        duals: &Duals,
    ) -> Option<f64> {
        let space = self.task.space;
        self.prices.set(space, region, duals, bounds.losses.as_ref());
        let limit = self.cutoff().limit();
        if !tighten(self.task, region, &mut self.prices, nearby, limit) || !region.settle(space) {
            return None;
        }
        let apart = self.prices.bound(space, region, None).value;
        let mut ball = self.ball(region, nearby, duals, apart);
        shorten(ball.as_mut(), region, space).then_some(apart)
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

/// Removes values outside a ball from a region, if there is a ball; `false` where nothing is left.
fn shorten(ball: Option<&mut Ball>, region: &mut Region, space: &Space) -> bool {
    ball.is_none_or(|ball| ball.shorten(region) && region.settle(space))
}
