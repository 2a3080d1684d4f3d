//! The lower bounds of a region: distance and validity in one, and the outlier term joined with them or added.

use crate::search::bound::lagrange::Pull;
use crate::search::bound::losses::Losses;
use crate::search::bound::relax::{Aim, Relaxed};
use crate::search::bound::trade::least_cost;
use crate::search::incumbent::Cutoff;
use crate::search::layout::cost_limits::CostLimits;
use crate::search::layout::region::Region;
use crate::search::outlier::nearby::{Nearby, narrow_apart, narrow_lof};
use crate::search::outlier::region_distances::RegionDistances;
use crate::search::tree::node::Node;
use crate::search::tree::step::Worker;

/// In regions that leave changes undecided, the outlier term is looked into where the best plan's would
/// make up for this share of what the bound lacks.
const OUTLIER_SHARE: f64 = 0.5;

impl Worker<'_> {
    /// Bounds a region from all sides.
    pub(in crate::search) fn bound(
        &mut self,
        node: &Node,
        region: &Region,
        bounds: &mut Bounds,
    ) -> (Nearby, Relaxed) {
        match self.task.reference {
            Some(reference) if RegionDistances::joins(reference) => {
                self.bound_jointly(node, region, reference, bounds)
            }
            _ => self.bound_apart(node, region, bounds),
        }
    }

    /// Distance and validity in one bound, the outlier term added to it.
    fn bound_apart(
        &mut self,
        node: &Node,
        region: &Region,
        bounds: &mut Bounds,
    ) -> (Nearby, Relaxed) {
        let (space, best) = (self.task.space, self.cutoff());
        let relaxed = self.bound_plainly(node, region, bounds);
        let mut nearby = node.nearby.clone();
        if let Some(reference) = self.task.reference
            && bounds.outlier_matters(
                best,
                &space.cost_limits,
                &nearby,
                !region.undecided(space).is_empty(),
            )
        {
            let mut distances = RegionDistances::new(space, reference, region);
            nearby = match reference.outlier.k {
                Some(k) => {
                    let (narrowed, near) = narrow_lof(&nearby, &mut distances, k);
                    let bound = bounds.bound.max(bounds.floor + narrowed.bound);
                    if let Some(near) = near
                        && bound <= best.limit()
                        && best.limit().is_finite()
                    {
                        let aim = (best.limit(), best.limit() - bound);
                        let linear = self.task.score.additive();
                        let least = least_cost(space, region, &distances, &near, linear, aim);
                        if let Some(least) = least {
                            bounds.raise(least.bound);
                            if self.task.guesses && linear && bounds.bound <= aim.0 {
                                self.try_changes(region, &least.changes);
                            }
                        }
                    }
                    narrowed
                }
                None => {
                    narrow_apart(&nearby, &mut distances, bounds.floor, best, &space.cost_limits)
                }
            };
            bounds.raise(bounds.floor + nearby.bound);
        }
        (nearby, relaxed)
    }

    /// Distance and validity in one bound; of the outlier term what is known already.
    pub(in crate::search) fn bound_plainly(
        &mut self,
        node: &Node,
        region: &Region,
        bounds: &mut Bounds,
    ) -> Relaxed {
        let (space, best) = (self.task.space, self.cutoff());
        let aim = Aim {
            space,
            region,
            start: &node.relaxed,
            enough: best.limit().min(space.cost_limits.distance + node.nearby.bound),
            extra: node.nearby.bound,
            pull: None,
            rivals: &[],
            additive: self.task.score.additive(),
            losses: bounds.losses.as_ref(),
            halted: self.task.halted,
        };
        let relaxed = self.relaxation.improve(&mut self.prices, &aim);
        bounds.floor = bounds.floor.max(relaxed.bound);
        bounds.raise(bounds.floor + node.nearby.bound);
        relaxed
    }
}

/// The bounds of a region as they rise.
#[derive(Debug, Default)]
pub(in crate::search) struct Bounds {
    pub floor: f64,
    pub bound: f64,
    pub losses: Option<Losses>,
    /// The joined point whose bound was least.
    pub pull: Option<Pull>,
}

impl Bounds {
    /// Whether knowing the outlier term of a region better is worth the effort: not where the region
    /// is excluded anyway, and not while much more is missing than the term can be expected to add, unless
    /// the term has a limit of its own.
    pub(in crate::search) fn outlier_matters(
        &self,
        best: Cutoff,
        cost_limits: &CostLimits,
        nearby: &Nearby,
        large: bool,
    ) -> bool {
        if cost_limits.exclude(self.floor, nearby.term) {
            return false;
        }
        let missing = best.limit() - self.bound;
        let adds_little = best.outlier_cost() - nearby.bound < OUTLIER_SHARE * missing;
        missing >= 0.0 && (cost_limits.term < f64::INFINITY || !(large && adds_little))
    }

    pub(in crate::search) fn raise(&mut self, bound: f64) {
        self.bound = self.bound.max(bound);
    }
}
