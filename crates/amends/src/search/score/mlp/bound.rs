//! Upper bounds of a network's score: sums over features above the score, from lines above and below each ReLU.

use std::sync::Arc;

use super::Network;
use super::plane::{Plane, highest};
use super::units::Units;
use super::view::View;
use crate::search::bound::ball::Ball;
use crate::search::bound::few::Few;
use crate::search::bound::relax::Mix;
use crate::search::layout::region::Region;
use crate::search::layout::space::Space;
use crate::search::layout::values::ValueIndex;
use crate::search::score::{Losses, MemberBound, Reach, ScoreBound};

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

    fn narrow(
        &self,
        space: &Space,
        region: &Region,
        reach: &Reach,
        ball: Option<&Ball>,
    ) -> Option<Reach> {
        let view = View::new(space, self.network, region);
        let units = Units::new(&view, &reach.units, ball)?;
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
        reach: &mut Reach,
        point: &[Mix],
    ) -> Option<Losses> {
        let losses = self.above(space, region, reach, point)?;
        if losses.room < 0.0 {
            return None;
        }
        losses.shave(space, region).then_some(losses)
    }
}

impl MemberBound for MlpScore<'_> {
    fn range(
        &self,
        space: &Space,
        region: &Region,
        reach: &Reach,
        ball: Option<&Ball>,
    ) -> Option<((f64, f64), Reach)> {
        let view = View::new(space, self.network, region);
        let units = Units::new(&view, &reach.units, ball)?;
        let (low, high) = units.of_score(&view, ball);
        let mut few = Few::default();
        let mut best = Vec::new();
        let plane = Plane::new(&view, &units, None);
        let high = high.min(plane.top(&view, &mut few, &mut best));
        let error = 2.0 * self.network.error();
        let reach = Reach { units: Arc::from(units.ranges), ..Reach::nothing() };
        Some(((low - error, high + error), reach))
    }

    fn above(
        &self,
        space: &Space,
        region: &Region,
        reach: &Reach,
        point: &[Mix],
    ) -> Option<Losses> {
        let view = View::new(space, self.network, region);
        let units = Units::known(&view, &reach.units);
        let plane = Plane::new(&view, &units, Some(point));
        let mut few = Few::default();
        let mut best = Vec::new();
        let top = plane.top(&view, &mut few, &mut best);
        let error = 16.0 * self.network.error();
        let mut losses = Losses::none(space, region, true, 0.0, error);
        losses.room = top - self.needed();
        let mut slack = plane.constant - self.needed();
        let mut gains = Vec::new();
        for (k, (open, &(most, _))) in view.open.iter().zip(&best).enumerate() {
            slack += most;
            // What a place costs the few best: its own feature's part, or the part of the one it puts out.
            let part = if open.undecided { most.max(0.0).max(few.edge()) } else { most };
            if open.feature.is_numeric() {
                let slope = plane.slope(&view, k);
                // Where an undecided feature keeps its value, another one takes its part.
                let kept = if open.undecided { (most - few.outside).max(0.0) } else { part };
                losses.set_line(open.f, most, -slope, (part, kept));
                continue;
            }
            plane.gains(&view, k, &mut gains);
            let alone = |(gain, index): (&f64, ValueIndex)| {
                if open.undecided && open.feature.is_keep(index) {
                    // Another one takes its part.
                    (most - few.outside).max(0.0)
                } else {
                    part - gain
                }
            };
            let indices = gains.iter().zip(open.span.0..).map(alone);
            losses.list(open.f, gains.iter().map(|gain| most - gain), indices);
        }
        losses.slack = slack;
        Some(losses)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instance::{Coefficients, Cost, Distance, FeatureOptions, Instance, Limits};
    use crate::model::{Classifier, Layer, Mlp};
    use crate::search::layout::trial::{points, region};
    use rand::{Rng, RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    fn layer(random: &mut impl Rng, inputs: usize, units: usize) -> Layer {
        let mut row = |length: usize| (0..length).map(|_| random.random_range(-2.0..2.0)).collect();
        Layer { weights: (0..units).map(|_| row(inputs)).collect(), bias: row(units) }
    }

    /// Two numbers, a feature of three levels and one of two numbers at once, under a network of some hidden layers.
    fn instance(random: &mut impl Rng, hidden: usize) -> Instance {
        let x: Vec<f64> = (0..7).map(|_| random.random_range(-2.0..2.0)).collect();
        let numbers = |random: &mut dyn FnMut() -> f64, count: usize, columns: usize| {
            let mut options = vec![vec![0.0; columns]];
            options.extend((0..count).map(|_| (0..columns).map(|_| random()).collect()));
            options
        };
        let mut draw = || random.random_range(-3.0..3.0);
        let columns = [vec![0], vec![1], vec![2, 3, 4], vec![5, 6]];
        let features = columns.into_iter().enumerate().map(|(index, columns)| {
            let changes = numbers(&mut draw, 3, columns.len());
            FeatureOptions::of_changes(format!("f{index}"), columns, &x, &changes)
        });
        let features: Vec<FeatureOptions> = features.collect();
        let mut layers = Vec::new();
        let mut inputs = x.len();
        for _ in 0..hidden {
            layers.push(layer(random, inputs, 4));
            inputs = 4;
        }
        layers.push(layer(random, inputs, 1));
        let costs = features
            .iter()
            .map(|feature| Coefficients::constant(1.0, feature.options.len()))
            .collect();
        let cost = Cost {
            distance: Distance::Table { costs },
            outlier: None,
            change_cost: 0.0,
            most: Limits::default(),
        };
        let limit = random.random_range(1..4);
        Instance::new(x, features, limit, Classifier::Mlp(Mlp { layers }), cost).expect("sound")
    }

    #[test]
    fn no_point_of_a_region_beats_its_bounds() {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let mut seen = [0; 2];
        for round in 0..600 {
            let instance = instance(&mut random, round % 4);
            let space = Space::new(&instance);
            let Classifier::Mlp(mlp) = instance.classifier() else { unreachable!() };
            let network = Network::new(&instance, &space.features, mlp);
            let bound = MlpScore { network: &network };
            let Some(region) = region(&mut random, &space) else { continue };
            let scores: Vec<(Vec<ValueIndex>, f64)> = points(&space, &region)
                .into_iter()
                .map(|point| {
                    let score = instance.evaluate(&space.choice(&point)).score;
                    (point, score)
                })
                .collect();
            let accepted = scores.iter().any(|(_, score)| *score >= 0.0);
            let Some(mut reach) = bound.narrow(&space, &region, &bound.whole(), None) else {
                assert!(!accepted, "an accepted point was excluded");
                seen[0] += 1;
                continue;
            };
            let near: Vec<Mix> = (space.features.iter().zip(&region.spans))
                .map(|(feature, _)| {
                    let [from, to] = [0, 1].map(|_| random.random_range(0..=feature.last()));
                    Mix { from, to, share: random.random_range(0.0..1.0) }
                })
                .collect();
            let mut smaller = region.clone();
            let losses = bound.losses(&space, &mut smaller, &mut reach, &near);
            for (point, score) in &scores {
                let inside =
                    |f: usize| (smaller.spans[f].0..=smaller.spans[f].1).contains(&point[f]);
                let Some(losses) = &losses else {
                    assert!(*score < 0.0, "an accepted point was excluded");
                    continue;
                };
                assert!(
                    *score < 0.0 || (0..point.len()).all(inside),
                    "an accepted value was dropped"
                );
                let lost: f64 = (0..point.len()).map(|f| losses.at(&space, f, point[f])).sum();
                let above = losses.slack - lost + bound.needed();
                assert!(*score <= above + losses.error, "{score} above {above}");
                seen[1] += 1;
            }
        }
        assert!(seen[0] > 30 && seen[1] > 1000, "{seen:?}");
    }
}
