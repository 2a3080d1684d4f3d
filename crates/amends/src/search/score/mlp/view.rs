//! A region as the network's first layer sees it.

use super::Network;
use crate::search::bound::few::Few;
use crate::search::bound::relax::Mix;
use crate::search::layout::feature::Feature;
use crate::search::layout::region::{Region, Stand};
use crate::search::layout::space::{Space, dot};
use crate::search::layout::values::ValueIndex;

/// A feature that the region lets change.
pub(super) struct Open<'a> {
    pub f: usize,
    pub feature: &'a Feature,
    pub span: (ValueIndex, ValueIndex),
    pub undecided: bool,
}

/// The features that may change, and how far each moves the sums of the first layer.
pub(super) struct View<'a> {
    pub network: &'a Network,
    pub open: Vec<Open<'a>>,
    /// Per open feature and unit, the least and the largest share of the unit's sum. An undecided
    /// feature may also keep its value, which adds nothing.
    low: Vec<f64>,
    high: Vec<f64>,
    /// How many undecided features may change.
    pub left: usize,
}

impl<'a> View<'a> {
    pub(super) fn new(space: &'a Space, network: &'a Network, region: &Region) -> Self {
        let width = network.width();
        let mut view = Self {
            network,
            open: Vec::new(),
            low: Vec::new(),
            high: Vec::new(),
            left: region.left,
        };
        for (f, feature) in space.features.iter().enumerate() {
            let stand = region.stand(space, f);
            if stand != Stand::Kept {
                let undecided = stand == Stand::Undecided;
                view.open.push(Open { f, feature, span: region.spans[f], undecided });
            }
        }
        view.low.resize(view.open.len() * width, 0.0);
        view.high.resize(view.open.len() * width, 0.0);
        for (k, open) in view.open.iter().enumerate() {
            let units = k * width..(k + 1) * width;
            let (low, high) = (&mut view.low[units.clone()], &mut view.high[units]);
            let (first, last) = open.span;
            if open.feature.is_numeric() {
                let ends = [open.feature.change(first), open.feature.change(last)];
                let sides = low.iter_mut().zip(high).zip(network.slope(open.f));
                for ((low, high), slope) in sides {
                    (*low, *high) = ordered(slope * ends[0], slope * ends[1]);
                }
            } else {
                low.copy_from_slice(network.at(open.f, first));
                high.copy_from_slice(low);
                for index in first + 1..=last {
                    let sides = low.iter_mut().zip(high.iter_mut()).zip(network.at(open.f, index));
                    for ((low, high), &at) in sides {
                        *low = low.min(at);
                        *high = high.max(at);
                    }
                }
            }
        }
        view
    }

    /// The least and the largest share of a unit's sum that an open feature has.
    pub(super) fn share(&self, k: usize, unit: usize) -> (f64, f64) {
        let at = k * self.network.width() + unit;
        (self.low[at], self.high[at])
    }

    /// The least and the largest sum of a unit of the first layer.
    pub(super) fn extremes(&self, unit: usize, few: &mut Few) -> (f64, f64) {
        let base = self.network.base[unit];
        let mut most = base;
        few.begin(self.left);
        for (k, open) in self.open.iter().enumerate() {
            let high = self.share(k, unit).1;
            if open.undecided { few.offer(high) } else { most += high }
        }
        most += few.sum();
        let mut least = base;
        few.begin(self.left);
        for (k, open) in self.open.iter().enumerate() {
            let low = self.share(k, unit).0;
            if open.undecided { few.offer(-low) } else { least += low }
        }
        (least - few.sum(), most)
    }

    /// The largest value over the region of a sum over units of coefficient times share.
    pub(super) fn most(&self, coefficients: &[f64], few: &mut Few) -> f64 {
        let mut most = 0.0;
        few.begin(self.left);
        for open in &self.open {
            let gain = self.best_gain(open, coefficients);
            if open.undecided { few.offer(gain) } else { most += gain }
        }
        most + few.sum()
    }

    /// The largest gain of a feature.
    fn best_gain(&self, open: &Open, coefficients: &[f64]) -> f64 {
        let (low, high) = open.span;
        if open.feature.is_numeric() {
            let slope = dot(self.network.slope(open.f), coefficients);
            let ends = [open.feature.change(low), open.feature.change(high)];
            return (slope * ends[0]).max(slope * ends[1]);
        }
        let gain = |index: ValueIndex| dot(self.network.at(open.f, index), coefficients);
        (low..=high).map(gain).fold(f64::NEG_INFINITY, f64::max)
    }

    /// The shares of every unit's sum at a point, feature by feature; points outside the region are
    /// brought into it.
    pub(super) fn shares_at(&self, point: &[Mix]) -> Vec<f64> {
        let width = self.network.width();
        let mut shares = vec![0.0; self.open.len() * width];
        for (open, shares) in self.open.iter().zip(shares.chunks_mut(width)) {
            let (low, high) = open.span;
            let mix = point[open.f];
            let inside = |index: ValueIndex| {
                if (low..=high).contains(&index) || open.feature.is_numeric() {
                    index.clamp(low, high)
                } else {
                    open.feature.keep.0.clamp(low, high)
                }
            };
            let (from, to) = (inside(mix.from), inside(mix.to));
            self.network.add(open.feature, open.f, from, 1.0 - mix.share, shares);
            self.network.add(open.feature, open.f, to, mix.share, shares);
        }
        shares
    }
}

fn ordered(a: f64, b: f64) -> (f64, f64) {
    if a <= b { (a, b) } else { (b, a) }
}
