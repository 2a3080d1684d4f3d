//! One applicant's whole optimisation problem as numbers, independent of tables and of solvers.
//!
//! Minimise `distance(x' - x) + weight * outlier(x') + change_cost * changes` over one option per feature, which gives the changed
//! applicant x', with at most `max_changes` features changed, every rule held, distance and outlier term within their limits
//! and `score(x') >= 0`.

mod check;
mod check_cost_parts;
mod check_costs;
mod check_features;
mod check_rules;
mod coefficients;
mod derive;
mod evaluate;
mod file;
mod limits;
mod option_list;
mod option_set;
mod options;
mod points;
mod rules;
mod shape;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::decimal::difference;
use crate::model::Classifier;
use crate::plausibility::Metric;

pub use coefficients::{Coefficients, Run};
pub(crate) use derive::Kept;
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
const INSTANCE_VERSION: u32 = 2;

/// One applicant's problem, checked: every number can be used, and the parts fit together.
///
/// What all applicants of a table have in common is shared by their instances, so that copies take little memory.
#[derive(Debug, Clone, PartialEq)]
pub struct Instance {
    x: Vec<f64>,
    features: Vec<FeatureOptions>,
    max_changes: usize,
    rules: Vec<OptionRule>,
    classifier: Arc<Classifier>,
    cost: Cost,
}

/// The parts of an instance, which [`Instance::from_parts`] checks.
#[derive(Debug, Clone, PartialEq)]
pub struct InstanceParts {
    /// The applicant, encoded.
    pub x: Vec<f64>,
    /// What may change; columns that no feature names stay as they are.
    pub features: Vec<FeatureOptions>,
    /// At most this many features change.
    pub max_changes: usize,
    /// Rules between features, which every plan satisfies.
    pub rules: Vec<OptionRule>,
    /// What decides.
    pub classifier: Arc<Classifier>,
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
    /// What each changed feature costs in addition; at most 1e12.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub change_cost: f64,
    /// What distance and outlier term may be at most; binds plans, as rules do.
    #[serde(default, skip_serializing_if = "Limits::is_empty")]
    pub most: Limits,
}

/// The largest cost per change. Beside a larger one, differences in distance would be lost in the relative gap.
pub(crate) const MOST_CHANGE_COST: f64 = 1e12;

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
    pub k_distance: Arc<[f64]>,
    /// Each point's local reachability density.
    pub density: Arc<[f64]>,
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
        columns.all(|(position, &column)| self.options.value(option, position) == x[column])
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
    /// The applicant, encoded.
    pub fn x(&self) -> &[f64] {
        &self.x
    }

    /// What may change; columns that no feature names stay as they are.
    pub fn features(&self) -> &[FeatureOptions] {
        &self.features
    }

    /// At most this many features change.
    pub fn max_changes(&self) -> usize {
        self.max_changes
    }

    /// Rules between features, which every plan satisfies.
    pub fn rules(&self) -> &[OptionRule] {
        &self.rules
    }

    /// What decides.
    pub fn classifier(&self) -> &Classifier {
        &self.classifier
    }

    /// What is minimised.
    pub fn cost(&self) -> &Cost {
        &self.cost
    }

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
            for (position, &column) in feature.columns.iter().enumerate() {
                changed[column] = feature.options.value(option, position);
            }
        }
        changed
    }

    /// Whether the classifier accepts the applicant unchanged. Rules and limits have no say in this: they bind
    /// plans.
    pub fn already_accepted(&self) -> bool {
        self.classifier.accepts(&self.x)
    }
}
