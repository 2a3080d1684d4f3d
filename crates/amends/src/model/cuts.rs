//! Where to cut one column: the rows of a node counted by value, and the purest cut between two values.

use super::ranks::RankedColumn;
use super::tally::Tally;

/// The rows of a node added up by the rank of their value in one column; buffers are kept between uses.
#[derive(Default)]
pub(super) struct Cuts<T> {
    by_rank: Vec<Option<T>>,
    present: Vec<(u32, T)>,
}

/// A cut between two values that are there.
#[derive(Clone, Copy)]
pub(super) struct Cut {
    /// The last rank on the left.
    pub(super) low: u32,
    /// The first rank on the right.
    pub(super) high: u32,
    /// Both sides' purity.
    pub(super) purity: f64,
}

impl<T: Tally> Cuts<T> {
    /// The purest cut of a node, the lowest of equal ones. None where the column is constant.
    pub(super) fn purest(
        &mut self,
        column: &RankedColumn,
        tallies: &[T],
        rows: &[usize],
    ) -> Option<Cut> {
        self.count(column, tallies, rows);
        let total = self.present.iter().fold(T::default(), |sum, &(_, tally)| sum.and(tally));
        let mut left = T::default();
        let mut best: Option<Cut> = None;
        for pair in self.present.windows(2) {
            left = left.and(pair[0].1);
            let purity = left.purity() + total.without(left).purity();
            if best.is_none_or(|best| purity > best.purity) {
                best = Some(Cut { low: pair[0].0, high: pair[1].0, purity });
            }
        }
        best
    }

    fn count(&mut self, column: &RankedColumn, tallies: &[T], rows: &[usize]) {
        self.present.clear();
        // A table of all ranks is quick unless the node is tiny compared to it.
        if column.distinct() > 16 * rows.len() {
            self.present.extend(rows.iter().map(|&row| (column.rank(row), tallies[row])));
            self.present.sort_unstable_by_key(|&(rank, _)| rank);
            self.present.dedup_by(|later, kept| {
                let same = later.0 == kept.0;
                if same {
                    kept.1 = kept.1.and(later.1);
                }
                same
            });
        } else {
            self.by_rank.clear();
            self.by_rank.resize(column.distinct(), None);
            for &row in rows {
                let sum = &mut self.by_rank[column.rank(row) as usize];
                *sum = Some(sum.map_or(tallies[row], |sum| sum.and(tallies[row])));
            }
            let ranked = (0..).zip(&self.by_rank);
            self.present.extend(ranked.filter_map(|(rank, sum)| Some((rank, (*sum)?))));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Training;
    use crate::model::tally::{Slope, Votes};

    /// The least cost that any threshold leaves, where a side's cost comes from its definition.
    fn least(values: &[f64], rows: &[usize], cost: impl Fn(&[usize]) -> f64) -> f64 {
        let cuts = rows.iter().filter_map(|&cut| {
            let (left, right): (Vec<usize>, Vec<usize>) =
                rows.iter().partition(|&&row| values[row] <= values[cut]);
            (!right.is_empty()).then(|| cost(&left) + cost(&right))
        });
        cuts.fold(f64::INFINITY, f64::min)
    }

    /// Compares the purest cut with the least cost on many nodes of a table; purity and cost add up to a
    /// constant of the node.
    fn compare<T: Tally>(
        rows: &[Vec<f64>],
        tallies: &[T],
        cost: impl Fn(&[usize]) -> f64,
        constant: impl Fn(&[usize]) -> f64,
    ) {
        let favourable: Vec<bool> = (0..rows.len()).map(|i| i == 0).collect();
        let training = Training::new(rows, &favourable, &[false, false]).unwrap();
        let columns = RankedColumn::all(&training);
        let mut cuts = Cuts::default();
        // 400 distinct values in 9 rows are sorted, in 80 rows they are counted.
        for size in [9, 80] {
            for start in 0..40 {
                let node: Vec<usize> = (0..size).map(|i| (start + 7 * i) % 400).collect();
                for (d, column) in columns.iter().enumerate() {
                    let cut = cuts.purest(column, tallies, &node).unwrap();
                    assert!(cut.low < cut.high);
                    let values: Vec<f64> = rows.iter().map(|row| row[d]).collect();
                    let expected = least(&values, &node, &cost);
                    assert!((constant(&node) - cut.purity - expected).abs() < 1e-9);
                }
            }
        }
    }

    fn wave(i: usize) -> f64 {
        (i as f64 * 1.37).sin()
    }

    fn rows() -> Vec<Vec<f64>> {
        (0..400).map(|i| vec![wave(i), (9.0 * wave(i)).round()]).collect()
    }

    #[test]
    fn cuts_of_votes_leave_the_least_gini_impurity() {
        let favourable: Vec<bool> = (0..400).map(|i| wave(i) + 0.7 * wave(i * i) > 0.0).collect();
        let draws: Vec<u32> = (0..400).map(|i| 1 + i % 3).collect();
        let tallies: Vec<Votes> =
            draws.iter().zip(&favourable).map(|(&draws, &good)| Votes::of(draws, good)).collect();
        let drawn = |side: &[usize]| f64::from(side.iter().map(|&row| draws[row]).sum::<u32>());
        let impurity = |side: &[usize]| {
            let good: Vec<usize> = side.iter().copied().filter(|&row| favourable[row]).collect();
            let share = drawn(&good) / drawn(side);
            drawn(side) * (1.0 - share.powi(2) - (1.0 - share).powi(2))
        };
        compare(&rows(), &tallies, impurity, drawn);
    }

    #[test]
    fn cuts_of_slopes_leave_the_least_squared_error() {
        let probability = |i: usize| 0.5 + 0.4 * wave(3 * i);
        let favourable = |i: usize| wave(i) + 0.7 * wave(i * i) > 0.0;
        let tallies: Vec<Slope> = (0..400)
            .map(|i| Slope::of((probability(i) / (1.0 - probability(i))).ln(), favourable(i)))
            .collect();
        let residual = |row: usize| f64::from(u8::from(favourable(row))) - probability(row);
        let squares = |side: &[usize]| side.iter().map(|&row| residual(row).powi(2)).sum::<f64>();
        let error = |side: &[usize]| {
            let mean = side.iter().map(|&row| residual(row)).sum::<f64>() / side.len() as f64;
            side.iter().map(|&row| (residual(row) - mean).powi(2)).sum::<f64>()
        };
        compare(&rows(), &tallies, error, squares);
    }
}
