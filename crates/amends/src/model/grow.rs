//! Growing one tree: the purest split of each node, to a given depth.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::Tree;
use super::cuts::{Cut, Cuts};
use super::ranks::RankedColumn;
use super::tally::Tally;

/// Which columns a split may be on.
pub(super) enum Candidates<'a> {
    /// All of them, in their order.
    All,
    /// This many, drawn anew for every split; where all of them are constant in the node, more are drawn
    /// until one is not, as scikit-learn does.
    Drawn { per_split: usize, rng: &'a mut ChaCha8Rng },
}

/// What a tree grows from.
pub(super) struct Grower<'a, T> {
    columns: &'a [RankedColumn],
    tallies: &'a [T],
    candidates: Candidates<'a>,
    /// The columns, those drawn last in front.
    order: Vec<usize>,
    cuts: Cuts<T>,
}

impl<'a, T: Tally> Grower<'a, T> {
    /// `tallies` holds what each row of the table adds to a node.
    pub(super) fn new(
        columns: &'a [RankedColumn],
        tallies: &'a [T],
        candidates: Candidates<'a>,
    ) -> Self {
        let order = (0..columns.len()).collect();
        Self { columns, tallies, candidates, order, cuts: Cuts::default() }
    }

    /// Grows a tree on some of the rows, at least one; every node holds its rows' answer.
    pub(super) fn grow(mut self, rows: Vec<usize>, depth: usize) -> Tree {
        let mut tree = Tree::default();
        let mut open: Vec<(usize, Vec<usize>, usize)> = vec![(add_node(&mut tree), rows, depth)];
        while let Some((node, rows, depth_left)) = open.pop() {
            let sum = rows.iter().fold(T::default(), |sum, &row| sum.and(self.tallies[row]));
            tree.value[node] = sum.answer();
            let first = self.tallies[rows[0]];
            if depth_left == 0 || rows.iter().all(|&row| self.tallies[row].is_like(first)) {
                continue;
            }
            let Some((split, cut)) = self.best_split(&rows) else {
                continue;
            };
            let column = &self.columns[split];
            let (left, right): (Vec<usize>, Vec<usize>) =
                rows.into_iter().partition(|&row| column.rank(row) <= cut.low);
            tree.feature[node] = stored(split);
            tree.threshold[node] = column.between(cut.low, cut.high);
            let (left_node, right_node) = (add_node(&mut tree), add_node(&mut tree));
            (tree.left[node], tree.right[node]) = (stored(left_node), stored(right_node));
            open.push((right_node, right, depth_left - 1));
            open.push((left_node, left, depth_left - 1));
        }
        tree
    }

    /// The column and the cut of the purest split; of equal ones the first that was tried. None where every column
    /// is constant.
    fn best_split(&mut self, rows: &[usize]) -> Option<(usize, Cut)> {
        let mut best: Option<(usize, Cut)> = None;
        for tried in 0..self.order.len() {
            if let Candidates::Drawn { per_split, rng } = &mut self.candidates {
                if tried >= *per_split && best.is_some() {
                    break;
                }
                let drawn = rng.random_range(tried..self.order.len());
                self.order.swap(tried, drawn);
            }
            let column = self.order[tried];
            if let Some(cut) = self.cuts.purest(&self.columns[column], self.tallies, rows)
                && best.is_none_or(|(_, best)| cut.purity > best.purity)
            {
                best = Some((column, cut));
            }
        }
        best
    }
}

/// A number as a tree's arrays hold it, where -1 means none.
#[expect(clippy::cast_possible_wrap, reason = "columns and nodes are counted in memory")]
fn stored(number: usize) -> i64 {
    number as i64
}

/// Adds a leaf and returns its number.
fn add_node(tree: &mut Tree) -> usize {
    tree.feature.push(-1);
    tree.threshold.push(0.0);
    tree.left.push(-1);
    tree.right.push(-1);
    tree.value.push(0.0);
    tree.feature.len() - 1
}
