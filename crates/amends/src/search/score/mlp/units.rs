//! Between which numbers the sums of hidden units lie in a region, and lines above ReLU there.
//!
//! The first layer's sums are sums over features, so their extremes are exact, the limit on changes included.
//! A deeper unit's sum is bounded through the units before it: replacing each ReLU by a line above or
//! below it, whichever the sign of its weight asks for, leaves a sum over features again.

use super::network::{Dense, Network};
use super::view::View;
use crate::search::bound::ball::{Ball, Sum};
use crate::search::bound::few::Few;
use crate::search::layout::space::dot;
use crate::search::layout::values::ValueIndex;

/// The least and the largest sum of every hidden unit, layer after layer.
pub(super) struct Units {
    pub ranges: Vec<(f64, f64)>,
    /// Where each hidden layer begins.
    from: Vec<usize>,
}

impl Units {
    /// Bounds every hidden unit; `None` where a unit's sum has no room between its bounds, so that the region
    /// holds no plan. `known` is what is known of a region around this one.
    pub(super) fn new(view: &View, known: &[(f64, f64)], ball: Option<&Ball>) -> Option<Self> {
        let network = view.network;
        let mut units = Self { ranges: Vec::new(), from: Vec::new() };
        let mut few = Few::default();
        for layer in 0..network.layers.len() {
            units.from.push(units.ranges.len());
            for (unit, error) in network.errors[layer].iter().enumerate() {
                let before = known.get(units.ranges.len()).copied();
                // How far a sum is from changing its sign is of no account.
                if let Some(settled) = before.filter(|&(low, high)| low >= 0.0 || high <= 0.0) {
                    units.ranges.push(settled);
                    continue;
                }
                let (mut low, mut high) = if layer == 0 {
                    view.extremes(unit, &mut few)
                } else {
                    units.through(view, layer, unit, (ball, false), &mut few)
                };
                if layer == 0
                    && low < 0.0
                    && high > 0.0
                    && let Some(ball) = ball
                {
                    let within = ball.extremes(&OfUnit { network, unit }, &mut few);
                    low = low.max(network.base[unit] + within.0);
                    high = high.min(network.base[unit] + within.1);
                }
                (low, high) = (low - error, high + error);
                if let Some(before) = before {
                    (low, high) = (low.max(before.0), high.min(before.1));
                }
                if low > high {
                    return None;
                }
                units.ranges.push((low, high));
            }
        }
        Some(units)
    }

    /// What is known of a region already.
    pub(super) fn known(view: &View, known: &[(f64, f64)]) -> Self {
        let mut from = vec![0];
        for layer in &view.network.layers {
            from.push(from[from.len() - 1] + layer.inputs);
        }
        Self { ranges: known.to_vec(), from }
    }

    pub(super) fn of_layer(&self, layer: usize) -> &[(f64, f64)] {
        let end = self.from.get(layer + 1).copied().unwrap_or(self.ranges.len());
        &self.ranges[self.from[layer]..end]
    }

    /// Whether more of a unit's range is above 0 than below.
    pub(super) fn mostly_positive(&self, layer: usize, unit: usize) -> bool {
        let (low, high) = self.of_layer(layer)[unit];
        high > -low
    }

    /// The extremes of the score.
    pub(super) fn of_score(&self, view: &View, ball: Option<&Ball>) -> (f64, f64) {
        let mut few = Few::default();
        let network = view.network;
        if !network.layers.is_empty() {
            return self.through(view, network.layers.len(), 0, (ball, true), &mut few);
        }
        let (mut low, mut high) = view.extremes(0, &mut few);
        if let Some(ball) = ball {
            let within = ball.extremes(&OfUnit { network, unit: 0 }, &mut few);
            low = low.max(network.base[0] + within.0);
            high = high.min(network.base[0] + within.1);
        }
        (low, high)
    }

    /// The extremes of a deeper unit's sum; how far it is from changing its sign may be of no account.
    fn through(
        &self,
        view: &View,
        layer: usize,
        unit: usize,
        (ball, exactly): (Option<&Ball>, bool),
        few: &mut Few,
    ) -> (f64, f64) {
        let dense = &view.network.layers[layer - 1];
        let (row, bias) = (dense.row(unit), dense.bias[unit]);
        let (mut low, mut high) = (bias, bias);
        for (weight, range) in row.iter().zip(self.of_layer(layer - 1)) {
            let ends = [weight * range.0.max(0.0), weight * range.1.max(0.0)];
            low += ends[0].min(ends[1]);
            high += ends[0].max(ends[1]);
        }
        if exactly || low < 0.0 && high > 0.0 {
            high = high.min(self.most(view, layer - 1, row.to_vec(), bias, ball, few));
        }
        if exactly || low < 0.0 && high > 0.0 {
            let opposite: Vec<f64> = row.iter().map(|weight| -weight).collect();
            low = low.max(-self.most(view, layer - 1, opposite, -bias, ball, few));
        }
        (low, high)
    }

    /// The largest value of a weighted sum of a layer's activations, by lines above and below ReLU.
    fn most(
        &self,
        view: &View,
        layer: usize,
        mut weights: Vec<f64>,
        mut constant: f64,
        ball: Option<&Ball>,
        few: &mut Few,
    ) -> f64 {
        for layer in (1..=layer).rev() {
            let positive = |unit| self.mostly_positive(layer, unit);
            self.relax(layer, &mut weights, &mut constant, positive);
            weights = back(&view.network.layers[layer - 1], &weights, &mut constant);
        }
        self.relax(0, &mut weights, &mut constant, |unit| self.mostly_positive(0, unit));
        constant += weights.iter().zip(&view.network.base).map(|(w, base)| w * base).sum::<f64>();
        let most = view.most(&weights, few);
        let sum = OfUnits { network: view.network, weights: &weights };
        constant + ball.map_or(most, |ball| most.min(ball.extremes(&sum, few).1))
    }

    /// Weights of a layer's activations become weights of its sums, from above. `positive` says for a
    /// unit that may be either, where it counts from below, whether to count it as its sum or as 0.
    pub(super) fn relax(
        &self,
        layer: usize,
        weights: &mut [f64],
        constant: &mut f64,
        positive: impl Fn(usize) -> bool,
    ) {
        for (unit, (weight, &(low, high))) in
            weights.iter_mut().zip(self.of_layer(layer)).enumerate()
        {
            if high <= 0.0 {
                *weight = 0.0;
            } else if low < 0.0 {
                if *weight > 0.0 {
                    let (slope, rise) = chord(low, high);
                    *constant += *weight * rise;
                    *weight *= slope;
                } else if !positive(unit) {
                    *weight = 0.0;
                }
            }
        }
    }
}

/// The sum of a unit of the first layer, its base aside.
struct OfUnit<'a> {
    network: &'a Network,
    unit: usize,
}

impl Sum for OfUnit<'_> {
    fn slope(&self, f: usize) -> f64 {
        self.network.slope(f)[self.unit]
    }

    fn at(&self, f: usize, index: ValueIndex) -> f64 {
        self.network.at(f, index)[self.unit]
    }
}

/// A weighted sum of the first layer's sums, their bases aside.
struct OfUnits<'a> {
    network: &'a Network,
    weights: &'a [f64],
}

impl Sum for OfUnits<'_> {
    fn slope(&self, f: usize) -> f64 {
        dot(self.network.slope(f), self.weights)
    }

    fn at(&self, f: usize, index: ValueIndex) -> f64 {
        dot(self.network.at(f, index), self.weights)
    }
}

/// Weights of a layer's sums become weights of the activations before it.
pub(super) fn back(layer: &Dense, weights: &[f64], constant: &mut f64) -> Vec<f64> {
    let mut before = vec![0.0; layer.inputs];
    for (unit, &weight) in weights.iter().enumerate().filter(|(_, weight)| **weight != 0.0) {
        *constant += weight * layer.bias[unit];
        for (before, w) in before.iter_mut().zip(layer.row(unit)) {
            *before += weight * w;
        }
    }
    before
}

/// The line through ReLU's values at both ends, as slope and constant. Whatever rounding makes of the slope,
/// the constant lifts it above both ends.
pub(super) fn chord(low: f64, high: f64) -> (f64, f64) {
    let slope = high / (high - low);
    (slope, (-slope * low).max(high - slope * high))
}

#[cfg(test)]
mod tests {
    use super::chord;

    #[test]
    fn a_chord_is_above_both_ends() {
        for (low, high) in [(-1.0, 1.0), (-3.0, 0.1), (-1e-9, 7.0), (-0.3, 1e9)] {
            let (slope, rise) = chord(low, high);
            assert!(slope * low + rise >= -1e-15 * high);
            assert!(slope * high + rise >= high * (1.0 - 1e-15));
        }
    }
}
