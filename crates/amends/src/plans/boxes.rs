//! Boxes of the plane of distance and outlier term that are still to be looked into.
//!
//! A box is bounded above in both parts, by limits. A plan in it is new, and what it leaves are two smaller boxes:
//! less distance, or a lesser outlier term. A plan in neither is matched by the new one up to the resolution; so
//! once every box is proven empty, every plan is matched.

use crate::instance::{Evaluation, Limits};

/// Values below this are compared as if they were this large, so that rounding near 0 creates no points.
const SMALL: f64 = 1e-3;

/// The least weight of the outlier term, so that of plans with the same distance the one with the least term is found. A much
/// smaller weight would be lost in the gap of a solve.
const TIE_BREAK: f64 = 1e-3;

/// To find the end of a front, the outlier term counts this many times as much as the distance.
const LOPSIDED: f64 = 1e4;

/// What counts as different, and what as good enough.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scale {
    pub resolution: f64,
    /// Outlier terms up to this count as equally good; 0 where all differences matter.
    pub ordinary: f64,
}

impl Scale {
    /// The most that is less than a value by more than the resolution.
    fn below(self, value: f64) -> f64 {
        value - self.resolution * value.max(SMALL)
    }
}

/// A part of the plane that may hold plans, and what is known of it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Gap {
    /// What plans inside cost at most.
    pub most: Limits,
    /// A lower bound of the distances inside.
    from: f64,
    /// Where the outlier terms inside end, as far as is known.
    down_to: f64,
    /// Which part to look into next.
    next: Next,
}

/// Which part of a box to look into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Next {
    /// No point with a lesser outlier term is known: its least.
    End,
    /// Its middle, where points are to be spread out.
    Middle,
    /// All of it.
    Whole,
}

/// One solve: what to look for in a box.
#[derive(Debug, Clone, Copy)]
pub(super) struct BoxQuery {
    /// The box, or its part with the lesser outlier terms.
    pub within: Limits,
    /// The weight of the outlier term.
    pub weight: f64,
    /// Whether the plan will be the one with the least outlier term, as far as that is known.
    to_the_end: bool,
}

impl Gap {
    /// Everything within some limits.
    pub(super) fn whole(most: Limits) -> Self {
        Self { most, from: 0.0, down_to: 0.0, next: Next::End }
    }

    /// How much there may be to find: the largest comes first.
    pub(super) fn size(&self) -> f64 {
        match (self.most.distance, self.most.outlier) {
            (Some(distance), Some(outlier)) => {
                (distance - self.from).max(0.0) * (outlier - self.down_to).max(0.0)
            }
            // Beyond an end that has been found there is little.
            (None, Some(_)) if self.next != Next::End => 0.0,
            _ => f64::INFINITY,
        }
    }

    /// The first query of all: the cheapest plan at the instance's own weight.
    pub(super) fn first(&self, own: f64) -> BoxQuery {
        let weight = if own > 0.0 { own } else { 1.0 };
        BoxQuery { within: self.most, weight, to_the_end: false }
    }

    /// What to look for: little distance, because bounds of the distance are sharp and those of the outlier
    /// term are not. With `spread` it is sought at the end or in the middle of the box.
    pub(super) fn query(&self, scale: Scale, spread: bool) -> BoxQuery {
        let mut within = self.most;
        let mut to_the_end = false;
        let reach = if self.from > 0.0 { Some(self.from) } else { self.most.distance };
        let distance = reach.unwrap_or(1.0).max(SMALL);
        if let Some(outlier) = self.most.outlier {
            match self.next {
                Next::End if scale.ordinary > 0.0 => {
                    within.outlier = Some(scale.ordinary.min(outlier));
                    to_the_end = true;
                }
                Next::End if spread => {
                    let weight = LOPSIDED * distance / outlier.max(SMALL);
                    return BoxQuery { within, weight, to_the_end: true };
                }
                Next::Middle if spread && self.down_to < scale.below(outlier) => {
                    within.outlier = Some((outlier * self.down_to).sqrt());
                }
                Next::End | Next::Middle | Next::Whole => {}
            }
        }
        // Little more than what decides between plans of the same distance.
        let share = (0.5 * scale.resolution).max(TIE_BREAK);
        let outlier = within.outlier.unwrap_or(self.down_to).max(SMALL);
        BoxQuery { within, weight: share * distance / outlier, to_the_end }
    }

    /// What is left where a query met a plan: less distance, and a lesser outlier term.
    pub(super) fn split(
        &self,
        query: &BoxQuery,
        at: &Evaluation,
        scale: Scale,
    ) -> [Option<Self>; 2] {
        let reached = at.outlier.max(scale.ordinary);
        // Where only a part was looked into, the plans of less distance are in the other.
        let down_to = match (query.within.outlier, self.most.outlier) {
            (Some(asked), Some(most)) if asked < most => asked,
            _ => reached,
        };
        let nearer = Limits { distance: Some(scale.below(at.distance)), ..self.most };
        let nearer = Self { down_to, next: Next::Middle, ..*self }.part(nearer);
        let lesser = Limits { outlier: Some(scale.below(reached)), ..self.most };
        let next = if query.to_the_end { Next::Whole } else { self.next };
        let lesser = Self { from: at.distance, next, ..*self }.part(lesser);
        [nearer, lesser.filter(|_| scale.below(reached) >= scale.ordinary)]
    }

    /// What is left where a query met nothing: the part that it left out.
    pub(super) fn rest(&self, query: &BoxQuery) -> Option<Self> {
        let (all, looked_into) = (self.most.outlier?, query.within.outlier?);
        (looked_into < all).then_some(Self { down_to: looked_into, next: Next::Whole, ..*self })
    }

    /// The part within limits, where anything can be so little.
    fn part(&self, most: Limits) -> Option<Self> {
        let possible = |limit: Option<f64>| limit.is_none_or(|limit| limit >= 0.0);
        (possible(most.distance) && possible(most.outlier)).then_some(Self { most, ..*self })
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
