//! The rows that plausibility is measured against, and the outlier term that comes from them.

use super::{DensityOver, ExplainSettings, OutlierKind};
use crate::instance::Outlier;
use crate::plausibility::{LocalOutlierFactor, Metric, distinct_rows, prototypes};
use crate::{InputError, Result};

/// Neighbours of the local outlier factor that every explanation reports.
const REPORTED_K: usize = 10;

/// Accepted rows, each of those that are equal once where the settings ask for it.
pub(super) struct Reference<'a> {
    settings: &'a ExplainSettings,
    pub rows: Vec<Vec<f64>>,
    /// All accepted rows, copies included.
    accepted: usize,
}

impl<'a> Reference<'a> {
    pub(super) fn new(settings: &'a ExplainSettings, accepted: &[Vec<f64>]) -> Self {
        let rows = if settings.distinct {
            distinct_rows(accepted).into_iter().map(|row| accepted[row].clone()).collect()
        } else {
            accepted.to_vec()
        };
        Self { settings, rows, accepted: accepted.len() }
    }

    /// The local outlier factor that explanations report, of as many neighbours as there are.
    pub(super) fn reported(self, scale: Option<Vec<f64>>) -> Result<LocalOutlierFactor> {
        let k = REPORTED_K.min(self.rows.len().saturating_sub(1)).max(1);
        self.check(self.rows.len(), k)?;
        LocalOutlierFactor::fit(self.rows, k, Metric::Euclidean, scale)
    }

    /// The outlier term of the settings.
    pub(super) fn outlier(&self, scale: Option<&[f64]>) -> Result<Option<Outlier>> {
        let (settings, rows) = (self.settings, &self.rows);
        if settings.outlier == OutlierKind::None {
            return Ok(None);
        }
        let fit = |points: Vec<Vec<f64>>| {
            self.check(points.len(), settings.k)?;
            LocalOutlierFactor::fit(points, settings.k, settings.metric, scale.map(<[f64]>::to_vec))
        };
        let term =
            |points: Vec<Vec<f64>>, k_distance: Vec<f64>, density: Vec<f64>, k: Option<usize>| {
                let scale = scale.map(<[f64]>::to_vec);
                Outlier {
                    weight: settings.lambda,
                    metric: settings.metric,
                    points,
                    k_distance,
                    density,
                    k,
                    scale,
                }
            };
        let pick = |of: &[f64], rows: &[usize]| rows.iter().map(|&row| of[row]).collect::<Vec<_>>();
        if settings.outlier == OutlierKind::Lof {
            let lof = fit(rows.clone())?;
            let (k_distance, density) = (lof.k_distance().to_vec(), lof.density().to_vec());
            return Ok(Some(term(rows.clone(), k_distance, density, Some(settings.k))));
        }
        let picked = match settings.prototypes {
            Some(count) if count < rows.len() => prototypes(rows, count, scale),
            _ => (0..rows.len()).collect(),
        };
        let points: Vec<Vec<f64>> = picked.iter().map(|&row| rows[row].clone()).collect();
        Ok(Some(match settings.density_over {
            DensityOver::Reference => {
                let lof = fit(rows.clone())?;
                term(points, pick(lof.k_distance(), &picked), pick(lof.density(), &picked), None)
            }
            DensityOver::Prototypes => {
                let lof = fit(points.clone())?;
                term(points, lof.k_distance().to_vec(), lof.density().to_vec(), None)
            }
        }))
    }

    /// Where rows are too few only because copies count once, the message says so.
    fn check(&self, rows: usize, k: usize) -> Result<()> {
        if rows == 0 || rows > k || self.rows.len() == self.accepted {
            return Ok(());
        }
        let remedy = match rows - 1 {
            0 => "give more accepted rows that differ".to_owned(),
            most => format!("lower k to at most {most}, or give more accepted rows that differ"),
        };
        Err(InputError::new(format!(
            "neighbours for each row can't be had from {rows} different rows among {} accepted ones",
            self.accepted
        ))
        .at("k")
        .value(k)
        .remedy(remedy)
        .into())
    }
}
