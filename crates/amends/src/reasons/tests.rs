//! Contributions against their definition: every coalition of features, on random small models with levels and codes.

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::{Attribution, Contributions, ReasonGroup, ReferenceGroup};
use crate::data::{Code, Encoder, Feature, Kind, Record, Schema, Target, Value};
use crate::model::{
    Classifier, Combine, Combined, Layer, Linear, Member, Mlp, Sums, Transform, Tree, TreeEnsemble,
};

/// Integers, one with a code, a category of three levels with a code, two levels, ranks, and an integer that no model uses.
fn schema() -> Schema {
    let names = |list: &[&str]| list.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    let coded = |feature: Feature| Feature { codes: vec![Code::new("-7", "never")], ..feature };
    let features = vec![
        Feature::new("amount", Kind::Integer),
        coded(Feature::new("months", Kind::Integer)),
        coded(Feature::new(
            "housing",
            Kind::Categorical { levels: names(&["own", "rent", "free"]) },
        )),
        Feature::new("phone", Kind::Binary { levels: ["no".into(), "yes".into()] }),
        Feature::new("savings", Kind::Ordinal { levels: names(&["low", "some", "high"]) }),
        Feature::new("unused", Kind::Integer),
    ];
    let target = Target { column: "y".into(), favourable: "1".into(), unfavourable: "0".into() };
    Schema { name: "t".into(), target, features, rules: Vec::new() }
}

const UNUSED: usize = 5;

fn record(rng: &mut ChaCha8Rng) -> Record {
    let mut number = || Value::Number(f64::from(rng.random_range(0..6)));
    let (amount, months, unused) = (number(), number(), number());
    let months = if rng.random_bool(0.3) { Value::Code(0) } else { months };
    let housing =
        if rng.random_bool(0.2) { Value::Code(0) } else { Value::Level(rng.random_range(0..3)) };
    let phone = Value::Level(rng.random_range(0..2));
    vec![amount, months, housing, phone, Value::Level(rng.random_range(0..3)), unused]
}

/// Columns that the model may use.
fn used_columns(encoder: &Encoder) -> usize {
    encoder.feature_columns(UNUSED).start
}

fn tree(rng: &mut ChaCha8Rng, columns: usize) -> Tree {
    let mut tree = Tree::default();
    grow(&mut tree, rng, columns, 4);
    tree
}

fn grow(tree: &mut Tree, rng: &mut ChaCha8Rng, columns: usize, depth: usize) -> i64 {
    let node = tree.feature.len();
    let is_leaf = depth == 0 || rng.random_bool(0.15);
    tree.feature.push(if is_leaf { -1 } else { rng.random_range(0..columns) as i64 });
    tree.threshold.push([0.0, 0.5, 1.5, 2.5, 3.5][rng.random_range(0..5)]);
    // A number of 32 bits, so that the leaves can be added up in those as well.
    tree.value.push(f64::from(rng.random_range(-1.0_f32..1.0)));
    tree.left.push(-1);
    tree.right.push(-1);
    if !is_leaf {
        tree.left[node] = grow(tree, rng, columns, depth - 1);
        tree.right[node] = grow(tree, rng, columns, depth - 1);
    }
    node as i64
}

fn ensemble(rng: &mut ChaCha8Rng, columns: usize) -> Classifier {
    let trees = (0..rng.random_range(1..5)).map(|_| tree(rng, columns)).collect::<Vec<_>>();
    let sums = if rng.random_bool(0.5) { Sums::Single } else { Sums::Double };
    Classifier::Trees(TreeEnsemble { threshold: 0.1, sums, trees: trees.into() })
}

/// Weights of the columns that may be used, and zeros.
fn weights(rng: &mut ChaCha8Rng, columns: usize, width: usize) -> Vec<f64> {
    (0..width).map(|c| if c < columns { rng.random_range(-1.0..1.0) } else { 0.0 }).collect()
}

fn linear(rng: &mut ChaCha8Rng, columns: usize, width: usize) -> Classifier {
    Classifier::Linear(Linear { weights: weights(rng, columns, width), intercept: 0.3 })
}

fn network(rng: &mut ChaCha8Rng, columns: usize, width: usize) -> Mlp {
    let hidden = Layer {
        weights: (0..4).map(|_| weights(rng, columns, width)).collect(),
        bias: weights(rng, 4, 4),
    };
    Mlp { layers: vec![hidden, Layer { weights: vec![weights(rng, 4, 4)], bias: vec![0.2] }] }
}

/// Shapley values by their definition: the mean over all orders of what a feature adds to the score, averaged over the rows,
/// when it joins those before it.
fn by_definition(
    classifier: &Classifier,
    encoder: &Encoder,
    x: &Record,
    rows: &[Record],
) -> Vec<f64> {
    let features = x.len();
    let worth = |coalition: usize| {
        let score = |row: &Record| {
            let mixed: Record = (0..features)
                .map(|f| if coalition >> f & 1 == 1 { x[f] } else { row[f] })
                .collect();
            classifier.score_in_64_bits(&encoder.encode(&mixed))
        };
        rows.iter().map(score).sum::<f64>() / rows.len() as f64
    };
    let worths: Vec<f64> = (0..1 << features).map(worth).collect();
    let factorial = |n: usize| (1..=n).map(|k| k as f64).product::<f64>();
    let value = |f: usize| -> f64 {
        let without = (0..1_usize << features).filter(|coalition| coalition >> f & 1 == 0);
        without
            .map(|coalition| {
                let size = coalition.count_ones() as usize;
                let weight = factorial(size) * factorial(features - size - 1) / factorial(features);
                weight * (worths[coalition | 1 << f] - worths[coalition])
            })
            .sum()
    };
    (0..features).map(value).collect()
}

struct World {
    encoder: Encoder,
    rows: Vec<Record>,
    x: Record,
}

impl World {
    fn new(rng: &mut ChaCha8Rng) -> Self {
        let count = rng.random_range(1..9);
        let rows = (0..count).map(|_| record(rng)).collect();
        Self { encoder: Encoder::new(&schema()), rows, x: record(rng) }
    }

    fn group(&self, classifier: &Classifier) -> ReferenceGroup {
        let model = (classifier, 0.0);
        ReferenceGroup::fit(ReasonGroup::All, model, &self.encoder, &schema(), &self.rows).unwrap()
    }

    fn contributions(&self, classifier: &Classifier) -> Contributions {
        let x = self.encoder.encode(&self.x);
        let group = self.group(classifier);
        let (contributions, basis) = group.contributions(classifier, &self.encoder, &x);
        let total: f64 = contributions.values.iter().sum();
        assert!((total - (basis.score - basis.mean_score)).abs() < 1e-12, "{total} {basis:?}");
        assert_eq!(basis.score, classifier.score_in_64_bits(&x));
        contributions
    }

    fn check_exact(&self, classifier: &Classifier) {
        let contributions = self.contributions(classifier);
        assert_eq!(contributions.method, Attribution::Exact);
        let expected = by_definition(classifier, &self.encoder, &self.x, &self.rows);
        for (ours, expected) in contributions.values.iter().zip(&expected) {
            assert!((ours - expected).abs() < 1e-12, "{contributions:?} {expected:?}");
        }
        assert_eq!(contributions.values[UNUSED], 0.0);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { rng_seed: RngSeed::Fixed(1), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn contributions_are_the_shapley_values_of_features(seed in 0_u64..1 << 40) {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let world = World::new(&mut rng);
        let (columns, width) = (used_columns(&world.encoder), world.encoder.width());
        world.check_exact(&ensemble(&mut rng, columns));
        world.check_exact(&linear(&mut rng, columns, width));
        world.check_exact(&Classifier::Mlp(network(&mut rng, columns, width)));
        let members = [ensemble(&mut rng, columns), linear(&mut rng, columns, width)];
        let mut members = members.map(Member::new).to_vec();
        members[1].weight = -0.5;
        let mut sum = Combined { members, combine: Combine::Sum, intercept: 0.1 };
        world.check_exact(&Classifier::Combined(sum.clone()));
        sum.members[1].transform = Transform::Logistic { slope: 2.0, offset: -0.3 };
        world.check_exact(&Classifier::Combined(sum));
    }
}

/// Nine samples in ten lie within two standard errors, and they add up exactly.
#[test]
fn samples_are_as_good_as_they_say() {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let (mut within, mut all) = (0, 0);
    for _ in 0..40 {
        let world = World::new(&mut rng);
        let (columns, width) = (used_columns(&world.encoder), world.encoder.width());
        let mlp = network(&mut rng, columns, width);
        let score = |row: &[f64]| mlp.score(row);
        let owners: Vec<usize> = world.encoder.columns().iter().map(|c| c.feature).collect();
        let x = world.encoder.encode(&world.x);
        let rows: Vec<Vec<f64>> = world.rows.iter().map(|row| world.encoder.encode(row)).collect();
        let sampled = super::network::contributions_within(1, &score, &owners, &x, &rows);
        if sampled.method == Attribution::Exact {
            continue;
        }
        assert_eq!(sampled.method, Attribution::Sampled { permutations: 4 });
        let more = super::network::contributions_within(10_000, &score, &owners, &x, &rows);
        assert_eq!(more.method, Attribution::Exact);
        let total = |contributions: &Contributions| contributions.values.iter().sum::<f64>();
        assert!((total(&sampled) - total(&more)).abs() < 1e-12);
        let thousand = super::network::sampled_pairs(500, &score, &owners, &x, &rows);
        let errors = thousand.errors.as_ref().unwrap();
        for ((ours, exact), error) in thousand.values.iter().zip(&more.values).zip(errors) {
            if *error > 0.0 {
                all += 1;
                within += usize::from((ours - exact).abs() <= 2.0 * error);
                assert!((ours - exact).abs() <= 6.0 * error, "{ours} {exact} {error}");
            }
        }
    }
    assert!(all > 50 && within * 10 >= all * 9, "{within} of {all}");
}

/// One tree: `amount <= 2.5` leads to a leaf of -1; above it, housing that is rented to 0, other housing to 3. The applicant has the
/// amount 1 and rents, the member of the group has 4 and owns, so that the scores are -1 and 3. The amount alone would take the
/// member to -1, and renting alone to 0: the amount adds -4 if it comes first and -1 if it comes second, renting -3 and 0.
#[test]
fn contributions_are_computed_by_hand() {
    let encoder = Encoder::new(&schema());
    let rent = (encoder.feature_columns(2).start + 1) as i64;
    let tree = Tree {
        feature: vec![0, -1, rent, -1, -1],
        threshold: vec![2.5, 0.0, 0.5, 0.0, 0.0],
        left: vec![1, -1, 3, -1, -1],
        right: vec![2, -1, 4, -1, -1],
        value: vec![0.0, -1.0, 0.0, 3.0, 0.0],
    };
    let trees = TreeEnsemble { threshold: 0.0, sums: Sums::Double, trees: vec![tree].into() };
    let person = |amount: f64, housing: usize| {
        let level = Value::Level(0);
        vec![
            Value::Number(amount),
            Value::Code(0),
            Value::Level(housing),
            level,
            level,
            Value::Number(0.0),
        ]
    };
    let world = World { encoder, rows: vec![person(4.0, 0)], x: person(1.0, 1) };
    let contributions = world.contributions(&Classifier::Trees(trees));
    assert_eq!(contributions.values, [-2.5, 0.0, -1.5, 0.0, 0.0, 0.0]);
    let shares: Vec<(usize, f64)> =
        contributions.principal(4).iter().map(|one| (one.feature, one.share)).collect();
    assert_eq!(shares, [(0, 0.625), (2, 0.375)]);
}

/// Thousands of splits in a row, each on another side of the member: no recursion, and weights that stay finite.
#[test]
fn a_very_deep_tree_is_walked_through() {
    let encoder = Encoder::new(&schema());
    let depth = 20_000_i64;
    let mut tree = Tree::default();
    for level in 0..depth {
        tree.feature.extend([0, -1]);
        tree.threshold.extend([level as f64 / depth as f64, 0.0]);
        tree.left.extend([2 * level + 1, -1]);
        tree.right.extend([2 * level + 2, -1]);
        tree.value.extend([0.0, -1.0]);
    }
    tree.feature.push(-1);
    tree.threshold.push(0.0);
    tree.left.push(-1);
    tree.right.push(-1);
    tree.value.push(1.0);
    let trees = TreeEnsemble { threshold: 0.0, sums: Sums::Double, trees: vec![tree].into() };
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut world = World::new(&mut rng);
    world.encoder = encoder;
    world.x[0] = Value::Number(0.0);
    for row in &mut world.rows {
        row[0] = Value::Number(5.0);
    }
    let contributions = world.contributions(&Classifier::Trees(trees));
    assert_eq!(contributions.values, [-2.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
}
