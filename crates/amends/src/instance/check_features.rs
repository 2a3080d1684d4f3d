//! What the features of an instance and their options must satisfy.

use super::check::{all_finite, same_length, wrong};
use super::{Coefficients, FeatureOptions, Instance, ValueRange};
use crate::Result;
use crate::decimal::difference;

/// Columns in step that lead past the applicant's own values are gone through one by one: no more than these.
const MOST_BESIDE: usize = 10_000;

impl Instance {
    pub(super) fn check_features(&self, columns: usize) -> Result<()> {
        if self.features.is_empty() {
            return wrong("features", "is empty", "give at least one feature that may change");
        }
        let mut owner: Vec<Option<usize>> = vec![None; columns];
        for (index, feature) in self.features.iter().enumerate() {
            let place = format!("features[{index}] `{}`", feature.name);
            if self.features[..index].iter().any(|earlier| earlier.name == feature.name) {
                return wrong(
                    &place,
                    "has the name of an earlier feature",
                    "give every feature its own name",
                );
            }
            if feature.columns.is_empty() {
                return wrong(&place, "has no columns", "name the columns that it is encoded in");
            }
            for &column in &feature.columns {
                let Some(slot) = owner.get_mut(column) else {
                    return wrong(
                        &place,
                        format!("names column {column}, but x has {columns} columns"),
                        "columns are counted from 0",
                    );
                };
                if let Some(other) = slot.replace(index) {
                    return wrong(
                        &place,
                        format!(
                            "names column {column}, which belongs to features[{other}] `{}`",
                            self.features[other].name
                        ),
                        "a column belongs to one feature",
                    );
                }
            }
            feature.check_options(&place, &self.x)?;
        }
        Ok(())
    }
}

impl FeatureOptions {
    /// Keeping the own values has one cost: an answer lists changes, and which copy was kept is none.
    pub(super) fn check_own_cost(
        &self,
        x: &[f64],
        costs: &Coefficients,
        place: &str,
    ) -> Result<()> {
        let kept = self.keep_set(x);
        let mut copies = kept.intervals().iter().flat_map(|&(first, last)| first..=last);
        let Some(first) = copies.next() else { return Ok(()) };
        let Some(other) = copies.find(|&copy| costs.at(copy) != costs.at(first)) else {
            return Ok(());
        };
        wrong(
            place,
            format!(
                "has the costs {} and {} for options {first} and {other} of `{}`, which both keep the applicant's own values",
                costs.at(first),
                costs.at(other),
                self.name
            ),
            "give the own values once, or all copies of them the same cost",
        )
    }

    fn check_options(&self, place: &str, x: &[f64]) -> Result<()> {
        let width = self.columns.len();
        for (index, (_, range)) in self.options.ranges().enumerate() {
            let place = format!("{place}, ranges[{index}]");
            same_length(range.width(), width, &place, "the feature has columns")?;
        }
        for (index, (_, row)) in self.options.listed_values().enumerate() {
            let place = format!("{place}, options[{index}]");
            same_length(row.len(), width, &place, "the feature has columns")?;
            all_finite(row, &place)?;
        }
        if self.options.find(&self.own(x)).is_none() {
            return wrong(
                place,
                if self.options.is_empty() {
                    "has no options"
                } else {
                    "does not offer the applicant's own values"
                },
                "every feature may stay as it is: add an option that changes nothing",
            );
        }
        self.check_ranges(place, x)
    }

    /// Ranges must not overlap, and those of several columns must all move the same ones.
    fn check_ranges(&self, place: &str, x: &[f64]) -> Result<()> {
        let ranges: Vec<_> = self.options.ranges().map(|(_, range)| range).collect();
        for (index, (_, row)) in self.options.listed_values().enumerate() {
            if ranges.iter().any(|range| range.find(row).is_some()) {
                return wrong(
                    &format!("{place}, options[{index}]"),
                    "is a value of a range, too",
                    "list only what no range has",
                );
            }
        }
        let moving = |range: &ValueRange| -> Vec<usize> {
            (0..self.columns.len()).filter(|&column| range.moves(column)).collect()
        };
        for (index, range) in ranges.iter().enumerate() {
            let columns = moving(range);
            let Some(&column) = columns.first() else { continue };
            if columns.len() > 1 && columns.len() < self.columns.len() {
                return wrong(
                    &format!("{place}, ranges[{index}]"),
                    format!("moves {} of {} columns", columns.len(), self.columns.len()),
                    "a range moves one column, or all columns of the feature in step",
                );
            }
            let own = self.own(x);
            let amount = |row: &[f64], column: usize| difference(row[column], own[column]);
            let first = range.row(0);
            let even = columns.iter().all(|&c| amount(&first, c) == amount(&first, column));
            if !even && range.len() > MOST_BESIDE {
                return wrong(
                    &format!("{place}, ranges[{index}]"),
                    "moves columns in step, but not from the applicant's own values",
                    "columns in step differ from the own values by the same amount; list other values one by one",
                );
            }
            for other in &ranges[..index] {
                let theirs = moving(other);
                if !theirs.is_empty() && theirs != columns {
                    return wrong(
                        &format!("{place}, ranges[{index}]"),
                        "moves other columns than an earlier range",
                        "ranges of one feature move the same columns",
                    );
                }
                let (first, last) = (range.value(0, column), range.value(range.len() - 1, column));
                let (from, to) = (other.value(0, column), other.value(other.len() - 1, column));
                if first <= to && from <= last {
                    return wrong(
                        &format!("{place}, ranges[{index}]"),
                        format!("overlaps the range from {from} to {to}"),
                        "give ranges that do not overlap",
                    );
                }
            }
        }
        Ok(())
    }
}
