//! A set that gains much, found by exchanging two of its directions at a time.
//!
//! Directions that nearly depend on each other gain much together and little alone, so that adding the best of them one by one ends at
//! a poor set. With all but two of a set projected out, the best two to join it are found by looking at every two.

use super::Directions;
use super::chosen::Chosen;

/// With less than this left of a squared length, a direction is not added to a set.
const LEAST_LENGTH: f64 = 1e-9;

/// Two are exchanged where that gains this much more, relatively.
const GAIN: f64 = 1e-3;

/// At most this many exchanges.
const MOST_EXCHANGES: usize = 32;

/// What is left of a candidate with a set projected out.
struct Left {
    direction: usize,
    gain: f64,
    length: f64,
    /// Its products with the set, orthogonalised.
    along: Vec<f64>,
}

impl Directions {
    /// Improves a set of candidates: about what it gains, squared, grows. Gains are those of the candidates, which are in rising
    /// order.
    pub(in crate::search) fn exchange(
        &self,
        candidates: &[usize],
        gains: &[f64],
        set: &mut [usize],
    ) {
        let size = set.len();
        if size < 2 {
            return;
        }
        let gain = |j: usize| candidates.binary_search(&j).map_or(0.0, |at| gains[at]);
        let mut tried = 0;
        let mut exchanged = 0;
        let pairs: Vec<(usize, usize)> =
            (1..size).flat_map(|a| (0..a).map(move |b| (a, b))).collect();
        // Until no two of the set can be exchanged.
        while tried < pairs.len() && exchanged < MOST_EXCHANGES {
            let (a, b) = pairs[(tried + exchanged) % pairs.len()];
            let kept = (0..size).filter(|&at| at != a && at != b).map(|at| set[at]);
            let left = self.left(candidates, gains, &kept.collect::<Vec<_>>(), &gain);
            let now = |j: usize| left.iter().find(|left| left.direction == j);
            let before = match (now(set[a]), now(set[b])) {
                (Some(first), Some(second)) => self.joined(first, second),
                _ => 0.0,
            };
            let mut best = (before * (1.0 + GAIN), None);
            for (at, first) in left.iter().enumerate() {
                for second in &left[..at] {
                    let joined = self.joined(first, second);
                    if joined > best.0 {
                        best = (joined, Some((first.direction, second.direction)));
                    }
                }
            }
            match best.1 {
                Some((first, second)) => {
                    (set[a], set[b]) = (first, second);
                    exchanged += 1;
                    tried = 0;
                }
                None => tried += 1,
            }
        }
    }

    /// The candidates that may join a set.
    fn left(
        &self,
        candidates: &[usize],
        gains: &[f64],
        kept: &[usize],
        gain: &dyn Fn(usize) -> f64,
    ) -> Vec<Left> {
        let mut chosen = Chosen::default();
        for &j in kept {
            chosen.push(self, j);
        }
        let along = |value: &dyn Fn(usize) -> f64| -> Vec<f64> {
            let part = |row: &[f64; super::MOST_SIZE]| {
                kept.iter().zip(row).map(|(&i, part)| part * value(i)).sum()
            };
            chosen.inverse.iter().map(part).collect()
        };
        let gained = along(gain);
        let mut left = Vec::with_capacity(candidates.len());
        for (&direction, &own) in candidates.iter().zip(gains) {
            if kept.iter().any(|&other| self.groups[other] == self.groups[direction]) {
                continue;
            }
            let along = along(&|i| self.product(i, direction));
            let length =
                self.product(direction, direction) - along.iter().map(|a| a * a).sum::<f64>();
            if length > LEAST_LENGTH {
                let gain = own - along.iter().zip(&gained).map(|(a, g)| a * g).sum::<f64>();
                left.push(Left { direction, gain, length, along });
            }
        }
        left
    }

    /// What two candidates add to the squared gain of a set.
    fn joined(&self, first: &Left, second: &Left) -> f64 {
        if self.groups[first.direction] == self.groups[second.direction] {
            return 0.0;
        }
        let known: f64 = first.along.iter().zip(&second.along).map(|(a, b)| a * b).sum();
        let product = self.product(first.direction, second.direction) - known;
        let ratio = product / first.length;
        let length = second.length - ratio * product;
        if length <= LEAST_LENGTH {
            return 0.0;
        }
        let own = second.gain - ratio * first.gain;
        first.gain * first.gain / first.length + own * own / length
    }
}
