//! The values that a feature of an instance may take, and ranges of evenly spaced decimals.

use super::option_list::{OptionList, Position};
use crate::decimal::{MOST_DECIMALS, MOST_UNITS, decimals, units, value};

/// All options of a feature: each gives a value to every column of the feature.
pub type Options = OptionList<f64>;

impl OptionList<f64> {
    /// The value that an option gives to a column, counted among the feature's columns.
    ///
    /// # Panics
    /// If there is no such option or column.
    pub fn value(&self, option: usize, column: usize) -> f64 {
        match self.position(option) {
            Position::Listed(index) => self.listed[index][column],
            Position::Range(range, index) => self.ranges[range].value(index, column),
        }
    }

    /// The values that an option gives to the feature's columns.
    pub fn row(&self, option: usize) -> Vec<f64> {
        match self.position(option) {
            Position::Listed(index) => self.listed[index].clone(),
            Position::Range(range, index) => self.ranges[range].row(index),
        }
    }

    /// The first option with exactly these values.
    pub fn find(&self, row: &[f64]) -> Option<usize> {
        let in_ranges = self.ranges().find_map(|(start, range)| Some(start + range.find(row)?));
        in_ranges.or_else(|| {
            self.listed_values().find(|(_, values)| *values == row).map(|(option, _)| option)
        })
    }

    /// The largest absolute value that options give to a column.
    pub fn largest(&self, column: usize) -> f64 {
        self.farthest(column, 0.0)
    }

    /// The largest difference between a value and what options give to a column.
    pub fn farthest(&self, column: usize, from: f64) -> f64 {
        let away = |value: f64| (value - from).abs();
        let ends = |range: &ValueRange| {
            away(range.value(0, column)).max(away(range.value(range.len() - 1, column)))
        };
        let ranges = self.ranges.iter().map(ends);
        ranges.chain(self.listed.iter().map(|row| away(row[column]))).fold(0.0, f64::max)
    }

    /// Adds a listed value unless it is an option already.
    pub fn include(&mut self, row: &[f64]) {
        if self.find(row).is_none() {
            self.listed.push(row.to_vec());
        }
    }
}

/// Evenly spaced decimals: one column, or several, goes from a first value to a last in equal steps; the others stay.
///
/// Values are exact: the binary numbers that their decimal texts read as.
#[derive(Debug, Clone, PartialEq)]
pub struct ValueRange {
    columns: Vec<Column>,
    step: i64,
    decimals: u32,
    count: usize,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Column {
    /// It has this value throughout.
    Still(f64),
    /// It begins with this many units.
    From(i64),
}

impl ValueRange {
    /// A range from one row of values to another. Columns whose values are equal in both stay, the others rise by `step`
    /// from option to option. The error says what is wrong.
    pub fn new(first: &[f64], last: &[f64], step: f64) -> Result<Self, String> {
        if first.is_empty() || first.len() != last.len() {
            let lengths = (first.len(), last.len());
            return Err(format!("has {} first and {} last values", lengths.0, lengths.1));
        }
        if !(step.is_finite() && step > 0.0) {
            return Err(format!("has the step {step}, which must be a number above 0"));
        }
        if let Some(odd) = first.iter().chain(last).find(|number| !number.is_finite()) {
            return Err(format!("holds {odd}, not a finite number"));
        }
        let moving = || first.iter().zip(last).filter(|(first, last)| first != last);
        let finest = moving().map(|(first, _)| decimals(*first)).fold(decimals(step), u32::max);
        let too_fine = || {
            format!("holds numbers with more than 15 digits at its resolution of {finest} decimals")
        };
        if finest > MOST_DECIMALS {
            return Err(too_fine());
        }
        let unit_step = units(step, finest).ok_or_else(too_fine)?;
        let mut count = 1;
        for (position, (&first, &last)) in moving().enumerate() {
            let from = units(first, finest).ok_or_else(too_fine)?;
            let to = units(last, finest).ok_or_else(too_fine)?;
            let width = to - from;
            if width < 0 || width % unit_step != 0 {
                return Err(format!("does not lead from {first} to {last} in steps of {step}"));
            }
            let steps = (width / unit_step) as usize + 1;
            if position > 0 && steps != count {
                return Err(format!("has columns of {count} and of {steps} values"));
            }
            count = steps;
        }
        let column = |(&first, &last): (&f64, &f64)| match units(first, finest) {
            Some(units) if first != last => Column::From(units),
            _ => Column::Still(first),
        };
        let columns = first.iter().zip(last).map(column).collect();
        Ok(Self { columns, step: unit_step, decimals: finest, count })
    }

    /// A range of one column, in units of a power of ten.
    ///
    /// # Panics
    /// If a value would have more than 15 digits.
    pub(crate) fn of_units(first: i64, step: i64, count: usize, decimals: u32) -> Self {
        let last = first + step * (count as i64 - 1);
        assert!(first.abs() <= MOST_UNITS && last.abs() <= MOST_UNITS, "too many digits");
        Self { columns: vec![Column::From(first)], step, decimals, count }
    }

    /// The same range with columns that stay before and after its own, or several columns in step with each other.
    pub(crate) fn with_columns(&self, columns: &[Result<i64, f64>]) -> Self {
        let column = |column: &Result<i64, f64>| match *column {
            Ok(first) => Column::From(first),
            Err(still) => Column::Still(still),
        };
        Self { columns: columns.iter().map(column).collect(), ..self.clone() }
    }

    /// The same range with other columns: each is one of its own, given by its index, or stays at a value.
    pub(crate) fn with_sources(&self, columns: &[Result<usize, f64>]) -> Self {
        let column = |column: &Result<usize, f64>| match *column {
            Ok(index) => self.columns[index],
            Err(still) => Column::Still(still),
        };
        Self { columns: columns.iter().map(column).collect(), ..self.clone() }
    }

    /// How many values there are.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// How far apart neighbouring values are.
    pub fn step(&self) -> f64 {
        value(self.step, self.decimals)
    }

    /// How many decimals its values have at most.
    pub fn decimals(&self) -> u32 {
        self.decimals
    }

    /// Whether a column moves.
    pub fn moves(&self, column: usize) -> bool {
        matches!(self.columns[column], Column::From(_)) && self.count > 1
    }

    /// How many columns there are.
    pub fn width(&self) -> usize {
        self.columns.len()
    }

    /// The value of a column at an option of the range.
    ///
    /// # Panics
    /// If there is no such option or column.
    pub fn value(&self, index: usize, column: usize) -> f64 {
        debug_assert!(index < self.count, "no such option");
        match self.columns[column] {
            Column::Still(still) => still,
            Column::From(first) => value(first + self.step * index as i64, self.decimals),
        }
    }

    /// The values of all columns at an option of the range.
    pub fn row(&self, index: usize) -> Vec<f64> {
        (0..self.columns.len()).map(|column| self.value(index, column)).collect()
    }

    /// The option of the range that has exactly these values.
    pub fn find(&self, row: &[f64]) -> Option<usize> {
        let mut index = None;
        for (column, &wanted) in self.columns.iter().zip(row) {
            match *column {
                Column::Still(still) if still == wanted => {}
                Column::Still(_) => return None,
                Column::From(first) => {
                    let steps = units(wanted, self.decimals)? - first;
                    if steps % self.step != 0
                        || index.is_some_and(|known| known != steps / self.step)
                    {
                        return None;
                    }
                    index = Some(steps / self.step);
                }
            }
        }
        let index = usize::try_from(index.unwrap_or(0)).ok()?;
        (index < self.count).then_some(index)
    }

    /// How many options from the first on have a column's value at or below a number.
    pub(crate) fn count_at_most(&self, column: usize, number: f64) -> usize {
        let below = |index: usize| self.value(index, column) <= number;
        let (mut from, mut to) = (0, self.count);
        while from < to {
            let middle = from.midpoint(to);
            if below(middle) {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        from
    }

    /// The part of a range from one option to another, both included.
    pub(crate) fn part(&self, from: usize, to: usize) -> Self {
        let column = |column: &Column| match *column {
            Column::Still(still) => Column::Still(still),
            Column::From(first) => Column::From(first + self.step * from as i64),
        };
        Self {
            columns: self.columns.iter().map(column).collect(),
            count: to - from + 1,
            ..self.clone()
        }
    }

    /// The same range for some of its columns.
    pub(crate) fn with_only(&self, kept: &[usize]) -> Self {
        Self { columns: kept.iter().map(|&column| self.columns[column]).collect(), ..self.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(first: &[f64], last: &[f64], step: f64) -> ValueRange {
        ValueRange::new(first, last, step).unwrap()
    }

    #[test]
    fn every_value_is_the_decimal_that_people_write() {
        let tenths = range(&[0.1], &[0.6], 0.1);
        let values: Vec<f64> = (0..tenths.len()).map(|index| tenths.value(index, 0)).collect();
        assert_eq!(values, [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]);
        assert_eq!(tenths.find(&[0.3]), Some(2));
        assert_eq!((tenths.find(&[0.7]), tenths.find(&[0.25])), (None, None));
        assert_eq!((tenths.count_at_most(0, 0.3), tenths.count_at_most(0, 0.35)), (3, 3));
        let tiny = range(&[1e-13], &[9e-13], 1e-13);
        assert_eq!((tiny.len(), tiny.value(6, 0)), (9, 7e-13));
    }

    #[test]
    fn columns_go_in_step_or_stay() {
        let joint = range(&[10.5, 3.0, 0.0], &[12.5, 5.0, 0.0], 0.5);
        assert_eq!((joint.len(), joint.row(3)), (5, vec![12.0, 4.5, 0.0]));
        assert_eq!((joint.find(&[11.0, 3.5, 0.0]), joint.find(&[11.0, 3.0, 0.0])), (Some(1), None));
        assert!(joint.moves(0) && joint.moves(1) && !joint.moves(2));
        assert_eq!(joint.part(1, 2).row(1), joint.row(2));
    }

    #[test]
    fn ranges_that_do_not_fit_are_refused() {
        for (first, last, step, expected) in [
            (&[1.0][..], &[2.0][..], 0.3, "steps of 0.3"),
            (&[1.0], &[2.0], 0.0, "above 0"),
            (&[1.0, 1.0], &[2.0, 3.0], 1.0, "columns of 2 and of 3"),
            (&[1.0], &[2.0, 3.0], 1.0, "1 first and 2 last"),
            (&[2.0], &[1.0], 1.0, "does not lead"),
            (&[0.1 + 0.2], &[1.0], 0.1, "15 digits"),
        ] {
            let error = ValueRange::new(first, last, step).unwrap_err();
            assert!(error.contains(expected), "{error}");
        }
    }

    #[test]
    fn options_count_through_ranges_and_lists() {
        let options = Options::new(
            vec![range(&[1.0], &[3.0], 1.0), range(&[10.0], &[30.0], 10.0)],
            vec![vec![2.5], vec![-9.0]],
        );
        let values: Vec<f64> = (0..options.len()).map(|option| options.value(option, 0)).collect();
        assert_eq!(values, [1.0, 2.0, 3.0, 10.0, 20.0, 30.0, 2.5, -9.0]);
        for (option, &value) in values.iter().enumerate() {
            assert_eq!(options.find(&[value]), Some(option));
            assert_eq!(options.row(option), [value]);
        }
        assert_eq!(options.find(&[4.0]), None);
    }
}
