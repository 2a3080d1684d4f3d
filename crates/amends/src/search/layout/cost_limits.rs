//! Limits on the parts of the cost, as the search compares with them.

use crate::instance::Instance;

/// The most that a plan's parts may be, the checker's tolerance included; infinity without a limit.
#[derive(Debug, Clone, Copy)]
pub(in crate::search) struct CostLimits {
    pub distance: f64,
    /// Of the outlier term, without its weight.
    pub term: f64,
    /// What the outlier term costs at its cap.
    pub outlier_cost: f64,
    /// What as many changes as are allowed cost.
    changes_cost: f64,
}

impl CostLimits {
    pub(in crate::search) fn new(instance: &Instance) -> Self {
        let cost = instance.cost();
        let term = cost.most.most_outlier();
        let outlier_cost = match &cost.outlier {
            None => 0.0,
            // Infinity times zero is not a number.
            Some(outlier) if outlier.weight == 0.0 => 0.0,
            Some(outlier) => outlier.weight * term,
        };
        let changes = instance.max_changes().min(instance.features().len());
        let changes_cost = cost.change_cost * changes as f64;
        Self { distance: cost.most.most_distance(), term, outlier_cost, changes_cost }
    }

    /// No plan costs more than this: all parts at their limits, and what rounding adds.
    pub(in crate::search) fn objective(&self) -> f64 {
        (self.distance + self.outlier_cost + self.changes_cost) * (1.0 + 1e-12)
    }

    /// Whether a region holds no plan, from a bound of each part.
    pub(in crate::search) fn exclude(&self, distance: f64, term: f64) -> bool {
        distance > self.distance || term > self.term
    }

    /// Whether a surrogate's nearest point may have this term, at least.
    pub(in crate::search) fn admits(&self, term: f64) -> bool {
        term <= self.term
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instance::{InstanceParts, read_instances};

    #[test]
    fn an_absent_limit_caps_nothing() {
        let text = r#"{"version": 1, "x": [0],
            "features": [{"name": "a", "columns": [0], "options": [[0], [1]]}],
            "max_changes": 1,
            "classifier": {"kind": "linear", "weights": [1], "intercept": -4},
            "cost": {"distance": {"kind": "table", "costs": [[0, 1]]},
                     "outlier": {"weight": 0, "metric": "manhattan", "points": [[0]],
                                 "k_distance": [1], "density": [1]}}}"#;
        let instance = read_instances(text, "limits").unwrap().remove(0);
        assert_eq!(CostLimits::new(&instance).objective(), f64::INFINITY);
        // Without a weight the outlier term costs nothing, however large it is.
        let instance = instance.edited(|parts| parts.cost.most.distance = Some(2.0)).unwrap();
        assert!((CostLimits::new(&instance).objective() - 2.0).abs() < 1e-8);
        let instance = instance.edited(|parts| parts.cost.most.outlier = Some(3.0)).unwrap();
        let cost_limits = CostLimits::new(&instance);
        assert!(
            cost_limits.exclude(2.1, 0.0)
                && cost_limits.exclude(0.0, 3.1)
                && !cost_limits.exclude(2.0, 3.0)
        );
        let weigh = |parts: &mut InstanceParts| parts.cost.outlier.as_mut().unwrap().weight = 2.0;
        let instance = instance.edited(weigh).unwrap();
        assert!((CostLimits::new(&instance).objective() - 8.0).abs() < 1e-7);
        // Of the four changes that are allowed, the only feature can make one.
        let priced =
            |parts: &mut InstanceParts| (parts.max_changes, parts.cost.change_cost) = (4, 0.5);
        let instance = instance.edited(priced).unwrap();
        assert!((CostLimits::new(&instance).objective() - 8.5).abs() < 1e-7);
    }
}
