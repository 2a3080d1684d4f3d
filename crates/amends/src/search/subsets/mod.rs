//! All small sets of directions that gain enough per distance.
//!
//! Of a set S of directions with gains `w` and products `G`, the most that a step of length one gains is the root of
//! `g(S) = w_S' G_SS^-1 w_S`. A walk over partial sets P, depth first, projects P out of everything that may still join: what is
//! left of a direction j is a gain `v_j` and a length `s_j`, and alone it adds `v_j^2 / s_j`. The last two levels of the
//! walk are plain loops over these numbers, one or two nanoseconds per set: a walk that can leave nothing out, because many directions nearly
//! depend on each other, takes 0.1 to 0.2 seconds for sets of four out of 223.
//!
//! Higher up a subtree is left out where even the best that can join does not suffice: products
//! of directions that differ only take `2 |c_ij x_i x_j| <= |c_ij| (x_i^2 + x_j^2)` off a squared length, so any r
//! directions T that join add at most the sum over T of `v_j^2 / d_j`, with `d_j` what is left of `s_j = 1` beside the r - 1 largest `|c_ij|`.
//! Where only so much of a direction may be taken, it adds no more than that much of it does.
//! Projecting out one of them keeps that true of the others, where its own `d_j` is above 0.

mod chosen;
mod exchange;
mod level;
mod walk;

use self::chosen::Chosen;
use self::level::{Level, most_added};
use self::walk::Walk;

/// Rounding errors of a gain up to this are allowed for; beyond it nothing is known of a set.
const KNOWN: f64 = 0.1;

/// What rounding may add to a sum of gains, relatively, beside what near dependence of directions adds.
const ROUNDING: f64 = 1e-9;

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
            row: Vec::new(),
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
#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use rand::{Rng, RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    /// Directions in a space of a few dimensions, some of them nearly alike, two or three of a group now and then;
    /// their gains, and whether directions that depend on each other gain alike.
    fn directions(random: &mut impl Rng, count: usize) -> (Directions, Vec<f64>, bool) {
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
        let directions = Directions::new(groups, products, dimensions);
        let alike = random.random_bool(0.5);
        let gains = if alike {
            let along: Vec<f64> = (0..dimensions).map(|_| random.random_range(-1.0..1.0)).collect();
            let lengths = images.iter().zip(&directions.inverse);
            lengths.map(|(image, inverse)| dot(image, &along) * inverse).collect()
        } else {
            (0..count).map(|_| random.random_range(-1.0..1.0)).collect()
        };
        (directions, gains, alike)
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
            let (of, gains, alike) = directions(&mut random, count);
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
                    // Where nothing is known of a set, it may gain any amount; where directions that depend on each other gain
                    // alike, it gains what those of its parts do of which more is known.
                    let part = |bits: u32| -> f64 {
                        let kept = set.iter().enumerate().filter(|(at, _)| bits & (1 << at) != 0);
                        let kept: Vec<usize> = kept.map(|(_, &j)| j).collect();
                        let (gained, _, _, error) = of.squares(&kept, |j| (gain(j), 0.0));
                        if error.is_finite() { gained * (1.0 - 2.0 * error) } else { 0.0 }
                    };
                    let enough = if error.is_finite() {
                        gained >= least
                    } else {
                        !alike || (0..1 << set.len()).any(|bits| part(bits) >= least)
                    };
                    if enough {
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
    fn exchanging_two_at_a_time_mostly_ends_at_the_set_that_gains_most() {
        let mut random = ChaCha8Rng::seed_from_u64(7);
        let (mut most, mut less) = (0, 0);
        for _ in 0..300 {
            let count = random.random_range(6..13);
            let (of, gains, _) = directions(&mut random, count);
            let all: Vec<usize> = (0..count).collect();
            let size = random.random_range(2..5);
            let gained = |set: &[usize]| of.squares(set, |j| (gains[j], 0.0));
            let known = |set: &Vec<usize>| gained(set).3 < 1e-6;
            let sets: Vec<Vec<usize>> = sets(&of, &all, size).into_iter().filter(known).collect();
            let Some(start) = sets.first() else { continue };
            let mut set = start.clone();
            of.exchange(&all, &gains, &mut set);
            let groups: HashSet<usize> = set.iter().map(|&j| of.groups[j]).collect();
            assert_eq!(groups.len(), size, "{set:?}");
            assert!(gained(&set).0 >= gained(start).0 * (1.0 - 1e-6), "{start:?} became {set:?}");
            let best = sets.iter().map(|set| gained(set).0).fold(0.0, f64::max);
            if gained(&set).0 >= 0.99 * best { most += 1 } else { less += 1 }
        }
        assert!(most > 9 * less, "{most} {less}");
    }

    #[test]
    fn many_sets_are_too_many() {
        let mut random = ChaCha8Rng::seed_from_u64(6);
        let (of, gains, _) = directions(&mut random, 12);
        let all: Vec<usize> = (0..12).collect();
        let limits = [(-1e9, 1e9); 12];
        assert!(of.gaining(&all, &gains, &limits, 3, (0.0, 50)).is_none());
        assert!(
            of.gaining(&all, &gains, &limits, 3, (f64::MAX, 50))
                .is_some_and(|sets| sets.len() <= 50)
        );
    }
}
