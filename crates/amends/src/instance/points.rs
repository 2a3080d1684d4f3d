//! The reference points, which the instances of many applicants share.

use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Serialize};

/// Reference points, one row of columns each. Copies share the rows, and what has been found out about them.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(from = "Vec<Vec<f64>>", into = "Vec<Vec<f64>>")]
pub struct ReferencePoints(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    rows: Vec<Vec<f64>>,
    ranges: OnceLock<Option<Vec<(f64, f64)>>>,
    columns: OnceLock<Vec<Vec<f64>>>,
}

impl ReferencePoints {
    /// Per column its least and its largest value; `None` where a row has another length than the first, or a value that is
    /// not finite. Asking again costs nothing.
    pub(crate) fn ranges(&self) -> Option<&[(f64, f64)]> {
        self.0.ranges.get_or_init(|| ranges(&self.0.rows)).as_deref()
    }

    /// The points column by column, for whoever goes through all of them: rows lie all over the memory. Asking again costs
    /// nothing.
    pub(crate) fn columns(&self) -> &[Vec<f64>] {
        self.0.columns.get_or_init(|| columns(&self.0.rows))
    }
}

fn ranges(rows: &[Vec<f64>]) -> Option<Vec<(f64, f64)>> {
    let mut ranges: Vec<(f64, f64)> = rows.first()?.iter().map(|&value| (value, value)).collect();
    for row in rows {
        if row.len() != ranges.len() || row.iter().any(|value| !value.is_finite()) {
            return None;
        }
        for (range, &value) in ranges.iter_mut().zip(row) {
            *range = (range.0.min(value), range.1.max(value));
        }
    }
    Some(ranges)
}

fn columns(rows: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let width = rows.first().map_or(0, Vec::len);
    let mut columns: Vec<Vec<f64>> = (0..width).map(|_| Vec::with_capacity(rows.len())).collect();
    // So many rows stay in the cache while each of their columns is read.
    for block in rows.chunks(64) {
        for (c, column) in columns.iter_mut().enumerate() {
            column.extend(block.iter().map(|row| row[c]));
        }
    }
    columns
}

impl Deref for ReferencePoints {
    type Target = [Vec<f64>];

    fn deref(&self) -> &[Vec<f64>] {
        &self.0.rows
    }
}

impl From<Vec<Vec<f64>>> for ReferencePoints {
    fn from(rows: Vec<Vec<f64>>) -> Self {
        Self(Arc::new(Shared { rows, ..Shared::default() }))
    }
}

impl From<ReferencePoints> for Vec<Vec<f64>> {
    fn from(points: ReferencePoints) -> Self {
        points.0.rows.clone()
    }
}

impl PartialEq for ReferencePoints {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0.rows == other.0.rows
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ranges_of_columns_are_known_where_every_value_is_a_number() {
        let points = ReferencePoints::from(vec![vec![1.0, -2.0], vec![0.5, 4.0]]);
        assert_eq!(points.ranges(), Some(&[(0.5, 1.0), (-2.0, 4.0)][..]));
        assert_eq!(points.clone().ranges(), points.ranges());
        assert_eq!(points.columns(), [vec![1.0, 0.5], vec![-2.0, 4.0]]);
        for rows in [vec![vec![1.0], vec![f64::NAN]], vec![vec![1.0], vec![1.0, 2.0]], vec![]] {
            assert_eq!(ReferencePoints::from(rows).ranges(), None);
        }
    }
}
