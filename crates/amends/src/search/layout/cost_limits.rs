//! Limits on the parts of the cost, as the search compares with them.

use crate::instance::Cost;

/// The most that a plan's parts may be, the checker's tolerance included; infinity without a limit.
#[derive(Debug, Clone, Copy)]
pub(in crate::search) struct CostLimits {
    pub distance: f64,
    /// Of the outlier term, without its weight.
    pub term: f64,
    /// What the outlier term costs at its cap.
    pub outlier_cost: f64,
}

impl CostLimits {
    pub(in crate::search) fn new(cost: &Cost) -> Self {
        let term = cost.most.most_outlier();
        let outlier_cost = match &cost.outlier {
            None => 0.0,
            // Infinity times zero is no number.
            Some(outlier) if outlier.weight == 0.0 => 0.0,
            Some(outlier) => outlier.weight * term,
        };
        Self { distance: cost.most.most_distance(), term, outlier_cost }
    }

    /// No plan costs more than this: both parts at their limits, and what rounding adds.
    pub(in crate::search) fn objective(&self) -> f64 {
        (self.distance + self.outlier_cost) * (1.0 + 1e-12)
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
    use crate::instance::read_instances;

    #[test]
    fn an_absent_limit_caps_nothing() {
        let text = r#"{"version": 1, "x": [0],
            "features": [{"name": "a", "columns": [0], "options": [[0], [1]]}],
            "max_changes": 1,
            "classifier": {"kind": "linear", "weights": [1], "intercept": -4},
            "cost": {"distance": {"kind": "table", "costs": [[0, 1]]},
                     "outlier": {"weight": 0, "metric": "manhattan", "points": [[0]],
                                 "k_distance": [1], "density": [1]}}}"#;
        let mut cost = read_instances(text, "limits").unwrap().remove(0).into_parts().cost;
        assert_eq!(CostLimits::new(&cost).objective(), f64::INFINITY);
        // Without a weight the outlier term costs nothing, however large it is.
        cost.most.distance = Some(2.0);
        assert!((CostLimits::new(&cost).objective() - 2.0).abs() < 1e-8);
        cost.most.outlier = Some(3.0);
        let cost_limits = CostLimits::new(&cost);
        assert!(
            cost_limits.exclude(2.1, 0.0)
                && cost_limits.exclude(0.0, 3.1)
                && !cost_limits.exclude(2.0, 3.0)
        );
        cost.outlier.as_mut().unwrap().weight = 2.0;
        assert!((CostLimits::new(&cost).objective() - 8.0).abs() < 1e-7);
    }
}
