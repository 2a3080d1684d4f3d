//! An instance laid out for searching: movable features, options in order, columns of `U`.

use crate::instance::{Distance, Instance};
use crate::model::Classifier;
use crate::search::layout::cost_limits::CostLimits;
use crate::search::layout::feature::Feature;
use crate::search::layout::movable::{BY_NUMBER, Part, Sheet};
use crate::search::layout::network::Network;
use crate::search::layout::rules::Rules;
use crate::search::layout::values::{Place, Runs};

/// The norm that the distance takes of `U a`; `None` where it is a table of costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::search) enum Norm {
    /// The sum of absolute values.
    Sum,
    /// The length.
    Length,
    /// The squared length.
    Squared,
    /// There is no norm: costs come from a table.
    None,
}

/// The whole instance, laid out. Features with a single option only leave their cost behind.
#[derive(Debug)]
pub(in crate::search) struct Space<'a> {
    pub instance: &'a Instance,
    pub features: Vec<Feature>,
    /// Per feature of the instance, what it became.
    pub parts: Vec<Part>,
    pub rules: Rules,
    pub cost_limits: CostLimits,
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
    pub(in crate::search) fn new(instance: &'a Instance) -> Self {
        let no_rows = Vec::new();
        let (factor, norm, costs) = match &instance.cost.distance {
            Distance::L1Mahalanobis { factor } => (factor, Norm::Sum, None),
            Distance::Mahalanobis { factor } => (factor, Norm::Length, None),
            Distance::SquaredMahalanobis { factor } => (factor, Norm::Squared, None),
            Distance::Table { costs } => (&no_rows, Norm::None, Some(costs)),
        };
        let is_zero = |row: &&[f64]| row.iter().all(|&u| u == 0.0);
        let factor: Vec<&[f64]> =
            factor.iter().map(Vec::as_slice).filter(|row| !is_zero(row)).collect();
        let (weights, intercept) = match &instance.classifier {
            Classifier::Linear(linear) => (Some(&linear.weights[..]), linear.intercept.abs()),
            Classifier::Trees(_) | Classifier::Mlp(_) => (None, 0.0),
        };
        let cuts = match &instance.classifier {
            Classifier::Trees(ensemble) => Some(ensemble.cut_points(instance.x.len())),
            Classifier::Linear(_) | Classifier::Mlp(_) => None,
        };
        let sheet = Sheet { instance, factor: &factor, weights, cuts: cuts.as_deref() };
        let mut fixed_cost = 0.0;
        let mut features: Vec<Feature> = Vec::new();
        let mut parts = Vec::with_capacity(instance.features.len());
        for (index, feature) in instance.features.iter().enumerate() {
            let costs = costs.map(|costs| &costs[index]);
            if feature.options.len() == 1 {
                fixed_cost += costs.map_or(0.0, |costs| costs.at(0));
                parts.push(Part::Fixed);
                continue;
            }
            let first = features.len();
            features.extend(sheet.lay_out(index, costs));
            parts.push(match features.len() - first {
                1 => Part::Whole(first),
                _ => Part::Split { state: first, number: first + 1 },
            });
        }
        // Columns in step are taken to move by the very same amount, which is so up to the rounding of their values.
        let in_step: f64 = features
            .iter()
            .filter(|feature| feature.is_numeric() && feature.columns.len() > 1)
            .flat_map(|feature| &feature.columns)
            .map(|&c| instance.x[c].abs() * factor.iter().map(|row| row[c].abs()).sum::<f64>())
            .sum();
        let score_scale: f64 = weights.map_or(0.0, |weights| {
            let fixed: f64 = weights.iter().zip(&instance.x).map(|(w, x)| (w * x).abs()).sum();
            let moved: f64 = features.iter().map(|f| f.largest_gain).sum();
            fixed + moved + intercept
        });
        let moves: f64 = features.iter().map(|f| f.largest_move).sum::<f64>() + in_step;
        let distance_scale = fixed_cost
            + features.iter().map(|f| largest_cost(&f.costs)).sum::<f64>()
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
            rules: Rules::new(instance, &features, &parts),
            cost_limits: CostLimits::new(&instance.cost),
            instance,
            products: products(&features),
            features,
            parts,
            norm,
            fixed_cost,
            distance_scale,
            moves,
        }
    }

    /// The product of what changes of one of two numeric features move `U a` by.
    pub(in crate::search) fn product(&self, f: usize, g: usize) -> f64 {
        self.products[f * self.features.len() + g]
    }

    /// The norm of a position, without table costs.
    pub(in crate::search) fn length(&self, position: &[f64]) -> f64 {
        match self.norm {
            Norm::Sum => sum_of_sizes(position),
            Norm::Length => dot(position, position).sqrt(),
            Norm::Squared => dot(position, position),
            Norm::None => 0.0,
        }
    }

    /// The instance's choice of options for one place per movable feature.
    pub(in crate::search) fn choice(&self, places: &[Place]) -> Vec<usize> {
        let option = |f: usize| self.features[f].values.option(places[f]);
        let parts = self.parts.iter().map(|part| match *part {
            Part::Fixed => 0,
            Part::Whole(f) => option(f),
            Part::Split { state, number } => match option(state) {
                BY_NUMBER => option(number),
                listed => listed,
            },
        });
        parts.collect()
    }
}

fn largest_cost(costs: &Runs) -> f64 {
    costs.list().iter().fold(0.0, |most: f64, run| most.max(run.first.abs()).max(run.last().abs()))
}

fn products(features: &[Feature]) -> Vec<f64> {
    let product = |f: &Feature, g: &Feature| match (f.numeric(), g.numeric()) {
        (Some(f), Some(g)) => dot(&f.image, &g.image),
        _ => 0.0,
    };
    features.iter().flat_map(|f| features.iter().map(move |g| product(f, g))).collect()
}

/// The largest absolute value.
pub(in crate::search) fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |most: f64, value| most.max(value.abs()))
}

/// The sum of products, in four strands so that additions need not wait for each other.
pub(in crate::search) fn dot(a: &[f64], b: &[f64]) -> f64 {
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
