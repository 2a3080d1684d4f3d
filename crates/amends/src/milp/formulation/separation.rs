//! How far apart two points' distances can get under the options: the least big-M that is valid.

use super::choice::Choices;
use super::cutting::passing;
use crate::instance::{FeatureOptions, Instance, Outlier};

/// Every point's distance, split into what each option of each feature contributes.
#[derive(Debug, Clone)]
pub(super) struct Separation {
    /// Per point: what columns that never change contribute.
    fixed: Vec<f64>,
    features: Vec<Samples>,
    max_changes: usize,
}

/// What options of one feature contribute: all of them, or those of a long one among which distances, and their
/// differences, are largest.
#[derive(Debug, Clone)]
struct Samples {
    /// The options, ascending.
    options: Vec<usize>,
    /// Per point, per sample.
    parts: Vec<Vec<f64>>,
    /// Per point: no option contributes less.
    least: Vec<f64>,
    /// The sample that keeps the feature as it is.
    keep: usize,
    /// The samples where the difference of two points' parts can be largest.
    extremes: Vec<usize>,
}

impl Samples {
    fn of(instance: &Instance, term: &Outlier, choices: &Choices, f: usize) -> Self {
        let feature = &instance.features()[f];
        let options = match choices.pieces(f) {
            None => (0..feature.options.len()).collect(),
            // Between the ends of pieces nothing has a kink, and between the neighbours of a point nothing is nearer to it.
            Some(pieces) => {
                let ends = pieces.parts.iter().flat_map(|p| [p.piece.first, p.piece.last()]);
                let mut options: Vec<usize> = ends.chain(near_points(feature, term)).collect();
                options.sort_unstable();
                options.dedup();
                options
            }
        };
        let value = |option: usize, position: usize| feature.options.value(option, position);
        let part = |n: usize, option: usize, position: usize| {
            column_part(term, n, feature.columns[position], value(option, position))
        };
        let positions = 0..feature.columns.len();
        let (mut parts, mut least) = (Vec::new(), Vec::new());
        for n in 0..term.points.len() {
            let all = options
                .iter()
                .map(|&o| positions.clone().map(|position| part(n, o, position)).sum());
            let all: Vec<f64> = all.collect();
            let min =
                |numbers: &mut dyn Iterator<Item = f64>| numbers.fold(f64::INFINITY, f64::min);
            // In step with each other columns are nearest at different options; each by itself is at one of the samples.
            let by_column = positions
                .clone()
                .map(|position| min(&mut options.iter().map(|&o| part(n, o, position))));
            least.push(if choices.pieces(f).is_some() && positions.len() > 1 {
                by_column.sum()
            } else {
                min(&mut all.iter().copied())
            });
            parts.push(all);
        }
        let keep = options.binary_search(&instance.keep(f)).unwrap_or(0);
        let extremes = extremes(feature, &options);
        Self { options, parts, least, keep, extremes }
    }
}

/// What a column contributes to the distance of a point.
fn column_part(term: &Outlier, n: usize, column: usize, at: f64) -> f64 {
    let scale = term.scale.as_ref().map(|scale| &scale[column..=column]);
    term.metric.distance(&[at], &term.points[n][column..=column], scale)
}

/// The options on both sides of every point, in every column that moves.
fn near_points(feature: &FeatureOptions, term: &Outlier) -> Vec<usize> {
    let mut near = Vec::new();
    for (position, &column) in feature.columns.iter().enumerate() {
        for point in term.points.iter() {
            let above = passing(feature, position, point[column]);
            near.extend(above.flat_map(|option| [option.saturating_sub(1), option]));
        }
    }
    near.retain(|&option| option < feature.options.len());
    near
}

impl Separation {
    pub fn of(instance: &Instance, term: &Outlier, choices: &Choices) -> Self {
        let mut owned = vec![false; instance.x().len()];
        for &column in instance.features().iter().flat_map(|feature| &feature.columns) {
            owned[column] = true;
        }
        let part = |n: usize, column: usize| column_part(term, n, column, instance.x()[column]);
        let fixed = |n: usize| (0..owned.len()).filter(|&c| !owned[c]).map(|c| part(n, c)).sum();
        let features = 0..instance.features().len();
        Self {
            fixed: (0..term.points.len()).map(fixed).collect(),
            features: features.map(|f| Samples::of(instance, term, choices, f)).collect(),
            max_changes: instance.max_changes(),
        }
    }

    pub fn divide(&mut self, unit: f64) {
        let all = self.features.iter_mut();
        let parts =
            all.flat_map(|feature| feature.parts.iter_mut().flatten().chain(&mut feature.least));
        parts.chain(&mut self.fixed).for_each(|number| *number /= unit);
    }

    pub fn fixed(&self, n: usize) -> f64 {
        self.fixed[n]
    }

    /// What an option of a feature, which on a long one is the end of a piece, contributes to a point's distance.
    pub fn part(&self, n: usize, feature: usize, option: usize) -> f64 {
        let samples = &self.features[feature];
        samples.parts[n][samples.options.binary_search(&option).unwrap_or(0)]
    }

    /// The greatest distance that any plan has to any point.
    pub fn farthest(&self) -> f64 {
        (0..self.fixed.len()).map(|n| self.most(n)).fold(0.0, f64::max)
    }

    /// The greatest distance that any plan has to a point.
    pub fn most(&self, n: usize) -> f64 {
        self.extreme(n, |feature| {
            feature.parts[n].iter().fold(0.0, |m: f64, p| m.max(p - feature.parts[n][feature.keep]))
        })
    }

    /// The least distance that any plan has to a point.
    pub fn least(&self, n: usize) -> f64 {
        self.extreme(n, |feature| feature.least[n] - feature.parts[n][feature.keep]).max(0.0)
    }

    fn extreme(&self, n: usize, gain: impl Fn(&Samples) -> f64) -> f64 {
        let kept: f64 = self.features.iter().map(|feature| feature.parts[n][feature.keep]).sum();
        self.fixed[n] + kept + self.best_gains(self.features.iter().map(gain))
    }

    /// The greatest D_n - D_m of any plan: at most K features move away from "keep".
    pub fn most_apart(&self, n: usize, m: usize) -> f64 {
        let mut kept = self.fixed[n] - self.fixed[m];
        let gains = self.features.iter().map(|feature| {
            let (a, b) = (&feature.parts[n], &feature.parts[m]);
            let at_keep = a[feature.keep] - b[feature.keep];
            kept += at_keep;
            feature.extremes.iter().fold(0.0, |best: f64, &i| best.max(a[i] - b[i] - at_keep))
        });
        let gained = self.best_gains(gains);
        kept + gained
    }

    /// The greatest D_n - min D_m of any plan.
    pub fn most_behind(&self, n: usize) -> f64 {
        let others = (0..self.fixed.len()).filter(|&m| m != n);
        others.map(|m| self.most_apart(n, m)).fold(0.0, f64::max)
    }

    /// Whether another point is nearer under every plan.
    pub fn never_nearest(&self, n: usize) -> bool {
        let margin = 1e-9 * (1.0 + self.most(n).abs());
        (0..self.fixed.len()).any(|m| m != n && self.most_apart(m, n) < -margin)
    }

    /// The sum of the K gains that are largest in size.
    fn best_gains(&self, gains: impl Iterator<Item = f64>) -> f64 {
        let mut gains: Vec<f64> = gains.collect();
        gains.sort_by(|a, b| b.abs().total_cmp(&a.abs()));
        gains.iter().take(self.max_changes).sum()
    }
}

/// With one column, |v - p| - |v - q| and (v - p)^2 - (v - q)^2 are monotone in v: only the ends count.
fn extremes(feature: &FeatureOptions, options: &[usize]) -> Vec<usize> {
    let all = 0..options.len();
    if feature.columns.len() > 1 {
        return all.collect();
    }
    let value = |sample: usize| feature.options.value(options[sample], 0);
    let by_value = |&a: &usize, &b: &usize| value(a).total_cmp(&value(b));
    let ends = [all.clone().min_by(by_value), all.max_by(by_value)];
    ends.into_iter().flatten().collect()
}
