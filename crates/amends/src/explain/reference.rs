//! The rows that plausibility is measured against, and the outlier term that comes from them.

use std::sync::Arc;

use super::{DensityOver, ExplainSettings, OutlierKind};
use crate::instance::Outlier;
use crate::plausibility::{LocalOutlierFactor, Metric, distinct_rows, prototypes};
use crate::{InputError, Result, Setting};

/// Neighbours of the local outlier factor that every explanation reports.
const REPORTED_K: usize = 10;

/// Accepted rows, each of those that are equal once where the settings ask for it.
pub(super) struct Reference<'a> {
    settings: &'a ExplainSettings,
    rows: Vec<Vec<f64>>,
    scale: Option<Vec<f64>>,
    counts: Counts,
}

/// How many accepted rows there are.
#[derive(Clone, Copy)]
struct Counts {
    /// Copies included.
    accepted: usize,
    /// In the reference.
    kept: usize,
}

/// What explanations need of the reference.
pub(super) struct Plausibility {
    /// The outlier term of the settings.
    pub outlier: Option<Outlier>,
    /// The local outlier factor that explanations report, of as many neighbours as there are.
    pub reported: LocalOutlierFactor,
}

impl<'a> Reference<'a> {
    pub(super) fn new(
        settings: &'a ExplainSettings,
        mut rows: Vec<Vec<f64>>,
        scale: Option<Vec<f64>>,
    ) -> Self {
        let accepted = rows.len();
        if settings.distinct {
            let kept = distinct_rows(&rows);
            rows = kept.into_iter().map(|row| std::mem::take(&mut rows[row])).collect();
        }
        let counts = Counts { accepted, kept: rows.len() };
        Self { settings, rows, scale, counts }
    }

    /// How many rows it has.
    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    /// Fits the outlier term and the factor that is reported, once where they are the same.
    pub(super) fn fit(self) -> Result<Plausibility> {
        let k = REPORTED_K.min(self.rows.len().saturating_sub(1)).max(1);
        let Self { settings, rows, scale, counts } = self;
        let lof = |rows: Vec<Vec<f64>>, k: usize, metric: Metric| {
            counts.check(rows.len(), k)?;
            LocalOutlierFactor::fit(rows, k, metric, scale.clone())
        };
        let term = |points: Vec<Vec<f64>>, k_distance: Arc<[f64]>, density: Arc<[f64]>| Outlier {
            weight: settings.lambda,
            metric: settings.metric,
            points: points.into(),
            k_distance,
            density,
            k: (settings.outlier == OutlierKind::Lof).then_some(settings.k),
            scale: scale.clone(),
        };
        let whole = |lof: &LocalOutlierFactor| {
            term(lof.points().to_vec(), lof.k_distance().into(), lof.density().into())
        };
        let (rows, outlier) = match settings.outlier {
            OutlierKind::None => (rows, None),
            OutlierKind::Lof => {
                let fitted = lof(rows, settings.k, settings.metric)?;
                let outlier = Some(whole(&fitted));
                if (settings.k, settings.metric) == (k, Metric::Euclidean) {
                    return Ok(Plausibility { outlier, reported: fitted });
                }
                (fitted.into_points(), outlier)
            }
            OutlierKind::Surrogate => {
                let picked = match settings.prototypes {
                    Some(count) if count < rows.len() => prototypes(&rows, count, scale.as_deref()),
                    _ => (0..rows.len()).collect(),
                };
                let points: Vec<Vec<f64>> = picked.iter().map(|&row| rows[row].clone()).collect();
                match settings.density_over {
                    DensityOver::Prototypes => {
                        (rows, Some(whole(&lof(points, settings.k, settings.metric)?)))
                    }
                    DensityOver::Reference => {
                        let fitted = lof(rows, settings.k, settings.metric)?;
                        let pick = |values: &[f64]| picked.iter().map(|&row| values[row]).collect();
                        let outlier =
                            term(points, pick(fitted.k_distance()), pick(fitted.density()));
                        (fitted.into_points(), Some(outlier))
                    }
                }
            }
        };
        Ok(Plausibility { outlier, reported: lof(rows, k, Metric::Euclidean)? })
    }
}

impl Counts {
    /// Where rows are too few only because copies count once, the message says so.
    fn check(self, rows: usize, k: usize) -> Result<()> {
        if rows == 0 || rows > k || self.kept == self.accepted {
            return Ok(());
        }
        let remedy = match rows - 1 {
            0 => "give more accepted rows that differ".to_owned(),
            most => format!("lower it to at most {most}, or give more accepted rows that differ"),
        };
        Err(InputError::new(format!(
            "neighbours for each row can't be had from {rows} different rows among {} accepted ones",
            self.accepted
        ))
        .setting(Setting::Neighbours)
        .value(k)
        .remedy(remedy)
        .into())
    }
}
