//! Contributions to any score: Shapley values by enumeration of all coalitions, or by sampling where those are too many.

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use super::{Attribution, Contributions};

/// About so many applications are scored per applicant: some tenths of a second for networks of usual size.
pub(super) const MOST_SCORES: usize = 1 << 18;

/// Fewer pairs of permutations per member say nothing about the error.
const LEAST_PAIRS: usize = 2;

/// The score of encoded columns.
pub(super) type Score<'a> = &'a dyn Fn(&[f64]) -> f64;

/// Per feature, its contribution, from about so many scores at most.
pub(super) fn contributions_within(
    most_scores: usize,
    score: Score,
    feature_of: &[usize],
    x: &[f64],
    rows: &[Vec<f64>],
) -> Contributions {
    let features = feature_of.last().map_or(0, |last| last + 1);
    let mixes: Vec<Mix> = rows.iter().map(|row| Mix::new(score, feature_of, x, row)).collect();
    let coalitions = mixes.iter().try_fold(0_usize, |sum, mix| {
        sum.checked_add(1_usize.checked_shl(mix.differing.len() as u32)?)
    });
    if coalitions.is_some_and(|count| count <= most_scores) {
        let mut values = vec![0.0; features];
        for mix in &mixes {
            mix.enumerate(&mut values);
        }
        let count = rows.len() as f64;
        return Contributions::exact(values.into_iter().map(|sum| sum / count).collect());
    }
    let scores_per_pair: usize = mixes.iter().map(|mix| 2 * mix.differing.len()).sum();
    let pairs = (most_scores / scores_per_pair.max(1)).max(LEAST_PAIRS);
    sampled(&mixes, features, pairs)
}

/// From a given number of pairs of permutations per member.
#[cfg(test)]
pub(super) fn sampled_pairs(
    pairs: usize,
    score: Score,
    feature_of: &[usize],
    x: &[f64],
    rows: &[Vec<f64>],
) -> Contributions {
    let mixes: Vec<Mix> = rows.iter().map(|row| Mix::new(score, feature_of, x, row)).collect();
    sampled(&mixes, feature_of.last().map_or(0, |last| last + 1), pairs)
}

/// Means over pairs of a random permutation and its reverse, as many for every member. All members count, so that the error is
/// that of the permutations alone.
fn sampled(mixes: &[Mix], features: usize, pairs: usize) -> Contributions {
    // The same for everybody: equal applicants get equal answers.
    let mut rng = ChaCha8Rng::seed_from_u64(0);
    let mut values = vec![0.0; features];
    let mut variances = vec![0.0; features];
    for mix in mixes {
        let mut sums = vec![0.0; mix.differing.len()];
        let mut squares = vec![0.0; mix.differing.len()];
        let mut order: Vec<usize> = (0..mix.differing.len()).collect();
        for _ in 0..pairs {
            order.shuffle(&mut rng);
            let mut gains = vec![0.0; order.len()];
            mix.add_gains(&order, &mut gains);
            order.reverse();
            mix.add_gains(&order, &mut gains);
            for (place, gain) in gains.iter().enumerate() {
                sums[place] += gain / 2.0;
                squares[place] += (gain / 2.0).powi(2);
            }
        }
        let count = pairs as f64;
        for (place, &feature) in mix.differing.iter().enumerate() {
            let mean = sums[place] / count;
            values[feature] += mean;
            let variance = (squares[place] / count - mean.powi(2)).max(0.0) / (count - 1.0);
            variances[feature] += variance;
        }
    }
    let members = mixes.len() as f64;
    Contributions {
        values: values.into_iter().map(|sum| sum / members).collect(),
        errors: Some(variances.into_iter().map(|sum| sum.sqrt() / members).collect()),
        method: Attribution::Sampled { permutations: 2 * pairs },
    }
}

/// Applications between a member of the group and the applicant.
struct Mix<'a> {
    score: Score<'a>,
    feature_of: &'a [usize],
    x: &'a [f64],
    member: &'a [f64],
    /// The features in which the two differ.
    differing: Vec<usize>,
}

impl<'a> Mix<'a> {
    fn new(score: Score<'a>, feature_of: &'a [usize], x: &'a [f64], member: &'a [f64]) -> Self {
        let columns = 0..x.len();
        let mut differing: Vec<usize> =
            columns.filter(|&c| x[c] != member[c]).map(|c| feature_of[c]).collect();
        differing.dedup();
        Self { score, feature_of, x, member, differing }
    }

    /// Gives the columns of a feature the values of the applicant or of the member.
    fn set(&self, row: &mut [f64], feature: usize, applicant: bool) {
        let from = self.feature_of.partition_point(|&owner| owner < feature);
        let to = self.feature_of.partition_point(|&owner| owner <= feature);
        let values = if applicant { self.x } else { self.member };
        row[from..to].copy_from_slice(&values[from..to]);
    }

    /// Adds the Shapley values of this member's game: every coalition is scored once.
    fn enumerate(&self, values: &mut [f64]) {
        let count = self.differing.len();
        let mut row = self.member.to_vec();
        let mut scores = vec![0.0; 1 << count];
        scores[0] = (self.score)(&row);
        let mut coalition = 0_usize;
        // In the order of the Gray code each coalition differs from the one before in one feature.
        for step in 1_usize..1 << count {
            let place = step.trailing_zeros() as usize;
            coalition ^= 1 << place;
            self.set(&mut row, self.differing[place], coalition >> place & 1 == 1);
            scores[coalition] = (self.score)(&row);
        }
        // s! (n-s-1)! / n! is 1/n for s = 0, and s / (n-s) times that of s - 1.
        let mut weights = vec![1.0 / count as f64; count];
        for size in 1..count {
            weights[size] = weights[size - 1] * size as f64 / (count - size) as f64;
        }
        for (place, &feature) in self.differing.iter().enumerate() {
            let without = (0..scores.len()).filter(|coalition| coalition >> place & 1 == 0);
            values[feature] += without
                .map(|coalition| {
                    let gain = scores[coalition | 1 << place] - scores[coalition];
                    weights[coalition.count_ones() as usize] * gain
                })
                .sum::<f64>();
        }
    }

    /// Adds what every feature changes where they are exchanged in an order.
    fn add_gains(&self, order: &[usize], gains: &mut [f64]) {
        let mut row = self.member.to_vec();
        let mut before = (self.score)(&row);
        for &place in order {
            self.set(&mut row, self.differing[place], true);
            let after = (self.score)(&row);
            gains[place] += after - before;
            before = after;
        }
    }
}
