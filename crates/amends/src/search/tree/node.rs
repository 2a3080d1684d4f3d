//! A region of the search with what is known of it, and what all threads share.

use std::sync::Arc;

use crate::search::bound::lagrange::Duals;
use crate::search::bound::relax::{Mix, Relaxed};
use crate::search::incumbent::Incumbent;
use crate::search::layout::region::Region;
use crate::search::layout::space::Space;
use crate::search::outlier::nearby::Nearby;
use crate::search::outlier::reference::Reference;
use crate::search::score::{Reach, ScoreBound};
use crate::search::tree::sets::Origin;

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
