//! The rows that plausibility is measured against, and the outlier term that comes from them.

use std::sync::Arc;

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use super::{DensityOver, ExplainSettings, OutlierKind};
use crate::instance::Outlier;
use crate::plausibility::{LocalOutlierFactor, Metric, distinct_rows, prototypes};
use crate::{InputError, Result, Setting};

/// Neighbours of the local outlier factor that every explanation reports.
const REPORTED_K: usize = 10;

/// The seed of the sample that represents the accepted rows of a large table: the same table always has the same reference.
const SAMPLE_SEED: u64 = 0;

/// Accepted rows, each of those that are equal once where the settings ask for it; of too many, a sample.
pub(super) struct Reference<'a> {
    settings: &'a ExplainSettings,
    rows: Vec<Vec<f64>>,
    scale: Option<Vec<f64>>,
    counts: Counts,
    sampled_from: Option<usize>,
}

/// How many accepted rows there are.
#[derive(Clone, Copy)]
struct Counts {
    /// In the table, copies included.
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
        let mut sampled_from = None;
        if let Some(limit) = settings.reference_rows.filter(|&limit| limit < rows.len()) {
            sampled_from = Some(rows.len());
            rows = sample(rows, limit);
        }
        let counts = Counts { accepted, kept: rows.len() };
        Self { settings, rows, scale, counts, sampled_from }
    }

    /// How many rows it has.
    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    /// How many rows it is a sample of; `None` where it has them all.
    pub(super) fn sampled_from(&self) -> Option<usize> {
        self.sampled_from
    }

    /// Fits the outlier term and the factor that is reported, once where they are the same.
    pub(super) fn fit(self) -> Result<Plausibility> {
        let k = REPORTED_K.min(self.rows.len().saturating_sub(1)).max(1);
        let Self { settings, rows, scale, counts, .. } = self;
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

/// So many of the rows, drawn without replacement, in their order.
fn sample(mut rows: Vec<Vec<f64>>, count: usize) -> Vec<Vec<f64>> {
    let mut drawn: Vec<usize> = (0..rows.len()).collect();
    drawn.shuffle(&mut ChaCha8Rng::seed_from_u64(SAMPLE_SEED));
    drawn.truncate(count);
    drawn.sort_unstable();
    drawn.into_iter().map(|row| std::mem::take(&mut rows[row])).collect()
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

#[cfg(test)]
mod tests {
    use super::super::Preset;
    use super::*;

    /// Every row twice.
    fn rows(count: usize) -> Vec<Vec<f64>> {
        (0..2 * count).map(|row| vec![(row / 2) as f64]).collect()
    }

    fn first_column(reference: &Reference) -> Vec<f64> {
        reference.rows.iter().map(|row| row[0]).collect()
    }

    #[test]
    fn a_large_reference_is_a_sample_of_distinct_rows_in_their_order() {
        let mut settings = ExplainSettings::preset(Preset::Standard, "loans");
        settings.reference_rows = Some(100);
        let sampled = Reference::new(&settings, rows(1000), None);
        assert_eq!((sampled.len(), sampled.sampled_from()), (100, Some(1000)));
        let values = first_column(&sampled);
        assert!(values.is_sorted_by(|a, b| a < b), "distinct, and in their order");
        let upper_half = values.iter().filter(|&&value| value >= 500.0).count();
        assert!((30..=70).contains(&upper_half), "drawn from the whole table: {upper_half}");
        assert_eq!(values, first_column(&Reference::new(&settings, rows(1000), None)));

        let few = Reference::new(&settings, rows(100), None);
        assert_eq!((few.len(), few.sampled_from()), (100, None));
        settings.reference_rows = None;
        let all = Reference::new(&settings, rows(1000), None);
        assert_eq!((all.len(), all.sampled_from()), (1000, None));
    }
}
