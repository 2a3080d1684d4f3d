//! What every fit asks of its rows, and the spread of their columns.

use std::cmp::Ordering;

use rayon::prelude::*;

use crate::{InputError, Result};

/// The number of columns of `rows`, which are all as long as the first and hold finite numbers only.
/// `what` names the rows in the message: "rejected", "accepted".
pub(super) fn check_rows(rows: &[Vec<f64>], what: &str) -> Result<usize> {
    let width = rows.first().map_or(0, Vec::len);
    if width == 0 {
        return Err(InputError::new(format!("there are no {what} rows with columns to measure"))
            .remedy(format!("give a table that holds {what} applicants"))
            .into());
    }
    for (index, row) in rows.iter().enumerate() {
        if row.len() != width {
            return Err(InputError::new(format!(
                "columns found, the first {what} row has {width}"
            ))
            .row(index + 1)
            .value(row.len())
            .remedy("encode all rows with the same schema")
            .into());
        }
        if let Some(column) = row.iter().position(|value| !value.is_finite()) {
            return Err(InputError::new("is not a finite number")
                .at(format!("{what} row {}", index + 1))
                .at(format!("column {}", column + 1))
                .value(row[column])
                .remedy("fill in missing values, or declare their code in the schema")
                .into());
        }
    }
    Ok(width)
}

/// The mean of each column's differences to the first row. Means are taken from there and not from
/// zero so that a constant column has a spread of exactly nothing, whatever its value.
pub(super) fn mean_offset(rows: &[Vec<f64>]) -> Vec<f64> {
    mean_offset_of(rows, rows.first().map_or(0, Vec::len), |row, column| row[column])
}

/// The same of columns that are computed from the rows.
pub(super) fn mean_offset_of(
    rows: &[Vec<f64>],
    width: usize,
    value: impl Fn(&[f64], usize) -> f64,
) -> Vec<f64> {
    let Some(first) = rows.first() else { return Vec::new() };
    let first: Vec<f64> = (0..width).map(|column| value(first, column)).collect();
    let mut mean = vec![0.0; width];
    for row in rows {
        for (column, (mean, origin)) in mean.iter_mut().zip(&first).enumerate() {
            *mean += value(row, column) - origin;
        }
    }
    for mean in &mut mean {
        *mean /= rows.len() as f64;
    }
    mean
}

/// The population standard deviation of each column, and 1 where a column is constant: the divisors
/// that make columns comparable.
pub fn standard_scale(rows: &[Vec<f64>]) -> Vec<f64> {
    let mean = mean_offset(rows);
    let deviation = |column: usize| {
        let squares: f64 =
            rows.iter().map(|row| (row[column] - rows[0][column] - mean[column]).powi(2)).sum();
        (squares / rows.len() as f64).sqrt()
    };
    (0..mean.len())
        .map(deviation)
        .map(|deviation| if deviation.is_normal() { deviation } else { 1.0 })
        .collect()
}

/// The indices of rows that equal no row before them.
pub fn distinct_rows(rows: &[Vec<f64>]) -> Vec<usize> {
    let equal = EqualRows::of(rows);
    let mut first: Vec<usize> = (0..equal.len()).map(|group| equal.first(group)).collect();
    first.sort_unstable();
    first
}

/// Rows in groups of equal ones.
#[derive(Debug, Clone)]
pub(super) struct EqualRows {
    /// Group by group, within each in rising order.
    rows: Vec<u32>,
    /// Where each group starts, and where the last one ends.
    starts: Vec<u32>,
}

impl EqualRows {
    pub(super) fn of(rows: &[Vec<f64>]) -> Self {
        let mut order: Vec<u32> = (0..rows.len() as u32).collect();
        // Adding nothing makes one zero of both.
        let values = |row: u32| rows[row as usize].iter().map(|value| value + 0.0);
        let compare = |a: u32, b: u32| {
            let mut pairs = values(a).zip(values(b));
            let unequal = pairs.find_map(|(a, b)| Some(a.total_cmp(&b)).filter(|o| o.is_ne()));
            unequal.unwrap_or(Ordering::Equal)
        };
        order.par_sort_unstable_by(|&a, &b| compare(a, b).then(a.cmp(&b)));
        let is_start = |&position: &usize| {
            position == 0
                || position == order.len()
                || compare(order[position - 1], order[position]).is_ne()
        };
        let starts = (0..=order.len()).filter(is_start).map(|position| position as u32).collect();
        Self { rows: order, starts }
    }

    /// How many groups.
    pub(super) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// The rows of a group.
    pub(super) fn members(&self, group: usize) -> &[u32] {
        &self.rows[self.starts[group] as usize..self.starts[group + 1] as usize]
    }

    /// The lowest row of a group.
    pub(super) fn first(&self, group: usize) -> usize {
        self.rows[self.starts[group] as usize] as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_constant_column_has_scale_one_even_where_its_value_is_no_binary_fraction() {
        let rows = vec![vec![0.1, 1.0]; 7];
        assert_eq!(standard_scale(&rows), [1.0, 1.0]);
        assert_eq!(standard_scale(&[vec![10.0, 7.0], vec![30.0, 7.0]]), [10.0, 1.0]);
    }

    #[test]
    fn rows_are_distinct_by_their_values() {
        assert_eq!(distinct_rows(&[vec![0.0], vec![-0.0], vec![1e-300], vec![0.0]]), [0, 2]);
        assert!(distinct_rows(&[]).is_empty());
    }

    #[test]
    fn no_rows_have_no_scale() {
        assert!(standard_scale(&[]).is_empty());
    }

    #[test]
    fn a_missing_value_is_named_by_row_and_column() {
        let error = check_rows(&[vec![1.0, 2.0], vec![1.0, f64::NAN]], "accepted").unwrap_err();
        assert_eq!(
            error.to_string(),
            "accepted row 2, column 2: `NaN` is not a finite number; \
             fill in missing values, or declare their code in the schema"
        );
    }

    #[test]
    fn rows_of_different_lengths_are_refused() {
        let error = check_rows(&[vec![1.0, 2.0], vec![1.0]], "accepted").unwrap_err();
        assert!(error.to_string().starts_with("row 2: `1` columns found"), "{error}");
    }
}
