//! An instance laid out for searching: movable features, options in order, columns of `U`.

use super::caps::Caps;
use super::network::Network;
use super::rules::Rules;
use crate::instance::{Distance, Instance, is_keep};
use crate::model::Classifier;

/// The norm that the distance takes of `U a`; `None` where it is a table of costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Norm {
    /// The sum of absolute values.
    Sum,
    /// The length.
    Length,
    /// The squared length.
    Squared,
    /// There is no norm: costs come from a table.
    None,
}

/// A feature with at least two options.
#[derive(Debug)]
pub(super) struct Feature {
    /// Its place in the instance.
    pub index: usize,
    /// The instance's option at each place of the order.
    pub original: Vec<usize>,
    /// The places of the options that change nothing.
    pub keep: (u32, u32),
    /// A feature of one column is ordered by its change.
    pub numeric: bool,
    /// The column of a numeric feature.
    pub column: usize,
    /// The change at each place; empty unless numeric.
    pub change: Vec<f64>,
    /// `U` times a change of one (numeric), or times each option in turn.
    pub image: Vec<f64>,
    /// The table's cost at each place, zeros without a table.
    pub cost: Vec<f64>,
    /// A linear model's gain in score at each place, zeros for other models.
    pub gain: Vec<f64>,
    /// The gain of a change of one, where numeric.
    pub unit_gain: f64,
    /// The largest distance that this feature can move `U a`, as a sum of absolute values.
    pub largest_move: f64,
}

impl Feature {
    pub(super) fn last(&self) -> u32 {
        self.original.len() as u32 - 1
    }

    pub(super) fn is_keep(&self, place: u32) -> bool {
        self.keep.0 <= place && place <= self.keep.1
    }

    /// `U` times the option's change, added `times` to `position`.
    pub(super) fn add_image(&self, place: u32, times: f64, position: &mut [f64]) {
        let rows = position.len();
        let (image, factor) = if self.numeric {
            (&self.image[..], self.change[place as usize] * times)
        } else {
            let from = place as usize * rows;
            (&self.image[from..from + rows], times)
        };
        for (position, image) in position.iter_mut().zip(image) {
            *position += factor * image;
        }
    }
}

/// The whole instance, laid out. Features with a single option only leave their cost behind.
#[derive(Debug)]
pub(super) struct Space<'a> {
    pub instance: &'a Instance,
    pub features: Vec<Feature>,
    pub rules: Rules,
    pub caps: Caps,
    pub norm: Norm,
    /// How many rows `U` has, rows of zeros left out.
    pub rows: usize,
    /// The cost of features that have no choice.
    pub fixed_cost: f64,
    /// A neural network, taken apart by features.
    pub network: Option<Network>,
    /// The score of the applicant unchanged.
    pub score: f64,
    /// What a linear score, or a network's, can be off by, through rounding.
    pub score_error: f64,
    /// The largest distance in sight: the scale of rounding errors.
    pub distance_scale: f64,
    /// Per pair of numeric features, the product of what changes of one move `U a` by.
    products: Vec<f64>,
    /// The farthest that `U a` can move, as a sum of absolute values.
    pub moves: f64,
}

impl<'a> Space<'a> {
    pub(super) fn new(instance: &'a Instance) -> Self {
        let no_rows = Vec::new();
        let (factor, norm, costs) = match &instance.cost.distance {
            Distance::L1Mahalanobis { factor } => (factor, Norm::Sum, None),
            Distance::Mahalanobis { factor } => (factor, Norm::Length, None),
            Distance::SquaredMahalanobis { factor } => (factor, Norm::Squared, None),
            Distance::Table { costs } => (&no_rows, Norm::None, Some(costs)),
        };
        let factor: Vec<&[f64]> =
            factor.iter().map(Vec::as_slice).filter(|row| !is_keep(row)).collect();
        let (weights, intercept) = match &instance.classifier {
            Classifier::Linear(linear) => (Some(&linear.weights[..]), linear.intercept.abs()),
            Classifier::Trees(_) | Classifier::Mlp(_) => (None, 0.0),
        };
        let mut fixed_cost = 0.0;
        let mut features = Vec::new();
        for (index, feature) in instance.features.iter().enumerate() {
            let costs = costs.map(|costs| &costs[index][..]);
            if feature.options.len() > 1 {
                features.push(lay_out(instance, index, &factor, costs, weights));
            } else {
                fixed_cost += costs.map_or(0.0, |costs| costs[0]);
            }
        }
        let score_scale: f64 = weights.map_or(0.0, |weights| {
            let fixed: f64 = weights.iter().zip(&instance.x).map(|(w, x)| (w * x).abs()).sum();
            let moved: f64 = features.iter().map(|f| largest(&f.gain)).sum();
            fixed + moved + intercept
        });
        let moves: f64 = features.iter().map(|f| f.largest_move).sum();
        let distance_scale = fixed_cost
            + features.iter().map(|f| largest(&f.cost)).sum::<f64>()
            + if norm == Norm::Squared { moves * moves } else { moves };
        let network = match &instance.classifier {
            Classifier::Mlp(mlp) => Network::new(instance, &features, mlp),
            Classifier::Linear(_) | Classifier::Trees(_) => None,
        };
        let linear_error = 8.0 * (instance.x.len() as f64 + 4.0) * f64::EPSILON * score_scale;
        Self {
            score: instance.classifier.score(&instance.x),
            score_error: network.as_ref().map_or(linear_error, Network::error),
            network,
            rows: factor.len(),
            rules: Rules::new(instance, &features),
            caps: Caps::new(&instance.cost),
            instance,
            products: products(&features),
            features,
            norm,
            fixed_cost,
            distance_scale,
            moves,
        }
    }

    /// The product of what changes of one of two numeric features move `U a` by.
    pub(super) fn product(&self, f: usize, g: usize) -> f64 {
        self.products[f * self.features.len() + g]
    }

    /// The norm of a position, without table costs.
    pub(super) fn length(&self, position: &[f64]) -> f64 {
        match self.norm {
            Norm::Sum => sum_of_sizes(position),
            Norm::Length => dot(position, position).sqrt(),
            Norm::Squared => dot(position, position),
            Norm::None => 0.0,
        }
    }

    /// The instance's choice of options for one place per movable feature.
    pub(super) fn choice(&self, places: &[u32]) -> Vec<usize> {
        let mut choice = self.instance.keep_all();
        for (feature, &place) in self.features.iter().zip(places) {
            choice[feature.index] = feature.original[place as usize];
        }
        choice
    }
}

fn products(features: &[Feature]) -> Vec<f64> {
    let product = |f: &Feature, g: &Feature| {
        if f.numeric && g.numeric { dot(&f.image, &g.image) } else { 0.0 }
    };
    features.iter().flat_map(|f| features.iter().map(move |g| product(f, g))).collect()
}

fn lay_out(
    instance: &Instance,
    index: usize,
    factor: &[&[f64]],
    costs: Option<&[f64]>,
    weights: Option<&[f64]>,
) -> Feature {
    let feature = &instance.features[index];
    let options = &feature.options;
    let numeric = feature.columns.len() == 1;
    let mut original: Vec<usize> = (0..options.len()).collect();
    if numeric {
        original.sort_by(|&a, &b| (options[a][0] + 0.0).total_cmp(&(options[b][0] + 0.0)));
    } else {
        original.sort_by_key(|&option| !is_keep(&options[option]));
    }
    let kept: Vec<u32> = (0..original.len() as u32)
        .filter(|&place| is_keep(&options[original[place as usize]]))
        .collect();
    let unit_image: Vec<Vec<f64>> = feature
        .columns
        .iter()
        .map(|&column| factor.iter().map(|row| row[column]).collect())
        .collect();
    let image = if numeric {
        unit_image[0].clone()
    } else {
        let of = |option: usize, row: usize| -> f64 {
            options[option].iter().zip(&unit_image).map(|(change, unit)| change * unit[row]).sum()
        };
        original
            .iter()
            .flat_map(|&option| (0..factor.len()).map(move |row| (option, row)))
            .map(|(option, row)| of(option, row))
            .collect()
    };
    let weight = |column: usize| weights.map_or(0.0, |weights| weights[column]);
    let gain = |option: usize| -> f64 {
        feature.columns.iter().zip(&options[option]).map(|(&c, change)| weight(c) * change).sum()
    };
    let moved = |option: usize| -> f64 {
        options[option]
            .iter()
            .zip(&unit_image)
            .map(|(change, unit)| change.abs() * unit.iter().map(|u| u.abs()).sum::<f64>())
            .sum()
    };
    Feature {
        index,
        keep: (kept[0], kept[kept.len() - 1]),
        numeric,
        column: feature.columns[0],
        change: if numeric {
            original.iter().map(|&option| options[option][0]).collect()
        } else {
            Vec::new()
        },
        image,
        cost: original.iter().map(|&option| costs.map_or(0.0, |costs| costs[option])).collect(),
        gain: original.iter().map(|&option| gain(option)).collect(),
        unit_gain: weight(feature.columns[0]),
        largest_move: (0..options.len()).map(moved).fold(0.0, f64::max),
        original,
    }
}

/// The largest absolute value.
pub(super) fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |most: f64, value| most.max(value.abs()))
}

/// The sum of products, in four strands so that additions need not wait for each other.
pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    let (mut a, mut b) = (a.chunks_exact(4), b.chunks_exact(4));
    let mut strands = [0.0; 4];
    for (a, b) in a.by_ref().zip(b.by_ref()) {
        for (strand, (a, b)) in strands.iter_mut().zip(a.iter().zip(b)) {
            *strand += a * b;
        }
    }
    let rest: f64 = a.remainder().iter().zip(b.remainder()).map(|(a, b)| a * b).sum();
    (strands[0] + strands[1]) + (strands[2] + strands[3]) + rest
}

/// The sum of absolute values, in four strands.
fn sum_of_sizes(values: &[f64]) -> f64 {
    let mut chunks = values.chunks_exact(4);
    let mut strands = [0.0; 4];
    for chunk in chunks.by_ref() {
        for (strand, value) in strands.iter_mut().zip(chunk) {
            *strand += value.abs();
        }
    }
    let rest: f64 = chunks.remainder().iter().map(|value| value.abs()).sum();
    (strands[0] + strands[1]) + (strands[2] + strands[3]) + rest
}
