//! A part of the space: for every movable feature an interval of its order.

use crate::search::layout::movable::Part;
use crate::search::layout::propagate::Narrowed;
use crate::search::layout::space::Space;
use crate::search::layout::values::ValueIndex;

/// Rules that narrow each other could go on for long; what is left to do, splitting does.
const ROUNDS: usize = 8;

/// An interval of values per movable feature, and how many features may still change.
#[derive(Debug, Clone)]
pub(in crate::search) struct Region {
    /// First and last value of every feature.
    pub spans: Box<[(ValueIndex, ValueIndex)]>,
    /// Whether a feature counts as changed even where it keeps its value.
    pub counted: Box<[bool]>,
    /// How many undecided features may change.
    pub left: usize,
    /// Only plans with so many changes are looked for: at least, and at most.
    pub wanted: (usize, usize),
}

/// What a region says about a feature's change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::search) enum Stand {
    /// It has its place among the changes, whether it uses it or not.
    Decided,
    /// It may change, but has not been given a place among the changes.
    Undecided,
    /// It keeps its value.
    Kept,
}

impl Region {
    /// Everything.
    pub(in crate::search) fn whole(space: &Space) -> Self {
        Self {
            spans: space.features.iter().map(|f| (0, f.last())).collect(),
            counted: vec![false; space.features.len()].into(),
            left: 0,
            wanted: (0, space.instance.max_changes()),
        }
    }

    pub(in crate::search) fn stand(&self, space: &Space, f: usize) -> Stand {
        let (low, high) = self.spans[f];
        let keep = space.features[f].keep;
        if keep.0 <= low && high <= keep.1 {
            Stand::Kept
        } else if self.counted[f] || high < keep.0 || keep.1 < low || space.features[f].is_state() {
            Stand::Decided
        } else {
            Stand::Undecided
        }
    }

    /// The features that may change but have no place among the changes yet; none where there is a place for each.
    pub(in crate::search) fn undecided(&self, space: &Space) -> Vec<usize> {
        let open = |&f: &usize| self.stand(space, f) == Stand::Undecided;
        let list: Vec<usize> = (0..self.spans.len()).filter(open).collect();
        if list.len() <= self.left { Vec::new() } else { list }
    }

    /// Drops what the limit on changes and the rules forbid; false where nothing is left.
    pub(in crate::search) fn settle(&mut self, space: &Space) -> bool {
        if space.rules.is_empty() {
            return self.count_changes(space);
        }
        for _ in 0..ROUNDS {
            if !self.count_changes(space) {
                return false;
            }
            match space.rules.narrow(space, self) {
                Narrowed::Empty => return false,
                Narrowed::Smaller => {}
                Narrowed::Same => return true,
            }
        }
        self.count_changes(space)
    }

    /// Counts the changes; false where the region allows only plans of too many, or of too few.
    fn count_changes(&mut self, space: &Space) -> bool {
        self.count_states(space);
        if self.wanted.0 > 0 && self.most_changes(space) < self.wanted.0 {
            return false;
        }
        let mut decided = 0;
        for part in &space.parts {
            decided += usize::from(match *part {
                Part::Fixed => false,
                Part::Whole(f) => self.stand(space, f) == Stand::Decided,
                // A number may keep its value while its state changes.
                Part::Split { number, .. } => {
                    self.counted[number] || self.stand(space, number) == Stand::Decided
                }
            });
        }
        let limit = self.wanted.1;
        if decided > limit {
            return false;
        }
        self.left = limit - decided;
        if self.left == 0 {
            for f in 0..self.spans.len() {
                if self.stand(space, f) == Stand::Undecided {
                    self.keep(space, f);
                }
            }
            for part in &space.parts {
                if let Part::Split { state, number } = *part
                    && self.stand(space, number) == Stand::Kept
                    && !self.counted[number]
                {
                    self.keep(space, state);
                    let (low, high) = self.spans[state];
                    if low > high {
                        return false;
                    }
                }
            }
        }
        true
    }

    /// How many features could change, whatever the limit.
    fn most_changes(&self, space: &Space) -> usize {
        let open = |f: usize| self.stand(space, f) != Stand::Kept;
        space.parts.iter().filter(|part| part.has(open)).count()
    }

    /// How many features change in every plan of the region that is looked for, at least.
    pub(in crate::search) fn least_changes(&self, space: &Space) -> usize {
        self.sure_changes(space).max(self.wanted.0)
    }

    /// How many features have left their own value, or were given a place among the changes: plans that keep it are then looked
    /// for in another region.
    pub(in crate::search) fn sure_changes(&self, space: &Space) -> usize {
        let changed = |f: usize| {
            let ((low, high), keep) = (self.spans[f], space.features[f].keep);
            self.counted[f] || high < keep.0 || keep.1 < low
        };
        space.parts.iter().filter(|part| part.has(changed)).count()
    }

    /// What its plans pay for their changes at least.
    pub(in crate::search) fn least_change_cost(&self, space: &Space) -> f64 {
        space.cost_of_changes(|| self.least_changes(space))
    }

    /// A state that surely changes has its change counted with its number.
    fn count_states(&mut self, space: &Space) {
        for part in &space.parts {
            if let Part::Split { state, number } = *part {
                let (low, high) = self.spans[state];
                let keep = space.features[state].keep;
                self.counted[number] |= high < keep.0 || keep.1 < low;
            }
        }
    }

    /// Leaves a feature only the options that change nothing.
    pub(in crate::search) fn keep(&mut self, space: &Space, f: usize) {
        let (low, high) = self.spans[f];
        let keep = space.features[f].keep;
        self.spans[f] = (low.max(keep.0), high.min(keep.1));
    }

    /// The only plan left, where there is only one.
    pub(in crate::search) fn single(&self) -> Option<Vec<ValueIndex>> {
        self.spans
            .iter()
            .all(|(low, high)| low == high)
            .then(|| self.spans.iter().map(|span| span.0).collect())
    }

    /// The lexicographically least choice inside, validity aside.
    pub(in crate::search) fn first_choice(&self, space: &Space) -> Vec<usize> {
        let least = |f: usize| space.features[f].values.least_option(self.spans[f]);
        let parts = space.parts.iter().map(|part| match *part {
            Part::Whole(f) => least(f),
            // A state and its number have options from both.
            Part::Fixed | Part::Split { .. } => 0,
        });
        parts.collect()
    }
}
