//! The interval of each of a network's sums under any choice of at most K changes, and so the least valid big-M.

use super::cutting::extreme_options;
use crate::instance::Instance;
use crate::model::{Layer, Mlp};

/// An upper bound of rounding errors, relative to the sum of sizes.
const MARGIN: f64 = 1e-13;

/// What options add to the sums of the first layer: enough of them to know the most of any weighted sum.
struct Shares {
    max_changes: usize,
    /// Per unit, per feature, per option.
    units: Vec<Vec<Vec<f64>>>,
    /// Per feature, how many options.
    counts: Vec<usize>,
}

impl Shares {
    fn of(instance: &Instance, first: &Layer) -> Self {
        let features = instance.features();
        let options: Vec<Vec<usize>> = features.iter().map(extreme_options).collect();
        let of_unit = |row: &Vec<f64>| {
            let of_feature = features.iter().zip(&options).map(|(feature, options)| {
                let columns = || feature.columns.iter().enumerate();
                let share = |&option: &usize| {
                    let change = |(position, &column): (usize, &usize)| {
                        row[column]
                            * (feature.options.value(option, position) - instance.x()[column])
                    };
                    columns().map(change).sum::<f64>()
                };
                options.iter().map(share).collect()
            });
            of_feature.collect()
        };
        Self {
            max_changes: instance.max_changes(),
            units: first.weights.iter().map(of_unit).collect(),
            counts: options.iter().map(Vec::len).collect(),
        }
    }

    /// The largest that a weighted sum of the first layer's sums can become through changes.
    fn most(&self, weights: &[(usize, f64)]) -> f64 {
        let gain = |f: usize| {
            let at = |i| weights.iter().map(|&(unit, w)| w * self.units[unit][f][i]).sum::<f64>();
            (0..self.counts[f]).map(at).fold(0.0, f64::max)
        };
        let mut gains: Vec<f64> = (0..self.counts.len()).map(gain).collect();
        gains.sort_by(|a, b| b.total_cmp(a));
        gains.iter().take(self.max_changes).sum()
    }
}

/// The least and the largest sum of every unit, layer by layer.
pub(super) struct Ranges {
    pub layers: Vec<Vec<(f64, f64)>>,
}

impl Ranges {
    pub fn of(instance: &Instance, mlp: &Mlp) -> Self {
        let mut ranges = Self { layers: Vec::new() };
        let Some(first) = mlp.layers.first() else { return ranges };
        let shares = Shares::of(instance, first);
        let base = first.sums(instance.x());
        let mut sizes = sizes_of_columns(instance);
        for (l, layer) in mlp.layers.iter().enumerate() {
            let size = |(row, bias): (&Vec<f64>, &f64)| {
                row.iter().zip(&sizes).map(|(w, size)| w.abs() * size).sum::<f64>() + bias.abs()
            };
            let all: Vec<f64> = layer.weights.iter().zip(&layer.bias).map(size).collect();
            let of_unit = |(unit, size): (usize, &f64)| {
                let (low, high) = if l == 0 {
                    let most = |sign: f64| shares.most(&[(unit, sign)]);
                    (base[unit] - most(-1.0), base[unit] + most(1.0))
                } else {
                    ranges.of_unit(mlp, &shares, &base, l, unit)
                };
                (low - MARGIN * size, high + MARGIN * size)
            };
            let units = all.iter().enumerate().map(of_unit).collect();
            ranges.layers.push(units);
            sizes = all;
        }
        ranges
    }

    /// The tighter of two bounds: by the ranges of the units before it, and by lines instead of their ReLU down to the options.
    fn of_unit(
        &self,
        mlp: &Mlp,
        shares: &Shares,
        base: &[f64],
        layer: usize,
        unit: usize,
    ) -> (f64, f64) {
        let row = &mlp.layers[layer].weights[unit];
        let bias = mlp.layers[layer].bias[unit];
        let (mut low, mut high) = (bias, bias);
        for (weight, range) in row.iter().zip(&self.layers[layer - 1]) {
            let ends = [weight * range.0.max(0.0), weight * range.1.max(0.0)];
            low += ends[0].min(ends[1]);
            high += ends[0].max(ends[1]);
        }
        let most = |sign: f64| {
            let weights = row.iter().map(|weight| sign * weight).collect();
            self.by_lines(mlp, shares, base, layer, weights) + sign * bias
        };
        (low.max(-most(-1.0)), high.min(most(1.0)))
    }

    /// The largest value of a weighted sum of the activations before a layer.
    fn by_lines(
        &self,
        mlp: &Mlp,
        shares: &Shares,
        base: &[f64],
        layer: usize,
        mut weights: Vec<f64>,
    ) -> f64 {
        let mut constant = 0.0;
        for before in (0..layer).rev() {
            for (weight, &(low, high)) in weights.iter_mut().zip(&self.layers[before]) {
                if high <= 0.0 || (low < 0.0 && *weight < 0.0 && high < -low) {
                    *weight = 0.0;
                } else if low < 0.0 && *weight > 0.0 {
                    // The line through ReLU's values at both ends.
                    let slope = high / (high - low);
                    constant -= *weight * slope * low;
                    *weight *= slope;
                }
            }
            if before > 0 {
                let units = &mlp.layers[before];
                let mut inputs = vec![0.0; self.layers[before - 1].len()];
                for (weight, (row, bias)) in
                    weights.iter().zip(units.weights.iter().zip(&units.bias))
                {
                    constant += weight * bias;
                    for (input, w) in inputs.iter_mut().zip(row) {
                        *input += weight * w;
                    }
                }
                weights = inputs;
            }
        }
        let kept: f64 = weights.iter().zip(base).map(|(weight, base)| weight * base).sum();
        let used: Vec<(usize, f64)> =
            weights.into_iter().enumerate().filter(|(_, weight)| *weight != 0.0).collect();
        constant + kept + shares.most(&used)
    }
}

/// The largest size of every column under any plan.
fn sizes_of_columns(instance: &Instance) -> Vec<f64> {
    let mut sizes: Vec<f64> = instance.x().iter().map(|x| x.abs()).collect();
    for feature in instance.features() {
        for (position, &column) in feature.columns.iter().enumerate() {
            let own = instance.x()[column];
            let options = extreme_options(feature).into_iter();
            let changes =
                options.map(|option| (feature.options.value(option, position) - own).abs());
            sizes[column] += changes.fold(0.0, f64::max);
        }
    }
    sizes
}
