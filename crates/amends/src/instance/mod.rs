//! One applicant's whole optimisation problem as numbers, independent of tables and of solvers.
//!
//! Minimise `distance(a) + weight * outlier(x + a)` over one option per feature, with at most
//! `max_changes` features changed, every rule held, both parts of the cost within their limits and
//! `score(x + a) >= 0`.

mod check;
mod check_rules;
mod evaluate;
mod file;
mod limits;
mod rules;

use serde::{Deserialize, Serialize};

use crate::model::Classifier;
use crate::plausibility::Metric;

pub use evaluate::Evaluation;
pub use file::read_instances;
pub use limits::Limits;
pub(crate) use rules::SUM_TOLERANCE;
pub use rules::{Literal, Rule, RuleKind, Term};

/// The version of the instance file that this library reads and writes.
pub const INSTANCE_VERSION: u32 = 1;

/// One applicant's problem. Fields are public for reading; [`Instance::check`] holds for every
/// instance that came through [`Instance::new`] or [`read_instances`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Instance {
    /// The version of the format.
    pub version: u32,
    /// The applicant, encoded.
    pub x: Vec<f64>,
    /// What may change; columns that no feature names stay as they are.
    pub features: Vec<FeatureOptions>,
    /// At most this many features change.
    pub max_changes: usize,
    /// What ties features together; every plan holds all of it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<Rule>,
    /// What decides.
    pub classifier: Classifier,
    /// What is minimised.
    pub cost: Cost,
}

/// A feature and the changes that it may take.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FeatureOptions {
    /// The feature's name.
    pub name: String,
    /// The columns it is encoded in.
    pub columns: Vec<usize>,
    /// Per option the change of each of these columns; the all-zero one keeps the feature as it is.
    pub options: Vec<Vec<f64>>,
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
    /// What its two parts may be at most; binds plans, as rules do.
    #[serde(default, skip_serializing_if = "Limits::is_empty")]
    pub most: Limits,
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
        costs: Vec<Vec<f64>>,
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
    /// The reference points.
    pub points: Vec<Vec<f64>>,
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
    /// The option that keeps the feature as it is.
    pub fn keep(&self) -> usize {
        // A checked instance has one; the first is as good as any other.
        self.options.iter().position(|option| is_keep(option)).unwrap_or(0)
    }
}

/// Whether an option changes nothing.
pub(crate) fn is_keep(option: &[f64]) -> bool {
    option.iter().all(|&change| change == 0.0)
}

impl Instance {
    /// The plan that changes nothing.
    pub fn keep_all(&self) -> Vec<usize> {
        self.features.iter().map(FeatureOptions::keep).collect()
    }

    /// The changed applicant under one option per feature.
    pub fn apply(&self, choice: &[usize]) -> Vec<f64> {
        let mut changed = self.x.clone();
        for (feature, &option) in self.features.iter().zip(choice) {
            for (&column, change) in feature.columns.iter().zip(&feature.options[option]) {
                changed[column] += change;
            }
        }
        changed
    }

    /// The same problem with only some of the options: per feature those to keep, in rising order, the one that changes
    /// nothing among them.
    pub(crate) fn with_options(&self, kept: &[Vec<usize>]) -> Self {
        let mut part = self.clone();
        for (feature, kept) in part.features.iter_mut().zip(kept) {
            // A feature of one column is what engines handle best: columns that no longer move go.
            let moves = |&place: &usize| kept.iter().any(|&o| feature.options[o][place] != 0.0);
            let mut moving: Vec<usize> = (0..feature.columns.len()).filter(moves).collect();
            if moving.is_empty() {
                moving.push(0);
            }
            let of = |&option: &usize| moving.iter().map(|&c| feature.options[option][c]).collect();
            feature.options = kept.iter().map(of).collect();
            feature.columns = moving.iter().map(|&place| feature.columns[place]).collect();
        }
        if let Distance::Table { costs } = &mut part.cost.distance {
            for (costs, kept) in costs.iter_mut().zip(kept) {
                *costs = kept.iter().map(|&option| costs[option]).collect();
            }
        }
        for rule in &mut part.rules {
            rule.keep_options(kept);
        }
        part
    }

    /// Whether the classifier accepts the applicant unchanged. Rules and limits have no say in this: they bind
    /// plans.
    pub fn already_accepted(&self) -> bool {
        self.classifier.accepts(&self.x)
    }
}
