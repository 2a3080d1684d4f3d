//! Neural networks: sums over features above the score, from lines above and below each ReLU.

mod plane;
mod units;
mod view;

use std::sync::Arc;

use self::plane::{Plane, highest};
use self::units::Units;
use self::view::{Few, View};
use super::{Losses, Reach, ScoreBound};
use crate::search::network::Network;
use crate::search::region::Region;
use crate::search::relax::Mix;
use crate::search::space::Space;

/// Planes that are tried, each where the last one was highest, before a region counts as one that can be accepted.
const PLANES: usize = 3;

/// A network's bound needs nothing but the network.
pub(super) struct MlpScore<'a> {
    pub network: &'a Network,
}

impl MlpScore<'_> {
    /// What a plan's score is at least, rounding forgiven: the classifier's own and the bound's.
    fn needed(&self) -> f64 {
        -2.0 * self.network.error()
    }
}

impl ScoreBound for MlpScore<'_> {
    fn whole(&self) -> Reach {
        Reach::nothing()
    }

    fn narrow(&self, space: &Space, region: &Region, reach: &Reach) -> Option<Reach> {
        let view = View::new(space, self.network, region);
        let units = Units::new(&view, &reach.units)?;
        let mut few = Few::default();
        let mut best = Vec::new();
        let mut point: Vec<Mix> = region.spans.iter().map(|span| Mix::at(span.0)).collect();
        for round in 0..PLANES {
            let plane = Plane::new(&view, &units, (round > 0).then_some(&point[..]));
            if plane.top(&view, &mut few, &mut best) < self.needed() {
                return None;
            }
            highest(&view.open, &best, few.edge(), &mut point);
        }
        Some(Reach { units: Arc::from(units.ranges), ..Reach::nothing() })
    }

    fn additive(&self) -> bool {
        false
    }

    fn gradual(&self) -> bool {
        true
    }

    fn losses(
        &self,
        space: &Space,
        region: &mut Region,
        reach: &Reach,
        point: &[Mix],
    ) -> Option<Losses> {
        let view = View::new(space, self.network, region);
        let units = Units::known(&view, &reach.units);
        let plane = Plane::new(&view, &units, Some(point));
        let mut few = Few::default();
        let mut best = Vec::new();
        let top = plane.top(&view, &mut few, &mut best);
        let mut losses = Losses::none(region, true, 0.0, 16.0 * self.network.error());
        losses.room = top - self.needed();
        if losses.room < 0.0 {
            return None;
        }
        let mut slack = plane.constant - self.needed();
        let mut gains = Vec::new();
        for (k, (open, &(most, _))) in view.open.iter().zip(&best).enumerate() {
            plane.gains(&view, k, &mut gains);
            slack += most;
            // What a place costs the few best: its own feature's part, or the part of the one it puts out.
            let part = if open.undecided { most.max(0.0).max(few.edge()) } else { most };
            let alone = |(gain, place): (&f64, u32)| {
                if open.undecided && open.feature.is_keep(place) {
                    // Another one takes its part.
                    (most - few.outside).max(0.0)
                } else {
                    part - gain
                }
            };
            let places = gains.iter().zip(open.span.0..).map(alone);
            losses.list(open.f, gains.iter().map(|gain| most - gain), places);
        }
        losses.slack = slack;
        losses.shave(region).then_some(losses)
    }
}
