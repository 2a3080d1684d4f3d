//! Limits on the two parts of the cost: how much effort at most, how unusual at most.

use serde::{Deserialize, Serialize};

use super::Evaluation;

/// A part of the cost may exceed its limit by this, relatively: a limit is often the very cost of some
/// plan, and rounding must not decide whether that plan is within it.
pub(crate) const LIMIT_TOLERANCE: f64 = 1e-9;

/// What a plan's distance and outlier term may be at most; no limit where absent.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// The most that the distance may be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub distance: Option<f64>,
    /// The most that the outlier term may be, without its weight.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outlier: Option<f64>,
}

impl Limits {
    /// Whether nothing is limited.
    pub const fn is_empty(&self) -> bool {
        self.distance.is_none() && self.outlier.is_none()
    }

    /// Whether a judged plan is within both limits.
    pub fn hold(&self, evaluation: &Evaluation) -> bool {
        evaluation.distance <= self.most_distance() && evaluation.outlier <= self.most_outlier()
    }

    /// Both these limits and others.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        let least = |a: Option<f64>, b: Option<f64>| match (a, b) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        Self {
            distance: least(self.distance, other.distance),
            outlier: least(self.outlier, other.outlier),
        }
    }

    /// The largest distance of a plan, tolerance included.
    pub(crate) fn most_distance(&self) -> f64 {
        with_tolerance(self.distance)
    }

    /// The largest outlier term of a plan, tolerance included.
    pub(crate) fn most_outlier(&self) -> f64 {
        with_tolerance(self.outlier)
    }
}

fn with_tolerance(limit: Option<f64>) -> f64 {
    limit.map_or(f64::INFINITY, |limit| limit * (1.0 + LIMIT_TOLERANCE))
}

#[cfg(test)]
mod tests {
    use super::super::file::tests::small;
    use super::super::{Limits, read_instances};
    use crate::Plan;

    #[test]
    fn a_plan_beyond_a_limit_is_none() {
        let mut instance = small();
        let choice = vec![2, 0, 1];
        let judged = instance.evaluate(&choice);
        // Exactly at the limit is within it, whatever rounding does.
        for (distance, outlier, within) in [
            (Some(judged.distance), Some(judged.outlier), true),
            (Some(judged.distance * (1.0 - 1e-10)), None, true),
            (Some(judged.distance * (1.0 - 1e-8)), None, false),
            (None, Some(judged.outlier * (1.0 - 1e-8)), false),
            (Some(0.0), None, false),
        ] {
            instance.cost.most = Limits { distance, outlier };
            instance.check().unwrap();
            assert_eq!(Plan::judge(&instance, choice.clone()).is_some(), within);
        }
    }

    #[test]
    fn limits_read_back_equal_and_are_only_written_where_there_are_any() {
        let mut instance = small();
        assert!(!instance.to_json().contains("most\""));
        instance.cost.most.outlier = Some(1.5);
        let text = instance.to_json();
        assert!(text.contains(r#""most":{"outlier":1.5}"#), "{text}");
        assert_eq!(read_instances(&text, "copy").unwrap(), vec![instance]);
        let typo = text.replace(r#"{"outlier":1.5}"#, r#"{"outliers":1.5}"#);
        assert!(read_instances(&typo, "typo").is_err());
    }

    #[test]
    fn the_tighter_of_two_limits_holds() {
        let a = Limits { distance: Some(2.0), outlier: None };
        let b = Limits { distance: Some(3.0), outlier: Some(1.0) };
        assert_eq!(a.and(b), Limits { distance: Some(2.0), outlier: Some(1.0) });
        assert!(Limits::default().and(Limits::default()).is_empty());
    }
}
