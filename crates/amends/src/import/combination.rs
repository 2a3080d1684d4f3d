//! Splits by a statistic of several categories together, as CatBoost has them.
//!
//! A library looks up a number for a combination of categories (and of the answers to other splits), and compares it. All that
//! matters is which combinations go to which side: they are listed by their hashes. Over the columns of a schema such a split
//! becomes splits of one feature each, as many as it takes until the side is certain.

use serde::{Deserialize, Serialize};

use super::category_hash::{joined, widened};
use super::{Precision, RawSplit, Side, Test};

/// A split by several columns.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RawCombination {
    /// What is combined, in this order.
    pub parts: Vec<Part>,
    /// The hashes of the combinations that go left, in ascending order.
    pub to_left: Vec<u64>,
    /// Those that go right, in ascending order.
    pub to_right: Vec<u64>,
    /// Where combinations go that the library has never seen.
    pub unseen: Side,
    /// The node on the left.
    pub left: usize,
    /// The node on the right.
    pub right: usize,
}

/// A part of a combination.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Part {
    /// The category in a column.
    Category(usize),
    /// Whether the number in a column is above a border.
    Above {
        /// The column.
        column: usize,
        /// The border.
        border: f64,
        /// On which side of the border a missing value counts.
        missing: Side,
    },
    /// Whether a column holds this category.
    Is {
        /// The column.
        column: usize,
        /// The category.
        category: u32,
    },
}

impl Part {
    /// The column that it looks at.
    pub fn column(&self) -> usize {
        match self {
            Self::Category(column) | Self::Above { column, .. } | Self::Is { column, .. } => {
                *column
            }
        }
    }

    /// What a value of its column adds to the hash.
    pub(super) fn value(&self, input: Option<f64>, precision: Precision) -> u64 {
        let side = || self.split(&[], 0).side(input, precision);
        match self {
            Self::Category(_) => widened(input.unwrap_or(0.0) as u32),
            Self::Above { .. } => u64::from(side() == Side::Right),
            Self::Is { .. } => u64::from(side() == Side::Left),
        }
    }

    /// A split that tells its values apart; of a category, these from the others. Both sides lead to the same node.
    pub(super) fn split(&self, categories: &[u32], node: usize) -> RawSplit {
        let (test, missing) = match self {
            Self::Category(_) => (Test::OneOf(categories.to_vec()), Side::Right),
            Self::Above { border, missing, .. } => (Test::AtMost(*border), *missing),
            Self::Is { category, .. } => (Test::OneOf(vec![*category]), Side::Right),
        };
        let (missing_within, missing_at) = (None, None);
        let column = self.column();
        RawSplit { column, test, missing, missing_within, missing_at, left: node, right: node }
    }
}

impl RawCombination {
    /// Where the library sends a row.
    pub fn side(&self, row: &[Option<f64>], precision: Precision) -> Side {
        let values = self.parts.iter().map(|part| part.value(row[part.column()], precision));
        self.side_of(values)
    }

    /// Where the library sends these values of the parts.
    pub(super) fn side_of(&self, values: impl Iterator<Item = u64>) -> Side {
        let hash = values.fold(0, joined);
        if self.to_left.binary_search(&hash).is_ok() {
            Side::Left
        } else if self.to_right.binary_search(&hash).is_ok() {
            Side::Right
        } else {
            self.unseen
        }
    }

    /// The node on a side.
    pub fn child(&self, side: Side) -> usize {
        match side {
            Side::Left => self.left,
            Side::Right => self.right,
        }
    }
}
