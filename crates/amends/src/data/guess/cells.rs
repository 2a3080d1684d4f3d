//! The contents of a column.

use std::collections::BTreeMap;

use super::signs::take_apart;
use crate::data::value::{is_infinite, stands_for_missing};

/// A column's different cells with how often each occurs; those that stand for a missing value are counted separately.
pub(in crate::data) struct Cells<'a> {
    /// Every different cell that is not missing.
    pub counts: BTreeMap<&'a str, usize>,
    /// How many rows have one.
    pub present: usize,
    /// The spellings of a missing value.
    pub missing: BTreeMap<&'a str, usize>,
    /// The row of the first missing cell, counted from 1.
    pub first_missing: Option<usize>,
    /// Whether the cells count up by one from row to row, as row numbers do.
    pub counts_rows: bool,
}

impl<'a> Cells<'a> {
    pub fn of(cells: impl Iterator<Item = &'a str>) -> Self {
        let mut found = Self {
            counts: BTreeMap::new(),
            present: 0,
            missing: BTreeMap::new(),
            first_missing: None,
            counts_rows: true,
        };
        let mut first_infinite: Option<usize> = None;
        let mut last: Option<i64> = None;
        for (row, cell) in cells.enumerate() {
            let number = cell.parse().ok();
            let next = last.and_then(|last| last.checked_add(1));
            found.counts_rows &= number.is_some() && (row == 0 || number == next);
            last = number;
            // "none" may be a level of a categorical column; other words for a missing value may not.
            if cell.is_empty() || (stands_for_missing(cell) && !cell.eq_ignore_ascii_case("none")) {
                *found.missing.entry(cell).or_default() += 1;
                found.first_missing.get_or_insert(row + 1);
            } else {
                if first_infinite.is_none() && is_infinite(cell) {
                    first_infinite = Some(row + 1);
                }
                *found.counts.entry(cell).or_default() += 1;
                found.present += 1;
            }
        }
        if let Some(row) = first_infinite {
            found.infinite_are_missing(row);
        }
        found
    }

    /// Among numbers, infinite ones are failed divisions; among words, `inf` may be one of them. `row` is the first that has one.
    fn infinite_are_missing(&mut self, row: usize) {
        let (infinite, others): (Vec<&str>, Vec<&str>) =
            self.counts.keys().copied().partition(|text| is_infinite(text));
        let numbers = others.iter().filter(|text| take_apart(text).is_some()).count();
        if numbers == 0 || 2 * numbers < others.len() {
            return;
        }
        for text in infinite {
            let rows = self.counts.remove(text).unwrap_or_default();
            self.present -= rows;
            self.missing.insert(text, rows);
        }
        self.first_missing = Some(self.first_missing.map_or(row, |first| first.min(row)));
    }

    /// The different cells in alphabetical order.
    pub fn texts(&self) -> Vec<&'a str> {
        self.counts.keys().copied().collect()
    }

    /// How many cells are missing.
    pub fn missing_cells(&self) -> usize {
        self.missing.values().sum()
    }

    /// How many rows have one of these texts.
    pub fn rows_with(&self, texts: &[&str]) -> usize {
        texts.iter().filter_map(|text| self.counts.get(text)).sum()
    }

    /// Whether all cells differ, in so many rows that this is no accident.
    pub fn all_different(&self) -> bool {
        self.counts.len() == self.present && self.present > 20
    }

    /// The different texts: plain numbers by size, others in alphabetical order.
    pub fn sorted(&self) -> Vec<String> {
        let mut texts = self.texts();
        let number = |text: &str| text.parse::<f64>().ok().filter(|number| number.is_finite());
        if texts.iter().all(|text| number(text).is_some()) {
            let size = |text: &str| number(text).unwrap_or_default();
            texts.sort_by(|a, b| size(a).total_cmp(&size(b)));
        }
        texts.into_iter().map(str::to_owned).collect()
    }
}

/// A number of rows, in words.
pub(super) fn rows_in_words(rows: usize) -> String {
    format!("{rows} {}", if rows == 1 { "row" } else { "rows" })
}
