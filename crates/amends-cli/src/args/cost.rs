//! What "small" and "plausible" mean.

use amends::explain::{CostChoices, CountOrAll, DistanceKind, Preset};
use clap::Args;

use super::{Purpose, number, one_of, whole};

/// What "small" and "plausible" mean. All other options override the preset.
#[derive(Debug, Args)]
#[command(next_help_heading = "Cost of a plan")]
pub struct CostArgs {
    /// standard (Mahalanobis + true 10-LOF, standardised), paper, or dace
    #[arg(long, default_value = "standard")]
    preset: String,
    #[arg(long, help = one_of(DistanceKind::ALL.iter().map(|kind| kind.name())))]
    distance: Option<String>,
    /// The factor of the inverse covariance: cholesky or eigen
    #[arg(long)]
    factor: Option<String>,
    /// The outlier term: lof, surrogate or none
    #[arg(long)]
    outlier: Option<String>,
    /// squared-euclidean, euclidean or manhattan
    #[arg(long)]
    metric: Option<String>,
    /// Neighbours of the local outlier factor
    #[arg(long, value_parser = whole::<usize>)]
    k: Option<usize>,
    /// Count accepted rows that are equal once: true or false
    #[arg(long, value_name = "BOOL")]
    distinct: Option<bool>,
    /// Measure plausibility against at most this many accepted rows, a sample of more: a number, or all (standard: 25000)
    #[arg(long, value_name = "ROWS")]
    reference: Option<String>,
    /// N, the surrogate's prototypes: a number, or all
    #[arg(long, value_name = "N")]
    prototypes: Option<String>,
    /// How many values of every number are on offer: a number, or all (the standard preset's choice)
    #[arg(long, value_name = "N")]
    options: Option<String>,
    /// Divide columns by their standard deviation first: true or false
    #[arg(long, value_name = "BOOL")]
    standardise: Option<bool>,
    /// The weight of the outlier term
    #[arg(long, allow_negative_numbers = true, value_parser = number)]
    lambda: Option<f64>,
    /// What each change costs by itself, in units of the distance [standard: 0.1, others: 0]
    #[arg(long, value_name = "COST", allow_negative_numbers = true, value_parser = number)]
    change_cost: Option<f64>,
    /// K, the most features that may change
    #[arg(long, value_name = "K", value_parser = whole::<usize>)]
    max_changes: Option<usize>,
}

impl CostArgs {
    /// What plans are for, by the preset. An unknown one is refused when the costs are checked.
    pub fn purpose(&self) -> Purpose {
        match self.preset.parse() {
            Ok(Preset::Paper | Preset::Dace) => Purpose::Papers,
            Ok(Preset::Standard) | Err(_) => Purpose::Advice,
        }
    }

    /// The choices in the library's form. Presets depend on the data set, so the library checks them when the table is known.
    pub fn choices(self) -> CostChoices {
        CostChoices {
            preset: Some(self.preset),
            distance: self.distance,
            factor: self.factor,
            outlier: self.outlier,
            metric: self.metric,
            k: self.k,
            distinct: self.distinct,
            reference: self.reference.map(CountOrAll::Text),
            prototypes: self.prototypes.map(CountOrAll::Text),
            options: self.options.map(CountOrAll::Text),
            standardise: self.standardise,
            lambda: self.lambda,
            change_cost: self.change_cost,
            max_changes: self.max_changes,
        }
    }
}
