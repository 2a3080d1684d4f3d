//! All small sets of directions that gain enough per distance.
//!
//! Of a set S of directions with gains `w` and products `G`, the most that a step of length one gains is the root of
//! `g(S) = w_S' G_SS^-1 w_S`. A walk over partial sets P, depth first, projects P out of everything that may still join: what is
//! left of a direction j is a gain `v_j` and a length `s_j`, and alone it adds `v_j^2 / s_j`. The last two levels of the
//! walk are plain loops over these numbers. Higher up a subtree is left out where even the best that can join does not suffice: products
//! of directions that differ only take `2 |c_ij x_i x_j| <= |c_ij| (x_i^2 + x_j^2)` off a squared length, so any r
//! directions T that join add at most the sum over T of `v_j^2 / d_j`, with `d_j` what is left of `s_j = 1` beside the r - 1 largest `|c_ij|`.
//! Where only so much of a direction may be taken, it adds no more than that much of it does.
//! Projecting out one of them keeps that true of the others, where its own `d_j` is above 0.

/// Rounding errors of a gain up to this are allowed for; beyond it nothing is known of a set.
const KNOWN: f64 = 0.1;

/// What rounding may add to a sum of gains, relatively, beside what near dependence of directions adds.
const ROUNDING: f64 = 1e-9;

/// A direction with less than this left of its length counts as if nothing were left.
const LEAST_SHARE: f64 = 0.02;

/// The largest sets that are looked at.
pub(super) const MOST_SIZE: usize = 8;

/// Directions, scaled to length one.
#[derive(Debug)]
pub(super) struct Directions {
    /// Directions of the same group are never in one set.
    pub groups: Vec<usize>,
    /// One over the length that each had; one where it had none.
    pub inverse: Vec<f64>,
    products: Vec<f64>,
    /// The rounding error of a product.
    error: f64,
}

impl Directions {
    /// Directions by their groups and products, each product a sum of `terms` terms.
    pub(super) fn new(groups: Vec<usize>, mut products: Vec<f64>, terms: usize) -> Self {
        let count = groups.len();
        let inverse = |j: usize| match products[j * count + j].sqrt() {
            length if length > 0.0 => 1.0 / length,
            _ => 1.0,
        };
        let inverse: Vec<f64> = (0..count).map(inverse).collect();
        for i in 0..count {
            for j in 0..count {
                products[i * count + j] *= inverse[i] * inverse[j];
            }
        }
        // A product is added up in four strands; a few more operations go into what a set gains.
        let error = (terms / 2 + 32) as f64 * f64::EPSILON;
        Self { groups, inverse, products, error }
    }

    /// All sets of `size` of the candidates, each of another group, whose gains, squared, are at least `least`; `None` where
    /// they are more than `most`. Gains are those of directions of length one, of which the candidate's limits say how much may be
    /// taken; sets that gain too little within the limits may be left out. Rounding can only add sets.
    pub(super) fn gaining(
        &self,
        candidates: &[usize],
        gains: &[f64],
        limits: &[(f64, f64)],
        size: usize,
        (least, most): (f64, usize),
    ) -> Option<Vec<Vec<usize>>> {
        if size > MOST_SIZE {
            return None;
        }
        let mut walk = Walk {
            directions: self,
            groups: &self.groups,
            least,
            most,
            error: self.error * size as f64,
            levels: (0..size).map(|_| Level::default()).collect(),
            chosen: Chosen::default(),
            found: Vec::new(),
            largest: Vec::new(),
        };
        self.fill(walk.levels.first_mut()?, candidates, gains, limits, size);
        walk.descend(0, size, 0.0).then_some(walk.found)
    }

    /// The candidates, those first that may gain most.
    fn fill(
        &self,
        level: &mut Level,
        candidates: &[usize],
        gains: &[f64],
        limits: &[(f64, f64)],
        size: usize,
    ) {
        let count = self.groups.len();
        let product = |i: usize, j: usize| self.products[i * count + j];
        let set = |level: &mut Level, order: &[usize]| {
            level.candidates = order.iter().map(|&at| candidates[at]).collect();
            level.gains = order.iter().map(|&at| gains[at]).collect();
            level.limits = order.iter().map(|&at| limits[at]).collect();
            level.lengths = level.candidates.iter().map(|&j| product(j, j)).collect();
            let rows = level.candidates.iter();
            level.products =
                rows.flat_map(|&i| level.candidates.iter().map(move |&j| product(i, j))).collect();
            level.set_shares(size, &mut Vec::new());
        };
        let mut order: Vec<usize> = (0..candidates.len()).collect();
        set(level, &order);
        let rank = |at: usize| most_added(gains[at], level.shares[at], limits[at]);
        order.sort_by(|&a, &b| rank(b).total_cmp(&rank(a)).then(a.cmp(&b)));
        set(level, &order);
    }

    /// What two vectors of gains amount to over a set: `(u'G^-1 u, v'G^-1 v, u'G^-1 v)`, and what rounding may be of them,
    /// relatively; infinity where directions nearly depend on each other.
    pub(super) fn squares(
        &self,
        set: &[usize],
        gains: impl Fn(usize) -> (f64, f64),
    ) -> (f64, f64, f64, f64) {
        let mut chosen = Chosen::default();
        let mut along: Vec<(f64, f64)> = Vec::with_capacity(set.len());
        for &j in set {
            chosen.push(self, j);
            // Rows of the inverse of the products' root make up its inverse.
            let sum = |of: &dyn Fn(usize) -> f64| -> f64 {
                let row = chosen.inverse[chosen.set.len() - 1];
                chosen.set.iter().zip(row).map(|(&i, part)| part * of(i)).sum()
            };
            along.push((sum(&|i| gains(i).0), sum(&|i| gains(i).1)));
        }
        let sum = |of: &dyn Fn(&(f64, f64)) -> f64| along.iter().map(of).sum::<f64>();
        let error = slack(self.error * set.len() as f64 * chosen.spread()) - 1.0;
        (sum(&|a| a.0 * a.0), sum(&|a| a.1 * a.1), sum(&|a| a.0 * a.1), error)
    }
}

impl Directions {
    pub(super) fn product(&self, i: usize, j: usize) -> f64 {
        self.products[i * self.groups.len() + j]
    }

    /// Divides vectors by the products of a set, about.
    pub(super) fn divide(&self, set: &[usize], vectors: &mut [&mut Vec<f64>]) {
        let size = set.len();
        let mut root = vec![0.0; size * size];
        for i in 0..size {
            let (before, own) = root.split_at_mut(i * size);
            let mut left = self.product(set[i], set[i]);
            for j in 0..i {
                let other = &before[j * size..][..=j];
                let known: f64 = own[..j].iter().zip(other).map(|(a, b)| a * b).sum();
                own[j] = (self.product(set[i], set[j]) - known) / other[j];
                left -= own[j] * own[j];
            }
            own[i] = left.max(1e-15).sqrt();
        }
        for vector in vectors {
            for i in 0..size {
                let known: f64 = (0..i).map(|j| root[i * size + j] * vector[j]).sum();
                vector[i] = (vector[i] - known) / root[i * size + i];
            }
            for i in (0..size).rev() {
                let known: f64 = (i + 1..size).map(|j| root[j * size + i] * vector[j]).sum();
                vector[i] = (vector[i] - known) / root[i * size + i];
            }
        }
    }
}

/// What rounding may add to a gain, as a factor, by its relative error.
fn slack(error: f64) -> f64 {
    if error < KNOWN { 1.0 + ROUNDING + error } else { f64::INFINITY }
}

/// A set that grows and shrinks, with how much rounding errors are enlarged by directions that nearly depend on each other: rounding is a small
/// change of their products, and changes what the set gains by that times the norm of the products' inverse, relatively, which is at most
/// its trace.
#[derive(Debug, Default)]
struct Chosen {
    set: Vec<usize>,
    /// The rows of the inverse of the products' triangular root.
    inverse: Vec<[f64; MOST_SIZE]>,
    /// The trace of the products' inverse, by the size of the set.
    spreads: Vec<f64>,
}

impl Chosen {
    fn spread(&self) -> f64 {
        self.spreads.last().copied().unwrap_or(0.0)
    }

    fn push(&mut self, directions: &Directions, j: usize) {
        let mut along = [0.0; MOST_SIZE];
        let mut left = directions.product(j, j);
        for (i, row) in self.inverse.iter().enumerate() {
            let products = self.set.iter().map(|&other| directions.product(other, j));
            along[i] = row[..=i].iter().zip(products).map(|(a, b)| a * b).sum();
            left -= along[i] * along[i];
        }
        let mut own = [0.0; MOST_SIZE];
        let mut spread = f64::INFINITY;
        if left > 0.0 {
            let inverse = 1.0 / left.sqrt();
            for (row, along) in self.inverse.iter().zip(along) {
                for (own, part) in own.iter_mut().zip(row) {
                    *own -= along * part * inverse;
                }
            }
            own[self.set.len()] = inverse;
            spread = self.spread() + own.iter().map(|part| part * part).sum::<f64>();
        }
        self.set.push(j);
        self.inverse.push(own);
        self.spreads.push(spread);
    }

    fn pop(&mut self) {
        self.set.pop();
        self.inverse.pop();
        self.spreads.pop();
    }
}

/// What may still join a partial set, the set projected out.
#[derive(Debug, Default)]
struct Level {
    candidates: Vec<usize>,
    gains: Vec<f64>,
    /// Squared.
    lengths: Vec<f64>,
    /// How much of them may be taken.
    limits: Vec<(f64, f64)>,
    /// What is left of a squared length beside products with others; may be less than nothing.
    shares: Vec<f64>,
    /// Of every two candidates, row by row; those right of the diagonal are used.
    products: Vec<f64>,
}

impl Level {
    /// For sets of `size` candidates.
    fn set_shares(&mut self, size: usize, largest: &mut Vec<f64>) {
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
    fn project(&mut self, from: &Level, i: usize, groups: &[usize]) {
        let count = from.candidates.len();
        let row = &from.products[i * count..][..count];
        let length = from.lengths[i].max(f64::MIN_POSITIVE);
        let ratio = from.gains[i] / length;
        let group = groups[from.candidates[i]];
        self.candidates.clear();
        self.gains.clear();
        self.lengths.clear();
        self.limits.clear();
        self.shares.clear();
        for j in i + 1..count {
            if groups[from.candidates[j]] != group {
                self.candidates.push(from.candidates[j]);
                self.gains.push(from.gains[j] - ratio * row[j]);
                self.lengths.push(from.lengths[j] - row[j] * row[j] / length);
                self.limits.push(from.limits[j]);
                self.shares.push(from.shares[j]);
            }
        }
    }

    /// The products of the same.
    fn project_products(&mut self, from: &Level, i: usize, groups: &[usize]) {
        let count = from.candidates.len();
        let row = &from.products[i * count..][..count];
        let length = from.lengths[i].max(f64::MIN_POSITIVE);
        let group = groups[from.candidates[i]];
        let own = self.candidates.len();
        self.products.resize(own * own, 0.0);
        if count - i - 1 == own {
            // No other direction of the same group: the same places, moved.
            for a in i + 1..count {
                let ratio = row[a] / length;
                let to = &mut self.products[(a - i - 1) * own..][a - i - 1..own];
                let products = from.products[a * count..][a..count].iter().zip(&row[a..]);
                for (to, (product, other)) in to.iter_mut().zip(products) {
                    *to = product - ratio * other;
                }
            }
            return;
        }
        let kept: Vec<usize> =
            (i + 1..count).filter(|&j| groups[from.candidates[j]] != group).collect();
        for (to_a, &a) in kept.iter().enumerate() {
            for (to_b, &b) in kept.iter().enumerate().skip(to_a) {
                self.products[to_a * own + to_b] =
                    from.products[a * count + b] - row[a] / length * row[b];
            }
        }
    }

    /// The most that `left` candidates can add.
    fn most_joined(&self, left: usize, largest: &mut Vec<f64>) -> f64 {
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

/// The walk, with what may join at each of its levels.
struct Walk<'d> {
    directions: &'d Directions,
    groups: &'d [usize],
    least: f64,
    most: usize,
    error: f64,
    levels: Vec<Level>,
    chosen: Chosen,
    found: Vec<Vec<usize>>,
    largest: Vec<f64>,
}

impl Walk<'_> {
    /// Goes through the candidates of a level, of which `left` may join a set that has gained so much; false where too many
    /// sets were found.
    fn descend(&mut self, depth: usize, left: usize, gained: f64) -> bool {
        let level = std::mem::take(&mut self.levels[depth]);
        let mut child = match self.levels.get_mut(depth + 1) {
            Some(child) => std::mem::take(child),
            None => Level::default(),
        };
        let mut complete = true;
        for (i, &direction) in level.candidates.iter().enumerate() {
            if !complete {
                break;
            }
            let gained = gained + added(level.gains[i], level.lengths[i]);
            self.chosen.push(self.directions, direction);
            match left {
                0 | 1 => self.offer(gained),
                2 => self.pair(&level, i, gained),
                _ => {
                    child.project(&level, i, self.groups);
                    // Of those that join, shares are at least this part of a length.
                    let spread = self.chosen.spread() / LEAST_SHARE;
                    let enough = self.least / slack(self.error * spread) - gained;
                    // Where nothing is left of the one that joins, the others' shares say nothing without it.
                    let mut dear = level.shares[i] >= LEAST_SHARE
                        && child.most_joined(left - 1, &mut self.largest) < enough;
                    if !dear {
                        child.project_products(&level, i, self.groups);
                        if left > 3 {
                            child.set_shares(left - 1, &mut self.largest);
                            dear = child.most_joined(left - 1, &mut self.largest) < enough;
                        }
                    }
                    if !dear {
                        self.levels[depth + 1] = child;
                        complete = self.descend(depth + 1, left - 1, gained);
                        child = std::mem::take(&mut self.levels[depth + 1]);
                    }
                }
            }
            self.chosen.pop();
            complete &= self.found.len() <= self.most;
        }
        self.levels[depth] = level;
        if let Some(place) = self.levels.get_mut(depth + 1) {
            *place = child;
        }
        complete
    }

    /// A candidate and every one after it.
    fn pair(&mut self, level: &Level, i: usize, gained: f64) {
        /// Lengths below this are looked at closely.
        const SHORT: f64 = 1e-3;
        let count = level.candidates.len();
        let row = &level.products[i * count..][..count];
        let length = level.lengths[i].max(f64::MIN_POSITIVE);
        let ratio = level.gains[i] / length;
        let group = self.groups[level.candidates[i]];
        // A direction with so much left of its length enlarges rounding errors by no more than this.
        let spread = self.chosen.spread();
        let spread = spread + (1.0 + spread) / SHORT;
        let missing = self.least / slack(self.error * spread) - gained;
        for (j, &product) in row.iter().enumerate().skip(i + 1) {
            let own = level.gains[j] - ratio * product;
            let left = level.lengths[j] - product * product / length;
            if left >= SHORT && own * own < missing * left {
                continue;
            }
            if self.groups[level.candidates[j]] != group {
                let most = most_added(own, left, level.limits[j]);
                self.chosen.push(self.directions, level.candidates[j]);
                self.offer(gained + most);
                self.chosen.pop();
            }
        }
    }

    /// Takes the chosen set where it gains enough.
    fn offer(&mut self, gained: f64) {
        // What is not a number may be anything.
        let gained = gained * slack(self.error * self.chosen.spread());
        if gained >= self.least || gained.is_nan() {
            self.found.push(self.chosen.set.clone());
        }
    }
}

/// The most that a direction adds to the squared gain of a set, `2 gain x - length x^2` with so much of it as may be taken.
fn most_added(gain: f64, length: f64, (low, high): (f64, f64)) -> f64 {
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
fn added(gain: f64, length: f64) -> f64 {
    if length > 0.0 { gain * gain / length } else { f64::INFINITY }
}

#[cfg(test)]
mod tests {
    use rand::{Rng, RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    /// Directions in a space of a few dimensions, some of them nearly alike, two or three of a group now and then.
    fn directions(random: &mut impl Rng, count: usize) -> (Directions, Vec<f64>) {
        let dimensions = random.random_range(3..12);
        let mut images: Vec<Vec<f64>> = (0..count)
            .map(|_| (0..dimensions).map(|_| random.random_range(-1.0..1.0)).collect())
            .collect();
        let alike = [1.0, 0.3, 1e-3, 1e-8, 0.0][random.random_range(0..5)];
        for i in (1..count).filter(|i| i % 3 == 0) {
            let other = images[i - 1].clone();
            for (own, other) in images[i].iter_mut().zip(other) {
                *own = other + alike * *own;
            }
        }
        let mut group = 0;
        let groups = (0..count).map(|_| {
            group += usize::from(random.random_bool(0.8));
            group
        });
        let groups: Vec<usize> = groups.collect();
        let dot = |a: &Vec<f64>, b: &Vec<f64>| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let products = images.iter().flat_map(|a| images.iter().map(move |b| dot(a, b))).collect();
        let gains = (0..count).map(|_| random.random_range(-1.0..1.0)).collect();
        (Directions::new(groups, products, dimensions), gains)
    }

    /// All sets of a size, by brute force.
    fn sets(of: &Directions, candidates: &[usize], size: usize) -> Vec<Vec<usize>> {
        let mut all: Vec<Vec<usize>> = vec![Vec::new()];
        for _ in 0..size {
            all = all
                .iter()
                .flat_map(|set| {
                    let after = candidates.iter().filter(|&&j| set.last().is_none_or(|&l| j > l));
                    let fits =
                        after.filter(|&&j| set.iter().all(|&i| of.groups[i] != of.groups[j]));
                    fits.map(|&j| [&set[..], &[j]].concat()).collect::<Vec<_>>()
                })
                .collect();
        }
        all
    }

    #[test]
    fn the_walk_finds_every_set_that_gains_enough() {
        let mut random = ChaCha8Rng::seed_from_u64(5);
        let (mut found, mut left_out) = (0, 0);
        for _ in 0..300 {
            let count = random.random_range(4..13);
            let (of, gains) = directions(&mut random, count);
            let candidates: Vec<usize> = (0..count).filter(|_| random.random_bool(0.9)).collect();
            let gains: Vec<f64> = candidates.iter().map(|&j| gains[j]).collect();
            let gain = |j: usize| gains[candidates.binary_search(&j).unwrap()];
            let limits = vec![(-1e9, 1e9); candidates.len()];
            for size in 1..=5 {
                let least = random.random_range(0.1..4.0);
                let mut walked =
                    of.gaining(&candidates, &gains, &limits, size, (least, usize::MAX)).unwrap();
                for set in &mut walked {
                    set.sort_unstable();
                }
                walked.sort();
                let before = walked.len();
                walked.dedup();
                assert_eq!(before, walked.len(), "a set was found twice");
                for set in sets(&of, &candidates, size) {
                    let (gained, _, _, error) = of.squares(&set, |j| (gain(j), 0.0));
                    let is_found = walked.binary_search(&set).is_ok();
                    if !error.is_finite() || gained >= least {
                        assert!(is_found, "{set:?} gains {gained} of {least}, {error}");
                    }
                    found += usize::from(is_found);
                    left_out += usize::from(!is_found);
                    if is_found && error < 1e-6 {
                        assert!(gained >= least * (1.0 - 1e-3), "{gained} of {least}");
                    }
                }
            }
        }
        assert!(found > 10_000 && left_out > 10_000, "{found} {left_out}");
    }

    #[test]
    fn many_sets_are_too_many() {
        let mut random = ChaCha8Rng::seed_from_u64(6);
        let (of, gains) = directions(&mut random, 12);
        let all: Vec<usize> = (0..12).collect();
        let limits = [(-1e9, 1e9); 12];
        assert!(of.gaining(&all, &gains, &limits, 3, (0.0, 50)).is_none());
        assert!(
            of.gaining(&all, &gains, &limits, 3, (f64::MAX, 50))
                .is_some_and(|sets| sets.len() <= 50)
        );
    }
}
