//! Trees as a sum over features, from above.
//!
//! In a region, let `M_T` be the best reachable leaf of tree T, and `M_Tf(c)` the best one where feature
//! f is in cell c. A plan's leaf is worth at most `M_Tf(c_f)` for every f, so at most any weighted
//! mean of these over f. With weights that add up to one per tree,
//! `score <= sum_T M_T - sum_f loss_f(c_f)`, where `loss_f(c)` adds up the weighted `M_T - M_Tf(c)`.
//! Such a sum joins the bound of the objective by a multiplier, as a linear score does. Networks have one of another
//! kind (`mlp/plane.rs`): along a numeric feature it is a straight line.

use crate::search::layout::region::Region;
use crate::search::layout::space::Space;
use crate::search::layout::values::{ValueIndex, Values};

/// First and last value of a step, and the loss on it.
pub(in crate::search) type Step = (u32, u32, f64);

/// What a numeric feature loses along its changes, where that is a straight line.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Line {
    /// What it loses where it keeps its value.
    pub at_zero: f64,
    pub slope: f64,
    /// What a change of 0 takes of the room on its own, by the same slope; keeping the value may take another.
    pub alone_at_zero: f64,
    pub alone_kept: f64,
}

/// What each cell of each feature loses of the best score, and what may be lost.
#[derive(Debug, Clone, Default)]
pub(in crate::search) struct Losses {
    /// Where a feature's losses begin; `usize::MAX` where it has none, or a line.
    pub(super) from: Vec<usize>,
    /// The first cell that is listed.
    low: Vec<u32>,
    pub(super) lines: Vec<Option<Line>>,
    pub(super) values: Vec<f64>,
    /// Unweighted, each feature on its own: what a cell loses, what all cells up to it lose at least,
    /// and what all cells after it do.
    pub(super) alone: Vec<f64>,
    pub(super) up_to: Vec<f64>,
    pub(super) after: Vec<f64>,
    /// Whether the two lists before are kept: only regions that are split by value need them.
    pub(super) with_sides: bool,
    /// Plans lose at most this much in all.
    pub slack: f64,
    /// The same, where only as many features do their best as may change.
    pub room: f64,
    /// What sums of losses can be off by.
    pub error: f64,
}

impl Losses {
    /// No losses yet.
    pub(in crate::search) fn none(
        space: &Space,
        region: &Region,
        with_sides: bool,
        slack: f64,
        error: f64,
    ) -> Self {
        let features = region.spans.len();
        let low = space.features.iter().zip(&region.spans);
        Self {
            from: vec![usize::MAX; features],
            low: low.map(|(feature, span)| feature.cells.of(span.0)).collect(),
            lines: vec![None; features],
            values: Vec::new(),
            alone: Vec::new(),
            up_to: Vec::new(),
            after: Vec::new(),
            with_sides,
            slack,
            room: slack,
            error,
        }
    }

    /// Gives a numeric feature a straight line of losses, by what it loses and what it takes of the room where it keeps its
    /// value; a change of one loses `slope` more.
    pub(in crate::search) fn set_line(
        &mut self,
        f: usize,
        at_zero: f64,
        slope: f64,
        alone: (f64, f64),
    ) {
        let (alone_at_zero, alone_kept) = alone;
        self.lines[f] = Some(Line { at_zero, slope, alone_at_zero, alone_kept });
    }

    /// Gives a feature without an order its losses: as part of the sum, and what each value alone takes of the room.
    pub(in crate::search) fn list(
        &mut self,
        f: usize,
        losses: impl Iterator<Item = f64>,
        alone: impl Iterator<Item = f64>,
    ) {
        let from = self.values.len();
        self.from[f] = from;
        self.values.extend(losses);
        self.alone.extend(alone);
        if !self.with_sides {
            return;
        }
        let mut least = f64::INFINITY;
        self.up_to.extend(self.alone[from..].iter().map(|&loss| {
            least = least.min(loss);
            least
        }));
        // Nothing comes after the last cell.
        self.after.resize(self.alone.len(), 0.0);
        let mut beyond = f64::INFINITY;
        for at in (from + 1..self.alone.len()).rev() {
            beyond = beyond.min(self.alone[at]);
            self.after[at - 1] = beyond;
        }
    }

    /// Whether a feature loses anything anywhere.
    pub(in crate::search) fn any(&self, f: usize) -> bool {
        self.from[f] != usize::MAX || self.lines[f].is_some()
    }

    /// What a feature with a straight line of losses loses where it keeps its value, and with every change of one.
    pub(in crate::search) fn line(&self, f: usize) -> Option<(f64, f64)> {
        self.lines[f].map(|line| (line.at_zero, line.slope))
    }

    /// Whether a feature's losses are listed by cells, with or without a line.
    pub(in crate::search) fn is_listed(&self, f: usize) -> bool {
        self.from[f] != usize::MAX
    }

    /// What a feature loses in a cell of the region, its line aside.
    pub(in crate::search) fn in_cell(&self, f: usize, cell: u32) -> f64 {
        if self.from[f] == usize::MAX { 0.0 } else { self.values[self.index(f, cell)] }
    }

    /// What a feature loses at a value of the region.
    pub(in crate::search) fn at(&self, space: &Space, f: usize, index: ValueIndex) -> f64 {
        let feature = &space.features[f];
        let line =
            self.lines[f].map_or(0.0, |line| line.at_zero + line.slope * feature.change(index));
        if self.is_listed(f) { line + self.in_cell(f, feature.cells.of(index)) } else { line }
    }

    /// Adds one tree's losses of a feature: steps from left to right, in cells.
    pub(in crate::search) fn add(
        &mut self,
        (low, high): (u32, u32),
        f: usize,
        steps: &[Step],
        weight: f64,
    ) {
        if self.from[f] == usize::MAX {
            self.from[f] = self.values.len();
            // One slot more than cells: what rises at a cell falls after the step's last one.
            let length = self.values.len() + (high - low + 2) as usize;
            let sides = [&mut self.up_to, &mut self.after];
            for list in [&mut self.values, &mut self.alone] {
                list.resize(length, 0.0);
            }
            for list in sides.into_iter().filter(|_| self.with_sides) {
                list.resize(length, 0.0);
            }
        }
        let from = self.from[f];
        let at = |cell: u32| from + (cell - low) as usize;
        for &(first, last, loss) in steps {
            rise(&mut self.values, at(first), at(last), weight * loss);
            rise(&mut self.alone, at(first), at(last), loss);
        }
        if !self.with_sides {
            return;
        }
        let mut least = f64::INFINITY;
        for &(first, last, loss) in steps {
            least = least.min(loss);
            rise(&mut self.up_to, at(first), at(last), least);
        }
        let mut beyond = f64::INFINITY;
        for &(first, last, loss) in steps.iter().rev() {
            if first < last {
                rise(&mut self.after, at(first), at(last) - 1, loss.min(beyond));
            }
            // Nothing comes after the last cell.
            if beyond < f64::INFINITY {
                rise(&mut self.after, at(last), at(last), beyond);
            }
            beyond = beyond.min(loss);
        }
    }

    /// Adds up what rises and falls from cell to cell.
    pub(in crate::search) fn finish(&mut self, spans: &[(u32, u32)]) {
        for (f, &(low, high)) in spans.iter().enumerate() {
            if self.from[f] == usize::MAX {
                continue;
            }
            let cells = self.from[f]..self.from[f] + (high - low + 1) as usize;
            for list in [&mut self.values, &mut self.alone, &mut self.up_to, &mut self.after] {
                let mut sum = 0.0;
                for slot in list.get_mut(cells.clone()).into_iter().flatten() {
                    sum += *slot;
                    *slot = sum;
                }
            }
        }
    }

    /// Drops values at the ends of intervals that lose too much on their own; false where all do.
    pub(in crate::search) fn shave(&self, space: &Space, region: &mut Region) -> bool {
        for (f, span) in region.spans.iter_mut().enumerate() {
            let feature = &space.features[f];
            if self.is_listed(f) && self.lines[f].is_some() {
                if !self.shave_cells(space, f, span) {
                    return false;
                }
                continue;
            }
            if let Some(line) = self.lines[f] {
                let most = self.room + self.error;
                let loses = |index| line.alone_at_zero + line.slope * feature.change(index);
                // Along a line the values that fit are on one side.
                let mut fits = if line.slope >= 0.0 {
                    (
                        span.0,
                        Values::first_index(*span, |index| loses(index) > most).wrapping_sub(1),
                    )
                } else {
                    (Values::first_index(*span, |index| loses(index) <= most), span.1)
                };
                let none = loses(span.0).min(loses(span.1)) > most;
                // Keeping the value is judged on its own.
                let keep = (span.0.max(feature.keep.0), span.1.min(feature.keep.1));
                if keep.0 <= keep.1 && line.alone_kept <= most {
                    fits = if none { keep } else { (fits.0.min(keep.0), fits.1.max(keep.1)) };
                } else if none {
                    return false;
                }
                *span = fits;
                continue;
            }
            if self.from[f] == usize::MAX {
                continue;
            }
            let cells = &feature.cells;
            let (mut low, mut high) = (cells.of(span.0), cells.of(span.1));
            let too_much = |cell: u32| self.alone[self.index(f, cell)] > self.room + self.error;
            while low < high && too_much(low) {
                low += 1;
            }
            while low < high && too_much(high) {
                high -= 1;
            }
            if low == high && too_much(low) {
                return false;
            }
            *span = (span.0.max(cells.first(low)), span.1.min(cells.last(high, span.1)));
        }
        true
    }

    /// The same for one number that has both a line and a list: cells go where even their least value loses too much.
    fn shave_cells(&self, space: &Space, f: usize, span: &mut (ValueIndex, ValueIndex)) -> bool {
        let feature = &space.features[f];
        let too_much = |&(cell, first, last): &(u32, ValueIndex, ValueIndex)| {
            let listed = self.alone[self.index(f, cell)];
            let ends = [first, last].map(|index| self.line_alone(space, f, index));
            // Keeping the value may be anywhere in the cell.
            let keep = first.max(feature.keep.0) <= last.min(feature.keep.1);
            let kept = self.lines[f].filter(|_| keep).map_or(f64::INFINITY, |line| line.alone_kept);
            listed + ends[0].min(ends[1]).min(kept) > self.room + self.error
        };
        let cells = || feature.cells.inside(*span);
        let Some((_, low, _)) = cells().find(|cell| !too_much(cell)) else { return false };
        let last = cells().filter(|cell| !too_much(cell)).last();
        *span = (low, last.map_or(span.1, |(_, _, high)| high));
        true
    }

    /// What the cells up to one lose at least, and what those after it do.
    pub(in crate::search) fn sides(&self, f: usize, cell: u32) -> (f64, f64) {
        if self.from[f] == usize::MAX || !self.with_sides {
            return (0.0, 0.0);
        }
        let index = self.index(f, cell);
        (self.up_to[index], self.after[index])
    }

    /// What a feature with a line of losses takes of the room on its own at most at one end of an interval: the least over
    /// the interval.
    pub(in crate::search) fn least_alone(
        &self,
        space: &Space,
        f: usize,
        span: (ValueIndex, ValueIndex),
    ) -> f64 {
        self.alone(space, f, span.0).min(self.alone(space, f, span.1))
    }

    /// What a feature loses at a value on its own.
    pub(in crate::search) fn alone(&self, space: &Space, f: usize, index: ValueIndex) -> f64 {
        let line = self.line_alone(space, f, index);
        if self.is_listed(f) {
            line + self.alone[self.index(f, space.features[f].cells.of(index))]
        } else {
            line
        }
    }

    /// The part of it that is a line.
    fn line_alone(&self, space: &Space, f: usize, index: ValueIndex) -> f64 {
        let feature = &space.features[f];
        match self.lines[f] {
            Some(line) if feature.is_keep(index) => line.alone_kept,
            Some(line) => line.alone_at_zero + line.slope * feature.change(index),
            None => 0.0,
        }
    }

    fn index(&self, f: usize, cell: u32) -> usize {
        self.from[f] + (cell - self.low[f]) as usize
    }

    /// The lower convex hull of a numeric feature's losses, as `(change, loss)` from left to right.
    pub(in crate::search) fn hull(
        &self,
        space: &Space,
        region: &Region,
        f: usize,
        hull: &mut Vec<(f64, f64)>,
    ) {
        hull.clear();
        let feature = &space.features[f];
        let span = region.spans[f];
        if self.from[f] == usize::MAX {
            let ends = [span.0, span.1].map(|at| (feature.change(at), self.at(space, f, at)));
            add_corner(hull, ends[0]);
            add_corner(hull, ends[1]);
            return;
        }
        let Some(numeric) = feature.numeric() else { return };
        let (first, last) = (feature.cells.of(span.0), feature.cells.of(span.1));
        let losses = &self.values[self.index(f, first)..=self.index(f, last)];
        let cells = first as usize..=last as usize;
        let ends = &numeric.cell_ends;
        // The first and the last cell may be cut off.
        let (least, most) = (feature.change(span.0), feature.change(span.1));
        for ((&loss, &low), &high) in
            losses.iter().zip(&ends.first[cells.clone()]).zip(&ends.last[cells])
        {
            let (low, high) = (low.max(least), high.min(most));
            let at = |change: f64| {
                (
                    change,
                    self.lines[f].map_or(loss, |line| loss + line.at_zero + line.slope * change),
                )
            };
            add_corner(hull, at(low));
            if low < high {
                add_corner(hull, at(high));
            }
        }
    }
}

/// Adds a point to the right of a lower convex hull.
fn add_corner(hull: &mut Vec<(f64, f64)>, next: (f64, f64)) {
    while let [.., before, last] = hull[..] {
        let rises = (last.1 - before.1) * (next.0 - before.0);
        if rises < (next.1 - before.1) * (last.0 - before.0) {
            break;
        }
        hull.pop();
    }
    match hull.last_mut() {
        Some(last) if last.0 == next.0 => last.1 = last.1.min(next.1),
        _ => hull.push(next),
    }
}

/// Raises a list between two cells, as a difference.
fn rise(list: &mut [f64], first: usize, last: usize, by: f64) {
    list[first] += by;
    list[last + 1] -= by;
}

/// The loss and its slope at a change along a hull.
pub(in crate::search) fn tangent(hull: &[(f64, f64)], t: f64) -> (f64, f64) {
    let right = hull.partition_point(|corner| corner.0 <= t).clamp(1, hull.len().max(2) - 1);
    match (hull.get(right - 1), hull.get(right)) {
        (Some(a), Some(b)) => {
            let slope = (b.1 - a.1) / (b.0 - a.0);
            (a.1 + slope * (t - a.0), slope)
        }
        (Some(a), None) => (a.1, 0.0),
        _ => (0.0, 0.0),
    }
}

#[cfg(test)]
mod tests {
    use super::tangent;

    #[test]
    fn tangents_follow_the_hull() {
        let hull = [(0.0, 4.0), (1.0, 1.0), (3.0, 0.0)];
        assert_eq!(tangent(&hull, 0.5), (2.5, -3.0));
        assert_eq!(tangent(&hull, 2.0), (0.5, -0.5));
        assert_eq!(tangent(&hull, 9.0).1, -0.5);
        assert_eq!(tangent(&hull[..1], 0.0), (4.0, 0.0));
    }
}
