//! Options in one list: ranges of numbers, and values that are listed one by one.

use super::{OptionSet, ValueRange};

/// Options, each of which gives a value to every column. They are numbered from 0: first those of the ranges, one range after the
/// other from its first value to its last, then the listed ones. A range takes no room for its length.
#[derive(Debug, Clone, PartialEq)]
pub struct OptionList<V> {
    pub(crate) ranges: Vec<ValueRange>,
    pub(crate) listed: Vec<Vec<V>>,
    /// The first option of each range, and then that of the listed ones.
    starts: Vec<usize>,
}

/// Where an option stands.
pub(crate) enum Position {
    /// In a range: the range's index, and the value's within it.
    Range(usize, usize),
    /// Among the listed values.
    Listed(usize),
}

impl<V> Default for OptionList<V> {
    fn default() -> Self {
        Self::new(Vec::new(), Vec::new())
    }
}

impl<V> OptionList<V> {
    /// Ranges, and values that are listed one by one: per option, one value per column.
    pub fn new(ranges: Vec<ValueRange>, listed: Vec<Vec<V>>) -> Self {
        let mut starts = vec![0];
        for range in &ranges {
            starts.push(starts[starts.len() - 1] + range.len());
        }
        Self { ranges, listed, starts }
    }

    /// Listed values only.
    pub fn listed(values: Vec<Vec<V>>) -> Self {
        Self::new(Vec::new(), values)
    }

    /// How many options there are.
    pub fn len(&self) -> usize {
        self.first_listed() + self.listed.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The ranges, each with its first option.
    pub fn ranges(&self) -> impl Iterator<Item = (usize, &ValueRange)> {
        self.starts.iter().copied().zip(&self.ranges)
    }

    /// The listed values, each with its option.
    pub fn listed_values(&self) -> impl Iterator<Item = (usize, &Vec<V>)> {
        let first = self.first_listed();
        self.listed.iter().enumerate().map(move |(index, values)| (first + index, values))
    }

    /// The option of the first listed value.
    pub fn first_listed(&self) -> usize {
        self.starts.last().copied().unwrap_or(0)
    }

    /// Only some of the options, in their order.
    pub(crate) fn only(&self, kept: &OptionSet) -> Self
    where
        V: Clone,
    {
        let mut ranges = Vec::new();
        for (start, range) in self.ranges() {
            let all = std::iter::once((start, start + range.len() - 1)).collect();
            for &(first, last) in kept.intersection(&all).intervals() {
                ranges.push(range.part(first - start, last - start));
            }
        }
        let listed = self.listed_values().filter(|(option, _)| kept.contains(*option));
        Self::new(ranges, listed.map(|(_, values)| values.clone()).collect())
    }

    /// Where an option stands.
    pub(crate) fn position(&self, option: usize) -> Position {
        if option >= self.first_listed() {
            return Position::Listed(option - self.first_listed());
        }
        let range = self.starts.partition_point(|&start| start <= option) - 1;
        Position::Range(range, option - self.starts[range])
    }
}
