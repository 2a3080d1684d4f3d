//! Which reference points can matter in a region, and the least outlier term there.
//!
//! A point can only be among the k nearest of some plan in a region (k = 1 for the surrogate) where
//! its least distance does not exceed the k-th least of all points' largest distances. The surrogate
//! is then at least the least `density * max(k_distance, least distance)`. The true k-LOF is the
//! product of two means over the same k points, `mean(density) * mean(reach)`; it is at least the
//! product of the two least means, and by Cauchy-Schwarz at least the square of the least mean of
//! `sqrt(density * reach)`.

use std::sync::Arc;

use super::best::Best;
use super::reference::{Reference, Spread, term};
use super::region::{Region, Stand};
use super::space::Space;

/// The points that can matter in a region, and the least weighted outlier term.
#[derive(Debug, Clone)]
pub(super) struct Nearby {
    pub points: Arc<[u32]>,
    pub bound: f64,
}

/// Buffers for narrowing.
#[derive(Debug, Default)]
pub(super) struct NearbyScratch {
    least: Vec<f64>,
    most: Vec<f64>,
    down: Vec<f64>,
    up: Vec<f64>,
    values: Vec<f64>,
}

impl Nearby {
    /// All points.
    pub(super) fn all(reference: Option<&Reference>) -> Self {
        let count = reference.map_or(0, Reference::count) as u32;
        Self { points: (0..count).collect(), bound: 0.0 }
    }

    /// What is left of the points in a smaller region, where the rest of the objective is at least
    /// `floor`; for the surrogate with every point's least weighted term.
    pub(super) fn narrow(
        &self,
        space: &Space,
        reference: &Reference,
        region: &Region,
        floor: f64,
        best: &Best,
        scratch: &mut NearbyScratch,
    ) -> (Self, Vec<f64>) {
        scratch.sums(space, reference, region, &self.points);
        let outlier = reference.outlier;
        let error = reference.relative_error * reference.scale;
        let k = outlier.k.unwrap_or(1);
        scratch.values.clear();
        scratch.values.extend_from_slice(&scratch.most);
        scratch.values.select_nth_unstable_by(k - 1, f64::total_cmp);
        let cut = scratch.values[k - 1] * (1.0 + 1e-9) + 2.0 * error;
        let reach = |i: usize, n: u32| {
            reference.rooted(scratch.least[i] - error).max(outlier.k_distance[n as usize])
        };
        let safe = 1.0 - 1e-12;
        if outlier.k.is_some() {
            let inside: Vec<usize> =
                (0..self.points.len()).filter(|&i| scratch.least[i] <= cut).collect();
            let mut least_mean = |value: &dyn Fn(usize, u32) -> f64| {
                scratch.values.clear();
                scratch.values.extend(inside.iter().map(|&i| value(i, self.points[i])));
                scratch.values.select_nth_unstable_by(k - 1, f64::total_cmp);
                scratch.values[..k].iter().sum::<f64>() / k as f64
            };
            let density = |n: u32| outlier.density[n as usize];
            let means = least_mean(&|_, n| density(n)) * least_mean(&reach);
            let root = least_mean(&|i, n| (density(n) * reach(i, n)).sqrt());
            let bound = outlier.weight * means.max(root * root) * safe;
            let points = inside.iter().map(|&i| self.points[i]).collect();
            return (Self { points, bound: bound.max(self.bound) }, Vec::new());
        }
        let mut bound = f64::INFINITY;
        let mut points = Vec::with_capacity(self.points.len());
        let mut values = Vec::with_capacity(self.points.len());
        for (i, &n) in self.points.iter().enumerate() {
            if scratch.least[i] > cut {
                continue;
            }
            let value = outlier.weight * outlier.density[n as usize] * reach(i, n) * safe;
            // Where even this point alone makes plans too dear, none with it can win.
            if best.beats(floor + value) {
                continue;
            }
            bound = bound.min(value);
            points.push(n);
            values.push(value);
        }
        (Self { points: points.into(), bound: bound.max(self.bound) }, values)
    }
}

impl NearbyScratch {
    /// Least and largest sum of terms of every point over the region.
    fn sums(&mut self, space: &Space, reference: &Reference, region: &Region, points: &[u32]) {
        self.least.clear();
        self.most.clear();
        for &n in points {
            self.least.push(reference.base[n as usize]);
            self.most.push(reference.base[n as usize]);
        }
        let undecided: Vec<usize> = (0..region.spans.len())
            .filter(|&f| region.stand(space, f) == Stand::Undecided)
            .collect();
        let choosy = undecided.len() > region.left;
        for (f, feature) in space.features.iter().enumerate() {
            let (low, high) = region.spans[f];
            let stand = region.stand(space, f);
            if stand == Stand::Kept || choosy && stand == Stand::Undecided {
                continue;
            }
            for (i, &n) in points.iter().enumerate() {
                let n = n as usize;
                let (least, most) = range(space, reference, f, (low, high), n);
                let kept = reference.term(space, f, feature.keep.0, n);
                self.least[i] += least - kept;
                self.most[i] += most - kept;
            }
        }
        if choosy {
            self.choose(space, reference, region, points, &undecided);
        }
    }

    /// Lets the few undecided features change that bring a point nearest, or take it farthest.
    fn choose(
        &mut self,
        space: &Space,
        reference: &Reference,
        region: &Region,
        points: &[u32],
        undecided: &[usize],
    ) {
        let left = region.left;
        for (i, &n) in points.iter().enumerate() {
            let n = n as usize;
            self.down.clear();
            self.up.clear();
            for &f in undecided {
                let (least, most) = range(space, reference, f, region.spans[f], n);
                let kept = reference.term(space, f, space.features[f].keep.0, n);
                self.down.push(least - kept);
                self.up.push(kept - most);
            }
            for (list, sum, sign) in
                [(&mut self.down, &mut self.least[i], 1.0), (&mut self.up, &mut self.most[i], -1.0)]
            {
                if left == 0 {
                    continue;
                }
                list.select_nth_unstable_by(left - 1, f64::total_cmp);
                *sum += sign * list[..left].iter().map(|v| v.min(0.0)).sum::<f64>();
            }
        }
    }
}

/// The least and the largest term of a feature over an interval of places.
fn range(
    space: &Space,
    reference: &Reference,
    f: usize,
    (low, high): (u32, u32),
    n: usize,
) -> (f64, f64) {
    match &reference.spread[f] {
        Spread::Numeric { inverse, offset } => {
            let change = &space.features[f].change;
            let metric = reference.outlier.metric;
            let (first, last) = (change[low as usize] * inverse, change[high as usize] * inverse);
            let offset = offset[n];
            let nearest = offset.clamp(first, last);
            let farthest = if offset - first > last - offset { first } else { last };
            (term(metric, nearest - offset), term(metric, farthest - offset))
        }
        Spread::Options { terms } => {
            let count = reference.count();
            (low..=high)
                .map(|place| terms[place as usize * count + n])
                .fold((f64::INFINITY, 0.0), |(least, most), t| (t.min(least), t.max(most)))
        }
    }
}
