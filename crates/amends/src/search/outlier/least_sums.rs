//! The least sums of terms between a region and many reference points, a block of them at a time.

use std::ops::Range;

use pulp::{Arch, Simd, WithSimd};

use super::reference::Spread;
use super::region_distances::{Points, RegionDistances, Touched};
use crate::search::layout::values::ValueIndex;

/// Points are looked at in blocks of so many.
const BLOCK: usize = 256;

/// Up to so many undecided changes the largest gains are kept in order.
const FEW: usize = 4;

/// Room for a block of points.
struct Block {
    least: [f64; BLOCK],
    /// The largest gains, in falling order.
    largest: [[f64; BLOCK]; FEW],
    /// The gains of one feature.
    gains: [f64; BLOCK],
}

impl Default for Block {
    fn default() -> Self {
        Self { least: [0.0; BLOCK], largest: [[0.0; BLOCK]; FEW], gains: [0.0; BLOCK] }
    }
}

/// [`RegionDistances::least_of_block`] with the processor's vector instructions.
struct LeastOfBlock<'b, 'g, 'p> {
    distances: &'b RegionDistances<'g>,
    points: Points<'p>,
    rows: Range<usize>,
    block: &'b mut Block,
}

impl WithSimd for LeastOfBlock<'_, '_, '_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        self.distances.least_of_block(self.points, self.rows, self.block);
    }
}

/// The values of a block of points.
#[inline(always)]
fn gather(values: &[f64], points: Points, rows: Range<usize>, to: &mut [f64; BLOCK]) {
    match points {
        Points::First(_) => to[..rows.len()].copy_from_slice(&values[rows]),
        Points::Listed(list) => {
            for (to, &n) in to.iter_mut().zip(&list[rows]) {
                *to = values[n as usize];
            }
        }
    }
}

/// Without the care for what is not a number, which keeps several from being done at once.
#[inline(always)]
fn clamp(value: f64, low: f64, high: f64) -> f64 {
    let value = if value < low { low } else { value };
    if value > high { high } else { value }
}

#[inline(always)]
fn larger_first(a: f64, b: f64) -> (f64, f64) {
    (if a > b { a } else { b }, if a > b { b } else { a })
}

impl RegionDistances<'_> {
    /// Those of some points whose least sum of terms is at most this, and perhaps some others.
    pub(in crate::search) fn within(&mut self, points: Points, most: f64) -> Vec<u32> {
        let mut within = Vec::new();
        self.each_least(points, |_, n, least| {
            if least <= most {
                within.push(n);
            }
        });
        within
    }

    /// Calls for each of some points with its least sum of terms.
    pub(in crate::search) fn each_least(
        &mut self,
        points: Points,
        mut call: impl FnMut(&Self, u32, f64),
    ) {
        if self.left > FEW && !self.undecided.is_empty() {
            for index in 0..points.len() {
                let n = points.at(index);
                let least = self.extremes(n as usize).0;
                call(self, n, least);
            }
            return;
        }
        let mut block = Block::default();
        let arch = Arch::new();
        for start in (0..points.len()).step_by(BLOCK) {
            let rows = start..points.len().min(start + BLOCK);
            arch.dispatch(LeastOfBlock {
                distances: self,
                points,
                rows: rows.clone(),
                block: &mut block,
            });
            for (index, &least) in rows.zip(&block.least) {
                call(self, points.at(index), least);
            }
        }
    }

    /// The least sums of terms of some points in a row, where at most [`FEW`] undecided features change.
    #[inline(always)]
    fn least_of_block(&self, points: Points, rows: Range<usize>, block: &mut Block) {
        let Block { least, largest, gains } = block;
        gather(self.reference.base(), points, rows.clone(), least);
        for touched in &self.decided {
            self.gains_of_block(touched, points, rows.clone(), gains);
            for (least, gain) in least.iter_mut().zip(&gains[..]) {
                *least -= gain;
            }
        }
        if self.undecided.is_empty() {
            return;
        }
        for largest in &mut largest[..] {
            largest.fill(0.0);
        }
        for touched in &self.undecided {
            self.gains_of_block(touched, points, rows.clone(), gains);
            let [first, second, third, fourth] = largest;
            let largest = first.iter_mut().zip(second).zip(third).zip(fourth);
            for ((((first, second), third), fourth), &gain) in largest.zip(&gains[..]) {
                let (larger, gain) = larger_first(*first, gain);
                *first = larger;
                let (larger, gain) = larger_first(*second, gain);
                *second = larger;
                let (larger, gain) = larger_first(*third, gain);
                *third = larger;
                *fourth = larger_first(*fourth, gain).0;
            }
        }
        for largest in &largest[..self.left] {
            for (least, gain) in least.iter_mut().zip(largest) {
                *least -= gain;
            }
        }
    }

    /// By how much a feature can bring each of some points nearer.
    #[inline(always)]
    fn gains_of_block(
        &self,
        touched: &Touched,
        points: Points,
        rows: Range<usize>,
        gains: &mut [f64; BLOCK],
    ) {
        match &self.reference.spread[touched.f] {
            Spread::Numeric { offset, .. } if self.reference.is_squared() => {
                let (first, last) = touched.ends;
                let gain = |offset: f64| {
                    let nearest = clamp(offset, first, last);
                    nearest * (2.0 * offset - nearest)
                };
                if let Points::First(_) = points {
                    for (to, &offset) in gains.iter_mut().zip(&offset[rows]) {
                        *to = gain(offset);
                    }
                    return;
                }
                gather(offset, points, rows, gains);
                for value in gains {
                    *value = gain(*value);
                }
            }
            Spread::Options { terms, .. } => {
                let count = self.reference.count();
                let terms = |index: ValueIndex| &terms[index as usize * count..][..count];
                let mut least = [0.0; BLOCK];
                let mut other = [0.0; BLOCK];
                gather(terms(touched.span.0), points, rows.clone(), &mut least);
                for index in touched.span.0 + 1..=touched.span.1 {
                    gather(terms(index), points, rows.clone(), &mut other);
                    for (least, &other) in least.iter_mut().zip(&other) {
                        *least = if other < *least { other } else { *least };
                    }
                }
                gather(terms(touched.keep), points, rows, gains);
                for (gain, least) in gains.iter_mut().zip(least) {
                    *gain -= least;
                }
            }
            Spread::Numeric { .. } | Spread::InStep { .. } => {
                for (gain, index) in gains.iter_mut().zip(rows) {
                    let (low, _, kept) = self.range(touched, points.at(index) as usize);
                    *gain = kept - low;
                }
            }
        }
    }
}
