//! What may still join the set that a walk is at.

/// A direction with less than this left of its length counts as if nothing were left.
pub(super) const LEAST_SHARE: f64 = 0.02;

/// What may still join a partial set, the set projected out.
#[derive(Debug, Default)]
pub(super) struct Level {
    pub candidates: Vec<usize>,
    /// Where each is in the level above.
    pub sources: Vec<usize>,
    pub gains: Vec<f64>,
    /// Squared.
    pub lengths: Vec<f64>,
    /// How much of them may be taken.
    pub limits: Vec<(f64, f64)>,
    /// What is left of a squared length beside products with others; may be less than nothing.
    pub shares: Vec<f64>,
    /// Of every two candidates, row by row; those right of the diagonal are used.
    pub products: Vec<f64>,
}

impl Level {
    /// For sets of `size` candidates.
    pub(super) fn set_shares(&mut self, size: usize, largest: &mut Vec<f64>) {
        let count = self.candidates.len();
        let others = size.saturating_sub(1);
        // Per candidate its largest products, the least of them first.
        largest.clear();
        largest.resize(count * others, 0.0);
        let keep = |largest: &mut [f64], value: f64| {
            if largest.first().is_some_and(|&least| value > least) {
                let mut at = 0;
                while at + 1 < others && largest[at + 1] < value {
                    largest[at] = largest[at + 1];
                    at += 1;
                }
                largest[at] = value;
            }
        };
        if others > 0 {
            for i in 0..count {
                for j in i + 1..count {
                    let product = self.products[i * count + j].abs();
                    keep(&mut largest[i * others..][..others], product);
                    keep(&mut largest[j * others..][..others], product);
                }
            }
        }
        self.shares.clear();
        for (j, &length) in self.lengths.iter().enumerate() {
            self.shares.push(length - largest[j * others..][..others].iter().sum::<f64>());
        }
    }

    /// The candidates after the i-th of a level, it projected out; products are left to `project_products`.
    pub(super) fn project(&mut self, from: &Level, i: usize, groups: &[usize]) {
        let count = from.candidates.len();
        let row = &from.products[i * count..][..count];
        let length = from.lengths[i].max(f64::MIN_POSITIVE);
        let ratio = from.gains[i] / length;
        let group = groups[from.candidates[i]];
        self.candidates.clear();
        self.sources.clear();
        self.gains.clear();
        self.lengths.clear();
        self.limits.clear();
        self.shares.clear();
        for j in i + 1..count {
            if groups[from.candidates[j]] != group {
                self.candidates.push(from.candidates[j]);
                self.sources.push(j);
                self.gains.push(from.gains[j] - ratio * row[j]);
                self.lengths.push(from.lengths[j] - row[j] * row[j] / length);
                self.limits.push(from.limits[j]);
                self.shares.push(from.shares[j]);
            }
        }
    }

    /// The products of the same.
    pub(super) fn project_products(&mut self, from: &Level, i: usize) {
        let own = self.candidates.len();
        let mut products = std::mem::take(&mut self.products);
        let mut row = Vec::with_capacity(own);
        products.resize(own * own, 0.0);
        for a in 0..own {
            self.project_row(from, i, a, &mut row);
            products[a * own..][a + 1..own].copy_from_slice(&row);
        }
        self.products = products;
    }

    /// The products of the a-th candidate with those after it, the i-th of the level above projected out.
    pub(super) fn project_row(&self, from: &Level, i: usize, a: usize, to: &mut Vec<f64>) {
        let count = from.candidates.len();
        let out = &from.products[i * count..][..count];
        let source = self.sources[a];
        let row = &from.products[source * count..][..count];
        let ratio = out[source] / from.lengths[i].max(f64::MIN_POSITIVE);
        let after = &self.sources[a + 1..];
        to.clear();
        if count - source - 1 == after.len() {
            // None of the others is left out: the same places, moved.
            let both = row[source + 1..].iter().zip(&out[source + 1..]);
            to.extend(both.map(|(product, other)| product - ratio * other));
        } else {
            to.extend(after.iter().map(|&j| row[j] - ratio * out[j]));
        }
    }

    /// The most that `left` candidates can add.
    pub(super) fn most_joined(&self, left: usize, largest: &mut Vec<f64>) -> f64 {
        largest.clear();
        largest.resize(left, 0.0);
        for (at, &gain) in self.gains.iter().enumerate() {
            let mut most = most_added(gain, self.shares[at], self.limits[at]);
            if most > largest[left - 1] {
                for slot in largest.iter_mut() {
                    if most > *slot {
                        std::mem::swap(slot, &mut most);
                    }
                }
            }
        }
        largest.iter().sum()
    }
}

/// The most that a direction adds to the squared gain of a set, `2 gain x - length x^2` with so much of it as may be taken.
pub(super) fn most_added(gain: f64, length: f64, (low, high): (f64, f64)) -> f64 {
    if length >= LEAST_SHARE {
        let taken = (gain / length).clamp(low, high);
        return (2.0 * gain - length * taken) * taken;
    }
    // Straight, or bent upwards: the ends decide.
    let length = length.min(0.0);
    let at = |taken: f64| (2.0 * gain - length * taken) * taken;
    at(low).max(at(high)).max(0.0)
}

/// What a direction adds to the squared gain of a set; infinity where it has no length of its own.
pub(super) fn added(gain: f64, length: f64) -> f64 {
    if length > 0.0 { gain * gain / length } else { f64::INFINITY }
}
