//! How far apart two points' distances can get under the options: the least big-M that is valid.

use crate::instance::{FeatureOptions, Instance, Outlier};

/// Every point's distance, split into what each option of each feature contributes.
#[derive(Debug, Clone)]
pub(super) struct Separation {
    /// Per point: what columns that never change contribute.
    fixed: Vec<f64>,
    /// Per point, per feature, per option.
    parts: Vec<Vec<Vec<f64>>>,
    /// Per feature: its keep option.
    keep: Vec<usize>,
    /// Per feature: the options where the difference of two points' parts can be largest.
    extremes: Vec<Vec<usize>>,
    max_changes: usize,
}

impl Separation {
    pub fn of(instance: &Instance, term: &Outlier) -> Self {
        let part = |n: usize, column: usize, change: f64| {
            let scale = term.scale.as_ref().map(|scale| &scale[column..=column]);
            let at = instance.x[column] + change;
            term.metric.distance(&[at], &term.points[n][column..=column], scale)
        };
        let mut owned = vec![false; instance.x.len()];
        for &column in instance.features.iter().flat_map(|feature| &feature.columns) {
            owned[column] = true;
        }
        let points = 0..term.points.len();
        let fixed = points
            .clone()
            .map(|n| (0..owned.len()).filter(|&c| !owned[c]).map(|c| part(n, c, 0.0)).sum())
            .collect();
        let of_feature = |n: usize, feature: &FeatureOptions| {
            let of_option = |option: &Vec<f64>| {
                feature.columns.iter().zip(option).map(|(&c, &change)| part(n, c, change)).sum()
            };
            feature.options.iter().map(of_option).collect()
        };
        let parts =
            points.map(|n| instance.features.iter().map(|f| of_feature(n, f)).collect()).collect();
        Self {
            fixed,
            parts,
            keep: instance.keep_all(),
            extremes: instance.features.iter().map(extremes).collect(),
            max_changes: instance.max_changes,
        }
    }

    pub fn divide(&mut self, unit: f64) {
        let numbers = self.parts.iter_mut().flatten().flatten().chain(&mut self.fixed);
        numbers.for_each(|number| *number /= unit);
    }

    pub fn fixed(&self, n: usize) -> f64 {
        self.fixed[n]
    }

    /// What each option of a feature contributes to a point's distance.
    pub fn options(&self, n: usize, feature: usize) -> impl Iterator<Item = f64> + '_ {
        self.parts[n][feature].iter().copied()
    }

    /// The greatest distance that any plan has to any point.
    pub fn farthest(&self) -> f64 {
        (0..self.parts.len()).map(|n| self.most(n)).fold(0.0, f64::max)
    }

    /// The greatest distance that any plan has to a point.
    pub fn most(&self, n: usize) -> f64 {
        self.extreme(n, |parts, keep| parts.iter().fold(0.0, |m: f64, p| m.max(p - parts[keep])))
    }

    /// The least distance that any plan has to a point.
    pub fn least(&self, n: usize) -> f64 {
        self.extreme(n, |parts, keep| parts.iter().fold(0.0, |m: f64, p| m.min(p - parts[keep])))
            .max(0.0)
    }

    fn extreme(&self, n: usize, gain: impl Fn(&[f64], usize) -> f64) -> f64 {
        let parts = self.parts[n].iter().zip(&self.keep);
        let kept: f64 = parts.clone().map(|(parts, &keep)| parts[keep]).sum();
        self.fixed[n] + kept + self.best_gains(parts.map(|(parts, &keep)| gain(parts, keep)))
    }

    /// The greatest D_n - D_m of any plan: at most K features move away from "keep".
    pub fn most_apart(&self, n: usize, m: usize) -> f64 {
        let mut kept = self.fixed[n] - self.fixed[m];
        let gains = (0..self.keep.len()).map(|f| {
            let (a, b) = (&self.parts[n][f], &self.parts[m][f]);
            let at_keep = a[self.keep[f]] - b[self.keep[f]];
            kept += at_keep;
            self.extremes[f].iter().fold(0.0, |best: f64, &i| best.max(a[i] - b[i] - at_keep))
        });
        let gained = self.best_gains(gains);
        kept + gained
    }

    /// The greatest D_n - min D_m of any plan.
    pub fn most_behind(&self, n: usize) -> f64 {
        let others = (0..self.parts.len()).filter(|&m| m != n);
        others.map(|m| self.most_apart(n, m)).fold(0.0, f64::max)
    }

    /// Whether another point is nearer under every plan.
    pub fn never_nearest(&self, n: usize) -> bool {
        let margin = 1e-9 * (1.0 + self.most(n).abs());
        (0..self.parts.len()).any(|m| m != n && self.most_apart(m, n) < -margin)
    }

    /// The sum of the K gains that are largest in size.
    fn best_gains(&self, gains: impl Iterator<Item = f64>) -> f64 {
        let mut gains: Vec<f64> = gains.collect();
        gains.sort_by(|a, b| b.abs().total_cmp(&a.abs()));
        gains.iter().take(self.max_changes).sum()
    }
}

/// With one column, |v - p| - |v - q| and (v - p)^2 - (v - q)^2 are monotone in v: only the ends count.
fn extremes(feature: &FeatureOptions) -> Vec<usize> {
    let all = 0..feature.options.len();
    if feature.columns.len() > 1 {
        return all.collect();
    }
    let by_change =
        |&a: &usize, &b: &usize| feature.options[a][0].total_cmp(&feature.options[b][0]);
    let ends = [all.clone().min_by(by_change), all.max_by(by_change)];
    ends.into_iter().flatten().collect()
}
