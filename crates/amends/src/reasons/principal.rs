//! Contributions of all features, and which of them are principal reasons.

use super::{Attribution, ReasonBasis, ReferenceGroup, combined, linear, network, trees};
use crate::data::Encoder;
use crate::model::Classifier;

/// Contributions below this part of all contributions are rounding.
const ROUNDING: f64 = 1e-12;

/// What every feature adds to an applicant's score, compared with a group.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Contributions {
    /// By feature.
    pub values: Vec<f64>,
    /// Their standard errors, where they are sampled.
    pub errors: Option<Vec<f64>>,
    pub method: Attribution,
}

/// A feature whose contribution is a principal reason.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Principal {
    pub feature: usize,
    pub contribution: f64,
    /// Of all negative contributions.
    pub share: f64,
}

impl ReferenceGroup {
    /// The contributions to the score of an applicant, given as encoded columns, and what they refer to.
    pub(crate) fn contributions(
        &self,
        classifier: &Classifier,
        encoder: &Encoder,
        x: &[f64],
    ) -> (Contributions, ReasonBasis) {
        let feature_of: Vec<usize> =
            encoder.columns().iter().map(|column| column.feature).collect();
        let (owners, rows) = (&feature_of[..], &self.rows[..]);
        let contributions = of_classifier(classifier, owners, x, rows);
        let basis = self.basis(classifier.score_in_64_bits(x), contributions.method);
        (contributions, basis)
    }
}

/// The contributions of features, which own the columns, compared with some rows.
pub(super) fn of_classifier(
    classifier: &Classifier,
    owners: &[usize],
    x: &[f64],
    rows: &[Vec<f64>],
) -> Contributions {
    match classifier {
        Classifier::Linear(linear) => linear::contributions(linear, owners, x, rows),
        Classifier::Trees(ensemble) => trees::contributions(ensemble, owners, x, rows),
        Classifier::Mlp(mlp) => {
            let score = |row: &[f64]| mlp.score(row);
            network::contributions_within(network::MOST_SCORES, &score, owners, x, rows)
        }
        Classifier::Combined(combined) => combined::contributions(combined, owners, x, rows),
    }
}

impl Contributions {
    pub(super) fn exact(values: Vec<f64>) -> Self {
        Self { values, errors: None, method: Attribution::Exact }
    }

    /// The most negative ones, at most so many, the most negative first; equal ones in the schema's order. Features that the
    /// model does not use contribute nothing, so that they are never among them.
    pub(crate) fn principal(&self, most: usize) -> Vec<Principal> {
        let size: f64 = self.values.iter().map(|value| value.abs()).sum();
        let all = self.values.iter().copied().enumerate();
        let mut negative: Vec<(usize, f64)> =
            all.filter(|&(_, value)| value < -ROUNDING * size).collect();
        let total: f64 = negative.iter().map(|(_, value)| value).sum();
        negative.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
        let reason = |(feature, contribution): (usize, f64)| Principal {
            feature,
            contribution,
            share: contribution / total,
        };
        negative.into_iter().take(most).map(reason).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_negative_come_first_and_share_what_is_negative() {
        let contributions = Contributions::exact(vec![-1.0, 3.0, -4.0, 0.0, -1.0, -2.0, -1e-15]);
        let reasons = contributions.principal(3);
        let features: Vec<usize> = reasons.iter().map(|reason| reason.feature).collect();
        assert_eq!(features, [2, 5, 0]);
        let shares: Vec<f64> = reasons.iter().map(|reason| reason.share).collect();
        assert_eq!(shares, [0.5, 0.25, 0.125]);
        assert_eq!(contributions.principal(9).len(), 4);
        assert!(Contributions::exact(vec![0.0, 2.0]).principal(4).is_empty());
    }
}
