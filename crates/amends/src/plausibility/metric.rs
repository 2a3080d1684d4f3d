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

/// Terms that are computed at once.
const AT_ONCE: usize = 16;

impl Metric {
    /// The distance between `a` and `b`; differences are divided by `scale` first where it is given.
    pub fn distance(self, a: &[f64], b: &[f64], scale: Option<&[f64]>) -> f64 {
        debug_assert_eq!(a.len(), b.len());
        let term = |difference: f64| match self {
            Self::SquaredEuclidean | Self::Euclidean => difference * difference,
            Self::Manhattan => difference.abs(),
        };
        let sum = match scale {
            None => a.iter().zip(b).map(|(a, b)| term(a - b)).sum(),
            Some(scale) => {
                // Several terms at once, added up in their order: divisions take longest.
                let mut sum = 0.0;
                let mut terms = [0.0; AT_ONCE];
                let parts = a.chunks(AT_ONCE).zip(b.chunks(AT_ONCE)).zip(scale.chunks(AT_ONCE));
                for ((a, b), scale) in parts {
                    let pairs = a.iter().zip(b).zip(scale);
                    for (to, ((a, b), scale)) in terms.iter_mut().zip(pairs) {
                        *to = term((a - b) / scale);
                    }
                    for term in &terms[..a.len()] {
                        sum += term;
                    }
                }
                sum
            }
        };
        if self == Self::Euclidean { sum.sqrt() } else { sum }
    }
}
