//! Models of every shape, trained or made by hand.

use amends::data::Dataset;
use amends::model::{
    Classifier, Combine, Combined, Layer, Library, Linear, Link, Member, Mlp, Model, ModelKind,
    Origin, Sums, TrainSettings, Transform, Tree, TreeEnsemble,
};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::draw::pick;
use super::score::score;

/// Where a model comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Maker {
    Trained(ModelKind),
    /// A weighted sum that some application just reaches.
    Linear,
    /// Trees with thresholds at and between the values of rows.
    Trees,
    /// Trees whose sums are in 32 bits.
    SingleTrees,
    /// Trees that accept little more than single values.
    Windows,
    Network,
    /// Up to three of the others, combined.
    Combined,
}

/// The rows that a model is made from.
pub struct ModelInputs<'a> {
    pub dataset: &'a Dataset,
    /// The encoded rows.
    pub rows: &'a [Vec<f64>],
    /// Encoded applications that somebody could write, of no row.
    pub others: &'a [Vec<f64>],
    /// Half of the least difference between two numbers, per column.
    pub halves: &'a [f64],
}

impl Maker {
    pub fn make(self, rng: &mut ChaCha8Rng, source: &ModelInputs<'_>) -> amends::Result<Model> {
        if let Self::Trained(kind) = self {
            let (trees, depth) = (rng.random_range(3..12), Some(rng.random_range(1..4)));
            let learning_rate = pick(rng, &[0.1, 0.5]);
            let c = pick(rng, &[0.1, 1.0, 10.0]);
            let settings = TrainSettings { trees, depth, c, learning_rate, ..Default::default() };
            return Model::fit(source.dataset, kind, &settings);
        }
        let classifier = match self {
            Self::Linear => linear(rng, source),
            Self::Windows => windows(rng, source),
            Self::Network => network(rng, source),
            Self::Combined => combined(rng, source),
            _ => trees(rng, source, self == Self::SingleTrees),
        };
        let schema = &source.dataset.schema;
        let encoder = amends::data::Encoder::new(schema);
        Ok(Model {
            origin: Origin::Imported { library: Library::XgBoost, link: Link::None },
            schema_name: schema.name.clone(),
            schema_fingerprint: schema.fingerprint(),
            columns: encoder.columns().iter().map(|column| column.name.clone()).collect(),
            quality: None,
            classifier,
        })
    }
}

impl ModelInputs<'_> {
    fn any_row<'a>(&'a self, rng: &mut ChaCha8Rng) -> &'a [f64] {
        let list = if rng.random_bool(0.5) { self.rows } else { self.others };
        &list[rng.random_range(0..list.len())]
    }

    /// One over the power of ten near the spread of a column, which keeps weights short decimals.
    fn scale(&self, column: usize) -> f64 {
        let values = self.rows.iter().map(|row| row[column]);
        let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
            (low.min(value), high.max(value))
        });
        let spread = if high > low { high - low } else { 1.0 };
        let exponent = -spread.log10().round() as i32;
        format!("1e{exponent}").parse().expect("a power of ten")
    }

    fn weights(&self, rng: &mut ChaCha8Rng) -> Vec<f64> {
        let weight = |column: usize, tenths: i32| f64::from(tenths) / 10.0 * self.scale(column);
        (0..self.halves.len()).map(|column| weight(column, rng.random_range(-20..21))).collect()
    }
}

fn linear(rng: &mut ChaCha8Rng, source: &ModelInputs<'_>) -> Classifier {
    let weights = source.weights(rng);
    let plain = Classifier::Linear(Linear { weights: weights.clone(), intercept: 0.0 });
    let best = (0..3).map(|_| score(&plain, source.any_row(rng))).fold(f64::MIN, f64::max);
    let intercept = if rng.random_bool(0.5) { -best } else { -best * 0.97 - 0.01 };
    Classifier::Linear(Linear { weights, intercept })
}

/// A tree that grows node by node.
#[derive(Default)]
struct Growing(Tree);

impl Growing {
    fn node(&mut self) -> usize {
        self.0.feature.push(-1);
        self.0.threshold.push(0.0);
        self.0.left.push(-1);
        self.0.right.push(-1);
        self.0.value.push(0.0);
        self.0.value.len() - 1
    }

    fn leaf(&mut self, value: f64) -> usize {
        let node = self.node();
        self.0.value[node] = value;
        node
    }

    /// Splits a leaf and gives its children.
    fn split(&mut self, node: usize, column: usize, threshold: f64) -> [usize; 2] {
        let children = [self.node(), self.node()];
        self.0.feature[node] = column as i64;
        self.0.threshold[node] = threshold;
        self.0.left[node] = children[0] as i64;
        self.0.right[node] = children[1] as i64;
        children
    }
}

fn trees(rng: &mut ChaCha8Rng, source: &ModelInputs<'_>, single: bool) -> Classifier {
    let count = rng.random_range(2..9);
    let mut ensemble = TreeEnsemble {
        threshold: 0.0,
        sums: if single { Sums::Single } else { Sums::Double },
        trees: (0..count).map(|_| tree(rng, source, single)).collect::<Vec<_>>().into(),
    };
    // Right at the sum of some application, where rounding decides.
    let plain = Classifier::Trees(ensemble.clone());
    let draws = rng.random_range(1..6);
    let best = (0..draws).map(|_| score(&plain, source.any_row(rng))).fold(f64::MIN, f64::max);
    ensemble.threshold = best;
    Classifier::Trees(ensemble)
}

fn tree(rng: &mut ChaCha8Rng, source: &ModelInputs<'_>, single: bool) -> Tree {
    let mut tree = Growing::default();
    let root = tree.node();
    let mut open = vec![(root, rng.random_range(1..4))];
    while let Some((node, depth)) = open.pop() {
        if depth == 0 {
            let value = f64::from(rng.random_range(-40..41)) / 37.0;
            tree.0.value[node] = if single { f64::from(value as f32) } else { value };
            continue;
        }
        let column = rng.random_range(0..source.halves.len());
        let value = source.any_row(rng)[column];
        let threshold = value + pick(rng, &[0.0, 1.0, -1.0]) * source.halves[column];
        let children = tree.split(node, column, threshold);
        open.extend(children.map(|child| (child, depth - 1)));
    }
    tree.0
}

/// Accepts applications that agree with one of a few in most columns, to the last unit.
fn windows(rng: &mut ChaCha8Rng, source: &ModelInputs<'_>) -> Classifier {
    let width = source.halves.len();
    let mut trees = Vec::new();
    let anchors: Vec<&[f64]> = (0..rng.random_range(1..4)).map(|_| source.any_row(rng)).collect();
    let columns: Vec<usize> = (0..width).filter(|_| rng.random_bool(0.7)).collect();
    for &column in &columns {
        let mut tree = Growing::default();
        let mut node = tree.node();
        let mut values: Vec<f64> = anchors.iter().map(|row| row[column]).collect();
        values.sort_by(f64::total_cmp);
        values.dedup();
        for value in values {
            let reach = pick(rng, &[0.0, 0.0, 2.0, 8.0]) * source.halves[column];
            let [_, rest] = tree.split(node, column, value - source.halves[column]);
            let [inside, rest] = tree.split(rest, column, value + reach);
            tree.0.value[inside] = 1.0;
            node = rest;
        }
        trees.push(tree.0);
    }
    if trees.is_empty() {
        let mut lone = Growing::default();
        lone.leaf(0.0);
        trees.push(lone.0);
    }
    let spare = usize::from(columns.len() > 2 && rng.random_bool(0.5));
    let threshold = columns.len().max(1) - spare;
    Classifier::Trees(TreeEnsemble {
        threshold: threshold as f64,
        sums: Sums::Double,
        trees: trees.into(),
    })
}

fn network(rng: &mut ChaCha8Rng, source: &ModelInputs<'_>) -> Classifier {
    let units = rng.random_range(2..6);
    let first: Vec<Vec<f64>> = (0..units).map(|_| source.weights(rng)).collect();
    let bias = |row: &Vec<f64>, rng: &mut ChaCha8Rng| {
        let plain = Classifier::Linear(Linear { weights: row.clone(), intercept: 0.0 });
        -score(&plain, source.any_row(rng))
    };
    let bias = first.iter().map(|row| bias(row, rng)).collect();
    let mut layers = vec![Layer { weights: first, bias }];
    let mut inputs = units;
    let mut layer = |units: usize, inputs: usize| {
        let mut tenths = || f64::from(rng.random_range(-20..21)) / 10.0;
        let weights = (0..units).map(|_| (0..inputs).map(|_| tenths()).collect()).collect();
        Layer { weights, bias: (0..units).map(|_| tenths()).collect() }
    };
    if units > 3 {
        layers.push(layer(3, inputs));
        inputs = 3;
    }
    layers.push(layer(1, inputs));
    let mut network = Mlp { layers };
    let plain = Classifier::Mlp(network.clone());
    let best = (0..4).map(|_| score(&plain, source.any_row(rng))).fold(f64::MIN, f64::max);
    if let Some(last) = network.layers.last_mut() {
        last.bias[0] -= best;
    }
    Classifier::Mlp(network)
}

/// How members' scores are transformed: they are near 0 where members nearly accept.
fn transform(rng: &mut ChaCha8Rng) -> Transform {
    let sign = if rng.random_bool(0.3) { -1.0 } else { 1.0 };
    match rng.random_range(0..8) {
        0..3 => Transform::Identity,
        3..6 => {
            let (slope, offset) = (sign * pick(rng, &[0.5, 1.0, 3.0]), pick(rng, &[0.0, 0.25]));
            Transform::Logistic { slope, offset }
        }
        6 => Transform::Vote { cut: pick(rng, &[0.0, -0.1]) },
        _ => {
            let values = [0.1, 0.3, 0.3, 0.9].map(|value| sign * value).to_vec();
            Transform::Isotonic { scores: vec![-2.0, -0.5, 0.0, 1.0], values }
        }
    }
}

/// A combination that some application just reaches.
fn combined(rng: &mut ChaCha8Rng, source: &ModelInputs<'_>) -> Classifier {
    let count = rng.random_range(1..4);
    let combine = match rng.random_range(0..5) {
        0..3 => Combine::Sum,
        3 => Combine::Minimum,
        _ => Combine::KthLargest(rng.random_range(1..=count)),
    };
    let mut member = |_| {
        let classifier = match rng.random_range(0..4) {
            0 | 1 => linear(rng, source),
            2 => network(rng, source),
            _ => {
                let single = rng.random_bool(0.3);
                trees(rng, source, single)
            }
        };
        let weights = if combine == Combine::Sum { &[1.0, 0.5, -0.5][..] } else { &[1.0] };
        Member { classifier, transform: transform(rng), weight: pick(rng, weights) }
    };
    let members: Vec<Member> = (0..count).map(&mut member).collect();
    let mut combined = Combined { members, combine, intercept: 0.0 };
    let plain = Classifier::Combined(combined.clone());
    let best = (0..3).map(|_| score(&plain, source.any_row(rng))).fold(f64::MIN, f64::max);
    combined.intercept = if rng.random_bool(0.7) { -best } else { -best - 0.01 };
    Classifier::Combined(combined)
}
