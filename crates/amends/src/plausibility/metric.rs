//! The distances that plausibility is measured in.

use serde::{Deserialize, Serialize};

use crate::names::named;

/// A distance between two encoded rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Metric {
    /// The sum of squared differences, as in DACE: a sum over columns, so a program can hold it.
    #[default]
    SquaredEuclidean,
    /// The square root of the sum of squared differences.
    Euclidean,
    /// The sum of absolute differences.
    Manhattan,
}

named!(Metric, "metric", {
    SquaredEuclidean => "squared-euclidean",
    Euclidean => "euclidean",
    Manhattan => "manhattan",
});

impl Metric {
    /// The distance between `a` and `b`; differences are divided by `scale` first where it is given.
    pub fn distance(self, a: &[f64], b: &[f64], scale: Option<&[f64]>) -> f64 {
        debug_assert_eq!(a.len(), b.len());
        let term = |difference: f64| match self {
            Self::SquaredEuclidean | Self::Euclidean => difference * difference,
            Self::Manhattan => difference.abs(),
        };
        let sum: f64 = match scale {
            None => a.iter().zip(b).map(|(a, b)| term(a - b)).sum(),
            Some(scale) => a.iter().zip(b).zip(scale).map(|((a, b), s)| term((a - b) / s)).sum(),
        };
        if self == Self::Euclidean { sum.sqrt() } else { sum }
    }
}
