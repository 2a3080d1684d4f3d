//! Bounds of combinations against every point of random regions.

use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::Combination;
use crate::instance::{Coefficients, Cost, Distance, FeatureOptions, Instance, Limits};
use crate::model::{
    Classifier, Combine, Combined, Layer, Linear, Member, Mlp, Sums, Transform, Tree, TreeEnsemble,
};
use crate::search::bound::losses::Losses;
use crate::search::bound::relax::Mix;
use crate::search::layout::region::Region;
use crate::search::layout::space::Space;
use crate::search::layout::trial::{points, region};
use crate::search::layout::values::ValueIndex;
use crate::search::score::{ClassifierScore, MemberScore};

const COLUMNS: usize = 5;

fn numbers(random: &mut impl Rng, count: usize) -> Vec<f64> {
    (0..count).map(|_| random.random_range(-2.0..2.0)).collect()
}

fn tree(random: &mut impl Rng) -> Tree {
    let feature = (0..3).map(|_| random.random_range(0..COLUMNS as i64)).chain([-1; 4]).collect();
    let (left, right) = (vec![1, 3, 5, -1, -1, -1, -1], vec![2, 4, 6, -1, -1, -1, -1]);
    Tree { feature, threshold: numbers(random, 7), left, right, value: numbers(random, 7) }
}

fn single(random: &mut impl Rng) -> Classifier {
    match random.random_range(0..3) {
        0 => Classifier::Linear(Linear { weights: numbers(random, COLUMNS), intercept: 0.3 }),
        1 => {
            let trees: Vec<Tree> = (0..3).map(|_| tree(random)).collect();
            let sums = Sums::Double;
            Classifier::Trees(TreeEnsemble { threshold: -0.2, sums, trees: trees.into() })
        }
        _ => {
            let hidden = (0..3).map(|_| numbers(random, COLUMNS)).collect();
            let hidden = Layer { weights: hidden, bias: numbers(random, 3) };
            let last = Layer { weights: vec![numbers(random, 3)], bias: numbers(random, 1) };
            Classifier::Mlp(Mlp { layers: vec![hidden, last] })
        }
    }
}

fn transform(random: &mut impl Rng) -> Transform {
    let sign = if random.random_bool(0.5) { -1.0 } else { 1.0 };
    match random.random_range(0..4) {
        0 => Transform::Identity,
        1 => Transform::Logistic { slope: sign * 1.5, offset: 0.2 },
        2 => Transform::Vote { cut: 0.1 },
        _ => Transform::Isotonic {
            scores: vec![-1.0, 0.0, 0.5, 2.0],
            values: [0.1, 0.2, 0.8, 0.9].map(|value| sign * value).to_vec(),
        },
    }
}

fn combined(random: &mut impl Rng, depth: usize) -> Classifier {
    let count = random.random_range(1..4);
    let combine = match random.random_range(0..4) {
        0 | 1 => Combine::Sum,
        2 => Combine::Minimum,
        _ => Combine::KthLargest(random.random_range(1..=count)),
    };
    let members = (0..count).map(|_| {
        let nested = depth > 0 && random.random_bool(0.3);
        let classifier = if nested { combined(random, depth - 1) } else { single(random) };
        let weight = if combine == Combine::Sum { random.random_range(-1.0..1.5) } else { 1.0 };
        Member { classifier, transform: transform(random), weight }
    });
    let members = members.collect();
    Classifier::Combined(Combined { members, combine, intercept: random.random_range(-1.5..0.2) })
}

/// Two numbers, and features of two and of one column without an order.
fn instance(random: &mut impl Rng) -> Instance {
    let x = numbers(random, COLUMNS);
    let columns = [vec![0], vec![1], vec![2, 3], vec![4]];
    let features = columns.into_iter().enumerate().map(|(index, columns)| {
        let mut changes = vec![vec![0.0; columns.len()]];
        changes.extend((0..3).map(|_| numbers(random, columns.len())));
        FeatureOptions::of_changes(format!("f{index}"), columns, &x, &changes)
    });
    let features: Vec<FeatureOptions> = features.collect();
    let costs = features.iter().map(|f| Coefficients::constant(1.0, f.options.len())).collect();
    let most = Limits::default();
    let cost = Cost { distance: Distance::Table { costs }, outlier: None, change_cost: 0.0, most };
    let limit = random.random_range(1..4);
    Instance::new(x, features, limit, combined(random, 2), cost).expect("sound")
}

/// A random region of an instance, its points with their scores, and a point that bounds are to be near.
struct Trial<'a> {
    space: &'a Space<'a>,
    score: Combination,
    region: Region,
    scores: Vec<(Vec<ValueIndex>, f64)>,
    near: Vec<Mix>,
}

impl<'a> Trial<'a> {
    fn new(random: &mut impl Rng, space: &'a Space<'a>) -> Option<Self> {
        let instance = space.instance;
        let Classifier::Combined(combined) = instance.classifier() else { unreachable!() };
        let region = region(random, space)?;
        let scores = points(space, &region).into_iter().map(|point| {
            let score = instance.evaluate(&space.choice(&point)).score;
            (point, score)
        });
        let near = space.features.iter().map(|feature| {
            let [from, to] = [0, 1].map(|_| random.random_range(0..=feature.last()));
            Mix { from, to, share: random.random_range(0.0..1.0) }
        });
        let (scores, near) = (scores.collect(), near.collect());
        let score = Combination::new(instance, &space.features, combined);
        Some(Self { space, score, region, scores, near })
    }

    fn lost(&self, losses: &Losses, point: &[ValueIndex]) -> f64 {
        (0..point.len()).map(|f| losses.at(self.space, f, point[f])).sum()
    }

    /// Checks the range of the score, and the sum above it; how many points were compared comes back.
    fn check_range(&self) -> usize {
        let Self { space, region, scores, near, .. } = self;
        let bound = self.score.member(space).unwrap();
        let Some(((low, high), reach)) = bound.range(space, region, &bound.whole(), None) else {
            assert!(scores.is_empty());
            return 0;
        };
        let above = bound.above(space, region, &reach, near).expect("the region has plans");
        for (point, score) in scores {
            assert!(low <= *score && *score <= high, "{low} {score} {high}");
            assert!(*score <= above.slack - self.lost(&above, point) + above.error, "{score}");
        }
        scores.len()
    }

    /// Checks what is left of the region; how many accepted points it has comes back, `None` where it is excluded.
    fn check_accepted(&self) -> Option<usize> {
        let Self { space, region, scores, near, .. } = self;
        let accepted: Vec<&Vec<ValueIndex>> =
            scores.iter().filter(|(_, score)| *score >= 0.0).map(|(point, _)| point).collect();
        let bound = self.score.bound(space).unwrap();
        let Some(mut reach) = bound.narrow(space, region, &bound.whole(), None) else {
            assert!(accepted.is_empty(), "an accepted point was excluded");
            return None;
        };
        let mut smaller = region.clone();
        // Shares adapt to the point.
        bound.losses(space, &mut region.clone(), &mut reach, near);
        let losses = bound.losses(space, &mut smaller, &mut reach, near);
        for point in &accepted {
            let losses = losses.as_ref().expect("an accepted point was excluded");
            let inside = |f: usize| (smaller.spans[f].0..=smaller.spans[f].1).contains(&point[f]);
            assert!((0..point.len()).all(inside), "an accepted value was dropped");
            let lost = self.lost(losses, point);
            assert!(lost <= losses.slack + losses.error, "{lost} {}", losses.slack);
        }
        Some(accepted.len())
    }
}

#[test]
fn no_point_of_a_region_beats_its_bounds() {
    let mut random = ChaCha8Rng::seed_from_u64(5);
    let (mut points, mut excluded, mut accepted) = (0, 0, 0);
    for _ in 0..3000 {
        let instance = instance(&mut random);
        let space = Space::new(&instance);
        let Some(trial) = Trial::new(&mut random, &space) else { continue };
        points += trial.check_range();
        match trial.check_accepted() {
            Some(count) => accepted += count,
            None => excluded += 1,
        }
    }
    assert!(points > 10_000 && excluded > 200 && accepted > 2000, "{points} {excluded} {accepted}");
}
