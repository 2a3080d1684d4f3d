//! How far plans within a distance can go, together and feature by feature.
//!
//! A plan moves the applicant by `a`, and its distance is the length of `U a`. A sum of what features add is, for any vector
//! `v`, `v . U a` plus what remains: at most `|v|` times the distance, plus the most that each feature's own
//! remainder can be. Since any `v` will do, rounding can't break the bound. Here `v` takes all of the numeric
//! features' slopes, by least squares, and what features without an order add remains. Correlated features move
//! together cheaply and apart dearly, and those that keep their values pull at the others, which intervals of single
//! features can't say.

use crate::search::bound::few::Few;
use crate::search::layout::feature::{Feature, FeatureKind, Numeric};
use crate::search::layout::region::{Region, Stand};
use crate::search::layout::space::{Norm, Space, dot};
use crate::search::layout::values::{ValueIndex, Values};

/// The plans of a region within a distance.
pub(in crate::search) struct Ball<'a> {
    radius: f64,
    open: Vec<Open<'a>>,
    /// How many undecided features may change.
    left: usize,
    /// The triangular root of the products of the numeric open features' images, row by row.
    root: Vec<f64>,
    rows: usize,
    /// What rounding may add, per unit of `|v|`.
    error: f64,
    half_space: Option<HalfSpace>,
}

/// A side of the ball on which all plans are: `y . U a` is at least this, and `y` has length one.
struct HalfSpace {
    y: Vec<f64>,
    least: f64,
}

/// A feature that may change. Numeric ones come first.
struct Open<'a> {
    f: usize,
    feature: &'a Feature,
    span: (ValueIndex, ValueIndex),
    undecided: bool,
}

/// A sum over movable features.
pub(in crate::search) trait Sum {
    /// What a change of one of a numeric feature adds.
    fn slope(&self, f: usize) -> f64;

    /// What a value of another feature adds.
    fn at(&self, f: usize, index: ValueIndex) -> f64;
}

/// The change of one numeric feature.
struct Change(usize);

impl Sum for Change {
    fn slope(&self, f: usize) -> f64 {
        f64::from(u8::from(f == self.0))
    }

    fn at(&self, _: usize, _: ValueIndex) -> f64 {
        0.0
    }
}

impl<'a> Ball<'a> {
    /// `None` where the distance says nothing.
    pub(in crate::search) fn new(space: &'a Space, region: &Region, distance: f64) -> Option<Self> {
        let radius = match space.norm {
            Norm::Length => distance,
            Norm::Squared => distance.max(0.0).sqrt(),
            // A ball around all sums of absolute values is too large to exclude much.
            Norm::Sum | Norm::None => return None,
        };
        if !radius.is_finite() {
            return None;
        }
        let mut open = Vec::new();
        for (f, feature) in space.features.iter().enumerate() {
            let stand = region.stand(space, f);
            if stand != Stand::Kept {
                let undecided = stand == Stand::Undecided;
                open.push(Open { f, feature, span: region.spans[f], undecided });
            }
        }
        open.sort_by_key(|open| !open.feature.is_numeric());
        let root = root(space, &open)?;
        let terms = (space.rows + open.len() + 8) as f64;
        let error = 8.0 * terms * f64::EPSILON * (space.moves + radius.abs());
        let (radius, left, rows) = (radius.max(0.0), region.left, space.rows);
        Some(Self { radius, open, left, root, rows, error, half_space: None })
    }

    /// Only plans with `y . U a` of at least `least`, by what a bound of the distance says of all plans.
    pub(in crate::search) fn beyond(mut self, y: &[f64], least: f64) -> Self {
        let length = dot(y, y).sqrt();
        let least = least / length - 4.0 * self.error;
        if least > 0.0 && least.is_finite() && self.radius > 0.0 {
            let y = y.iter().map(|y| y / length).collect();
            self.half_space = Some(HalfSpace { y, least: least.min(self.radius) });
        }
        self
    }

    /// Drops the values of numeric features that are too far; false where nothing is left.
    pub(in crate::search) fn shorten(&mut self, region: &mut Region) -> bool {
        let mut few = Few::default();
        let inverse = self.inverse();
        let size = self.numeric_count();
        let along = self.along();
        for k in 0..size {
            let Open { f, feature, span: (mut low, mut high), .. } = self.open[k];
            // Whether it is worth a closer look.
            let length = dot(&inverse[k * size..][..size], &inverse[k * size..][..size]).sqrt();
            let least = -self.most_along(length, -along[k]);
            let most = self.most_along(length, along[k]);
            if feature.change(low) >= least && feature.change(high) <= most {
                continue;
            }
            let (least, most) = self.extremes(&Change(f), &mut few);
            if feature.change(low) > most || feature.change(high) < least {
                return false;
            }
            if feature.change(low) < least {
                low = Values::first_index((low, high), |index| feature.change(index) >= least);
            }
            if feature.change(high) > most {
                // The first value is not beyond, or the next line says that nothing is left.
                high = feature.first_above((low, high), most).saturating_sub(1);
            }
            if low > high || feature.change(low) > most {
                return false;
            }
            self.open[k].span = (low, high);
            region.spans[f] = (low, high);
        }
        true
    }

    /// The least and the largest value of a sum over the plans.
    pub(in crate::search) fn extremes(&self, sum: &impl Sum, few: &mut Few) -> (f64, f64) {
        let direction = self.direction(sum);
        let length = dot(&direction, &direction).sqrt();
        let along =
            self.half_space.as_ref().map_or(0.0, |half_space| dot(&direction, &half_space.y));
        let remains: Vec<(f64, f64)> =
            self.open.iter().map(|open| open.remains(sum, &direction)).collect();
        let mut most = self.most_along(length, along);
        few.begin(self.left);
        for (open, &(_, high)) in self.open.iter().zip(&remains) {
            if open.undecided { few.offer(high) } else { most += high }
        }
        most += few.sum();
        let mut least = -self.most_along(length, -along);
        few.begin(self.left);
        for (open, &(low, _)) in self.open.iter().zip(&remains) {
            if open.undecided { few.offer(-low) } else { least += low }
        }
        (least - few.sum(), most)
    }

    /// The most that `v . U a` can be, from the length of `v` and, where there is a half-space, its product with `y`.
    fn most_along(&self, length: f64, along: f64) -> f64 {
        if !length.is_finite() {
            return f64::INFINITY;
        }
        let whole = length * (self.radius + self.error);
        let Some(half_space) = &self.half_space else { return whole };
        if along * self.radius >= length * half_space.least {
            return whole;
        }
        // What remains of one beside a part of it. Rounding must not make it less.
        let beside = |part: f64| {
            let grain = 16.0 * (self.rows + 4) as f64 * f64::EPSILON;
            (1.0 + grain - part * part * (1.0 - grain)).max(0.0).sqrt()
        };
        let across =
            length * beside(along / length) * self.radius * beside(half_space.least / self.radius);
        along * half_space.least + across + length * self.error
    }

    /// Per numeric feature, the product of `y` with the direction of its change.
    fn along(&self) -> Vec<f64> {
        match &self.half_space {
            None => vec![0.0; self.numeric_count()],
            Some(half_space) => {
                let along = self.numeric().map(|(_, numeric)| dot(&numeric.image, &half_space.y));
                let mut along: Vec<f64> = along.collect();
                self.divide(&mut along);
                along
            }
        }
    }

    /// The inverse of the root, column by column.
    fn inverse(&self) -> Vec<f64> {
        let size = self.numeric_count();
        let mut inverse = vec![0.0; size * size];
        for column in 0..size {
            let own = &mut inverse[column * size..][..size];
            own[column] = 1.0 / self.root[column * size + column];
            for i in column + 1..size {
                let row = &self.root[i * size..][..=i];
                own[i] = -dot(&row[column..i], &own[column..i]) / row[i];
            }
        }
        inverse
    }

    /// How many of the open features are numeric; they come first.
    fn numeric_count(&self) -> usize {
        self.open.partition_point(|open| open.feature.is_numeric())
    }

    /// The numeric ones of the open features, with their index in the space.
    fn numeric(&self) -> impl Iterator<Item = (usize, &Numeric)> {
        self.open.iter().map_while(|open| Some((open.f, open.feature.numeric()?)))
    }

    /// The shortest `v` that takes all of the numeric features' slopes, as nearly as rounding lets it.
    fn direction(&self, sum: &impl Sum) -> Vec<f64> {
        let mut weights: Vec<f64> = self.numeric().map(|(f, _)| sum.slope(f)).collect();
        self.divide(&mut weights);
        let mut direction = vec![0.0; self.rows];
        for ((_, numeric), weight) in self.numeric().zip(&weights) {
            for (direction, image) in direction.iter_mut().zip(&numeric.image) {
                *direction += weight * image;
            }
        }
        direction
    }

    /// Divides by the products of the images.
    fn divide(&self, weights: &mut [f64]) {
        let size = weights.len();
        for i in 0..size {
            let row = &self.root[i * size..=i * size + i];
            weights[i] = (weights[i] - dot(&row[..i], &weights[..i])) / row[i];
        }
        for i in (0..size).rev() {
            weights[i] /= self.root[i * size + i];
            for j in 0..i {
                weights[j] -= self.root[i * size + j] * weights[i];
            }
        }
    }
}

impl Open<'_> {
    /// The least and the largest that the feature adds beyond `direction . U a`.
    fn remains(&self, sum: &impl Sum, direction: &[f64]) -> (f64, f64) {
        let (first, last) = self.span;
        match &self.feature.kind {
            FeatureKind::Numeric(numeric) => {
                let slope = sum.slope(self.f) - dot(direction, &numeric.image);
                let ends = [first, last].map(|index| slope * self.feature.change(index));
                (ends[0].min(ends[1]), ends[0].max(ends[1]))
            }
            FeatureKind::Categorical(categorical) => {
                (first..=last).fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), index| {
                    let image = categorical.image(index, direction.len());
                    let remains = sum.at(self.f, index) - dot(direction, image);
                    (low.min(remains), high.max(remains))
                })
            }
        }
    }
}

/// The triangular root of the products of numeric features' images; `None` without any.
fn root(space: &Space, open: &[Open]) -> Option<Vec<f64>> {
    let size = open.partition_point(|open| open.feature.is_numeric());
    let mut root = vec![0.0; size * size];
    for i in 0..size {
        for j in 0..=i {
            let product = space.product(open[i].f, open[j].f);
            let known = dot(&root[i * size..i * size + j], &root[j * size..j * size + j]);
            let left = product - known;
            root[i * size + j] = if i == j {
                // Features that the others determine would get any weight; a grain of their own keeps it small.
                left.max(1e-9 * product).max(f64::MIN_POSITIVE).sqrt()
            } else {
                left / root[j * size + j]
            };
        }
    }
    (size > 0).then_some(root)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instance::{Cost, Distance, FeatureOptions, Instance, Limits};
    use crate::model::{Classifier, Linear};
    use crate::search::layout::trial::{points, region};
    use rand::{Rng, RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// Three numbers and a feature of three levels whose changes go together more or less.
    fn instance(random: &mut impl Rng, squared: bool) -> Instance {
        let mut row = |length: usize| -> Vec<f64> {
            (0..length).map(|_| random.random_range(-1.0..1.0)).collect()
        };
        let mut factor: Vec<Vec<f64>> = (0..6).map(|_| row(6)).collect();
        // Two columns that are nearly one, and one that counts for nothing now and then.
        for row in &mut factor {
            row[1] = row[0] + 1e-3 * row[1];
            row[2] *= if squared { 1e-200 } else { 1.0 };
        }
        let columns = [vec![0], vec![1], vec![2], vec![3, 4, 5]];
        let features = columns.into_iter().enumerate().map(|(index, columns)| {
            let mut options = vec![vec![0.0; columns.len()]];
            options.extend((0..5).map(|_| row(columns.len())));
            FeatureOptions::of_changes(format!("f{index}"), columns, &[0.0; 6], &options)
        });
        let features = features.collect();
        let distance = if squared {
            Distance::SquaredMahalanobis { factor }
        } else {
            Distance::Mahalanobis { factor }
        };
        let cost = Cost { distance, outlier: None, change_cost: 0.0, most: Limits::default() };
        let linear = Linear { weights: vec![1.0; 6], intercept: -1.0 };
        let limit = random.random_range(1..4);
        Instance::new(vec![0.0; 6], features, limit, Classifier::Linear(linear), cost).unwrap()
    }

    /// A sum with a number for every value.
    struct Any {
        slopes: Vec<f64>,
        indices: Vec<f64>,
    }

    impl Sum for Any {
        fn slope(&self, f: usize) -> f64 {
            self.slopes[f]
        }

        fn at(&self, _: usize, index: ValueIndex) -> f64 {
            self.indices[index as usize]
        }
    }

    #[test]
    fn no_plan_near_enough_is_outside() {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let (mut inside, mut dropped, mut limited) = (0, 0, 0);
        for round in 0..2_000 {
            let instance = instance(&mut random, round % 2 == 1);
            let space = Space::new(&instance);
            let Some(before) = region(&mut random, &space) else { continue };
            let y: Vec<f64> = (0..space.rows).map(|_| random.random_range(-1.0..1.0)).collect();
            let distance = random.random_range(0.0..1.5);
            let least = random.random_range(-0.5..1.0) * distance;
            let mut sum = |count: usize| -> Vec<f64> {
                (0..count).map(|_| random.random_range(-1.0..1.0)).collect()
            };
            // An option that changes nothing adds nothing.
            let sum = Any { slopes: sum(4), indices: [vec![0.0], sum(5)].concat() };
            let mut after = before.clone();
            let Some(ball) = Ball::new(&space, &before, distance) else { continue };
            let mut ball = ball.beyond(&y, least);
            let any_left = ball.shorten(&mut after);
            let (low, high) = ball.extremes(&sum, &mut Few::default());
            for point in points(&space, &before) {
                let mut position = vec![0.0; space.rows];
                let mut value = 0.0;
                for (f, (feature, &index)) in space.features.iter().zip(&point).enumerate() {
                    feature.add_image(index, 1.0, &mut position);
                    value += if feature.is_numeric() {
                        sum.slope(f) * feature.change(index)
                    } else {
                        sum.at(f, index)
                    };
                }
                let kept = after.spans.iter().zip(&point).all(|(s, p)| (s.0..=s.1).contains(p));
                if space.length(&position) <= distance && dot(&y, &position) >= least {
                    assert!(any_left && kept, "a plan was dropped");
                    assert!(low - 1e-9 <= value && value <= high + 1e-9, "{low} {value} {high}");
                    inside += 1;
                } else {
                    dropped += usize::from(!any_left || !kept);
                    limited += usize::from(value < low || value > high);
                }
            }
        }
        assert!(
            inside > 10_000 && dropped > 5_000 && limited > 1_000,
            "{inside} {dropped} {limited}"
        );
    }
}
