//! The reference points laid out for searching: what each feature adds to each point's distance.

use super::space::Space;
use crate::instance::Outlier;
use crate::plausibility::Metric;

/// What one feature adds to the distances, before any root is taken.
#[derive(Debug)]
pub(super) enum Spread {
    /// A numeric feature: the term of `change / scale - offset[n]`.
    Numeric {
        /// One over the column's scale.
        inverse: f64,
        /// Where each point lies, seen from the applicant.
        offset: Vec<f64>,
    },
    /// Any other feature: a term per place and point, place by place.
    Options {
        /// The terms.
        terms: Vec<f64>,
    },
}

/// The outlier term, laid out.
#[derive(Debug)]
pub(super) struct Reference<'a> {
    pub outlier: &'a Outlier,
    /// Per movable feature.
    pub spread: Vec<Spread>,
    /// Per point, the terms of all columns at the applicant, added up.
    pub base: Vec<f64>,
    /// The largest sum of terms in sight: the scale of rounding errors.
    pub scale: f64,
}

impl<'a> Reference<'a> {
    /// `None` where the instance has no outlier term, or gives it no weight.
    pub(super) fn new(space: &Space<'a>) -> Option<Self> {
        let outlier = space.instance.cost.outlier.as_ref().filter(|o| o.weight > 0.0)?;
        let x = &space.instance.x;
        let inverse =
            |column: usize| outlier.scale.as_ref().map_or(1.0, |scale| 1.0 / scale[column]);
        let spread: Vec<Spread> = space
            .features
            .iter()
            .map(|feature| {
                if feature.numeric {
                    let c = feature.column;
                    let offset =
                        outlier.points.iter().map(|p| (p[c] - x[c]) * inverse(c)).collect();
                    return Spread::Numeric { inverse: inverse(c), offset };
                }
                let options = &space.instance.features[feature.index];
                let mut terms = Vec::with_capacity(feature.original.len() * outlier.points.len());
                for &option in &feature.original {
                    let change = &options.options[option];
                    terms.extend(outlier.points.iter().map(|point| {
                        options
                            .columns
                            .iter()
                            .zip(change)
                            .map(|(&c, a)| term(outlier.metric, (x[c] + a - point[c]) * inverse(c)))
                            .sum::<f64>()
                    }));
                }
                Spread::Options { terms }
            })
            .collect();
        let base: Vec<f64> = outlier
            .points
            .iter()
            .map(|point| {
                (0..x.len())
                    .map(|c| term(outlier.metric, (x[c] - point[c]) * inverse(c)))
                    .sum::<f64>()
            })
            .collect();
        let mut reference = Self { outlier, spread, base, scale: 0.0 };
        let reach = |f: usize, n: usize| {
            let feature = &space.features[f];
            match &reference.spread[f] {
                Spread::Numeric { inverse, offset } => {
                    let most = feature.change.iter().fold(0.0, |m: f64, c| m.max(c.abs()));
                    term(outlier.metric, most * inverse + offset[n].abs())
                }
                Spread::Options { terms } => {
                    let count = reference.base.len();
                    (0..feature.original.len()).fold(0.0, |m: f64, o| m.max(terms[o * count + n]))
                }
            }
        };
        reference.scale = (0..reference.base.len())
            .map(|n| {
                reference.base[n] + (0..space.features.len()).map(|f| reach(f, n)).sum::<f64>()
            })
            .fold(0.0, f64::max);
        Some(reference)
    }

    pub(super) fn count(&self) -> usize {
        self.base.len()
    }

    /// What a feature at a place adds to a point's distance.
    pub(super) fn term(&self, space: &Space, f: usize, place: u32, n: usize) -> f64 {
        match &self.spread[f] {
            Spread::Numeric { inverse, offset } => term(
                self.outlier.metric,
                space.features[f].change[place as usize] * inverse - offset[n],
            ),
            Spread::Options { terms } => terms[place as usize * self.count() + n],
        }
    }

    /// A distance from its sum of terms.
    pub(super) fn rooted(&self, sum: f64) -> f64 {
        if self.outlier.metric == Metric::Euclidean { sum.max(0.0).sqrt() } else { sum.max(0.0) }
    }

    /// The outlier term from every point's sum of terms, up to rounding; `order` is scratch space.
    pub(super) fn value(&self, sums: &[f64], order: &mut Vec<u32>) -> f64 {
        let outlier = self.outlier;
        let reach = |n: usize| self.rooted(sums[n]).max(outlier.k_distance[n]);
        let Some(k) = outlier.k else {
            let mut nearest = 0;
            for (n, sum) in sums.iter().enumerate() {
                if *sum < sums[nearest] {
                    nearest = n;
                }
            }
            return outlier.density[nearest] * reach(nearest);
        };
        order.clear();
        order.extend(0..sums.len() as u32);
        if k < order.len() {
            order.select_nth_unstable_by(k - 1, |&a, &b| {
                sums[a as usize].total_cmp(&sums[b as usize]).then(a.cmp(&b))
            });
        }
        let mean = |value: &dyn Fn(usize) -> f64| {
            order[..k].iter().map(|&n| value(n as usize)).sum::<f64>() / k as f64
        };
        mean(&|n| outlier.density[n]) * (mean(&reach) + 1e-10)
    }
}

/// What one difference adds to a distance.
pub(super) fn term(metric: Metric, difference: f64) -> f64 {
    match metric {
        Metric::SquaredEuclidean | Metric::Euclidean => difference * difference,
        Metric::Manhattan => difference.abs(),
    }
}
