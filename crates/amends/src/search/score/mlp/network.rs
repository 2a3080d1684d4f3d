//! A neural network laid out for searching: what every option adds to the first layer's sums.

use crate::instance::Instance;
use crate::model::{Layer, Mlp};
use crate::search::layout::feature::{Feature, FeatureKind};
use crate::search::layout::space::dot;
use crate::search::layout::values::ValueIndex;

/// A network whose first layer is taken apart by features.
#[derive(Debug)]
pub(in crate::search::score) struct Network {
    /// The first layer's sums, unchanged.
    pub base: Vec<f64>,
    /// Per movable feature, what a change of one adds to the first layer's sums (numeric), or what each
    /// value adds, one after the other.
    images: Vec<Vec<f64>>,
    /// The layers after the first.
    pub layers: Vec<Dense>,
    /// Per layer and unit, what its sum, or a bound of it, can be off by through rounding.
    pub errors: Vec<Vec<f64>>,
}

/// A layer with its weights in one piece.
#[derive(Debug)]
pub(in crate::search::score) struct Dense {
    pub inputs: usize,
    weights: Vec<f64>,
    pub bias: Vec<f64>,
}

impl Dense {
    fn new(layer: &Layer) -> Self {
        Self {
            inputs: layer.weights.first().map_or(0, Vec::len),
            weights: layer.weights.concat(),
            bias: layer.bias.clone(),
        }
    }

    /// The weights of one unit.
    pub(super) fn row(&self, unit: usize) -> &[f64] {
        &self.weights[unit * self.inputs..(unit + 1) * self.inputs]
    }
}

impl Network {
    pub(in crate::search::score) fn new(
        instance: &Instance,
        features: &[Feature],
        mlp: &Mlp,
    ) -> Self {
        let (first, others) = mlp.layers.split_first().expect("a checked network has a layer");
        let images = features.iter().map(|feature| image(instance, feature, first)).collect();
        Self {
            base: first.sums(instance.x()),
            images,
            layers: others.iter().map(Dense::new).collect(),
            errors: errors(instance, features.len(), mlp),
        }
    }

    /// How many units the first layer has.
    pub(super) fn width(&self) -> usize {
        self.base.len()
    }

    /// What a change of one of a numeric feature adds to the first layer's sums.
    pub(super) fn slope(&self, f: usize) -> &[f64] {
        &self.images[f]
    }

    /// What a value of a feature without an order adds to the first layer's sums.
    pub(super) fn at(&self, f: usize, index: ValueIndex) -> &[f64] {
        let from = index as usize * self.width();
        &self.images[f][from..from + self.width()]
    }

    /// Adds what a value adds, some times over.
    pub(super) fn add(
        &self,
        feature: &Feature,
        f: usize,
        index: ValueIndex,
        times: f64,
        sums: &mut [f64],
    ) {
        let (image, factor) = match &feature.kind {
            FeatureKind::Numeric(_) => (self.slope(f), times * feature.change(index)),
            FeatureKind::Categorical(_) => (self.at(f, index), times),
        };
        for (sum, image) in sums.iter_mut().zip(image) {
            *sum += factor * image;
        }
    }

    /// The score from the first layer's sums, which are used up.
    pub(super) fn score(&self, sums: &mut Vec<f64>, spare: &mut Vec<f64>) -> f64 {
        for layer in &self.layers {
            for sum in sums.iter_mut() {
                *sum = sum.max(0.0);
            }
            spare.clear();
            spare.extend(
                layer.bias.iter().enumerate().map(|(unit, b)| dot(layer.row(unit), sums) + b),
            );
            std::mem::swap(sums, spare);
        }
        sums[0]
    }

    /// What a score, or a bound of it, can be off by.
    pub(super) fn error(&self) -> f64 {
        self.errors.last().map_or(0.0, |last| last[0])
    }
}

fn image(instance: &Instance, feature: &Feature, first: &Layer) -> Vec<f64> {
    let columns = &feature.columns;
    if feature.is_numeric() {
        let step = |row: &Vec<f64>| columns.iter().map(|&column| row[column]).sum();
        return first.weights.iter().map(step).collect();
    }
    let mut image = Vec::new();
    for index in 0..=feature.last() {
        let change = |(position, &column): (usize, &usize)| {
            feature.values.value(index, position) - instance.x()[column]
        };
        let change: Vec<f64> = columns.iter().enumerate().map(change).collect();
        let of =
            |row: &Vec<f64>| columns.iter().zip(&change).map(|(&c, a)| row[c] * a).sum::<f64>();
        image.extend(first.weights.iter().map(of));
    }
    image
}

/// Sums of sums: each is off by at most the length of all sums on the way, times the last digit of the
/// sum of all sizes. Bounds take a few sums over units and features more; the factor is generous.
fn errors(instance: &Instance, features: usize, mlp: &Mlp) -> Vec<Vec<f64>> {
    let mut sizes: Vec<f64> = instance.x().iter().map(|x| x.abs()).collect();
    for feature in instance.features() {
        for (index, &column) in feature.columns.iter().enumerate() {
            sizes[column] += feature.options.largest(index);
        }
    }
    let mut terms = features as f64 + 16.0;
    let mut errors = Vec::with_capacity(mlp.layers.len());
    for layer in &mlp.layers {
        terms += sizes.len() as f64 + 4.0;
        let size = |(row, bias): (&Vec<f64>, &f64)| {
            row.iter().zip(&sizes).map(|(w, size)| w.abs() * size).sum::<f64>() + bias.abs()
        };
        sizes = layer.weights.iter().zip(&layer.bias).map(size).collect();
        errors.push(sizes.iter().map(|size| 8.0 * terms * f64::EPSILON * size).collect());
    }
    errors
}
