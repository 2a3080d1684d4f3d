//! Weighted sums of losses: what bounds several scores from above, each by a sum over features, bounds their weighted sum.

use crate::search::bound::losses::{Line, Losses};
use crate::search::bound::relax::Mix;
use crate::search::layout::region::Region;
use crate::search::layout::space::Space;
use crate::search::layout::values::ValueIndex;

impl Losses {
    /// The sum of losses of one region, each times a weight of at least 0, under a constant that may be off by `error`.
    pub(in crate::search) fn weighted(
        space: &Space,
        region: &Region,
        parts: &[(f64, &Self)],
        (constant, error): (f64, f64),
    ) -> Self {
        let with_sides = region.undecided(space).is_empty();
        let mut sum = Self::none(space, region, with_sides, constant, error);
        for &(weight, part) in parts.iter().filter(|part| part.0 > 0.0) {
            sum.slack += weight * part.slack;
            sum.room += weight * part.room;
            sum.error += weight * part.error;
            for f in 0..region.spans.len() {
                sum.add_line(f, weight, part);
                let feature = &space.features[f];
                let (low, high) = region.spans[f];
                let cells = (feature.cells.of(high) - feature.cells.of(low)) as usize + 1;
                sum.add_list(f, cells, weight, part);
            }
        }
        sum
    }

    fn add_line(&mut self, f: usize, weight: f64, part: &Self) {
        let Some(line) = part.lines[f] else { return };
        let sum = self.lines[f].get_or_insert_default();
        *sum = Line {
            at_zero: sum.at_zero + weight * line.at_zero,
            slope: sum.slope + weight * line.slope,
            alone_at_zero: sum.alone_at_zero + weight * line.alone_at_zero,
            alone_kept: sum.alone_kept + weight * line.alone_kept,
        };
    }

    /// Adds the losses of a feature's cells, which are the same in both.
    fn add_list(&mut self, f: usize, cells: usize, weight: f64, part: &Self) {
        if !part.is_listed(f) {
            return;
        }
        let other = part.from[f];
        if !self.is_listed(f) {
            self.from[f] = self.values.len();
            let length = self.values.len() + cells;
            self.values.resize(length, 0.0);
            self.alone.resize(length, 0.0);
            if self.with_sides {
                self.up_to.resize(length, 0.0);
                self.after.resize(length, 0.0);
            }
        }
        let from = self.from[f];
        let add = |sums: &mut Vec<f64>, values: &Vec<f64>| {
            let values = values.get(other..other + cells).unwrap_or_default();
            for (sum, value) in sums[from..].iter_mut().zip(values) {
                *sum += weight * value;
            }
        };
        add(&mut self.values, &part.values);
        add(&mut self.alone, &part.alone);
        if self.with_sides && part.with_sides {
            add(&mut self.up_to, &part.up_to);
            add(&mut self.after, &part.after);
        }
    }

    /// The same losses of a score that must be so much higher.
    pub(in crate::search) fn raised(mut self, by: f64) -> Self {
        self.slack -= by;
        self.room -= by;
        self
    }

    /// What the sum says at a point, which may lie outside of the region: then at the nearest values inside.
    pub(in crate::search) fn at_point(&self, space: &Space, region: &Region, point: &[Mix]) -> f64 {
        let lost = |(f, mix): (usize, &Mix)| {
            let (low, high) = region.spans[f];
            let at = |index: ValueIndex| self.at(space, f, index.clamp(low, high));
            if self.any(f) {
                (1.0 - mix.share) * at(mix.from) + mix.share * at(mix.to)
            } else {
                0.0
            }
        };
        self.slack - point.iter().enumerate().map(lost).sum::<f64>()
    }
}
