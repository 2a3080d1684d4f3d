//! The best plan so far, shared by all threads, and the rule that decides between equal plans.
//!
//! Objectives are compared after rounding to a relative 1e-9, or the gap where that is less (to nearest, in binary digits), so
//! that plans within it of each other tie; of tied plans the one whose list of options is lexicographically least wins. With
//! such a gap this orders all plans, so the winner does not depend on the order in which threads find them. With a larger gap,
//! whatever could only be better by less than the gap is not looked at.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::instance::Cost;
use crate::search::layout::cost_limits::CostLimits;
use crate::search::layout::region::Region;
use crate::search::layout::space::Space;
use crate::solution::Plan;

/// Plans whose objectives differ by less than this, relatively, tie.
const TIE: f64 = 1e-9;

pub(super) struct Incumbent {
    /// How many binary digits of an objective count.
    digits: i32,
    /// The relative gap, where it is larger than what rounding takes for a tie.
    gap: Option<f64>,
    plan: Mutex<Option<Plan>>,
    /// The rounded objective as bits, for reading without the lock.
    level: AtomicU64,
    /// What surely rounds to more than that, as bits; before any plan, what limits allow at most.
    beyond: AtomicU64,
    /// What its outlier term costs, as bits.
    outlier: AtomicU64,
    /// What each change costs.
    change_cost: f64,
}

impl Incumbent {
    pub(super) fn new(relative_gap: f64, cost: &Cost, cost_limits: &CostLimits) -> Self {
        let digits = (-relative_gap.clamp(1e-15, TIE).log2()).ceil() as i32;
        Self {
            digits,
            // A little less than asked for, so that the gap between the two numbers, rounded as they are, is not above it.
            gap: (relative_gap > TIE).then_some(relative_gap * (1.0 - 1e-9)),
            plan: Mutex::new(None),
            level: AtomicU64::new(f64::INFINITY.to_bits()),
            beyond: AtomicU64::new(cost_limits.objective().to_bits()),
            outlier: AtomicU64::new(cost_limits.outlier_cost.to_bits()),
            change_cost: cost.change_cost,
        }
    }

    /// The objective rounded to what counts.
    fn round(&self, objective: f64) -> f64 {
        if objective == 0.0 || !objective.is_finite() {
            return objective;
        }
        let quantum = self.quantum(objective);
        (objective / quantum).round() * quantum
    }

    fn quantum(&self, objective: f64) -> f64 {
        let exponent = objective.abs().log2().floor() as i32;
        2.0_f64.powi((exponent - self.digits).max(-1000))
    }

    /// The least true objective of any plan that is not looked for beside one of this objective: within the gap of it, or
    /// tied with it.
    pub(super) fn tie_floor(&self, objective: f64) -> f64 {
        if objective == 0.0 {
            return 0.0;
        }
        if let Some(gap) = self.gap {
            return objective * (1.0 - gap);
        }
        (self.round(objective) - 0.5 * self.quantum(objective)).max(0.0)
    }

    fn level(&self) -> f64 {
        f64::from_bits(self.level.load(Ordering::Acquire))
    }

    /// The best plan as seen from a region in which every plan pays this much for its changes.
    pub(super) fn beside(&self, changes: f64) -> Cutoff<'_> {
        Cutoff { best: self, changes }
    }

    /// Whether everything that costs at least `bound` is worse than the best plan, ties aside, or more
    /// than limits allow.
    pub(super) fn beats(&self, bound: f64) -> bool {
        bound > self.limit()
    }

    /// Whether a region of at least this cost can't hold the winner, ties included.
    pub(super) fn excludes(&self, bound: f64, region: &Region, space: &Space) -> bool {
        let level = self.level();
        if self.beats(bound) {
            return true;
        }
        if level == f64::INFINITY || bound < level * (1.0 - 2.0_f64.powi(1 - self.digits)) {
            return false;
        }
        let rounded = self.round(bound.max(0.0));
        if rounded != level {
            return rounded > level;
        }
        let first = region.first_choice(space);
        let plan = self.plan.lock().expect("no thread panics with the best plan");
        plan.as_ref().is_some_and(|plan| {
            self.round(plan.evaluation.objective) <= rounded && first >= plan.choice
        })
    }

    /// Whatever costs more than this is worse than the best plan, or no plan.
    pub(super) fn limit(&self) -> f64 {
        f64::from_bits(self.beyond.load(Ordering::Acquire))
    }

    /// A plan that costs more than this is not worth having: it is no better than the best one, ties aside.
    pub(super) fn plan_limit(&self) -> f64 {
        if self.gap.is_some() {
            let level = self.level();
            // Before any plan, what limits allow.
            if level.is_finite() { level * (1.0 - 2.0 * TIE) } else { self.limit() }
        } else {
            self.limit()
        }
    }

    /// What the outlier term of the best plan costs; without a plan, what it may cost at most.
    pub(super) fn outlier_cost(&self) -> f64 {
        f64::from_bits(self.outlier.load(Ordering::Acquire))
    }

    /// Offers a plan; true where it is the best so far.
    pub(super) fn offer(&self, plan: Plan) -> bool {
        let mut best = self.plan.lock().expect("no thread panics with the best plan");
        let level = self.round(plan.evaluation.objective);
        let wins = best.as_ref().is_none_or(|best| {
            let standing = self.round(best.evaluation.objective);
            level < standing || level == standing && plan.choice < best.choice
        });
        if wins {
            let beyond = match self.gap {
                Some(gap) => plan.evaluation.objective * (1.0 - gap),
                // One and a half steps above, because steps double at powers of two.
                None => level + 1.5 * self.quantum(level.max(f64::MIN_POSITIVE)),
            };
            self.level.store(level.to_bits(), Ordering::Release);
            self.beyond.store(beyond.to_bits(), Ordering::Release);
            let changes = self.change_cost * plan.evaluation.changes as f64;
            let outlier = plan.evaluation.objective - plan.evaluation.distance - changes;
            self.outlier.store(outlier.to_bits(), Ordering::Release);
            *best = Some(plan);
        }
        wins
    }

    pub(super) fn objective(&self) -> Option<f64> {
        let plan = self.plan.lock().expect("no thread panics with the best plan");
        plan.as_ref().map(|plan| plan.evaluation.objective)
    }

    /// The best plan so far.
    pub(super) fn plan(&self) -> Option<Plan> {
        self.plan.lock().expect("no thread panics with the best plan").clone()
    }

    pub(super) fn into_plan(self) -> Option<Plan> {
        self.plan.into_inner().expect("no thread panics with the best plan")
    }
}

/// What a region has to undercut. Bounds of a region leave out what its plans pay for their changes at least, so the cutoff is
/// the best plan's cost less that.
#[derive(Clone, Copy)]
pub(super) struct Cutoff<'a> {
    best: &'a Incumbent,
    changes: f64,
}

impl Cutoff<'_> {
    /// Whether everything that costs at least `bound` without its changes is worse than the best plan.
    pub(super) fn beats(&self, bound: f64) -> bool {
        self.best.beats(bound + self.changes)
    }

    /// Whether a region of at least this cost without its changes can't hold the winner, ties included.
    pub(super) fn excludes(&self, bound: f64, region: &Region, space: &Space) -> bool {
        self.best.excludes(bound + self.changes, region, space)
    }

    /// Whatever costs more than this without its changes is worse than the best plan, or no plan.
    pub(super) fn limit(&self) -> f64 {
        self.best.limit() - self.changes
    }

    /// What the outlier term of the best plan costs; without a plan, what it may cost at most.
    pub(super) fn outlier_cost(&self) -> f64 {
        self.best.outlier_cost()
    }
}
