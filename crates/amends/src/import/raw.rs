//! Another library's trees as they are: over its own input columns, with its own comparisons.
//!
//! Every importer produces these types, and they are enough to score a row exactly as the library does.
//! [`super::lower`] turns it into trees over the encoded columns of a schema.

use serde::{Deserialize, Serialize};

use super::{Library, Link, RawCombination, Sums};
use crate::{InputError, Result};

/// More splits between a root and a leaf than this are refused.
const DEEPEST: usize = 500;

/// A fitted ensemble of another library. Scores above the cut mean its second class, "1".
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RawEnsemble {
    /// The library that fitted it.
    pub library: Library,
    /// The columns of its input, in order.
    pub columns: Vec<RawColumn>,
    /// What the library rounds an input to before it compares.
    pub precision: Precision,
    /// What happens to a level that the library's own list of categories does not have.
    pub unseen: Unseen,
    /// The trees.
    pub trees: Vec<RawTree>,
    /// What a leaf's value is multiplied by: 1 where trees add up, one over their number where they are averaged.
    pub factor: f64,
    /// What the trees are added to.
    pub intercept: f64,
    /// How they are added up: in 32 bits the intercept comes first and then the trees in their order; in 64 bits, where the
    /// order decides about the last digit only, it comes last.
    #[serde(default)]
    pub sums: Sums,
    /// What the score says about the probability.
    pub link: Link,
    /// The score that separates the classes. It is not always 0: after rounding, small scores also have a probability of one half.
    #[serde(default)]
    pub cut: f64,
    /// The class of a score exactly at the cut.
    pub tie: Tie,
}

/// A column of the library's input.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RawColumn {
    /// Its name, where the library knows one.
    pub name: Option<String>,
    /// What its numbers are.
    pub content: Content,
}

/// What the numbers of an input column are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Content {
    /// Numbers.
    Number,
    /// Categories whose texts the library keeps: category 0 is the first of them, and so on.
    Categories(Vec<String>),
    /// Categories of which only the numbers are known.
    NumberedCategories,
    /// Categories whose numbers are hashes of their texts ([`super::category_hash`]).
    HashedCategories,
}

/// What the library rounds an input to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Precision {
    /// To 32 bits.
    Single,
    /// Not at all.
    Double,
}

/// What a library does with a level that it has never seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unseen {
    /// It counts as missing.
    Missing,
    /// It refuses the row.
    Refused,
}

/// The class that the library gives to a score exactly at its cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tie {
    /// The class "1".
    One,
    /// The class "0".
    Zero,
}

/// One tree; node 0 is the root.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct RawTree {
    /// The nodes.
    pub nodes: Vec<RawNode>,
}

/// A node of a tree.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RawNode {
    /// The value that is added up.
    Leaf(f64),
    /// A split into two branches.
    Split(RawSplit),
    /// A split by several columns together.
    Combination(RawCombination),
}

/// A split by one input column.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RawSplit {
    /// The column.
    pub column: usize,
    /// What goes left.
    pub test: Test,
    /// Where a missing value goes.
    pub missing: Side,
    /// Numbers at most this far from 0 count as missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missing_within: Option<f64>,
    /// This number counts as missing, too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missing_at: Option<f64>,
    /// The node on the left.
    pub left: usize,
    /// The node on the right.
    pub right: usize,
}

/// What goes left.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Test {
    /// Numbers up to this one.
    AtMost(f64),
    /// Numbers below this one.
    Below(f64),
    /// These categories.
    OneOf(Vec<u32>),
}

/// A side of a split.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Side {
    /// To the left node.
    Left,
    /// To the right node.
    Right,
}

impl Side {
    /// The left side if this holds.
    pub fn left_if(left: bool) -> Self {
        if left { Self::Left } else { Self::Right }
    }

    /// The other one.
    #[must_use]
    pub fn other(self) -> Self {
        Self::left_if(self == Self::Right)
    }
}

impl Precision {
    /// The number that the library compares.
    pub fn round(self, number: f64) -> f64 {
        match self {
            Self::Single => f64::from(number as f32),
            Self::Double => number,
        }
    }
}

impl RawSplit {
    /// Where the library sends an input; `None` is a missing one.
    pub fn side(&self, input: Option<f64>, precision: Precision) -> Side {
        let Some(given) = input else { return self.missing };
        let number = precision.round(given);
        if self.missing_within.is_some_and(|width| number.abs() <= width)
            || self.missing_at.is_some_and(|marker| number == precision.round(marker))
        {
            return self.missing;
        }
        Side::left_if(match &self.test {
            Test::AtMost(threshold) => number <= *threshold,
            Test::Below(threshold) => number < *threshold,
            // Hashes have more digits than 32 bits keep.
            Test::OneOf(categories) => categories.iter().any(|&one| f64::from(one) == given),
        })
    }

    /// The node on a side.
    pub fn child(&self, side: Side) -> usize {
        match side {
            Side::Left => self.left,
            Side::Right => self.right,
        }
    }
}

impl RawEnsemble {
    /// The library's score of a row of its own input; the row must have a number or nothing per column.
    pub fn score(&self, row: &[Option<f64>]) -> f64 {
        let value = |tree: &RawTree| {
            let mut node = 0;
            loop {
                match &tree.nodes[node] {
                    RawNode::Leaf(value) => return self.factor * value,
                    RawNode::Split(split) => {
                        node = split.child(split.side(row[split.column], self.precision));
                    }
                    RawNode::Combination(split) => {
                        node = split.child(split.side(row, self.precision));
                    }
                }
            }
        };
        let values = self.trees.iter().map(value);
        match self.sums {
            Sums::Double => self.sums.add_up(values) + self.intercept,
            Sums::Single => self.sums.add_up([self.intercept].into_iter().chain(values)),
        }
    }

    /// Refuses damaged ensembles: nodes and columns that don't exist, cycles, NaN.
    pub fn check(&self) -> Result<()> {
        if self.trees.is_empty() {
            return Err(InputError::new("has no trees")
                .remedy("fit the model before it is saved")
                .into());
        }
        for (place, number) in [
            ("base score", self.intercept),
            ("factor of the trees", self.factor),
            ("cut", self.cut),
        ] {
            if !number.is_finite() {
                return Err(InputError::new("is not a finite number")
                    .at(place)
                    .value(number)
                    .remedy(SAVE_AGAIN)
                    .into());
            }
        }
        for (index, tree) in self.trees.iter().enumerate() {
            tree.check(&self.columns).map_err(|error| error.inside(format!("tree {index}")))?;
        }
        Ok(())
    }
}

/// The remedy for an inconsistent file.
pub(super) const SAVE_AGAIN: &str = "the file is damaged: save the model again";

impl RawTree {
    fn check(&self, columns: &[RawColumn]) -> Result<(), InputError> {
        let wrong = |problem: String, node: usize| {
            Err(InputError::new(problem).at(format!("node {node}")).remedy(SAVE_AGAIN))
        };
        if self.nodes.is_empty() {
            return Err(InputError::new("has no nodes").remedy(SAVE_AGAIN));
        }
        let mut reached = vec![false; self.nodes.len()];
        reached[0] = true;
        let mut open = vec![(0, 0)];
        while let Some((node, depth)) = open.pop() {
            let children = match &self.nodes[node] {
                RawNode::Leaf(value) if value.is_finite() => continue,
                RawNode::Leaf(value) => {
                    return wrong(format!("is a leaf of {value}, not a finite number"), node);
                }
                RawNode::Split(split) => {
                    check_split(split, columns).or_else(|problem| wrong(problem, node))?;
                    [split.left, split.right]
                }
                RawNode::Combination(split) => {
                    for part in &split.parts {
                        let one = part.split(&[], 0);
                        check_split(&one, columns).or_else(|problem| wrong(problem, node))?;
                    }
                    [split.left, split.right]
                }
            };
            if depth == DEEPEST {
                return Err(InputError::new(format!("is more than {DEEPEST} splits deep"))
                    .remedy("fit trees that are less deep"));
            }
            for child in children {
                if child >= self.nodes.len() {
                    return wrong(
                        format!("leads to node {child}, but there are {}", self.nodes.len()),
                        node,
                    );
                }
                if std::mem::replace(&mut reached[child], true) {
                    return wrong(format!("leads to node {child}, which was reached before"), node);
                }
                open.push((child, depth + 1));
            }
        }
        Ok(())
    }
}

/// What is wrong with a split, whatever it leads to.
fn check_split(split: &RawSplit, columns: &[RawColumn]) -> Result<(), String> {
    let Some(column) = columns.get(split.column) else {
        return Err(format!("asks for column {}, but there are {}", split.column, columns.len()));
    };
    match split.test {
        Test::OneOf(_) if column.content == Content::Number => {
            Err("asks a column of numbers for categories".into())
        }
        Test::AtMost(_) | Test::Below(_) if column.content == Content::HashedCategories => {
            Err("compares categories with a number".into())
        }
        Test::AtMost(threshold) | Test::Below(threshold) if threshold.is_nan() => {
            Err("compares with something that is not a number".into())
        }
        _ => Ok(()),
    }
}
