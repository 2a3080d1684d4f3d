//! A sum over features that bounds the score from above in a region, tight near a given point.
//!
//! Where a unit counts positively, the least concave function above ReLU over a box of the features' shares
//! touches it at the box's corners. At a point it is found by moving features from their least to
//! their largest share one after the other, those first that are nearest to it; what each step adds is the
//! feature's slope. The chord of the sum's own range also knows the limit on changes; whichever is lower at
//! the point is taken. Where a unit counts negatively, a tangent of ReLU at the point does.

use super::units::{Units, back, chord};
use super::view::{Open, View};
use crate::search::bound::few::Few;
use crate::search::bound::relax::Mix;
use crate::search::layout::space::dot;
use crate::search::layout::values::ValueIndex;

/// `constant` plus, over features, coefficients times what the feature adds to the first layer's sums.
pub(super) struct Plane {
    pub constant: f64,
    /// Per open feature and unit of the first layer.
    coefficients: Vec<f64>,
    width: usize,
}

impl Plane {
    /// The plane near a point, or, without one, a plane that is nowhere too high.
    pub(super) fn new(view: &View, units: &Units, point: Option<&[Mix]>) -> Self {
        let network = view.network;
        let width = network.width();
        let coefficients = vec![0.0; view.open.len() * width];
        let mut plane = Self { constant: 0.0, coefficients, width };
        if network.layers.is_empty() {
            plane.constant = network.base[0];
            plane.coefficients.fill(1.0);
            return plane;
        }
        let near = point.map(|point| Near::new(view, point));
        let mut weights = vec![1.0];
        for layer in (0..network.layers.len()).rev() {
            weights = back(&network.layers[layer], &weights, &mut plane.constant);
            if layer > 0 {
                units.relax(layer, &mut weights, &mut plane.constant, |unit| match &near {
                    Some(near) => near.sums[layer][unit] > 0.0,
                    None => units.mostly_positive(layer, unit),
                });
            }
        }
        let mut steps = Vec::new();
        for (unit, &weight) in weights.iter().enumerate().filter(|(_, weight)| **weight != 0.0) {
            let (low, high) = units.of_layer(0)[unit];
            if high <= 0.0 {
                continue;
            }
            let positive = match &near {
                Some(near) => near.sums[0][unit] > 0.0,
                None => high > -low,
            };
            if low >= 0.0 || weight < 0.0 && positive {
                plane.add_evenly(view, unit, weight, 0.0, 1.0);
            } else if weight > 0.0 {
                let (slope, rise) = chord(low, high);
                let corners = near.as_ref().map(|near| near.corners(view, unit, &mut steps));
                match (corners, &near) {
                    (Some((constant, value)), Some(near))
                        if value < rise + slope * near.sums[0][unit] =>
                    {
                        plane.constant += weight * constant;
                        for &(k, _, slope) in &steps {
                            plane.coefficients[k * width + unit] = weight * slope;
                        }
                    }
                    _ => plane.add_evenly(view, unit, weight, rise, slope),
                }
            }
        }
        plane
    }

    /// A unit counts as a line of its sum.
    fn add_evenly(&mut self, view: &View, unit: usize, weight: f64, rise: f64, slope: f64) {
        self.constant += weight * (rise + slope * view.network.base[unit]);
        for k in 0..view.open.len() {
            self.coefficients[k * self.width + unit] = weight * slope;
        }
    }

    /// What a change of one of a numeric open feature adds.
    pub(super) fn slope(&self, view: &View, k: usize) -> f64 {
        dot(view.network.slope(view.open[k].f), self.coefficients_of(k))
    }

    /// What the values of an open feature without an order add.
    pub(super) fn gains(&self, view: &View, k: usize, gains: &mut Vec<f64>) {
        let open = &view.open[k];
        let (low, high) = open.span;
        gains.clear();
        let gain = |index| dot(view.network.at(open.f, index), self.coefficients_of(k));
        gains.extend((low..=high).map(gain));
    }

    fn coefficients_of(&self, k: usize) -> &[f64] {
        &self.coefficients[k * self.width..(k + 1) * self.width]
    }

    /// The largest value over the region, and where it is: `best` gives every feature that gains a place.
    pub(super) fn top(&self, view: &View, few: &mut Few, best: &mut Vec<(f64, ValueIndex)>) -> f64 {
        let mut gains = Vec::new();
        let mut most = self.constant;
        few.begin(view.left);
        best.clear();
        for (k, open) in view.open.iter().enumerate() {
            let (low, high) = open.span;
            let (gain, index) = if open.feature.is_numeric() {
                let slope = self.slope(view, k);
                let index = if slope > 0.0 { high } else { low };
                (slope * open.feature.change(index), index)
            } else {
                self.gains(view, k, &mut gains);
                let (mut gain, mut index) = (f64::NEG_INFINITY, low);
                for (&other, at) in gains.iter().zip(low..) {
                    if other > gain {
                        (gain, index) = (other, at);
                    }
                }
                (gain, index)
            };
            if open.undecided {
                few.offer(gain);
            } else {
                most += gain;
            }
            best.push((gain, index));
        }
        most + few.sum()
    }
}

/// A point of the region, as the network sees it.
struct Near {
    /// Per open feature and unit of the first layer.
    shares: Vec<f64>,
    /// The sums of every hidden layer.
    sums: Vec<Vec<f64>>,
}

impl Near {
    fn new(view: &View, point: &[Mix]) -> Self {
        let network = view.network;
        let shares = view.shares_at(point);
        let mut first = network.base.clone();
        for shares in shares.chunks(network.width()) {
            for (sum, share) in first.iter_mut().zip(shares) {
                *sum += share;
            }
        }
        let mut sums = vec![first];
        for layer in &network.layers[..network.layers.len() - 1] {
            let active: Vec<f64> = sums[sums.len() - 1].iter().map(|sum| sum.max(0.0)).collect();
            let sum = |(unit, bias): (usize, &f64)| dot(layer.row(unit), &active) + bias;
            sums.push(layer.bias.iter().enumerate().map(sum).collect());
        }
        Self { shares, sums }
    }

    /// The least concave function above ReLU over the features' shares, near the point: its constant and
    /// its value there, and per feature `(k, how near to its largest share, slope)`.
    fn corners(&self, view: &View, unit: usize, steps: &mut Vec<(usize, f64, f64)>) -> (f64, f64) {
        steps.clear();
        let mut sum = view.network.base[unit];
        for k in 0..view.open.len() {
            let (low, high) = view.share(k, unit);
            sum += low;
            if low < high {
                let share = self.shares[k * view.network.width() + unit];
                steps.push((k, ((share - low) / (high - low)).clamp(0.0, 1.0), 0.0));
            }
        }
        steps.sort_unstable_by(|a, b| b.1.total_cmp(&a.1));
        let mut value = sum.max(0.0);
        let mut constant = value;
        for (k, near, slope) in steps.iter_mut() {
            let (low, high) = view.share(*k, unit);
            let before = sum.max(0.0);
            sum += high - low;
            let rise = sum.max(0.0) - before;
            *slope = (rise / (high - low)).clamp(0.0, 1.0);
            value += *near * rise;
            constant -= *slope * low;
        }
        (constant, value)
    }
}

/// The point where a plane is highest: undecided features move only where they are among the few.
pub(super) fn highest(open: &[Open], best: &[(f64, ValueIndex)], edge: f64, point: &mut [Mix]) {
    for (open, &(gain, index)) in open.iter().zip(best) {
        let stays = open.undecided && (gain <= 0.0 || gain < edge);
        let index = if stays { open.feature.keep.0 } else { index };
        point[open.f] = Mix::at(index);
    }
}
