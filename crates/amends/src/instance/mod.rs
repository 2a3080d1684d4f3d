//! One applicant's whole optimisation problem as numbers, independent of tables and of solvers.
//!
//! Minimise `distance(x' - x) + weight * outlier(x') + change_cost * changes` over one option per feature, which gives the changed
//! applicant x', with at most `max_changes` features changed, every rule held, distance and outlier term within their limits
//! and `score(x') >= 0`.

mod check;
mod check_costs;
mod check_rules;
mod coefficients;
mod evaluate;
mod file;
mod limits;
mod option_list;
mod option_set;
mod options;
mod points;
mod rules;
mod shape;

use serde::{Deserialize, Serialize};

use crate::decimal::difference;
use crate::model::Classifier;
use crate::plausibility::Metric;

pub use coefficients::{Coefficients, Run};
pub use evaluate::Evaluation;
pub use file::read_instances;
pub use limits::Limits;
pub use option_list::OptionList;
pub(crate) use option_list::Position;
pub use option_set::OptionSet;
pub use options::{Options, ValueRange};
pub use points::ReferencePoints;
pub(crate) use rules::SUM_TOLERANCE;
pub use rules::{Literal, OptionRule, RuleKind, Term};

/// The version of the instance file that this library writes; it reads version 1 as well.
pub const INSTANCE_VERSION: u32 = 2;

/// One applicant's problem. Fields are public for reading; [`Instance::check`] holds for every
/// instance that came through [`Instance::new`] or [`read_instances`].
#[derive(Debug, Clone, PartialEq)]
pub struct Instance {
    /// The applicant, encoded.
    pub x: Vec<f64>,
    /// What may change; columns that no feature names stay as they are.
    pub features: Vec<FeatureOptions>,
    /// At most this many features change.
    pub max_changes: usize,
    /// What ties features together; every plan holds all of it.
    pub rules: Vec<OptionRule>,
    /// What decides.
    pub classifier: Classifier,
    /// What is minimised.
    pub cost: Cost,
}

/// A feature and the values that it may take.
#[derive(Debug, Clone, PartialEq)]
pub struct FeatureOptions {
    /// The feature's name.
    pub name: String,
    /// The columns it is encoded in.
    pub columns: Vec<usize>,
    /// Per option the value of each of these columns; the applicant's own values are always one.
    pub options: Options,
}

/// What is minimised, and how large its parts may be.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cost {
    /// The effort of the change.
    pub distance: Distance,
    /// How unusual the changed applicant is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outlier: Option<Outlier>,
    /// What each changed feature costs in addition; at most [`MOST_CHANGE_COST`].
    #[serde(default, skip_serializing_if = "is_zero")]
    pub change_cost: f64,
    /// What distance and outlier term may be at most; binds plans, as rules do.
    #[serde(default, skip_serializing_if = "Limits::is_empty")]
    pub most: Limits,
}

/// The largest cost per change. Beside a larger one, differences in distance would be lost in the relative gap.
pub const MOST_CHANGE_COST: f64 = 1e12;

impl Cost {
    /// What so many changes cost by themselves.
    pub fn of_changes(&self, changes: usize) -> f64 {
        self.change_cost * changes as f64
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes fields by reference")]
fn is_zero(cost: &f64) -> bool {
    *cost == 0.0
}

/// The effort of a change `a`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Distance {
    /// The sum of `|<U_d, a>|` over the rows of the factor: DACE's surrogate.
    L1Mahalanobis {
        /// The rows of U, where U'U is the inverse covariance.
        factor: Vec<Vec<f64>>,
    },
    /// The length of `U a`.
    Mahalanobis {
        /// The rows of U.
        factor: Vec<Vec<f64>>,
    },
    /// The squared length of `U a`.
    SquaredMahalanobis {
        /// The rows of U.
        factor: Vec<Vec<f64>>,
    },
    /// A cost for every option of every feature, added up.
    Table {
        /// Per feature, per option.
        costs: Vec<Coefficients>,
    },
}

/// How unusual the changed applicant is among reference points.
///
/// Without `k`, DACE's surrogate: `density[n] * max(D(x + a, n), k_distance[n])` for the nearest
/// point n. With `k`, the true k-LOF over all points.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Outlier {
    /// Lambda: what one unit costs in units of the distance.
    pub weight: f64,
    /// How far apart two rows are.
    pub metric: Metric,
    /// The reference points, which the instances of many applicants share.
    pub points: ReferencePoints,
    /// Each point's distance to its k-th neighbour.
    pub k_distance: Vec<f64>,
    /// Each point's local reachability density.
    pub density: Vec<f64>,
    /// The neighbours of the true k-LOF; the surrogate where it is absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub k: Option<usize>,
    /// Differences are divided by this, per column, before they are measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scale: Option<Vec<f64>>,
}

impl FeatureOptions {
    /// A feature whose options are listed as changes of the applicant's own values.
    pub fn of_changes(
        name: impl Into<String>,
        columns: Vec<usize>,
        x: &[f64],
        changes: &[Vec<f64>],
    ) -> Self {
        let row = |change: &Vec<f64>| columns.iter().zip(change).map(|(&c, a)| x[c] + a).collect();
        let options = Options::listed(changes.iter().map(row).collect());
        Self { name: name.into(), columns, options }
    }

    /// The applicant's own values.
    fn own(&self, x: &[f64]) -> Vec<f64> {
        self.columns.iter().map(|&column| x[column]).collect()
    }

    /// What an option changes in each column, as calculated on paper: for people. Distances use the difference in binary.
    pub fn change(&self, x: &[f64], option: usize) -> Vec<f64> {
        let values = self.options.row(option).into_iter();
        values.zip(&self.columns).map(|(to, &column)| difference(to, x[column])).collect()
    }

    /// Whether an option leaves the applicant's values as they are.
    pub fn keeps(&self, x: &[f64], option: usize) -> bool {
        let mut columns = self.columns.iter().enumerate();
        columns.all(|(place, &column)| self.options.value(option, place) == x[column])
    }

    /// The options that leave the applicant's values as they are.
    pub fn keep_set(&self, x: &[f64]) -> OptionSet {
        let own = self.own(x);
        let in_ranges =
            self.options.ranges().filter_map(|(start, range)| Some(start + range.find(&own)?));
        let listed = self.options.listed_values().filter(|(_, row)| **row == own);
        in_ranges.chain(listed.map(|(option, _)| option)).collect()
    }
}

impl Instance {
    /// The option of a feature that keeps it as it is.
    pub fn keep(&self, feature: usize) -> usize {
        let feature = &self.features[feature];
        // A checked instance has one.
        feature.options.find(&feature.own(&self.x)).unwrap_or(0)
    }

    /// Whether a feature's option changes nothing.
    pub fn keeps(&self, feature: usize, option: usize) -> bool {
        self.features[feature].keeps(&self.x, option)
    }

    /// The plan that changes nothing.
    pub fn keep_all(&self) -> Vec<usize> {
        (0..self.features.len()).map(|feature| self.keep(feature)).collect()
    }

    /// The changed applicant under one option per feature.
    pub fn apply(&self, choice: &[usize]) -> Vec<f64> {
        let mut changed = self.x.clone();
        for (feature, &option) in self.features.iter().zip(choice) {
            for (place, &column) in feature.columns.iter().enumerate() {
                changed[column] = feature.options.value(option, place);
            }
        }
        changed
    }

    /// The same problem with only some of the options: per feature those to keep, the one that changes nothing among
    /// them. The second part maps each feature's new options to the old ones.
    pub(crate) fn with_options(&self, kept: &[OptionSet]) -> (Self, Vec<Kept>) {
        let mut part = self.clone();
        let mut origins = Vec::with_capacity(kept.len());
        for (feature, kept) in part.features.iter_mut().zip(kept) {
            let (mut ranges, mut listed) = (Vec::new(), Vec::new());
            for (start, range) in feature.options.ranges() {
                let all = std::iter::once((start, start + range.len() - 1)).collect();
                for &(first, last) in kept.intersection(&all).intervals() {
                    ranges.push(range.part(first - start, last - start));
                }
            }
            for (option, row) in feature.options.listed_values() {
                if kept.contains(option) {
                    listed.push(row.clone());
                }
            }
            // A feature of one column is what engines handle best: columns that no longer move go.
            let moves = |&place: &usize| {
                let own = self.x[feature.columns[place]];
                ranges.iter().any(|range| range.moves(place) || range.value(0, place) != own)
                    || listed.iter().any(|row: &Vec<f64>| row[place] != own)
            };
            let mut moving: Vec<usize> = (0..feature.columns.len()).filter(moves).collect();
            if moving.is_empty() {
                moving.push(0);
            }
            let ranges = ranges.iter().map(|range| range.with_only(&moving)).collect();
            let row = |row: &Vec<f64>| moving.iter().map(|&place| row[place]).collect();
            feature.options = Options::new(ranges, listed.iter().map(row).collect());
            feature.columns = moving.iter().map(|&place| feature.columns[place]).collect();
            origins.push(Kept(kept.clone()));
        }
        if let Distance::Table { costs } = &mut part.cost.distance {
            for (costs, kept) in costs.iter_mut().zip(kept) {
                *costs = costs.only(kept);
            }
        }
        for rule in &mut part.rules {
            rule.keep_options(kept);
        }
        (part, origins)
    }

    /// Whether the classifier accepts the applicant unchanged. Rules and limits have no say in this: they bind
    /// plans.
    pub fn already_accepted(&self) -> bool {
        self.classifier.accepts(&self.x)
    }
}

/// The options of a feature that were kept, in their order.
#[derive(Debug, Clone)]
pub(crate) struct Kept(OptionSet);

impl Kept {
    /// The old option that a new one was.
    pub(crate) fn original(&self, option: usize) -> usize {
        let mut before = 0;
        for &(first, last) in self.0.intervals() {
            let count = last - first + 1;
            if option < before + count {
                return first + option - before;
            }
            before += count;
        }
        unreachable!("every option was one before")
    }
}
