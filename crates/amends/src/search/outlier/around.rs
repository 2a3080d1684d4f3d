//! The least true k-LOF around the applicant, where only a few given numbers change and the distance is limited.
//!
//! With `G` the products of what the numbers move `U a` by, `h'a <= R sqrt(h'G^-1 h)` for all changes `a` within a distance
//! `R`. A sum of squares between a point and the changed applicant is that of the applicant, a linear function of the changes,
//! and their own squares: so it varies by the root of a quadratic form of the point's offsets, which is far less than intervals of
//! single numbers allow, and takes no region.

use std::sync::Arc;

use crate::search::layout::region::Region;
use crate::search::layout::space::Space;
use crate::search::outlier::nearby::Nearby;
use crate::search::outlier::neighbours::{NEAREST, Neighbours, nth_least};
use crate::search::outlier::reference::{Reference, Spread};
use crate::search::outlier::region_distances::{Points, RegionDistances};

/// The points that can be among the k nearest, near the applicant.
pub(in crate::search) struct Around<'a> {
    distances: RegionDistances<'a>,
    reference: &'a Reference<'a>,
    k: usize,
    points: Arc<[u32]>,
}

/// A few numbers: per number its feature and one over the length of what a change of one moves `U a` by; and the inverse of the
/// products of these directions, scaled to length one, row by row, with what it may be off by, relatively.
pub(in crate::search) struct Numbers<'n> {
    pub features: &'n [usize],
    pub scales: &'n [f64],
    pub inverse: &'n [f64],
    pub error: f64,
}

impl<'a> Around<'a> {
    /// `None` without a true k-LOF of squared differences, or where it is not known which points matter in a region.
    pub(in crate::search) fn new(
        space: &'a Space<'a>,
        reference: Option<&'a Reference<'a>>,
        nearby: &Nearby,
        region: &Region,
    ) -> Option<Self> {
        let reference = reference.filter(|reference| reference.is_squared())?;
        let k = reference.outlier.k?;
        let points = nearby.pool()?;
        Some(Self {
            distances: RegionDistances::new(space, reference, region),
            reference,
            k,
            points,
        })
    }

    /// No plan that changes only these numbers, within a distance, has a lesser factor; `None` where nothing is known.
    pub(in crate::search) fn least_factor(&self, numbers: &Numbers, radius: f64) -> Option<f64> {
        let size = numbers.features.len();
        let mut spreads = Vec::with_capacity(size);
        for (&f, scale) in numbers.features.iter().zip(numbers.scales) {
            let Spread::Numeric { inverse, offset } = &self.reference.spread[f] else {
                return None;
            };
            spreads.push((inverse * scale, &offset[..]));
        }
        let reach = radius.max(0.0) * (1.0 + 8.0 * numbers.error + 1e-9);
        let moved: f64 =
            (0..size).map(|i| spreads[i].0.powi(2) * numbers.inverse[i * size + i]).sum();
        let moved = reach * reach * moved;
        let mut slopes = vec![0.0; size];
        let mut extremes_of = |n: u32| {
            let n = n as usize;
            for (slope, (scale, offset)) in slopes.iter_mut().zip(&spreads) {
                *slope = scale * offset[n];
            }
            let mut square = 0.0;
            for (i, slope) in slopes.iter().enumerate() {
                let row = &numbers.inverse[i * size..][..size];
                let product: f64 = row.iter().zip(&slopes).map(|(a, b)| a * b).sum();
                square += slope * product;
            }
            let varies = 2.0 * reach * square.max(0.0).sqrt();
            let base = self.reference.base()[n];
            (base - varies, base + varies + moved)
        };
        let mut points = Points::Listed(&self.points);
        let near = NEAREST.max(2 * self.k);
        if points.len() > 2 * near {
            // The k-th least of the largest sums of any points is a limit.
            let largest = self.points[..near].iter().map(|&n| extremes_of(n).1);
            let limit = self.distances.beyond(nth_least(largest, self.k - 1));
            points = points.first(self.reference.in_reach_of(moved, limit));
        }
        let extremes: Vec<(f64, f64)> =
            (0..points.len()).map(|index| extremes_of(points.at(index))).collect();
        Neighbours::by_extremes(&self.distances, self.k, points, &extremes)
            .map(|near| near.least_factor())
    }
}

#[cfg(test)]
mod tests {
    use rand::{Rng, RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::instance::{Cost, Distance, FeatureOptions, Instance, Limits, Outlier};
    use crate::model::{Classifier, Linear};
    use crate::plausibility::Metric;
    use crate::search::layout::space::dot;
    use crate::search::layout::trial::points;
    use crate::search::outlier::nearby::narrow_undecided;
    use crate::search::subsets::Directions;

    /// Four numbers amid points of all densities.
    fn instance(random: &mut impl Rng, count: usize) -> Instance {
        let mut row = |length: usize, size: f64| -> Vec<f64> {
            (0..length).map(|_| random.random_range(-size..size)).collect()
        };
        let factor: Vec<Vec<f64>> = (0..4).map(|_| row(4, 1.0)).collect();
        let features = (0..4).map(|index| {
            let mut options = vec![vec![0.0]];
            options.extend((0..6).map(|_| row(1, 0.6)));
            FeatureOptions::of_changes(format!("f{index}"), vec![index], &[0.0; 4], &options)
        });
        let features = features.collect();
        let reference: Vec<Vec<f64>> = (0..count).map(|_| row(4, 3.0)).collect();
        let density: Vec<f64> = row(count, 0.4).iter().map(|d| 0.5 + d).collect();
        let k_distance: Vec<f64> = row(count, 0.6).iter().map(|d| 0.7 + d).collect();
        let metrics = [Metric::Euclidean, Metric::SquaredEuclidean];
        let metric = metrics[random.random_range(0..2)];
        let outlier = Outlier {
            weight: 1.0,
            metric,
            scale: Some(vec![1.0, 0.5, 2.0, 1.0]),
            points: reference.into(),
            k_distance: k_distance.into(),
            density: density.into(),
            k: Some(random.random_range(1..6)),
        };
        let distance = Distance::Mahalanobis { factor };
        let cost =
            Cost { distance, outlier: Some(outlier), change_cost: 0.0, most: Limits::default() };
        let linear = Linear { weights: vec![1.0; 4], intercept: -0.5 };
        Instance::new(vec![0.0; 4], features, 2, Classifier::Linear(linear), cost).unwrap()
    }

    #[test]
    fn no_plan_of_the_numbers_within_the_distance_has_a_lesser_factor() {
        let mut random = ChaCha8Rng::seed_from_u64(3);
        let (mut compared, mut tight) = (0, 0);
        for round in 0..600 {
            // With many points only those in reach are looked at.
            let instance = instance(&mut random, if round < 400 { 30 } else { 400 });
            let space = Space::new(&instance);
            let reference = Reference::new(&space).unwrap();
            let mut region = Region::whole(&space);
            assert!(region.settle(&space));
            let k = reference.outlier.k.unwrap();
            let mut distances = RegionDistances::new(&space, &reference, &region);
            let nearby = narrow_undecided(&reference.whole, &mut distances, k);
            let around = Around::new(&space, Some(&reference), &nearby, &region).unwrap();
            let images: Vec<&[f64]> =
                space.features.iter().map(|f| &f.numeric().unwrap().image[..]).collect();
            let products = images.iter().flat_map(|a| images.iter().map(|b| dot(a, b))).collect();
            let all = Directions::new(vec![0, 1, 2, 3], products, space.rows);
            let first = random.random_range(0..3);
            let set = [first, random.random_range(first + 1..4)];
            let (_, _, _, error) = all.squares(&set, |_| (0.0, 0.0));
            let mut inverse = Vec::new();
            for i in 0..2 {
                let mut column = vec![0.0; 2];
                column[i] = 1.0;
                all.divide(&set, &mut [&mut column]);
                inverse.extend(column);
            }
            let scales = set.map(|j| all.inverse[j]);
            let numbers = Numbers { features: &set, scales: &scales, inverse: &inverse, error };
            let radius = random.random_range(0.0..1.0);
            let Some(least) = around.least_factor(&numbers, radius) else { continue };
            for f in (0..4).filter(|f| !set.contains(f)) {
                region.keep(&space, f);
            }
            for indices in points(&space, &region) {
                let plan = instance.evaluate(&space.choice(&indices));
                if plan.distance <= radius {
                    let factor = plan.objective - plan.distance;
                    assert!(least <= factor * (1.0 + 1e-12), "{least} above {factor}");
                    compared += 1;
                    tight += usize::from(least > 0.9 * factor);
                }
            }
        }
        assert!(compared > 2000 && tight > compared / 40, "{compared} {tight}");
    }
}
