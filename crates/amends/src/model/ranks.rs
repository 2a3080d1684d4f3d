//! Training columns as ranks of their distinct values, so that finding a split needs no sorting.

use super::Training;

/// One column: its distinct values in ascending order, and for each row the position of its value there.
pub(super) struct RankedColumn {
    values: Vec<f64>,
    ranks: Vec<u32>,
}

impl RankedColumn {
    pub(super) fn all(training: &Training<'_>) -> Vec<Self> {
        (0..training.width())
            .map(|column| {
                Self::new(&training.rows().iter().map(|row| row[column]).collect::<Vec<f64>>())
            })
            .collect()
    }

    fn new(column: &[f64]) -> Self {
        let mut values = column.to_vec();
        values.sort_by(f64::total_cmp);
        // Equal as numbers, not as bits: -0 and 0 are one value.
        values.dedup();
        let rank = |value: &f64| values.partition_point(|other| other < value) as u32;
        let ranks = column.iter().map(rank).collect();
        Self { values, ranks }
    }

    /// How many distinct values the column has.
    pub(super) fn distinct(&self) -> usize {
        self.values.len()
    }

    /// The rank of a row's value.
    pub(super) fn rank(&self, row: usize) -> u32 {
        self.ranks[row]
    }

    /// A threshold with everything up to rank `low` on its left, and rank `high` and more on its right.
    pub(super) fn between(&self, low: u32, high: u32) -> f64 {
        let (low, high) = (self.values[low as usize], self.values[high as usize]);
        let middle = low / 2.0 + high / 2.0;
        // Between neighbouring floats the middle may round up to the higher one, which must go right.
        if middle < high { middle.max(low) } else { low }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_follow_the_order_of_values() {
        let column = RankedColumn::new(&[5.0, -1.0, 5.0, 0.0, -0.0]);
        assert_eq!(column.ranks, [2, 0, 2, 1, 1]);
        assert_eq!(column.distinct(), 3);
        assert_eq!(column.between(1, 2), 2.5);
    }

    #[test]
    fn a_threshold_separates_even_neighbouring_floats() {
        for low in [1.0_f64, 0.1, -3.7, 5e-324] {
            let column = RankedColumn::new(&[low, low.next_up()]);
            let threshold = column.between(0, 1);
            assert!(low <= threshold && threshold < low.next_up(), "{low}: {threshold}");
        }
    }
}
