//! What a small region costs at least, where distance and true k-LOF are bounded together (`convex.rs`).
//!
//! Where the k nearest points are known, so is the mean of their densities, and the factor is that times the mean of their
//! reaches, which is convex. Where a few sets of points can be the nearest, each of them is bounded, over the part of the region where
//! its points are nearer than the others: a half-space per pair. Where more sets can be, the points that are certainly among the
//! nearest are joined with the distance by the product bound (`neighbours.rs`), and the others count as if they were nearest.

use crate::plausibility::Metric;
use crate::search::bound::convex::{Convex, HalfSpace, Length};
use crate::search::layout::feature::Numeric;
use crate::search::layout::region::{Region, Stand};
use crate::search::layout::space::{Norm, Space, dot};
use crate::search::layout::values::ValueIndex;
use crate::search::outlier::neighbours::{Neighbour, Neighbours};
use crate::search::outlier::reference::Spread;
use crate::search::outlier::region_distances::RegionDistances;

/// As many sets of nearest points are looked at one by one.
const SETS: usize = 8;

/// What is known of a region's costs.
pub(in crate::search) struct Least {
    /// No plan of the region costs less.
    pub bound: f64,
    /// About the changes at which the cost is least, of the features whose numbers vary.
    pub changes: Vec<(usize, f64)>,
}

/// Bounds the cost of a region, of which it is known which points can be the nearest. Looks no further than needed to exceed
/// `enough`, of which `missing` is missing. `None` where something other than a few numbers varies, or costs are no sums of
/// lengths.
pub(in crate::search) fn least_cost(
    space: &Space,
    region: &Region,
    distances: &RegionDistances,
    neighbours: &Neighbours,
    linear: bool,
    (enough, missing): (f64, f64),
) -> Option<Least> {
    let varies = |(f, &(low, high)): (usize, &(ValueIndex, ValueIndex))| {
        low < high && region.stand(space, f) != Stand::Kept
    };
    match region.spans.iter().enumerate().filter(|&at| varies(at)).count() {
        1..=4 => {
            Trade::<4>::new(space, region, distances, neighbours, linear)?.least(enough, missing)
        }
        5..=8 => {
            Trade::<8>::new(space, region, distances, neighbours, linear)?.least(enough, missing)
        }
        _ => None,
    }
}

/// A number that varies.
struct Number {
    f: usize,
    /// The middle of its changes, and half their extent.
    middle: f64,
    half: f64,
    /// One over the scale that the metric divides it by.
    inverse: f64,
}

/// What varies in a region.
struct Varying<'a> {
    /// Numbers with the middle of their changes and half their extent.
    open: Vec<(usize, &'a Numeric, f64, f64)>,
    /// What all else moves `U a` by, with these numbers in the middle.
    position: Vec<f64>,
    /// A linear model's score there.
    score: f64,
}

impl<'a> Varying<'a> {
    /// `None` where something other than numbers varies.
    fn of(space: &'a Space, region: &Region) -> Option<Self> {
        let mut open = Vec::new();
        let mut position = vec![0.0; space.rows];
        let mut score = space.score + space.score_error;
        for (f, (feature, &(low, high))) in space.features.iter().zip(&region.spans).enumerate() {
            if region.stand(space, f) == Stand::Kept {
                continue;
            }
            if low == high {
                feature.add_image(low, 1.0, &mut position);
                score += feature.gain(low);
                continue;
            }
            let numeric = feature.numeric()?;
            let (first, last) = (feature.change(low), feature.change(high));
            let (middle, half) = (0.5 * (first + last), 0.5 * (last - first));
            for (position, image) in position.iter_mut().zip(&numeric.image) {
                *position += middle * image;
            }
            score += numeric.gain * middle;
            open.push((f, numeric, middle, half));
        }
        Some(Self { open, position, score })
    }
}

/// What the distances in a region look like, as functions of its numbers.
struct Trade<'a, const D: usize> {
    distances: &'a RegionDistances<'a>,
    neighbours: &'a Neighbours,
    /// The distance, and what a linear model demands, without any points.
    base: Convex<D>,
    numbers: Vec<Number>,
}

impl<'a, const D: usize> Trade<'a, D> {
    /// `None` where something other than numbers varies, or the costs are no sums of lengths.
    fn new(
        space: &Space,
        region: &Region,
        distances: &'a RegionDistances<'a>,
        neighbours: &'a Neighbours,
        linear: bool,
    ) -> Option<Self> {
        let outlier = distances.reference.outlier;
        if !matches!(space.norm, Norm::Length | Norm::Squared)
            || outlier.metric == Metric::Manhattan
            || outlier.weight <= 0.0
        {
            return None;
        }
        let Varying { open, position, score } = Varying::of(space, region)?;
        let (mut linear_part, mut points_curve, mut gains) = ([0.0; D], [0.0; D], [0.0; D]);
        let mut distance_curve = [[0.0; D]; D];
        let mut numbers = Vec::with_capacity(open.len());
        for (at, &(f, numeric, middle, half)) in open.iter().enumerate() {
            let Spread::Numeric { inverse, .. } = &distances.reference.spread[f] else {
                return None;
            };
            linear_part[at] = half * dot(&position, &numeric.image);
            gains[at] = -half * numeric.gain;
            points_curve[at] = (half * inverse).powi(2);
            for (other, &(g, _, _, other_half)) in open.iter().enumerate() {
                distance_curve[at][other] = half * other_half * space.product(f, g);
            }
            numbers.push(Number { f, middle, half, inverse: *inverse });
        }
        let terms = (space.instance.x().len() + space.features.len() + space.rows + 8) as f64;
        let distance = Length {
            weight: 1.0,
            floor: f64::NEG_INFINITY,
            constant: dot(&position, &position),
            linear: linear_part,
            error: 8.0 * terms * f64::EPSILON * space.moves * space.moves,
        };
        let accepted = HalfSpace { normal: gains, right: score };
        let base = Convex {
            distance,
            distance_curve,
            distance_squared: space.norm == Norm::Squared,
            points: Vec::new(),
            points_curve,
            points_squared: outlier.metric == Metric::SquaredEuclidean,
            half_spaces: if linear { vec![accepted] } else { Vec::new() },
            offset: 0.0,
        };
        Some(Self { distances, neighbours, base, numbers })
    }

    fn least(&self, enough: f64, missing: f64) -> Option<Least> {
        let k = self.neighbours.k;
        let list = &self.neighbours.list;
        let open: Vec<&Neighbour> = list.iter().filter(|point| !point.certain).collect();
        let indices = k.saturating_sub(list.len() - open.len());
        if open.len() < indices {
            return None;
        }
        let (bound, at) = if sets(open.len(), indices) > SETS {
            self.partly(&open, indices, enough, missing)
        } else {
            let sets = (0_u32..1 << open.len()).filter(|set| set.count_ones() as usize == indices);
            let bounds = sets.map(|set| self.of_set(&open, set, enough, missing));
            bounds.min_by(|a, b| a.0.total_cmp(&b.0))?
        };
        let change = |(number, at): (&Number, f64)| (number.f, number.middle + at * number.half);
        let changes = self.numbers.iter().zip(at).map(change).collect();
        Some(Least { bound, changes })
    }

    /// The least cost where these of the open points are among the nearest, and the others are not.
    fn of_set(&self, open: &[&Neighbour], set: u32, enough: f64, missing: f64) -> (f64, [f64; D]) {
        let taken = |at: usize| set & (1 << at) != 0;
        let mut convex = self.base.clone();
        let certain = self.neighbours.list.iter().filter(|point| point.certain);
        let chosen = open.iter().enumerate().filter(|(at, _)| taken(*at)).map(|(_, point)| *point);
        let nearest: Vec<&Neighbour> = certain.chain(chosen).collect();
        let k = self.neighbours.k as f64;
        let density = nearest.iter().map(|point| point.density).sum::<f64>() / k * (1.0 - 1e-13);
        for point in &nearest {
            self.add(&mut convex, point, density / k);
        }
        let lengths: Vec<Length<D>> = open.iter().map(|point| self.length(point, 1.0)).collect();
        for (i, near) in lengths.iter().enumerate().filter(|(at, _)| taken(*at)) {
            for (_, far) in lengths.iter().enumerate().filter(|(at, _)| !taken(*at)) {
                let mut normal: [f64; D] = [0.0; D];
                for (normal, (near, far)) in
                    normal.iter_mut().zip(near.linear.iter().zip(&far.linear))
                {
                    *normal = 2.0 * (near - far);
                }
                let tie = 4.0 * self.distances.error + 1e-9 * open[i].most;
                let right = far.constant - near.constant + tie;
                convex.half_spaces.push(HalfSpace { normal, right });
            }
        }
        convex.least(enough, missing)
    }

    /// The least cost by the points that are certainly among the nearest.
    fn partly(
        &self,
        open: &[&Neighbour],
        indices: usize,
        enough: f64,
        missing: f64,
    ) -> (f64, [f64; D]) {
        let (p, q) = self.neighbours.least_means();
        let k = self.neighbours.k as f64;
        let weight = self.distances.reference.outlier.weight;
        let mut others: Vec<f64> =
            open.iter().map(|point| p * point.reach + q * point.density).collect();
        others.sort_by(f64::total_cmp);
        let certain = || self.neighbours.list.iter().filter(|point| point.certain);
        let fixed = others[..indices].iter().sum::<f64>()
            + certain().map(|point| q * point.density).sum::<f64>();
        let mut convex = self.base.clone();
        convex.offset = weight * (fixed / k - p * q);
        for point in certain() {
            self.add(&mut convex, point, p / k);
        }
        convex.least(enough, missing)
    }

    /// Adds a point's reach, times a factor of its mean, to the sum.
    fn add(&self, convex: &mut Convex<D>, point: &Neighbour, factor: f64) {
        let weight = self.distances.reference.outlier.weight * factor;
        let reach = self.distances.reference.k_distance[point.n as usize];
        if reach >= self.distances.reference.rooted(self.distances.beyond(point.most)) {
            convex.offset += weight * reach;
            return;
        }
        let mut length = self.length(point, weight);
        if reach > self.distances.distance(point.least) {
            length.floor = reach;
        }
        convex.points.push(length);
    }

    /// The distance to a point.
    fn length(&self, point: &Neighbour, weight: f64) -> Length<D> {
        let n = point.n as usize;
        let mut linear: [f64; D] = [0.0; D];
        for (linear, number) in linear.iter_mut().zip(&self.numbers) {
            if let Spread::Numeric { offset, .. } = &self.distances.reference.spread[number.f] {
                let middle = number.middle * number.inverse;
                *linear = number.half * number.inverse * (middle - offset[n]);
            }
        }
        Length {
            weight,
            floor: f64::NEG_INFINITY,
            constant: self.distances.middle(n),
            linear,
            error: self.distances.error,
        }
    }
}

/// How many sets of a size there are, at most a large number.
fn sets(of: usize, size: usize) -> usize {
    let size = size.min(of - size);
    (0..size).fold(1_usize, |count, at| count.saturating_mul(of - at) / (at + 1))
}

#[cfg(test)]
mod tests {
    use rand::{Rng, RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::instance::{Cost, Distance, FeatureOptions, Instance, Limits, Outlier};
    use crate::model::{Classifier, Linear};
    use crate::search::layout::trial::points;
    use crate::search::outlier::reference::Reference;

    /// Four numbers and a feature of two levels amid points of all densities.
    fn instance(random: &mut impl Rng) -> Instance {
        let columns = [vec![0], vec![1], vec![2], vec![3], vec![4, 5]];
        let features = columns.into_iter().enumerate().map(|(index, columns)| {
            let mut options = vec![vec![0.0; columns.len()]];
            let count = if columns.len() == 1 { 40 } else { 1 };
            options.extend(
                (0..count)
                    .map(|_| columns.iter().map(|_| random.random_range(-1.0..1.0)).collect()),
            );
            FeatureOptions::of_changes(format!("f{index}"), columns, &[0.0; 6], &options)
        });
        let features = features.collect();
        let row = |random: &mut dyn FnMut() -> f64| (0..6).map(|_| random()).collect::<Vec<f64>>();
        let points: Vec<Vec<f64>> =
            (0..9).map(|_| row(&mut || random.random_range(-1.5..1.5))).collect();
        let outlier = Outlier {
            weight: random.random_range(0.1..2.0),
            metric: [Metric::Euclidean, Metric::SquaredEuclidean][random.random_range(0..2)],
            k_distance: points.iter().map(|_| random.random_range(0.0..3.0)).collect(),
            density: points.iter().map(|_| random.random_range(-1.0..1.0_f64).exp()).collect(),
            points: points.into(),
            k: Some(random.random_range(1..5)),
            scale: random.random_bool(0.5).then(|| vec![1.0, 0.7, 2.0, 1.3, 0.5, 1.0]),
        };
        let factor = (0..6).map(|_| row(&mut || random.random_range(-1.0..1.0))).collect();
        let distance = if random.random_bool(0.5) {
            Distance::Mahalanobis { factor }
        } else {
            Distance::SquaredMahalanobis { factor }
        };
        let cost =
            Cost { distance, outlier: Some(outlier), change_cost: 0.0, most: Limits::default() };
        let weights = row(&mut || random.random_range(-1.0..1.0));
        let linear = Linear { weights, intercept: random.random_range(-1.0..-0.1) };
        Instance::new(vec![0.0; 6], features, 4, Classifier::Linear(linear), cost).unwrap()
    }

    #[test]
    fn no_accepted_plan_of_a_region_costs_less() {
        let mut random = ChaCha8Rng::seed_from_u64(5);
        let (mut regions, mut tight, mut better) = (0, 0, 0);
        for _ in 0..3_000 {
            let instance = instance(&mut random);
            let space = Space::new(&instance);
            let reference = Reference::new(&space).unwrap();
            let mut inside = Region::whole(&space);
            for (f, feature) in space.features.iter().enumerate() {
                let first = random.random_range(0..=feature.last());
                let last =
                    if feature.is_numeric() { first + random.random_range(0..6) } else { first };
                inside.spans[f] = (first, last.min(feature.last()));
                if random.random_bool(0.3) {
                    inside.spans[f] = feature.keep;
                }
            }
            if !inside.settle(&space) {
                continue;
            }
            let mut distances = RegionDistances::new(&space, &reference, &inside);
            let all: Vec<u32> = (0..reference.count() as u32).collect();
            let k = reference.outlier.k.unwrap();
            if !distances.decides() {
                continue;
            }
            let Some(near) = Neighbours::all(&mut distances, k, &all) else { continue };
            let costs = points(&space, &inside).into_iter().filter_map(|indices| {
                let evaluation = instance.evaluate(&space.choice(&indices));
                (evaluation.score >= 0.0).then_some((evaluation.objective, evaluation.distance))
            });
            let (mut cheapest, mut nearest) = (f64::INFINITY, f64::INFINITY);
            for (objective, distance) in costs {
                cheapest = cheapest.min(objective);
                nearest = nearest.min(distance);
            }
            if cheapest == f64::INFINITY {
                continue;
            }
            let aim = (2.0 * cheapest, cheapest);
            let least = least_cost(&space, &inside, &distances, &near, true, aim);
            let Some(least) = least else { continue };
            assert!(least.bound <= cheapest, "{} above {cheapest}", least.bound);
            regions += 1;
            tight += usize::from(least.bound > 0.98 * cheapest);
            let apart = nearest + reference.outlier.weight * near.least_factor();
            better += usize::from(least.bound > apart);
        }
        assert!(
            regions > 500 && tight > regions / 10 && better > regions / 20,
            "{regions}, {tight}, {better}"
        );
    }

    #[test]
    fn sets_are_counted() {
        assert_eq!((sets(5, 2), sets(4, 0), sets(4, 4), sets(10, 7)), (10, 1, 1, 120));
    }
}
