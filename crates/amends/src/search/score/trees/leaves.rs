//! The leaves of an ensemble that some plan can reach, with what each asks of the features.

use super::steps::{Allowed, Bits, bits};
use crate::memory;
use crate::model::{Tree, TreeEnsemble};
use crate::search::layout::feature::Feature;
use crate::search::layout::region::Region;
use crate::search::layout::space::Space;
use crate::search::layout::values::ValueIndex;

/// What a leaf asks of one feature.
#[derive(Debug, Clone, Copy)]
pub(super) struct Condition {
    pub feature: u32,
    /// Whether the applicant meets it unchanged.
    pub kept: bool,
    /// The cells that meet it: an interval, or for features without an order a set of bits.
    pub allowed: Allowed,
}

#[derive(Debug)]
pub(super) struct Leaf {
    pub tree: u32,
    pub value: f64,
    pub conditions: (u32, u32),
    /// The features whose conditions the applicant does not meet unchanged, as bits; of those that
    /// bits can name.
    pub unmet: u128,
    /// The features that it asks anything of, likewise.
    pub asked: u128,
}

/// Features that bits can name.
pub(super) const NAMED: usize = 128;

/// Lists of fewer bytes grow within what a search has claimed from the start.
const LITTLE: usize = 1 << 20;

/// All leaves of all trees that some plan can reach, tree by tree, the best of each first.
pub(in crate::search::score) struct TreeScore {
    pub(super) leaves: Vec<Leaf>,
    pub(super) conditions: Vec<Condition>,
    pub(super) trees: usize,
    /// What the sum over trees must reach, rounding forgiven.
    pub(super) needed: f64,
    /// What is to be taken from a sum over trees for no score to be lower.
    pub(super) excess: f64,
    /// What a sum over trees can be off by.
    pub(super) error: f64,
}

/// Makes room for more in a list; where there is no memory, says how many bytes were asked for.
fn make_room<T>(list: &mut Vec<T>, more: usize) -> Result<(), usize> {
    if list.len() + more <= list.capacity() {
        return Ok(());
    }
    let capacity = (2 * list.capacity()).max(list.len() + more);
    let bytes = capacity * size_of::<T>();
    let free = bytes < LITTLE || memory::is_free(bytes);
    if free && list.try_reserve_exact(capacity - list.len()).is_ok() {
        Ok(())
    } else {
        Err(memory::with_claims(bytes))
    }
}

impl TreeScore {
    /// The same, for scores that may differ by so much more from the sums.
    pub(in crate::search::score) fn widened(self, by: f64) -> Self {
        Self { needed: self.needed - by, excess: self.excess + by, ..self }
    }

    /// Where memory is too short, the error is the bytes that could not be had.
    pub(in crate::search::score) fn new(
        space: &Space,
        ensemble: &TreeEnsemble,
    ) -> Result<Self, usize> {
        let mut owner: Vec<Option<usize>> = vec![None; space.instance.x().len()];
        for (f, feature) in space.features.iter().enumerate() {
            for &column in &feature.columns {
                owner[column] = Some(f);
            }
        }
        let mut score = Self {
            leaves: Vec::new(),
            conditions: Vec::new(),
            trees: ensemble.trees.len(),
            needed: 0.0,
            excess: 0.0,
            error: 0.0,
        };
        let mut scale = ensemble.threshold.abs();
        for (index, tree) in ensemble.trees.iter().enumerate() {
            let mut path = Vec::new();
            let first = score.leaves.len();
            score.collect(space, &owner, (tree, index as u32), 0, &mut path)?;
            let leaves = &mut score.leaves[first..];
            leaves.sort_by(|a, b| b.value.total_cmp(&a.value));
            scale += leaves.iter().map(|leaf| leaf.value.abs()).fold(0.0, f64::max);
        }
        let error = 4.0 * (ensemble.trees.len() as f64 + 4.0) * f64::EPSILON * scale;
        score.needed = ensemble.least_exact_sum() - error;
        score.excess = ensemble.threshold + ensemble.sums.rounding(&ensemble.trees) + error;
        score.error = error;
        Ok(score)
    }

    /// Walks down a tree, keeping for every feature on the path the cells that stay on it. Leaves that ask for more changes than
    /// may be made are left out: of deep trees, that is most of them.
    fn collect(
        &mut self,
        space: &Space,
        owner: &[Option<usize>],
        (tree, index): (&Tree, u32),
        node: usize,
        path: &mut Vec<Step>,
    ) -> Result<(), usize> {
        if tree.is_leaf(node) {
            return self.push_leaf(index, tree.value[node], path);
        }
        let column = tree.feature[node] as usize;
        for (child, left) in [(tree.left[node], true), (tree.right[node], false)] {
            let child = child as usize;
            let Some(f) = owner[column] else {
                if (space.instance.x()[column] <= tree.threshold[node]) == left {
                    self.collect(space, owner, (tree, index), child, path)?;
                }
                continue;
            };
            let before = path.iter().position(|step| step.f == f);
            let so_far = before.map(|at| path[at].allowed);
            let Some(allowed) = split(space, f, column, tree.threshold[node], left, so_far) else {
                continue;
            };
            let feature = &space.features[f];
            let kept = allowed.meets(cell_span(feature, feature.keep));
            let step = Step { f, allowed, kept, counts: !kept && !feature.is_state() };
            if let Some(at) = before {
                let old = std::mem::replace(&mut path[at], step);
                if may_change(space, path) {
                    self.collect(space, owner, (tree, index), child, path)?;
                }
                path[at] = old;
            } else {
                path.push(step);
                if may_change(space, path) {
                    self.collect(space, owner, (tree, index), child, path)?;
                }
                path.pop();
            }
        }
        Ok(())
    }

    fn push_leaf(&mut self, tree: u32, value: f64, path: &[Step]) -> Result<(), usize> {
        make_room(&mut self.leaves, 1)?;
        make_room(&mut self.conditions, path.len())?;
        let from = self.conditions.len();
        self.conditions.extend(path.iter().map(|step| Condition {
            feature: step.f as u32,
            kept: step.kept,
            allowed: step.allowed,
        }));
        let conditions = &mut self.conditions[from..];
        // The most selective conditions are the ones that the applicant does not meet.
        conditions.sort_by_key(|condition| condition.kept);
        let named = |unmet_only: bool| {
            let named = conditions.iter().filter(|c| (c.feature as usize) < NAMED);
            let asked = named.filter(|condition| !(unmet_only && condition.kept));
            asked.fold(0, |bits, condition| bits | 1 << condition.feature)
        };
        let (unmet, asked) = (named(true), named(false));
        let conditions = (from as u32, self.conditions.len() as u32);
        self.leaves.push(Leaf { tree, value, conditions, unmet, asked });
        Ok(())
    }
}

/// What the way down a tree asks of one feature.
#[derive(Debug, Clone, Copy)]
struct Step {
    f: usize,
    allowed: Allowed,
    /// Whether the applicant meets it unchanged.
    kept: bool,
    /// Whether it takes a change; that of a state is counted with its number.
    counts: bool,
}

/// Whether a path asks for no more changes than may be made.
fn may_change(space: &Space, path: &[Step]) -> bool {
    path.iter().filter(|step| step.counts).count() <= space.instance.max_changes()
}

/// The cells of an interval of values.
fn cell_span(feature: &Feature, (low, high): (ValueIndex, ValueIndex)) -> (u32, u32) {
    (feature.cells.of(low), feature.cells.of(high))
}

/// The cells of a region, feature by feature.
pub(super) fn cell_spans(space: &Space, region: &Region) -> Vec<(u32, u32)> {
    let pairs = space.features.iter().zip(&region.spans);
    pairs.map(|(feature, &span)| cell_span(feature, span)).collect()
}

/// The cells on one side of a split that were allowed before it; `None` where there are none.
fn split(
    space: &Space,
    f: usize,
    column: usize,
    threshold: f64,
    left: bool,
    so_far: Option<Allowed>,
) -> Option<Allowed> {
    let feature = &space.features[f];
    let position = feature.columns.iter().position(|&c| c == column)?;
    if let Some(numeric) = feature.numeric() {
        // Ordered by value: the left side is a prefix, and a cell begins where it ends.
        let cells = feature.cells.of(feature.last()) + 1;
        let first_right = numeric.cuts[position].first_above(threshold);
        let (low, high) = match so_far {
            Some(Allowed::Interval(low, high)) => (low, high + 1),
            _ => (0, cells),
        };
        let (low, end) =
            if left { (low, high.min(first_right)) } else { (low.max(first_right), high) };
        return (low < end).then(|| Allowed::Interval(low, end - 1));
    }
    // Features of more options, without an order, are left out of the conditions.
    let last = feature.last() as u32;
    if last as usize >= Bits::ROOM {
        return Some(Allowed::Interval(0, last));
    }
    let mut set = match so_far {
        Some(Allowed::Set(indices)) => indices.set(),
        _ => u128::MAX,
    };
    for index in 0..=last {
        if (feature.values.value(ValueIndex::from(index), position) <= threshold) != left {
            set &= !(1 << index);
        }
    }
    set &= bits((0, last));
    (set != 0).then(|| Allowed::Set(set.into()))
}
