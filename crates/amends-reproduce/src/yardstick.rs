//! Judges every plan by the same measure, whatever was minimised and whoever found it.
//!
//! Mahalanobis distance and 10-LOF as in DACE's published code: the covariance of the rejected training rows, and the local
//! outlier factor among the accepted ones with squared Euclidean distances, both in raw units. Nothing here comes from
//! the explainer or from an engine.

use amends::Result;
use amends::data::{Dataset, Encoder};
use amends::model::Classifier;
use amends::plausibility::{
    Covariance, FactorKind, LocalOutlierFactor, Metric, factor, mahalanobis,
};

/// Neighbours of the outlier factor that both papers report.
const NEIGHBOURS: usize = 10;

pub struct Yardstick {
    encoder: Encoder,
    factor: Vec<Vec<f64>>,
    lof: LocalOutlierFactor,
}

/// A plan, measured.
pub struct Judgement {
    pub md: f64,
    pub lof: f64,
    /// Features that differ.
    pub changes: usize,
    /// Accepted by the model, few enough changes, and a row that the table could hold.
    pub holds: bool,
}

impl Yardstick {
    pub fn fit(training: &Dataset) -> Result<Self> {
        let encoder = Encoder::new(&training.schema);
        let of_class = |favourable: bool| -> Vec<Vec<f64>> {
            let members = training.records.iter().zip(&training.favourable);
            members
                .filter(|&(_, &class)| class == favourable)
                .map(|(record, _)| encoder.encode(record))
                .collect()
        };
        let covariance = Covariance::fit(&of_class(false))?;
        let accepted = of_class(true);
        let k = NEIGHBOURS.min(accepted.len().saturating_sub(1)).max(1);
        Ok(Self {
            factor: factor(&covariance, FactorKind::Cholesky)?,
            lof: LocalOutlierFactor::fit(accepted, k, Metric::SquaredEuclidean, None)?,
            encoder,
        })
    }

    /// Measures a changed applicant against the applicant.
    pub fn judge(
        &self,
        before: &[f64],
        after: &[f64],
        classifier: &Classifier,
        max_changes: usize,
    ) -> Judgement {
        let change: Vec<f64> = after.iter().zip(before).map(|(to, from)| to - from).collect();
        let records = self.encoder.decode(before).ok().zip(self.encoder.decode(after).ok());
        let changes = records.as_ref().map_or(0, |(before, after)| {
            before.iter().zip(after).filter(|(from, to)| from != to).count()
        });
        Judgement {
            md: mahalanobis(&self.factor, &change),
            lof: self.lof.score(after),
            changes,
            holds: records.is_some() && changes <= max_changes && classifier.accepts(after),
        }
    }
}
