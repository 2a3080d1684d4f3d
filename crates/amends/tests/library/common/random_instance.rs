//! Random instances over every classifier, distance, outlier term and metric, with and without rules, limits and ranges. Numbers come
//! half from a coarse grid, so that ties, zeros and duplicates are common, and half from anywhere.

use std::ops::Range;

use amends::instance::{Coefficients, Cost, Distance, FeatureOptions, Instance, Limits, Outlier};
use amends::model::{Classifier, Layer, Linear, Mlp, Sums, Tree, TreeEnsemble};
use amends::plausibility::Metric;
use proptest::collection::vec;
use proptest::prelude::*;

use super::random_combined::{combined, rows};
use super::random_features::{draft, features};
use super::random_rules::rules;

/// The kind of classifier.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decider {
    Linear,
    Trees,
    Mlp,
    /// Any of the others, up to three of them, combined; up to two levels of combinations.
    Combined,
    /// Scores of up to three of the others as they are, added up or all to be accepted: what linear rows can say.
    Rows,
}

impl Decider {
    pub const ALL: [Self; 5] = [Self::Linear, Self::Trees, Self::Mlp, Self::Combined, Self::Rows];
    /// Kinds that a linear program can hold.
    pub const LINEAR: [Self; 4] = [Self::Linear, Self::Trees, Self::Mlp, Self::Rows];
}

/// What kind of instance to make; `None` is drawn at random.
#[derive(Debug, Clone, Copy, Default)]
pub struct Kind {
    pub decider: Option<Decider>,
    /// 0 `l1-mahalanobis`, 1 `mahalanobis`, 2 `squared-mahalanobis`, 3 `table`.
    pub distance: Option<usize>,
    /// 0 none, 1 surrogate, 2 true k-LOF.
    pub outlier: Option<usize>,
    pub metric: Option<Metric>,
}

/// How large; upper ends are left out.
#[derive(Debug, Clone)]
pub struct Size {
    pub features: Range<usize>,
    /// Of a numeric feature, beside keeping its value.
    pub options: Range<usize>,
    /// Of a feature with levels.
    pub levels: Range<usize>,
    /// Of a range.
    pub values: Range<usize>,
    pub points: Range<usize>,
    pub trees: Range<usize>,
    /// Hidden layers of a network, and the units of each.
    pub layers: Range<usize>,
    pub units: Range<usize>,
    /// How many times as far from acceptance the applicant is.
    pub remoteness: f64,
}

impl Size {
    /// Small enough to judge every combination of options.
    pub const SMALL: Self = Self {
        features: 1..5,
        options: 0..5,
        levels: 2..4,
        values: 2..8,
        points: 1..7,
        trees: 1..5,
        layers: 0..4,
        units: 1..7,
        remoteness: 1.0,
    };

    /// Few features, whose ranges are too long for a binary per value; every combination can still be judged.
    pub const LONG: Self =
        Self { features: 1..3, options: 0..4, values: 201..280, points: 1..4, ..Self::SMALL };

    /// Beyond brute force, within reach of a general solver.
    pub const MIDDLE: Self = Self {
        features: 8..13,
        options: 4..10,
        levels: 2..6,
        values: 4..12,
        points: 10..31,
        trees: 5..9,
        layers: 1..3,
        units: 3..7,
        remoteness: 1.25,
    };
}

/// A number: often one of a few, so that equal ones meet.
pub fn number() -> impl Strategy<Value = f64> {
    prop_oneof![
        2 => prop_oneof![Just(0.0), Just(1.0), Just(-1.0), Just(0.5), Just(2.0), Just(-2.0)],
        1 => -3.0..3.0f64,
    ]
}

/// From here on options are too many to be drawn one by one.
pub const MANY: usize = 20;

fn amount() -> impl Strategy<Value = f64> {
    number().prop_map(f64::abs)
}

fn tree(columns: usize) -> impl Strategy<Value = Tree> {
    // Nodes of a full tree of depth 2, and how much of it is used.
    (0..3usize, vec(0..i64::try_from(columns).unwrap_or(1), 3), vec(number(), 3), vec(number(), 4))
        .prop_map(|(depth, feature, threshold, value)| match depth {
            0 => Tree {
                feature: vec![-1],
                threshold: vec![0.0],
                left: vec![-1],
                right: vec![-1],
                value: value[..1].to_vec(),
            },
            1 => Tree {
                feature: vec![feature[0], -1, -1],
                threshold: vec![threshold[0], 0.0, 0.0],
                left: vec![1, -1, -1],
                right: vec![2, -1, -1],
                value: vec![0.0, value[0], value[1]],
            },
            _ => Tree {
                feature: vec![feature[0], feature[1], feature[2], -1, -1, -1, -1],
                threshold: vec![threshold[0], threshold[1], threshold[2], 0.0, 0.0, 0.0, 0.0],
                left: vec![1, 3, 5, -1, -1, -1, -1],
                right: vec![2, 4, 6, -1, -1, -1, -1],
                value: vec![0.0, 0.0, 0.0, value[0], value[1], value[2], value[3]],
            },
        })
}

/// A layer of some units.
fn layer(inputs: usize, units: usize) -> impl Strategy<Value = Layer> {
    (vec(vec(number(), inputs), units), vec(number(), units))
        .prop_map(|(weights, bias)| Layer { weights, bias })
}

/// A network whose last bias is the one given.
fn mlp(columns: usize, size: &Size) -> impl Strategy<Value = Mlp> + use<> {
    vec(size.units.clone(), size.layers.clone()).prop_flat_map(move |mut widths| {
        widths.push(1);
        let inputs = std::iter::once(&columns).chain(&widths);
        let layers: Vec<_> = inputs.zip(&widths).map(|(&i, &units)| layer(i, units)).collect();
        layers.prop_map(|layers| Mlp { layers })
    })
}

/// How far below acceptance the applicant is: accepted already, on the edge, near, out of reach.
fn shortfall(size: &Size) -> impl Strategy<Value = f64> + use<> {
    let remoteness = size.remoteness;
    let shortfall = prop_oneof![
        1 => Just(-1.0), 1 => Just(0.0), 4 => Just(0.5), 4 => Just(1.0), 3 => Just(2.0),
        4 => 0.0..4.0f64, 1 => Just(100.0),
    ];
    shortfall.prop_map(move |shortfall| remoteness * shortfall)
}

fn metric(kind: Kind) -> impl Strategy<Value = Metric> {
    match kind.metric {
        Some(metric) => Just(metric).boxed(),
        None => prop_oneof![
            Just(Metric::SquaredEuclidean),
            Just(Metric::Euclidean),
            Just(Metric::Manhattan)
        ]
        .boxed(),
    }
}

fn outlier(
    kind: Kind,
    size: &Size,
    columns: usize,
) -> impl Strategy<Value = Option<Outlier>> + use<> {
    let which = kind.outlier.map_or((0..3usize).boxed(), |which| Just(which).boxed());
    (which, metric(kind), size.points.clone()).prop_flat_map(move |(which, metric, count)| {
        (
            prop_oneof![Just(0.0), Just(0.1), Just(1.0), Just(3.0)],
            vec(vec(number(), columns), count),
            vec(amount(), count),
            vec(amount(), count),
            1..=count,
            proptest::option::of(vec(prop_oneof![Just(1.0), Just(0.5), 0.2..3.0f64], columns)),
        )
            .prop_map(move |(weight, points, k_distance, density, k, scale)| {
                (which > 0).then_some(Outlier {
                    weight,
                    metric,
                    points: points.into(),
                    k_distance: k_distance.into(),
                    density: density.into(),
                    k: (which == 2).then_some(k),
                    scale,
                })
            })
    })
}

/// A cost for each of many options: single ones, or a few runs.
fn costs(options: usize) -> impl Strategy<Value = Coefficients> {
    let single = if options > MANY { 0 } else { options };
    let run = (amount(), prop_oneof![Just(0.0), Just(0.25), 0.0..0.1f64], 1..100usize);
    (vec(amount(), single), vec(run, 4)).prop_map(move |(single, runs)| {
        let mut costs: Coefficients = single.into();
        for (first, step, count) in runs.into_iter().cycle() {
            match options - costs.len() {
                0 => break,
                left => costs.push(first, step, count.min(left)),
            }
        }
        costs
    })
}

fn distance(kind: Kind, columns: usize, options: Vec<usize>) -> impl Strategy<Value = Distance> {
    let which = kind.distance.map_or((0..4usize).boxed(), |which| Just(which).boxed());
    let costs: Vec<_> = options.into_iter().map(costs).collect();
    (which, vec(vec(number(), columns), 1..columns + 2), costs).prop_map(
        |(which, factor, costs)| match which {
            0 => Distance::L1Mahalanobis { factor },
            1 => Distance::Mahalanobis { factor },
            2 => Distance::SquaredMahalanobis { factor },
            _ => Distance::Table { costs },
        },
    )
}

/// A draft of limits: the cost of some choice, times a factor.
#[derive(Debug, Clone)]
struct DraftLimits {
    distance: Option<f64>,
    outlier: Option<f64>,
    picks: Vec<usize>,
}

/// No limits for half of the instances; often exactly the cost of some choice, so that rounding is
/// tested.
fn limits(features: usize) -> impl Strategy<Value = DraftLimits> {
    let factor =
        || prop_oneof![3 => Just(1.0), 2 => 0.3..3.0f64, 1 => Just(0.0), 1 => Just(1.0 - 1e-6)];
    let either = (proptest::option::of(factor()), proptest::option::of(factor()));
    let either = prop_oneof![Just((None, None)), either];
    (either, vec(0..100usize, features)).prop_map(|((distance, outlier), picks)| DraftLimits {
        distance,
        outlier,
        picks,
    })
}

impl DraftLimits {
    fn set(&self, instance: Instance) -> Instance {
        let options = instance.features().iter().map(|feature| feature.options.len());
        let choice: Vec<usize> = options.zip(&self.picks).map(|(n, pick)| pick % n).collect();
        let judged = instance.evaluate(&choice);
        let outlier = self.outlier.filter(|_| instance.cost().outlier.is_some());
        let most = Limits {
            distance: self.distance.map(|factor| factor * judged.distance),
            outlier: outlier.map(|factor| factor * judged.outlier),
        };
        instance.edited(|parts| parts.cost.most = most).expect("drawn limits are sound")
    }
}

/// Instances small enough to judge every combination of options.
pub fn instances(kind: Kind) -> impl Strategy<Value = Instance> {
    instances_of(kind, Size::SMALL)
}

/// Instances with at least one range too long for a binary per value, small enough to judge every combination.
pub fn long_instances(kind: Kind) -> impl Strategy<Value = Instance> {
    let long = |instance: &Instance| {
        instance.features().iter().any(|feature| feature.options.first_listed() > 200)
    };
    instances_of(kind, Size::LONG).prop_filter("has a long range", long)
}

/// What a change costs: often nothing, and otherwise about as much as distances or far more.
fn change_cost() -> impl Strategy<Value = f64> {
    prop_oneof![4 => Just(0.0), 3 => 0.01..3.0, 1 => 3.0..1e4]
}

/// The same costs, but keeping a feature costs the same by every copy of its own values.
fn with_one_cost_to_keep(distance: Distance, features: &[FeatureOptions], x: &[f64]) -> Distance {
    let Distance::Table { costs } = distance else { return distance };
    let of = |(costs, feature): (Coefficients, &FeatureOptions)| {
        let kept = feature.keep_set(x);
        if kept.len() < 2 {
            return costs;
        }
        let first = kept.intervals()[0].0;
        let cost = |option| costs.at(if kept.contains(option) { first } else { option });
        (0..costs.len()).map(cost).collect()
    };
    Distance::Table { costs: costs.into_iter().zip(features).map(of).collect() }
}

/// Instances of a size.
pub fn instances_of(kind: Kind, size: Size) -> impl Strategy<Value = Instance> {
    let most_columns = size.features.end * size.levels.end;
    (vec(draft(&size), size.features.clone()), vec(number(), most_columns))
        .prop_flat_map(move |(drafts, mut x)| {
            let features = features(&drafts, &mut x);
            let columns = x.len();
            let options = features.iter().map(|f| f.options.len()).collect();
            let linear = vec(number(), columns)
                .prop_map(|weights| Classifier::Linear(Linear { weights, intercept: 0.0 }));
            let trees = vec(tree(columns), size.trees.clone()).prop_map(|trees| {
                Classifier::Trees(TreeEnsemble {
                    threshold: 0.0,
                    sums: Sums::Double,
                    trees: trees.into(),
                })
            });
            let network = mlp(columns, &size).prop_map(Classifier::Mlp);
            let classifier = match kind.decider {
                Some(Decider::Linear) => linear.boxed(),
                Some(Decider::Trees) => trees.boxed(),
                Some(Decider::Mlp) => network.boxed(),
                Some(Decider::Combined) => {
                    let single = prop_oneof![linear, trees, network].boxed();
                    combined(prop_oneof![4 => single.clone(), 1 => combined(single)].boxed())
                }
                Some(Decider::Rows) => {
                    let single = prop_oneof![linear, trees, network].boxed();
                    rows(prop_oneof![4 => single.clone(), 1 => rows(single)].boxed())
                }
                None => prop_oneof![linear, trees, network].boxed(),
            };
            let rules = rules(&features, &x);
            let limits = limits(features.len());
            (
                Just(x),
                Just(features),
                (rules, limits, change_cost()),
                1..6usize,
                (classifier, shortfall(&size)),
                distance(kind, columns, options),
                outlier(kind, &size, columns),
            )
        })
        .prop_map(
            |(x, features, (rules, limits, change_cost), max_changes, drawn, distance, outlier)| {
                let (classifier, shortfall) = drawn;
                // Probabilities and votes are never far from each other.
                let combined = matches!(classifier, Classifier::Combined(_));
                let shortfall = if combined { 0.3 * shortfall } else { shortfall };
                let classifier = classifier.with_cut_at(classifier.score(&x) + shortfall);
                let distance = with_one_cost_to_keep(distance, &features, &x);
                let cost = Cost { distance, outlier, change_cost, most: Limits::default() };
                let instance = Instance::new(x, features, max_changes, classifier, cost)
                    .and_then(|instance| instance.with_rules(rules))
                    .expect("a drawn instance is sound");
                limits.set(instance)
            },
        )
}
