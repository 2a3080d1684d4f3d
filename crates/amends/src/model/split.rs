//! Setting rows aside for testing.

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

/// Rows for training and rows for testing, by number and in ascending order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Split {
    /// The rows to train on.
    pub train: Vec<usize>,
    /// The rows to test on.
    pub test: Vec<usize>,
}

/// Sets a random `test_share` of the rows aside, rounded up; 0.25 is usual. The same seed gives the same
/// rows. A share below 0 counts as 0, one above 1 as 1.
///
/// ```
/// let split = amends::model::holdout(10, 0.25, 1);
/// assert_eq!((split.train.len(), split.test.len()), (7, 3));
/// ```
pub fn holdout(rows: usize, test_share: f64, seed: u64) -> Split {
    let mut train: Vec<usize> = (0..rows).collect();
    train.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
    let tested = ((rows as f64 * test_share.clamp(0.0, 1.0)).ceil() as usize).min(rows);
    let mut test = train.split_off(rows - tested);
    train.sort_unstable();
    test.sort_unstable();
    Split { train, test }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_on_one_side() {
        for (rows, share, tested) in
            [(1000, 0.25, 250), (9871, 0.25, 2468), (3, 2.0, 3), (4, -1.0, 0)]
        {
            let split = holdout(rows, share, 7);
            assert_eq!(split.test.len(), tested);
            let mut all = [split.train, split.test].concat();
            all.sort_unstable();
            assert!(all.into_iter().eq(0..rows));
        }
        assert!(holdout(5, f64::NAN, 0).test.is_empty());
        assert!(holdout(0, 0.25, 0).train.is_empty());
    }

    #[test]
    fn seeds_repeat_and_differ() {
        assert_eq!(holdout(100, 0.25, 3), holdout(100, 0.25, 3));
        assert_ne!(holdout(100, 0.25, 3), holdout(100, 0.25, 4));
    }
}
