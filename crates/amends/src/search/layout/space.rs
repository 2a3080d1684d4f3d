//! An instance laid out for searching: movable features, options in order, columns of `U`.

use crate::instance::{Distance, Instance};
use crate::search::layout::cost_limits::CostLimits;
use crate::search::layout::feature::Feature;
use crate::search::layout::movable::{BY_NUMBER, Part, Sheet};
use crate::search::layout::rules::Rules;
use crate::search::layout::values::{Runs, ValueIndex};
use crate::search::score::{self, ClassifierScore};

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

/// One move: a movable feature goes to a value of its order.
pub(in crate::search) type Move = (usize, ValueIndex);

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
    /// The classifier, laid out over the features.
    pub classifier: Box<dyn ClassifierScore + 'a>,
    /// The score of the applicant unchanged.
    pub score: f64,
    /// The rounding error of a score that is put together from features.
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
        let (factor, norm, costs) = match &instance.cost().distance {
            Distance::L1Mahalanobis { factor } => (factor, Norm::Sum, None),
            Distance::Mahalanobis { factor } => (factor, Norm::Length, None),
            Distance::SquaredMahalanobis { factor } => (factor, Norm::Squared, None),
            Distance::Table { costs } => (&no_rows, Norm::None, Some(costs)),
        };
        let is_zero = |row: &&[f64]| row.iter().all(|&u| u == 0.0);
        let factor: Vec<&[f64]> =
            factor.iter().map(Vec::as_slice).filter(|row| !is_zero(row)).collect();
        let weights = instance.classifier().as_linear().map(|linear| &linear.weights[..]);
        let cuts = instance.classifier().thresholds(instance.x().len());
        let sheet = Sheet { instance, factor: &factor, weights, cuts: cuts.as_deref() };
        let mut fixed_cost = 0.0;
        let mut features: Vec<Feature> = Vec::new();
        let mut parts = Vec::with_capacity(instance.features().len());
        for (index, feature) in instance.features().iter().enumerate() {
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
            .map(|&c| instance.x()[c].abs() * factor.iter().map(|row| row[c].abs()).sum::<f64>())
            .sum();
        let moves: f64 = features.iter().map(|f| f.largest_move).sum::<f64>() + in_step;
        let distance_scale = fixed_cost
            + features.iter().map(|f| largest_cost(&f.costs)).sum::<f64>()
            + if norm == Norm::Squared { moves * moves } else { moves };
        let classifier = score::lay_out(instance, &features);
        Self {
            score: instance.classifier().score(instance.x()),
            score_error: classifier.error(),
            classifier,
            rows: factor.len(),
            rules: Rules::new(instance, &features, &parts),
            cost_limits: CostLimits::new(instance),
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

    /// Writes the columns of the application at some values, after a move.
    pub(in crate::search) fn write_row(
        &self,
        indices: &[ValueIndex],
        moves: &[Move],
        row: &mut Vec<f64>,
    ) {
        row.clear();
        row.extend_from_slice(self.instance.x());
        for (f, feature) in self.features.iter().enumerate() {
            let index = moves.iter().find(|m| m.0 == f).map_or(indices[f], |m| m.1);
            if !feature.is_keep(index) {
                for (position, &column) in feature.columns.iter().enumerate() {
                    row[column] = feature.values.value(index, position);
                }
            }
        }
    }

    /// What a number of changes costs, counted only where they cost anything.
    pub(in crate::search) fn cost_of_changes(&self, count: impl FnOnce() -> usize) -> f64 {
        let cost = self.instance.cost();
        if cost.change_cost > 0.0 { cost.of_changes(count()) } else { 0.0 }
    }

    /// The instance's choice of options for one value per movable feature.
    pub(in crate::search) fn choice(&self, indices: &[ValueIndex]) -> Vec<usize> {
        let option = |f: usize| self.features[f].values.option(indices[f]);
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
