//! What rules forbid is dropped from a region, or the region with it.
//!
//! A sum over a region is at least the sum of least coefficients, with no more changes than the region
//! leaves; a clause that only one feature can still make hold decides that feature.

use super::region::{Region, Stand};
use super::rules::{Clause, Part, Rules, Sum};
use super::space::Space;

/// What a look at a region has brought.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Narrowed {
    /// No plan inside holds every rule.
    Empty,
    /// It lost places.
    Smaller,
    /// Nothing new.
    Same,
}

impl Rules {
    /// Looks at a region once, rule by rule.
    pub(super) fn narrow(&self, space: &Space, region: &mut Region) -> Narrowed {
        let mut narrowing = Narrowing { space, region, smaller: false, savings: Vec::new() };
        let alive = self.clauses.iter().all(|clause| narrowing.by_clause(clause))
            && self.sums.iter().all(|sum| narrowing.by_sum(sum));
        match (alive, narrowing.smaller) {
            (false, _) => Narrowed::Empty,
            (true, true) => Narrowed::Smaller,
            (true, false) => Narrowed::Same,
        }
    }
}

/// A region while rules work on it. Between rules `left` may be out of date, on the safe side.
struct Narrowing<'r> {
    space: &'r Space<'r>,
    region: &'r mut Region,
    smaller: bool,
    savings: Vec<f64>,
}

impl Narrowing<'_> {
    /// The last literal that can hold must.
    fn by_clause(&mut self, clause: &Clause) -> bool {
        let mut last = None;
        for literal in &clause.literals {
            let (low, high) = self.region.spans[literal.f];
            match literal.count((low, high)) {
                0 => {}
                count if count > high - low || last.is_some() => return true,
                _ => last = Some(literal),
            }
        }
        last.is_some_and(|last| self.drop_places(last.f, |place| !last.holds[place as usize]))
    }

    /// Every place must leave room for the least of the others.
    fn by_sum(&mut self, sum: &Sum) -> bool {
        let left = self.region.left;
        let mut least = 0.0;
        self.savings.clear();
        for part in &sum.parts {
            let (kept, saving) = self.share(part);
            least += kept;
            if saving < 0.0 {
                self.savings.push(saving);
            }
        }
        // The saving of the last feature that may change; without a limit that counts, none is lost.
        let mut threshold = 0.0;
        if self.savings.len() > left {
            if left > 0 {
                self.savings.select_nth_unstable_by(left - 1, f64::total_cmp);
                threshold = self.savings[left - 1];
            }
            self.savings.truncate(left);
        }
        least += self.savings.iter().sum::<f64>();
        if least > sum.most {
            return false;
        }
        for part in &sum.parts {
            let f = part.f;
            let (low, high) = self.region.spans[f];
            if low == high {
                continue;
            }
            let undecided = self.region.stand(self.space, f) == Stand::Undecided;
            let (kept, saving) = self.share(part);
            // What the others add up to at least, where this feature changes and where it does not.
            let others = least - kept;
            let (changed, unchanged) = if undecided {
                (others - saving.min(threshold), others - (saving - threshold).min(0.0))
            } else {
                (others, others)
            };
            let feature = &self.space.features[f];
            let too_much = |place: u32| {
                let others = if feature.is_keep(place) { unchanged } else { changed };
                others + part.at(place) > sum.most
            };
            if !self.drop_places(f, too_much) {
                return false;
            }
        }
        true
    }

    /// The least that a feature adds where it keeps its value, and what a change saves of it; for a
    /// feature that is decided, the least of all.
    fn share(&self, part: &Part) -> (f64, f64) {
        let span = self.region.spans[part.f];
        let least = part.least(span);
        if self.region.stand(self.space, part.f) != Stand::Undecided {
            return (least, 0.0);
        }
        let keep = self.space.features[part.f].keep;
        let kept = part.least((span.0.max(keep.0), span.1.min(keep.1)));
        (kept, least - kept)
    }

    /// Shortens an interval from its ends, and gives a feature that can't keep its value a place among
    /// the changes; false where nothing is left.
    fn drop_places(&mut self, f: usize, impossible: impl Fn(u32) -> bool) -> bool {
        let (mut low, mut high) = self.region.spans[f];
        while impossible(low) {
            if low == high {
                return false;
            }
            low += 1;
        }
        while impossible(high) {
            high -= 1;
        }
        if self.region.spans[f] != (low, high) {
            self.region.spans[f] = (low, high);
            self.smaller = true;
        }
        if self.region.stand(self.space, f) == Stand::Undecided {
            let keep = self.space.features[f].keep;
            if (low.max(keep.0)..=high.min(keep.1)).all(impossible) {
                self.region.counted[f] = true;
                self.smaller = true;
            }
        }
        true
    }
}
