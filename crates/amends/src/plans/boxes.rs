//! Boxes of the plane of distance and outlier term that are still to be looked into.
//!
//! A box lies between two points of the front: below the right one's distance and below the left one's
//! outlier term. A plan in it is new, and splits it into two boxes; a proof that there is none ends it. A plan
//! that belongs to neither part is matched by the new point up to the resolution, so once no box
//! is left, every plan is.

use crate::instance::{Evaluation, Limits};

/// Values below this are told apart as if they were this large, so that rounding near 0 makes no points.
const SMALL: f64 = 1e-3;

/// At an end of the front, one part of the cost counts this many times as much as the other.
const LOPSIDED: f64 = 1e4;

/// A point of the plane.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Corner {
    pub distance: f64,
    pub outlier: f64,
}

impl Corner {
    pub(super) fn of(evaluation: &Evaluation) -> Self {
        Self { distance: evaluation.distance, outlier: evaluation.outlier }
    }

    /// The weight of the outlier term at which both parts of this point cost the same.
    fn balance(self) -> f64 {
        self.distance.max(SMALL) / self.outlier.max(SMALL)
    }
}

/// What lies between two known points; an absent one leaves that side open.
#[derive(Debug, Clone, Copy)]
pub(super) struct Gap {
    left: Option<Corner>,
    right: Option<Corner>,
    /// How much there may be to find: the largest comes first.
    pub size: f64,
}

impl Gap {
    /// The whole plane.
    pub(super) const WHOLE: Self = Self { left: None, right: None, size: f64::INFINITY };

    /// What is left on both sides of a point inside.
    pub(super) fn split(&self, at: Corner) -> [Self; 2] {
        let (left, right) = (self.left, self.right);
        [Self::between(left, Some(at), right), Self::between(Some(at), right, left)]
    }

    /// `beyond` is the neighbour that an open side had before: once an end has been found, what may lie
    /// beyond it is little and comes last.
    fn between(left: Option<Corner>, right: Option<Corner>, beyond: Option<Corner>) -> Self {
        let size = match (left, right) {
            (Some(left), Some(right)) => {
                let (width, height) =
                    (right.distance - left.distance, left.outlier - right.outlier);
                width.max(0.0) * height.max(0.0)
            }
            _ if beyond.is_some() => 0.0,
            _ => f64::INFINITY,
        };
        Self { left, right, size }
    }

    /// What plans inside may cost; `None` where nothing can be so little.
    pub(super) fn limits(&self, resolution: f64) -> Option<Limits> {
        let below = |value: f64| value - resolution * value.max(SMALL);
        let limits = Limits {
            distance: self.right.map(|right| below(right.distance)),
            outlier: self.left.map(|left| below(left.outlier)),
        };
        let possible = |limit: Option<f64>| limit.is_none_or(|limit| limit >= 0.0);
        (possible(limits.distance) && possible(limits.outlier)).then_some(limits)
    }

    /// The weight of the outlier term that leads to the middle of the box, or to its open end.
    pub(super) fn weight(&self, own: f64) -> f64 {
        match (self.left, self.right) {
            (None, None) if own > 0.0 => own,
            (None, None) => 1.0,
            (None, Some(right)) => right.balance() / LOPSIDED,
            (Some(left), None) => left.balance() * LOPSIDED,
            (Some(left), Some(right)) => {
                let slope = (right.distance - left.distance) / (left.outlier - right.outlier);
                if slope.is_finite() && slope > 0.0 { slope } else { right.balance() }
            }
        }
    }
}

/// What a solve has proven: plans within the limits cost at least `bound`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fact {
    pub within: Limits,
    pub weight: f64,
    pub bound: f64,
}

impl Fact {
    /// Whether it shows that there is no plan within these limits.
    pub(super) fn rules_out(&self, limits: &Limits) -> bool {
        let (distance, outlier) = (limits.most_distance(), limits.most_outlier());
        // Without a weight the outlier term costs nothing, whatever its limit.
        let outlier_cost = if self.weight == 0.0 { 0.0 } else { self.weight * outlier };
        distance <= self.within.most_distance()
            && outlier <= self.within.most_outlier()
            && distance + outlier_cost < self.bound
    }
}
