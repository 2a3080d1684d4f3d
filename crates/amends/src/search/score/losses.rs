//! Trees as a sum over features, from above.
//!
//! In a region, let `M_T` be the best reachable leaf of tree T, and `M_Tf(o)` the best one where feature
//! f takes place o. A plan's leaf is worth at most `M_Tf(o_f)` for every f, so at most any weighted
//! mean of these over f. With weights that add up to one per tree,
//! `score <= sum_T M_T - sum_f loss_f(o_f)`, where `loss_f(o)` adds up the weighted `M_T - M_Tf(o)`.
//! Such a sum joins the bound of the objective by a multiplier, as a linear score does. Networks have one of another
//! kind (`mlp/plane.rs`).

use super::steps::Step;
use crate::search::region::Region;
use crate::search::space::Space;

/// What each place of each feature loses of the best score, and what may be lost.
#[derive(Debug, Clone, Default)]
pub(in crate::search) struct Losses {
    /// Where a feature's losses begin; `usize::MAX` where it loses nothing anywhere.
    from: Vec<usize>,
    /// The first place that is listed.
    low: Vec<u32>,
    values: Vec<f64>,
    /// Unweighted, each feature on its own: what a place loses, what all places up to it lose at least,
    /// and what all places after it do.
    alone: Vec<f64>,
    up_to: Vec<f64>,
    after: Vec<f64>,
    /// Whether the two lists before are kept: only regions that are split by value need them.
    with_sides: bool,
    /// Plans lose at most this much in all.
    pub slack: f64,
    /// The same, where only as many features do their best as may change.
    pub room: f64,
    /// What sums of losses can be off by.
    pub error: f64,
}

impl Losses {
    /// No losses yet.
    pub(super) fn none(region: &Region, with_sides: bool, slack: f64, error: f64) -> Self {
        let features = region.spans.len();
        Self {
            from: vec![usize::MAX; features],
            low: region.spans.iter().map(|span| span.0).collect(),
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

    /// Gives a feature its losses: as part of the sum, and what each place alone takes of the room.
    pub(super) fn list(
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
        // Nothing comes after the last place.
        self.after.resize(self.alone.len(), 0.0);
        let mut beyond = f64::INFINITY;
        for at in (from + 1..self.alone.len()).rev() {
            beyond = beyond.min(self.alone[at]);
            self.after[at - 1] = beyond;
        }
    }

    /// Whether a feature loses anything anywhere.
    pub(in crate::search) fn any(&self, f: usize) -> bool {
        self.from[f] != usize::MAX
    }

    /// What a feature loses at a place of the region.
    pub(in crate::search) fn at(&self, f: usize, place: u32) -> f64 {
        if self.any(f) { self.values[self.index(f, place)] } else { 0.0 }
    }

    /// Adds one tree's losses of a feature: steps from left to right.
    pub(super) fn add(&mut self, region: &Region, f: usize, steps: &[Step], weight: f64) {
        let (low, high) = region.spans[f];
        if self.from[f] == usize::MAX {
            self.from[f] = self.values.len();
            // One slot more than places: what rises at a place falls after the step's last one.
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
        let at = |place: u32| from + (place - low) as usize;
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
            // Nothing comes after the last place.
            if beyond < f64::INFINITY {
                rise(&mut self.after, at(last), at(last), beyond);
            }
            beyond = beyond.min(loss);
        }
    }

    /// Adds up what rises and falls from place to place.
    pub(super) fn finish(&mut self, region: &Region) {
        for (f, &(low, high)) in region.spans.iter().enumerate() {
            if !self.any(f) {
                continue;
            }
            let places = self.from[f]..self.from[f] + (high - low + 1) as usize;
            for list in [&mut self.values, &mut self.alone, &mut self.up_to, &mut self.after] {
                let mut sum = 0.0;
                for slot in list.get_mut(places.clone()).into_iter().flatten() {
                    sum += *slot;
                    *slot = sum;
                }
            }
        }
    }

    /// Drops places at the ends of intervals that lose too much on their own; false where all do.
    pub(super) fn shave(&self, region: &mut Region) -> bool {
        for (f, span) in region.spans.iter_mut().enumerate() {
            if !self.any(f) {
                continue;
            }
            let too_much = |place: u32| self.alone[self.index(f, place)] > self.room + self.error;
            while span.0 < span.1 && too_much(span.0) {
                span.0 += 1;
            }
            while span.0 < span.1 && too_much(span.1) {
                span.1 -= 1;
            }
            if span.0 == span.1 && too_much(span.0) {
                return false;
            }
        }
        true
    }

    /// What the places up to one lose at least, and what those after it do.
    pub(in crate::search) fn sides(&self, f: usize, place: u32) -> (f64, f64) {
        if !self.any(f) || !self.with_sides {
            return (0.0, 0.0);
        }
        let index = self.index(f, place);
        (self.up_to[index], self.after[index])
    }

    /// What a feature loses at a place on its own.
    pub(in crate::search) fn alone(&self, f: usize, place: u32) -> f64 {
        if self.any(f) { self.alone[self.index(f, place)] } else { 0.0 }
    }

    fn index(&self, f: usize, place: u32) -> usize {
        self.from[f] + (place - self.low[f]) as usize
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
        let (low, high) = region.spans[f];
        for place in low..=high {
            let next = (space.features[f].change[place as usize], self.at(f, place));
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
    }
}

/// Raises a list between two places, as a difference.
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
