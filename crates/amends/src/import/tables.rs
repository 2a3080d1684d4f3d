//! Sums of tables: a step function of every feature, as scorecards and binned linear models have them.
//!
//! A step function of one feature is a tree, so that everything that is known of trees holds for them.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::columns::{Input, Seen};
use super::feed::{Feed, binned};
use super::{Content, ImportSettings, Library, Link, RawColumn, Tie, Unseen};
use crate::data::{Encoder, Feature, Kind, Schema};
use crate::model::{Sums, Tree, TreeEnsemble};
use crate::{InputError, Result};

/// The threshold of a column that holds only 0 and 1.
const HALF: f64 = 0.5;

/// A fitted sum of step functions, one or more of each feature.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RawTables {
    /// The library that fitted it.
    pub library: Library,
    /// What each of its columns is made of; numbers are binned.
    pub feeds: Vec<Feed>,
    /// One weight per column.
    pub weights: Vec<f64>,
    /// Added to the weighted sum.
    pub intercept: f64,
    /// What the score says about the probability.
    pub link: Link,
    /// The class of a score of exactly 0; above it is its second class, "1".
    pub tie: Tie,
}

/// A function of a feature's number or rank.
type Function<'f> = Box<dyn Fn(f64) -> Option<f64> + 'f>;

/// What a feature adds to the score.
#[derive(Debug, Clone, PartialEq)]
struct Points {
    /// Of numbers up to each end, in ascending order; the last end is infinite. Of levels: up to each rank and a half.
    pieces: Vec<(f64, f64)>,
    /// Of each code.
    codes: Vec<f64>,
}

impl RawTables {
    /// The same decisions over a schema's encoded columns: accepted where the score is at least 0.
    pub fn lower(&self, schema: &Schema, settings: &ImportSettings) -> Result<TreeEnsemble> {
        let (fed, weights) = (self.feeds.len(), self.weights.len());
        if fed != weights {
            let wrong =
                InputError::new(format!("has {weights} weights, but {fed} columns are fed to it"));
            return Err(wrong.remedy("give the columns that the model was fitted on").into());
        }
        let column = RawColumn { name: None, content: Content::Number };
        let mut parts: Vec<Vec<(Input, f64)>> = vec![Vec::new(); schema.features.len()];
        for (index, (feed, &weight)) in self.feeds.iter().zip(&self.weights).enumerate() {
            let input = feed.input(&column, schema, settings, Unseen::Refused);
            let input = input.map_err(|error| error.inside(format!("model column {index}")))?;
            parts[input.feature].push((input, weight));
        }
        let favourable = settings.one_is_favourable(&schema.target)?;
        let sign = if favourable { 1.0 } else { -1.0 };
        let encoder = Encoder::new(schema);
        let mut trees = Vec::new();
        for (f, (feature, parts)) in schema.features.iter().zip(&parts).enumerate() {
            if !parts.is_empty() {
                let points = Points::of(feature, parts)?.times(sign);
                trees.push(points.tree(feature, encoder.feature_columns(f).start));
            }
        }
        if trees.is_empty() {
            trees.push(Tree::lone_leaf(0.0));
        }
        let least = -sign * self.intercept;
        let accepts_tie = (self.tie == Tie::One) == favourable;
        let threshold = if accepts_tie { least } else { least.next_up() };
        Ok(TreeEnsemble { threshold, sums: Sums::Double, trees: Arc::new(trees) })
    }
}

impl Points {
    /// The weighted sum of the columns that are made of a feature.
    fn of(feature: &Feature, parts: &[(Input, f64)]) -> Result<Self, InputError> {
        let missing = || {
            InputError::new("may be missing, which the model has no points for")
                .value(&feature.name)
                .remedy("remove its codes from the schema, or write numbers for them")
        };
        let mut ends: Vec<f64> = Vec::new();
        for (input, _) in parts {
            match &input.seen {
                Seen::Bins { ends: own, .. } => ends.extend(own),
                Seen::Levels(_) => {
                    ends.extend((0..feature.levels().len()).map(|l| l as f64 + HALF));
                }
                Seen::Number { .. } => {}
            }
        }
        ends.push(f64::INFINITY);
        ends.sort_by(f64::total_cmp);
        ends.dedup();
        let mut sum = Self {
            pieces: ends.into_iter().map(|end| (end, 0.0)).collect(),
            codes: vec![0.0; feature.codes.len()],
        };
        for (input, weight) in parts {
            let (number, codes): (Function<'_>, &[Option<f64>]) = match &input.seen {
                Seen::Bins { ends, values, codes } => {
                    (Box::new(|end| binned(ends, values, end)), codes)
                }
                Seen::Levels(numbers) => {
                    let (levels, codes) = numbers.split_at(feature.levels().len());
                    let last = levels.len() - 1;
                    (Box::new(move |end| levels[(end.floor().max(0.0) as usize).min(last)]), codes)
                }
                Seen::Number { constant: Some(constant), codes, .. } => {
                    (Box::new(|_| Some(*constant)), codes)
                }
                Seen::Number { .. } if *weight == 0.0 => continue,
                Seen::Number { .. } => return Err(straight(feature)),
            };
            for (end, points) in &mut sum.pieces {
                *points += weight * number(*end).ok_or_else(missing)?;
            }
            for (points, code) in sum.codes.iter_mut().zip(codes) {
                *points += weight * code.ok_or_else(missing)?;
            }
        }
        Ok(sum)
    }

    fn times(mut self, sign: f64) -> Self {
        self.pieces.iter_mut().for_each(|(_, points)| *points *= sign);
        self.codes.iter_mut().for_each(|points| *points *= sign);
        self
    }

    /// The step function as a tree; `start` is the first of the feature's encoded columns.
    fn tree(&self, feature: &Feature, start: usize) -> Tree {
        let mut tree = Tree::default();
        let categorical = matches!(feature.kind, Kind::Categorical { .. });
        let levels = feature.levels().len();
        let behind = if categorical { start + levels } else { start + 1 };
        self.codes(0, behind, &mut tree, &|points, tree| {
            if categorical {
                points.levels(0, start, levels, tree)
            } else {
                points.numbers(start, 0, points.pieces.len(), tree)
            }
        });
        tree
    }

    /// Codes come first: beside one, the other columns hold 0.
    fn codes(
        &self,
        code: usize,
        start: usize,
        tree: &mut Tree,
        rest: &dyn Fn(&Self, &mut Tree) -> i64,
    ) -> i64 {
        if code == self.codes.len() {
            return rest(self, tree);
        }
        let node = push(tree, (start + code) as i64, HALF, 0.0);
        let left = self.codes(code + 1, start, tree, rest);
        let right = push(tree, -1, 0.0, self.codes[code]);
        join(tree, node, left, right)
    }

    /// Levels with a column each, one after the other.
    fn levels(&self, level: usize, start: usize, count: usize, tree: &mut Tree) -> i64 {
        let points = self.pieces[level].1;
        if (level..count).all(|later| self.pieces[later].1 == points) {
            return push(tree, -1, 0.0, points);
        }
        let node = push(tree, (start + level) as i64, HALF, 0.0);
        let left = self.levels(level + 1, start, count, tree);
        let right = push(tree, -1, 0.0, points);
        join(tree, node, left, right)
    }

    /// Pieces of numbers or ranks, divided in the middle.
    fn numbers(&self, column: usize, from: usize, to: usize, tree: &mut Tree) -> i64 {
        let pieces = &self.pieces[from..to];
        if pieces.iter().all(|(_, points)| *points == pieces[0].1) {
            return push(tree, -1, 0.0, pieces[0].1);
        }
        let middle = from + (to - from) / 2;
        let node = push(tree, column as i64, self.pieces[middle - 1].0, 0.0);
        let left = self.numbers(column, from, middle, tree);
        let right = self.numbers(column, middle, to, tree);
        join(tree, node, left, right)
    }
}

/// The refusal of a number that is not binned.
fn straight(feature: &Feature) -> InputError {
    InputError::new("is not binned, beside columns that are: a sum of lines and steps is neither linear nor made of trees")
        .value(&feature.name)
        .remedy("bin it too, or bin no column")
}

fn push(tree: &mut Tree, feature: i64, threshold: f64, value: f64) -> i64 {
    tree.feature.push(feature);
    tree.threshold.push(threshold);
    tree.left.push(-1);
    tree.right.push(-1);
    tree.value.push(value);
    tree.feature.len() as i64 - 1
}

fn join(tree: &mut Tree, node: i64, left: i64, right: i64) -> i64 {
    (tree.left[node as usize], tree.right[node as usize]) = (left, right);
    node
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Code, Target};

    fn schema() -> Schema {
        let levels = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        let features = vec![
            Feature {
                codes: vec![Code::new("-7", "never late")],
                ..Feature::new("months", Kind::Integer)
            },
            Feature::new("housing", Kind::Categorical { levels: levels(&["own", "rent", "free"]) }),
            Feature::new("savings", Kind::Ordinal { levels: levels(&["none", "some", "much"]) }),
        ];
        let target =
            Target { column: "y".into(), favourable: "0".into(), unfavourable: "1".into() };
        Schema { name: "t".into(), target, features, rules: Vec::new() }
    }

    fn raw(tie: Tie) -> RawTables {
        let levels = |feature: &str, numbers: &[f64]| Feed::Levels {
            feature: feature.to_owned(),
            numbers: numbers.iter().map(|&number| Some(number)).collect(),
        };
        let bins = |ends: &[f64], values: &[f64], code: f64| Feed::Bins {
            feature: "months".into(),
            ends: ends.to_vec(),
            values: values.iter().map(|&value| Some(value)).collect(),
            codes: Some(vec![Some(code)]),
        };
        RawTables {
            library: Library::ScikitLearn,
            feeds: vec![
                bins(&[3.0, 8.5], &[5.0, 2.0, 1.0], 7.0),
                bins(&[4.0], &[0.0, 1.0], 0.5),
                levels("housing", &[1.0, -1.0, -1.0]),
                levels("savings", &[0.0, 3.0, 4.0]),
            ],
            weights: vec![1.0, 10.0, 1.0, 2.0],
            intercept: -12.0,
            link: Link::None,
            tie,
        }
    }

    /// Of the encoded columns months, its code, own, rent, free and savings: the sum by hand.
    fn score(x: &[f64]) -> f64 {
        let months = match (x[1] > 0.5, x[0]) {
            (true, _) => 12.0,
            (_, x) if x <= 3.0 => 5.0,
            (_, x) if x <= 4.0 => 2.0,
            (_, x) if x <= 8.5 => 12.0,
            _ => 11.0,
        };
        months + if x[2] > 0.5 { 1.0 } else { -1.0 } + [0.0, 6.0, 8.0][x[5] as usize] - 12.0
    }

    #[test]
    fn tables_are_trees_with_the_same_sum() {
        let trees = raw(Tie::Zero).lower(&schema(), &ImportSettings::default()).unwrap();
        assert_eq!(trees.trees.len(), 3);
        for months in [-1.0, 0.0, 3.0, 3.5, 4.0, 5.0, 8.5, 9.0] {
            for code in [0.0, 1.0] {
                for (housing, savings) in [(0, 0.0), (1, 1.0), (2, 2.0)] {
                    let mut x =
                        vec![if code > 0.5 { 0.0 } else { months }, code, 0.0, 0.0, 0.0, savings];
                    x[2 + housing] = 1.0;
                    // Class 1 is the unfavourable outcome.
                    assert_eq!(trees.score(&x), -score(&x), "{x:?}");
                }
            }
        }
    }

    #[test]
    fn a_score_of_0_is_the_class_of_the_tie() {
        let x = [0.0, 1.0, 1.0, 0.0, 0.0, 0.0];
        assert_eq!(score(&x), 1.0);
        for (tie, accepted) in [(Tie::Zero, true), (Tie::One, false)] {
            let raw = RawTables { intercept: -13.0, ..raw(tie) };
            let trees = raw.lower(&schema(), &ImportSettings::default()).unwrap();
            assert_eq!(trees.score(&x) >= 0.0, accepted, "{tie:?}");
        }
    }

    #[test]
    fn lines_beside_steps_are_refused() {
        let mut raw = raw(Tie::Zero);
        raw.feeds[0] = Feed::number("months", Vec::new());
        let refusal = raw.lower(&schema(), &ImportSettings::default()).unwrap_err().to_string();
        assert!(refusal.contains("`months` is not binned"), "{refusal}");
        assert!(refusal.ends_with("; bin it too, or bin no column"), "{refusal}");
    }
}
