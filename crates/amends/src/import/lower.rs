//! Another library's trees as trees over the encoded columns of a schema, with the same decision for every application.

mod combinations;

use std::sync::Arc;

use super::columns::{Input, inputs};
use super::feed::Feed;
use super::gate::{FeatureColumns, Gate, Known, gate};
use super::{ImportSettings, RawEnsemble, RawNode, RawSplit, RawTree, Sums, Tie};
use crate::data::{Encoder, Feature, Kind, Schema};
use crate::model::{Tree, TreeEnsemble};
use crate::{InputError, Result, memory};

/// Codes and sets of levels may double a tree repeatedly. Trees that become larger than this in all, and than
/// [`MOST_GROWTH`] times their own size, are refused.
const MOST_NODES: usize = 1_000_000;
const MOST_GROWTH: usize = 4;

/// The memory that a node takes: as the library's, over the schema's columns, and in an applicant's instance.
const BYTES_PER_NODE: usize = 160;

impl RawEnsemble {
    /// The same decisions over a schema's encoded columns: accepted where the score is at least 0.
    ///
    /// For every finite number that a feature may have, and every level and code, each tree ends in the leaf
    /// in which the library's tree ends. Leaves are added up as the library does.
    pub fn lower(&self, schema: &Schema, settings: &ImportSettings) -> Result<TreeEnsemble> {
        self.check()?;
        let inputs = inputs(self, schema, settings.codes)?;
        self.lower_inputs(&inputs, schema, settings)
    }

    /// The same, given what every column is made of: one feed per column.
    pub(crate) fn lower_fed(
        &self,
        feeds: &[Feed],
        schema: &Schema,
        settings: &ImportSettings,
    ) -> Result<TreeEnsemble> {
        self.check()?;
        if feeds.len() != self.columns.len() {
            return Err(InputError::new(format!(
                "has {} columns, but {} are fed to it",
                self.columns.len(),
                feeds.len()
            ))
            .remedy("give the columns that the model was fitted on")
            .into());
        }
        let inputs = feeds.iter().zip(&self.columns).enumerate().map(|(index, (feed, column))| {
            let input = feed.input(column, schema, settings, self.unseen);
            Ok(Some(input.map_err(|error| error.inside(format!("model column {index}")))?))
        });
        self.lower_inputs(&inputs.collect::<Result<Vec<_>>>()?, schema, settings)
    }

    fn lower_inputs(
        &self,
        inputs: &[Option<Input>],
        schema: &Schema,
        settings: &ImportSettings,
    ) -> Result<TreeEnsemble> {
        let favourable = settings.one_is_favourable(&schema.target)?;
        let own_nodes: usize = self.trees.iter().map(|tree| tree.nodes.len()).sum();
        memory::check_model(
            || format!("a model of {} trees with {own_nodes} nodes", self.trees.len()),
            own_nodes.saturating_mul(BYTES_PER_NODE),
        )?;
        let encoder = Encoder::new(schema);
        let feature_columns =
            schema.features.iter().enumerate().map(|(f, feature)| FeatureColumns {
                columns: encoder.feature_columns(f),
                one_hot: matches!(feature.kind, Kind::Categorical { .. }),
                codes: feature.codes.len(),
            });
        // If class 1 is the unfavourable outcome, every sign is reversed.
        let factor = if favourable { self.factor } else { -self.factor };
        let mut growth = Growth {
            raw: self,
            inputs,
            feature_columns: feature_columns.collect(),
            factor,
            known: schema.features.iter().map(anything).collect(),
            nodes: 0,
            most_nodes: MOST_NODES.max(MOST_GROWTH * own_nodes),
            tree: Tree::default(),
        };
        let trees = self.trees.iter().enumerate().map(|(index, tree)| {
            growth.grow(tree, 0).map_err(|error| error.inside(format!("tree {index}")))?;
            Ok(std::mem::take(&mut growth.tree))
        });
        let mut trees = trees.collect::<Result<Vec<Tree>>>()?;
        let mut least = self.cut;
        match self.sums {
            Sums::Double => least -= self.intercept,
            // What comes first in a sum is a tree of its own: it is rounded with the others.
            Sums::Single if self.intercept == 0.0 => {}
            Sums::Single => {
                let first = if favourable { self.intercept } else { -self.intercept };
                trees.insert(0, Tree::lone_leaf(first));
            }
        }
        let least = if favourable { least } else { -least };
        // A score of 0 is accepted here; where the library rejects a tie, the sum has to be greater.
        let accepts_tie = (self.tie == Tie::One) == favourable;
        let threshold = if accepts_tie { least } else { least.next_up() };
        Ok(TreeEnsemble { threshold, sums: self.sums, trees: Arc::new(trees) })
    }
}

/// What is known about a feature before any split.
fn anything(feature: &Feature) -> Known {
    if feature.is_numeric() {
        let codes = vec![true; feature.codes.len()];
        Known::Number { number: true, low: f64::NEG_INFINITY, high: f64::INFINITY, codes }
    } else {
        Known::Levels(vec![true; feature.levels().len() + feature.codes.len()])
    }
}

struct Growth<'a> {
    raw: &'a RawEnsemble,
    inputs: &'a [Option<Input>],
    feature_columns: Vec<FeatureColumns>,
    factor: f64,
    /// Per feature, what the path to the current node determines.
    known: Vec<Known>,
    /// Of all trees so far.
    nodes: usize,
    /// More are refused.
    most_nodes: usize,
    tree: Tree,
}

impl Growth<'_> {
    /// Builds the subtree below a node of the library's tree, and returns the index of its root.
    fn grow(&mut self, raw: &RawTree, node: usize) -> Result<i64, InputError> {
        match &raw.nodes[node] {
            RawNode::Leaf(value) => self.push(-1, 0.0, self.factor * value),
            RawNode::Split(split) => {
                let (feature, gate) = self.gate(split)?;
                self.follow(raw, feature, gate, &|side| split.child(side))
            }
            RawNode::Combination(split) => self.combination(raw, node, split),
        }
    }

    /// What a column's feature is to the model.
    fn input(&self, column: usize) -> Result<&Input, InputError> {
        // Columns of splits were all matched.
        self.inputs[column].as_ref().ok_or_else(|| InputError::new("asks for an unknown column"))
    }

    /// A split as splits of the feature's own columns, given what is known of it.
    fn gate(&self, split: &RawSplit) -> Result<(usize, Gate), InputError> {
        let Input { feature, seen } = self.input(split.column)?;
        let (known, columns) = (&self.known[*feature], &self.feature_columns[*feature]);
        Ok((*feature, gate(split, seen, known, columns, self.raw.precision)))
    }

    fn follow(
        &mut self,
        raw: &RawTree,
        feature: usize,
        gate: Gate,
        child: &dyn Fn(super::Side) -> usize,
    ) -> Result<i64, InputError> {
        match gate {
            Gate::Go(side, known) => {
                let before = std::mem::replace(&mut self.known[feature], known);
                let root = self.grow(raw, child(side));
                self.known[feature] = before;
                root
            }
            Gate::Cut(column, threshold, ways) => {
                let node = self.push(column as i64, threshold, 0.0)?;
                let [left, right] = *ways;
                let left = self.follow(raw, feature, left, child)?;
                let right = self.follow(raw, feature, right, child)?;
                (self.tree.left[node as usize], self.tree.right[node as usize]) = (left, right);
                Ok(node)
            }
        }
    }

    fn push(&mut self, feature: i64, threshold: f64, value: f64) -> Result<i64, InputError> {
        if self.nodes == self.most_nodes {
            return Err(InputError::new(format!(
                "and those before it take more than {} nodes over the schema's columns",
                self.most_nodes
            ))
            .remedy("give features fewer codes and levels, or fit fewer or less deep trees"));
        }
        self.nodes += 1;
        let node = self.tree.feature.len() as i64;
        self.tree.feature.push(feature);
        self.tree.threshold.push(threshold);
        self.tree.left.push(-1);
        self.tree.right.push(-1);
        self.tree.value.push(value);
        Ok(node)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Code, Target};
    use crate::import::{Content, Library, Link, Precision, RawColumn, Side, Test, Unseen};

    /// Features with a code each, and a tree that tests one after the other; codes continue to the next split.
    fn chain(length: usize) -> (Schema, RawEnsemble) {
        let feature = |index: usize| Feature {
            codes: vec![Code::new("", "missing")],
            ..Feature::new(format!("f{index}"), Kind::Continuous)
        };
        let target =
            Target { column: "y".into(), favourable: "1".into(), unfavourable: "0".into() };
        let features = (0..length).map(feature).collect();
        let schema = Schema { name: "t".into(), target, features, rules: Vec::new() };
        let split = |index: usize| {
            let (left, right) = (2 * index + 1, 2 * index + 2);
            let test = Test::AtMost(1.0);
            let missing = Side::Right;
            [
                RawNode::Split(RawSplit {
                    column: index,
                    test,
                    missing,
                    missing_within: None,
                    missing_at: None,
                    left,
                    right,
                }),
                RawNode::Leaf(index as f64),
            ]
        };
        let nodes = (0..length).flat_map(split).chain([RawNode::Leaf(-1.0)]).collect();
        let column =
            |index: usize| RawColumn { name: Some(format!("f{index}")), content: Content::Number };
        let raw = RawEnsemble {
            library: Library::XgBoost,
            columns: (0..length).map(column).collect(),
            precision: Precision::Double,
            unseen: Unseen::Refused,
            trees: vec![RawTree { nodes }],
            factor: 1.0,
            intercept: 0.0,
            sums: Sums::Double,
            cut: 0.0,
            link: Link::LogOdds,
            tie: Tie::One,
        };
        (schema, raw)
    }

    #[test]
    fn codes_are_asked_for_where_the_number_beside_them_would_mislead() {
        let (schema, raw) = chain(1);
        let tree = raw.lower(&schema, &ImportSettings::default()).unwrap().trees[0].clone();
        // Up to 1 there may be a code, beside which the number is 0; above there can't be.
        assert_eq!(tree.feature, [0, 1, -1, -1, -1]);
        assert_eq!(tree.threshold[..2], [1.0, 0.5]);
        assert_eq!(tree.value[2..], [0.0, -1.0, -1.0]);
    }

    #[test]
    fn trees_that_double_without_end_are_refused() {
        let (schema, raw) = chain(30);
        let refusal = raw.lower(&schema, &ImportSettings::default()).unwrap_err().to_string();
        assert!(
            refusal.starts_with("tree 0: and those before it take more than 1000000 nodes"),
            "{refusal}"
        );
    }
}
