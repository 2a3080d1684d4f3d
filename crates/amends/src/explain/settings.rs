//! What "small" and "plausible" mean: the presets, and every choice behind them.

use serde::Serialize;

use crate::instance::MOST_CHANGE_COST;
use crate::names::named;
use crate::plausibility::{FactorKind, Metric, SeparableKind};
use crate::{InputError, Result};

/// A named set of choices.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Preset {
    /// The product's own: Mahalanobis distance and true 10-LOF over all distinct accepted rows, standardised.
    #[default]
    Standard,
    /// As the paper's text: Cholesky factor, 1-LOF among 20 prototypes, raw units.
    Paper,
    /// As DACE's published code: eigen factor, 10-LOF densities over the accepted class, raw units.
    Dace,
}

named!(Preset, "preset", { Standard => "standard", Paper => "paper", Dace => "dace" });

/// How the effort of a change is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum DistanceKind {
    /// The 1-norm of `U a`, which depends on the factor.
    L1Mahalanobis,
    /// The 2-norm of `U a`.
    Mahalanobis,
    /// The squared 2-norm of `U a`.
    SquaredMahalanobis,
    /// The total log percentile shift.
    Tlps,
    /// The sum of differences in units of their median absolute deviation.
    Mad,
    /// The sum of squared differences, weighed by their correlation with the outcome.
    Pcc,
}

named!(DistanceKind, "distance", {
    L1Mahalanobis => "l1-mahalanobis",
    Mahalanobis => "mahalanobis",
    SquaredMahalanobis => "squared-mahalanobis",
    Tlps => "tlps",
    Mad => "mad",
    Pcc => "pcc",
});

impl DistanceKind {
    /// The cost behind a distance that adds up over columns.
    pub(crate) const fn separable(self) -> Option<SeparableKind> {
        match self {
            Self::L1Mahalanobis | Self::Mahalanobis | Self::SquaredMahalanobis => None,
            Self::Tlps => Some(SeparableKind::Tlps),
            Self::Mad => Some(SeparableKind::Mad),
            Self::Pcc => Some(SeparableKind::Pcc),
        }
    }

    /// Whether linear rows can hold it.
    pub const fn is_linear(self) -> bool {
        !matches!(self, Self::Mahalanobis | Self::SquaredMahalanobis)
    }
}

/// How the outlier term is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum OutlierKind {
    /// Not at all.
    None,
    /// DACE's surrogate: the reachability of the nearest of N prototypes times its density.
    Surrogate,
    /// The true k-LOF over the whole reference.
    Lof,
}

named!(OutlierKind, "outlier term", { None => "none", Surrogate => "surrogate", Lof => "lof" });

/// Which rows the k-distances and densities of the surrogate come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum DensityOver {
    /// All accepted training rows, as in DACE's code.
    Reference,
    /// The prototypes alone, as in the papers' text.
    Prototypes,
}

/// The preset `standard` measures plausibility against at most this many accepted rows.
const REFERENCE_ROWS: usize = 25_000;

/// Every choice behind a plan's cost and its allowed changes.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ExplainSettings {
    /// The preset that these settings started from.
    pub preset: Preset,
    /// How the effort is measured.
    pub distance: DistanceKind,
    /// Which square root of the inverse covariance; matters for the 1-norm only.
    pub factor: FactorKind,
    /// How the outlier term is measured.
    pub outlier: OutlierKind,
    /// Neighbours of the local outlier factor.
    pub k: usize,
    /// Whether accepted rows that are equal count once, as in the k-distinct-distance of the article that
    /// introduced the factor. More than k copies of a row have no distance between them, so that
    /// their density, and the factor of whoever is near them, is beyond all measure.
    pub distinct: bool,
    /// At most this many accepted rows are the reference of plausibility; of more, a sample. `None` takes them all. Explaining then takes no longer
    /// with a million rows than with this many.
    pub reference_rows: Option<usize>,
    /// N: prototypes of the surrogate; `None` takes every row of the reference.
    pub prototypes: Option<usize>,
    /// Where the surrogate's densities come from.
    pub density_over: DensityOver,
    /// How far apart two rows are.
    pub metric: Metric,
    /// Whether columns are divided by their standard deviation before they are measured.
    pub standardise: bool,
    /// Lambda: the weight of the outlier term.
    pub lambda: f64,
    /// What each changed feature costs, in units of the distance.
    pub change_cost: f64,
    /// K: at most this many features change.
    pub max_changes: usize,
    /// About this many values of every number are offered beside its own; `None` offers every value.
    pub option_limit: Option<usize>,
    /// What a plan has to reach.
    pub goal: Goal,
}

/// What a plan has to reach: the model's own cut, unless another is chosen.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct Goal {
    /// Applications are accepted from this score on.
    pub score: f64,
    /// Plans have at least this much score to spare.
    pub margin: f64,
    /// Plans stay accepted if any of their changed numbers are off by a step, up or down.
    pub step_to_spare: bool,
    /// Plans have no change that would lower the score if it were the only one. Features that change together are one change.
    pub harmless: bool,
    /// Plans have no change that they could do without: of no plan, a part is a plan by itself.
    pub needed: bool,
}

impl Goal {
    /// Whether plans have to stay accepted with something to spare.
    pub(crate) fn has_margin(&self) -> bool {
        self.margin > 0.0 || self.step_to_spare
    }

    /// The score that plans have to reach.
    pub fn of_plans(&self) -> f64 {
        self.score + self.margin
    }

    pub(super) fn check(&self) -> Result<()> {
        let wrong = |name: &str, value: f64, problem: &str, remedy: &str| {
            Err(InputError::new(problem).at(name).value(value).remedy(remedy).into())
        };
        if !self.score.is_finite() {
            return wrong(
                "target score",
                self.score,
                "is not a finite number",
                "give a finite number",
            );
        }
        if !(self.margin.is_finite() && self.margin >= 0.0) {
            return wrong(
                "margin",
                self.margin,
                "is negative or not a number",
                "give a score of 0 or more",
            );
        }
        Ok(())
    }
}

impl ExplainSettings {
    /// The choices of a preset. The papers weigh the outlier term by data set, so theirs depend on
    /// the schema's name: 1 for `heloc` and `heloc-codes`, 0.01 for `german` and everything else.
    pub fn preset(preset: Preset, schema_name: &str) -> Self {
        let standard = Self {
            preset,
            distance: DistanceKind::Mahalanobis,
            factor: FactorKind::Cholesky,
            outlier: OutlierKind::Lof,
            k: 10,
            distinct: true,
            reference_rows: Some(REFERENCE_ROWS),
            prototypes: Some(20),
            density_over: DensityOver::Reference,
            metric: Metric::Euclidean,
            standardise: true,
            lambda: 1.0,
            change_cost: 0.1,
            max_changes: 4,
            option_limit: None,
            goal: Goal::default(),
        };
        let raw = Self {
            distance: DistanceKind::L1Mahalanobis,
            outlier: OutlierKind::Surrogate,
            distinct: false,
            reference_rows: None,
            metric: Metric::SquaredEuclidean,
            standardise: false,
            option_limit: Some(100),
            change_cost: 0.0,
            lambda: if ["heloc", "heloc-codes"].contains(&schema_name) { 1.0 } else { 0.01 },
            ..standard.clone()
        };
        match preset {
            Preset::Standard => standard,
            Preset::Paper => Self { k: 1, density_over: DensityOver::Prototypes, ..raw },
            Preset::Dace => Self { factor: FactorKind::Eigen, ..raw },
        }
    }

    /// Checks that every choice can be used.
    pub fn check(&self) -> Result<()> {
        self.goal.check()?;
        let wrong = |name: &str, value: &dyn std::fmt::Display, problem: &str, remedy: &str| {
            Err(InputError::new(problem).at(name).value(value).remedy(remedy).into())
        };
        if self.max_changes == 0 {
            return wrong("max changes", &0, "must be at least 1", "4 is the default");
        }
        if !(self.lambda.is_finite() && self.lambda >= 0.0) {
            return wrong(
                "lambda",
                &self.lambda,
                "is negative or not a number",
                "give a number of 0 or more",
            );
        }
        if !(0.0..=MOST_CHANGE_COST).contains(&self.change_cost) {
            return wrong(
                "change cost",
                &self.change_cost,
                "must be between 0 and 1e12",
                "0.1 is the default; 0 lets changes cost nothing by themselves",
            );
        }
        if self.k == 0 {
            return wrong("k", &0, "must be at least 1", "10 is the default");
        }
        if let Some(rows) = self.reference_rows.filter(|&rows| rows <= self.k) {
            return wrong(
                "reference",
                &rows,
                "must be more rows than the local outlier factor has neighbours",
                "give hundreds or thousands, or all",
            );
        }
        if self.prototypes == Some(0) {
            return wrong("prototypes", &0, "must be at least 1", "20 is the paper's choice");
        }
        if self.option_limit == Some(0) {
            let remedy = "leave it out for every value";
            return wrong("option limit", &0, "must be at least 1", remedy);
        }
        Ok(())
    }
}
