//! Ensembles of decision trees: forests that average and boosted trees that add up.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::Sums;
use crate::{InputError, Result};

/// Trees whose leaf values are added up; accepted where the sum reaches the threshold.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TreeEnsemble {
    /// What the sum of leaf values must reach.
    pub threshold: f64,
    /// How leaf values are added up; files that don't say it mean 64 bits.
    #[serde(default, skip_serializing_if = "Sums::is_double")]
    pub sums: Sums,
    /// The trees. All instances of a model share them: a deep forest takes tens of megabytes.
    pub trees: Arc<Vec<Tree>>,
}

/// One decision tree as arrays by node; node 0 is the root.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tree {
    /// The column a node splits on; -1 (or scikit-learn's -2) marks a leaf, which has no children.
    pub feature: Vec<i64>,
    /// `x[feature] <= threshold` goes left.
    pub threshold: Vec<f64>,
    /// The left child; negative in leaves.
    pub left: Vec<i64>,
    /// The right child; negative in leaves.
    pub right: Vec<i64>,
    /// The value of a leaf (inner nodes may hold anything finite).
    pub value: Vec<f64>,
}

impl Tree {
    /// Whether a node is a leaf.
    pub(crate) fn is_leaf(&self, node: usize) -> bool {
        self.feature[node] < 0
    }

    /// The least and the largest value of the leaves that rows of a box fall into.
    fn range_in(&self, sides: &[(f64, f64)]) -> (f64, f64) {
        let (mut open, mut lowest, mut highest) = (vec![0], f64::INFINITY, f64::NEG_INFINITY);
        while let Some(node) = open.pop() {
            if self.is_leaf(node) {
                lowest = lowest.min(self.value[node]);
                highest = highest.max(self.value[node]);
                continue;
            }
            let (low, high) = sides[self.feature[node] as usize];
            if low <= self.threshold[node] {
                open.push(self.left[node] as usize);
            }
            if high > self.threshold[node] {
                open.push(self.right[node] as usize);
            }
        }
        (lowest, highest)
    }

    /// The leaf that a row falls into.
    pub fn leaf(&self, x: &[f64]) -> usize {
        let mut node = 0;
        while !self.is_leaf(node) {
            let goes_left = x[self.feature[node] as usize] <= self.threshold[node];
            node = (if goes_left { self.left[node] } else { self.right[node] }) as usize;
        }
        node
    }

    /// A tree of one leaf.
    pub(crate) fn lone_leaf(value: f64) -> Self {
        Self {
            feature: vec![-1],
            threshold: vec![0.0],
            left: vec![-1],
            right: vec![-1],
            value: vec![value],
        }
    }

    /// The least and the greatest value of its leaves.
    pub(super) fn value_range(&self) -> (f64, f64) {
        let leaves = (0..self.value.len()).filter(|&node| self.is_leaf(node));
        leaves
            .map(|node| self.value[node])
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
                (low.min(value), high.max(value))
            })
    }

    /// Checks the arrays: equal lengths, columns that exist, children that exist, no cycle, no shared child.
    fn check(&self, columns: usize, name: &str) -> Result<()> {
        let nodes = self.feature.len();
        let wrong =
            |field: &str, problem: String, remedy: &str| wrong(name, field, problem, remedy);
        if nodes == 0 {
            return wrong("feature", "is empty".into(), "a tree has at least one leaf");
        }
        let lengths = [
            ("threshold", self.threshold.len()),
            ("left", self.left.len()),
            ("right", self.right.len()),
            ("value", self.value.len()),
        ];
        for (field, length) in lengths {
            if length != nodes {
                return wrong(
                    field,
                    format!("has {length} entries, but `feature` has {nodes}"),
                    "all arrays of a tree have one entry per node",
                );
            }
        }
        self.check_columns(columns, name)?;
        self.check_children(name)
    }

    /// Checks which column each node splits on.
    fn check_columns(&self, columns: usize, name: &str) -> Result<()> {
        let wrong =
            |field: &str, problem: String, remedy: &str| wrong(name, field, problem, remedy);
        for node in 0..self.feature.len() {
            let (column, left, right) = (self.feature[node], self.left[node], self.right[node]);
            if column < -2 {
                return wrong(
                    "feature",
                    format!(
                        "of node {node} is {column}, which is neither a column nor the sign of a leaf"
                    ),
                    "columns are counted from 0; mark a leaf with -1",
                );
            }
            if column < 0 && (left >= 0 || right >= 0) {
                return wrong(
                    "feature",
                    format!(
                        "of node {node} is {column}, the sign of a leaf, but its children are {left} and {right}"
                    ),
                    "give the column that it splits on, or -1 for both children",
                );
            }
            if column >= 0 && column as usize >= columns {
                return wrong(
                    "feature",
                    format!("of node {node} is column {column}, but a row has {columns} columns"),
                    "columns are counted from 0",
                );
            }
        }
        Ok(())
    }

    /// Checks thresholds and values, and that the nodes form a tree.
    fn check_children(&self, name: &str) -> Result<()> {
        let nodes = self.feature.len();
        let wrong =
            |field: &str, problem: String, remedy: &str| wrong(name, field, problem, remedy);
        let mut seen = vec![false; nodes];
        let mut open = vec![0];
        seen[0] = true;
        while let Some(node) = open.pop() {
            if self.is_leaf(node) {
                if !self.value[node].is_finite() {
                    return wrong(
                        "value",
                        format!("of leaf {node} is {}, not a finite number", self.value[node]),
                        "give every leaf a finite value",
                    );
                }
                continue;
            }
            if !self.threshold[node].is_finite() {
                return wrong(
                    "threshold",
                    format!("of node {node} is {}, not a finite number", self.threshold[node]),
                    "give every inner node a finite threshold",
                );
            }
            for (field, child) in [("left", self.left[node]), ("right", self.right[node])] {
                let index = usize::try_from(child).ok().filter(|&child| child < nodes);
                let Some(index) = index else {
                    return wrong(
                        field,
                        format!(
                            "of node {node} is {child}, which is not a node of this tree (0 to {})",
                            nodes - 1
                        ),
                        "point to an existing node, or mark this one as a leaf with feature -1",
                    );
                };
                if seen[index] {
                    return wrong(
                        field,
                        format!("of node {node} leads to node {child}, which was reached before"),
                        "a tree has no cycles and every node has one parent",
                    );
                }
                seen[index] = true;
                open.push(index);
            }
        }
        Ok(())
    }
}

/// A problem with an array of a tree.
fn wrong(name: &str, field: &str, problem: String, remedy: &str) -> Result<()> {
    Err(InputError::new(problem).at(format!("{name}.{field}")).remedy(remedy).into())
}

impl TreeEnsemble {
    /// The sum of the leaf values minus the threshold, added up in the order of the trees.
    pub fn score(&self, x: &[f64]) -> f64 {
        self.sums.add_up(self.trees.iter().map(|tree| tree.value[tree.leaf(x)])) - self.threshold
    }

    /// An upper bound of every score, and the size of the terms that it is a sum of.
    pub(super) fn highest(&self) -> (f64, f64) {
        let highest = self.trees.iter().map(|tree| tree.value_range().1).sum::<f64>();
        (highest - self.least_exact_sum(), self.largest_score())
    }

    /// A lower bound of the score in a box of rows, and the size of what it is a sum of, for its rounding.
    pub(super) fn lowest_in(&self, sides: &[(f64, f64)]) -> (f64, f64) {
        let lowest: f64 = self.trees.iter().map(|tree| tree.range_in(sides).0).sum();
        (lowest - self.threshold - self.sums.rounding(&self.trees), self.largest_score())
    }

    /// An upper bound of the score in a box of rows, and the size of what it is a sum of.
    pub(super) fn highest_in(&self, sides: &[(f64, f64)]) -> (f64, f64) {
        let highest: f64 = self.trees.iter().map(|tree| tree.range_in(sides).1).sum();
        (highest - self.least_exact_sum(), self.largest_score())
    }

    /// The ensemble of the negative score.
    pub(super) fn negated(&self) -> Self {
        let negative = |tree: &Tree| Tree {
            value: tree.value.iter().map(|value| -value).collect(),
            ..tree.clone()
        };
        let trees: Vec<Tree> = self.trees.iter().map(negative).collect();
        Self { threshold: -self.threshold, sums: self.sums, trees: trees.into() }
    }

    /// The same, always added up in 64 bits.
    pub(super) fn score_in_64_bits(&self, x: &[f64]) -> f64 {
        let leaves = self.trees.iter().map(|tree| tree.value[tree.leaf(x)]);
        Sums::Double.add_up(leaves) - self.threshold
    }

    /// A bound of the size of every score.
    pub(super) fn largest_score(&self) -> f64 {
        let largest = |tree: &Tree| {
            let (low, high) = tree.value_range();
            low.abs().max(high.abs())
        };
        self.trees.iter().map(largest).sum::<f64>() + self.threshold.abs()
    }

    /// What an exact sum of leaf values must reach at least where the rounded one reaches the threshold.
    pub(crate) fn least_exact_sum(&self) -> f64 {
        self.threshold - self.sums.rounding(&self.trees)
    }

    /// How many nodes the trees have together.
    pub(crate) fn nodes(&self) -> usize {
        self.trees.iter().map(|tree| tree.feature.len()).sum()
    }

    /// Per column, the thresholds that some tree splits on, in ascending order.
    pub fn cut_points(&self, columns: usize) -> Vec<Vec<f64>> {
        let mut cuts = vec![Vec::new(); columns];
        for tree in self.trees.iter() {
            for (node, &column) in tree.feature.iter().enumerate() {
                if !tree.is_leaf(node) {
                    cuts[column as usize].push(tree.threshold[node]);
                }
            }
        }
        for cuts in &mut cuts {
            cuts.sort_unstable_by(f64::total_cmp);
            cuts.dedup();
        }
        cuts
    }

    /// Checks every tree against rows of `columns` numbers.
    pub(super) fn check(&self, columns: usize) -> Result<()> {
        if !self.threshold.is_finite() {
            return Err(InputError::new("is not a finite number")
                .at("classifier.threshold")
                .value(self.threshold)
                .remedy("give the sum of leaf values from which an applicant is accepted")
                .into());
        }
        if self.trees.is_empty() {
            return Err(InputError::new("has no trees")
                .at("classifier.trees")
                .remedy("give at least one tree")
                .into());
        }
        for (index, tree) in self.trees.iter().enumerate() {
            tree.check(columns, &format!("classifier.trees[{index}]"))?;
        }
        if self.sums == Sums::Single { self.check_single() } else { Ok(()) }
    }

    /// Leaves that are added up in 32 bits are numbers of 32 bits, and no sum of them is beyond those.
    fn check_single(&self) -> Result<()> {
        let mut most = 0.0;
        for (index, tree) in self.trees.iter().enumerate() {
            let leaves = (0..tree.value.len()).filter(|&node| tree.is_leaf(node));
            for (node, value) in leaves.map(|node| (node, tree.value[node])) {
                if f64::from(value as f32) != value {
                    return Err(InputError::new(format!(
                        "of leaf {node} is not a number of 32 bits, but sums are in 32 bits"
                    ))
                    .at(format!("classifier.trees[{index}].value"))
                    .value(value)
                    .remedy("round leaf values to 32 bits, or leave out `sums`")
                    .into());
                }
            }
            let (low, high) = tree.value_range();
            most += low.abs().max(high.abs());
        }
        if most > f64::from(f32::MAX) / 2.0 {
            return Err(InputError::new("may add up to more than 32 bits hold")
                .at("classifier.trees")
                .value(most)
                .remedy("scale leaf values and threshold down, or leave out `sums`")
                .into());
        }
        Ok(())
    }
}
