//! The sets of features within a radius, by their least distance.

use super::set::{Set, Taken};
use super::ways::Ways;
use super::{MOST_TAKEN, TAKEN};
use crate::search::layout::region::{Region, Stand};
use crate::search::layout::space::{Space, dot};
use crate::search::layout::values::ValueIndex;

/// How often a smaller radius is tried where sets are too many.
const MOST_FAILURES: usize = 4;

/// Where a radius holds too few sets, one so much larger is tried.
const GROWTH: f64 = 1.15;

/// More sets than this within a radius are too many to order by their distance.
const MOST_SETS: usize = 100_000;

/// What rounding may take off a bound, relatively: generous beside a few products.
pub(super) const ROUNDING: f64 = 1e-9;

/// What is left to gain in a region, once what is fixed is counted.
pub(super) struct Problem {
    pub fixed: Vec<(usize, ValueIndex)>,
    /// How many more features may change.
    pub left: usize,
    pub need: f64,
    /// How far what is fixed moves `U a`, squared.
    pub square: f64,
    /// The directions in which others may change, and their products with what is fixed.
    pub candidates: Vec<usize>,
    pub pulls: Vec<f64>,
    /// The least and the most that a candidate, scaled to length one, may be taken of.
    pub limits: Vec<(f64, f64)>,
    /// Where what is fixed moves `U a` to.
    pub position: Vec<f64>,
    /// What changes of a near set gain, how much of what is fixed they make up for, and both together, as squares.
    pub typical: (f64, f64, f64),
    /// The features of that set.
    pub near: Vec<usize>,
}

/// Sets of features by their least distance, the nearest first.
pub(super) struct Near {
    pub sets: Vec<(Vec<usize>, f64)>,
    /// All sets up to this distance are there.
    pub up_to: f64,
    /// No set beyond this distance matters.
    pub radius: f64,
    /// So many are enough for now.
    pub wanted: usize,
}

impl Problem {
    /// `None` where a feature that surely changes is not fixed at one value.
    pub(super) fn new(space: &Space, ways: &Ways, region: &Region) -> Option<Self> {
        let mut fixed = Vec::new();
        let mut need = -space.score - space.score_error;
        let mut position = vec![0.0; space.rows];
        let mut open = vec![false; space.features.len()];
        for (f, feature) in space.features.iter().enumerate() {
            let (low, high) = region.spans[f];
            match region.stand(space, f) {
                Stand::Kept => {}
                Stand::Undecided => open[f] = true,
                Stand::Decided if low == high => {
                    fixed.push((f, low));
                    need -= feature.gain(low);
                    feature.add_image(low, 1.0, &mut position);
                }
                Stand::Decided => return None,
            }
        }
        let groups = &ways.directions.groups;
        let candidates: Vec<usize> = (0..groups.len()).filter(|&j| open[groups[j]]).collect();
        let pull = |&j: &usize| dot(ways.images[j], &position) * ways.directions.inverse[j];
        let pulls = if fixed.is_empty() {
            vec![0.0; candidates.len()]
        } else {
            candidates.iter().map(pull).collect()
        };
        let limit = |&j: &usize| {
            let feature = &space.features[groups[j]];
            let (low, high) = region.spans[groups[j]];
            let length = 1.0 / ways.directions.inverse[j];
            // An option without an order is taken or not.
            if !feature.is_numeric() {
                return (0.0, length);
            }
            (feature.change(low) * length, feature.change(high) * length)
        };
        let limits = candidates.iter().map(limit).collect();
        let square = dot(&position, &position);
        let left = region.left;
        let (typical, near) = ((0.0, 0.0, 0.0), Vec::new());
        Some(Self { fixed, left, need, square, candidates, pulls, limits, position, typical, near })
    }

    /// The nearest sets that have not been taken, none of them nearer than `after`, up to a radius; `None` where too many are
    /// about equally near.
    pub(super) fn nearest(
        &mut self,
        ways: &Ways,
        taken: &Taken,
        after: f64,
        radius: f64,
        halted: &dyn Fn() -> bool,
    ) -> Option<Near> {
        let (mut low, mut up_to) = (after, self.first_radius(ways, after).min(radius));
        // The more were taken, the more are wanted, so that there are few rounds.
        let wanted = (taken.known.len() / 2).clamp(TAKEN, MOST_TAKEN);
        let (mut too_many, mut failures, mut some) = (f64::INFINITY, 0, None);
        loop {
            if halted() {
                return None;
            }
            if failures > MOST_FAILURES {
                return some;
            }
            match self.within(ways, taken, up_to) {
                // The very first sets are for finding a good plan, which makes the radius smaller.
                Some(sets)
                    if sets.len() >= wanted
                        || up_to >= radius
                        || taken.known.is_empty() && !sets.is_empty() =>
                {
                    return Some(Near { sets, up_to, radius, wanted });
                }
                Some(sets) => {
                    if !sets.is_empty() {
                        some = Some(Near { sets, up_to, radius, wanted });
                    }
                    low = up_to;
                    up_to = (GROWTH * up_to).max(1e-3 * radius).min(radius);
                    if up_to >= too_many {
                        up_to = 0.5 * (low + too_many);
                    }
                }
                None => {
                    failures += 1;
                    too_many = up_to;
                    up_to = 0.5 * (low + up_to);
                }
            }
        }
    }

    /// A radius within which there may be a set: a little more than the distance of one that is put together greedily.
    fn first_radius(&mut self, ways: &Ways, after: f64) -> f64 {
        let mut set = Vec::new();
        let groups = &ways.directions.groups;
        let mut least = self.distance(ways, &set);
        while set.len() < self.left {
            let mut best: Option<(f64, usize)> = None;
            for &j in &self.candidates {
                if set.iter().any(|&other| groups[other] == groups[j]) {
                    continue;
                }
                set.push(j);
                let distance = self.distance(ways, &set);
                set.pop();
                if best.is_none_or(|best| distance < best.0) {
                    best = Some((distance, j));
                }
            }
            let Some((distance, j)) = best else { break };
            least = distance;
            set.push(j);
        }
        self.remember(ways, &set);
        // Directions that gain nothing one by one may gain much together.
        let (gained, _, both) = self.typical;
        if gained > 0.0 && self.need + both > 0.0 {
            let gains = self.gains(ways, (self.need + both) / gained);
            let mut other = set.clone();
            ways.directions.exchange(&self.candidates, &gains, &mut other);
            let distance = self.distance(ways, &other);
            if distance < least && distance > 0.0 {
                least = distance;
                self.remember(ways, &other);
            }
        }
        if after > least { after * GROWTH } else { least * 1.02 }
    }

    /// Takes a set of directions for typical of near ones.
    fn remember(&mut self, ways: &Ways, set: &[usize]) {
        let (gained, pulled, both, error) =
            ways.directions.squares(set, |j| (ways.gains[j], self.pull(j)));
        if error.is_finite() {
            self.typical = (gained, pulled, both);
        }
        self.near = set.iter().map(|&j| ways.directions.groups[j]).collect();
    }

    /// What the candidates gain by a multiplier of the score.
    fn gains(&self, ways: &Ways, multiplier: f64) -> Vec<f64> {
        let both = self.candidates.iter().zip(&self.pulls);
        both.map(|(&j, pull)| multiplier * ways.gains[j] - pull).collect()
    }

    /// The product of a candidate with what is fixed.
    fn pull(&self, j: usize) -> f64 {
        self.candidates.binary_search(&j).map_or(0.0, |at| self.pulls[at])
    }

    /// All sets within a radius that have not been taken, the nearest first; `None` where they are too many.
    fn within(&self, ways: &Ways, taken: &Taken, radius: f64) -> Option<Vec<(Vec<usize>, f64)>> {
        let groups = &ways.directions.groups;
        let multiplier = self.multiplier(radius);
        let gains = self.gains(ways, multiplier);
        let parts = [self.square, 2.0 * multiplier * self.need, -radius * radius];
        let sizes: f64 = parts.iter().map(|part| part.abs()).sum();
        let least = parts.iter().sum::<f64>() - ROUNDING * sizes;
        if !least.is_finite() || gains.iter().any(|gain| !gain.is_finite()) {
            return None;
        }
        let size = self.left.min(self.groups(ways));
        let found = ways.directions.gaining(
            &self.candidates,
            &gains,
            &self.limits,
            size,
            (least, MOST_SETS),
        )?;
        let mut sets: Vec<(Vec<usize>, f64)> = Vec::with_capacity(found.len());
        let mut known = Set { fixed: self.fixed.clone(), free: Vec::new() };
        for mut set in found {
            set.sort_unstable();
            known.free.clear();
            known.free.extend(set.iter().map(|&j| groups[j]));
            if taken.known.contains(&known) {
                continue;
            }
            let mut distance = self.distance(ways, &set);
            if distance <= radius {
                distance = distance.max(self.limited(ways, &set));
            }
            if distance <= radius {
                sets.push((known.free.clone(), distance));
            }
        }
        // Several directions of the same features: the nearest counts.
        sets.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
        sets.dedup_by(|later, first| later.0 == first.0);
        sets.sort_by(|a, b| a.1.total_cmp(&b.1));
        Some(sets)
    }

    /// How many features may still change.
    fn groups(&self, ways: &Ways) -> usize {
        let mut groups: Vec<usize> =
            self.candidates.iter().map(|&j| ways.directions.groups[j]).collect();
        groups.dedup();
        groups.len()
    }

    /// The multiplier of the score by which the fewest sets seem to be within a radius; any is valid.
    fn multiplier(&self, radius: f64) -> f64 {
        let (gained, pulled, both) = self.typical;
        let missing = self.need + both;
        let room = radius * radius - self.square + pulled;
        if missing <= 0.0 || gained <= 0.0 {
            0.0
        } else if room > 0.0 {
            // That of sets like the near one which are just at the radius.
            room / missing
        } else {
            missing / gained
        }
    }

    /// The least distance of a set of directions, at most.
    fn distance(&self, ways: &Ways, set: &[usize]) -> f64 {
        let (gained, pulled, both, error) =
            ways.directions.squares(set, |j| (ways.gains[j], self.pull(j)));
        if !error.is_finite() {
            return 0.0;
        }
        let scale = self.need.abs() + both.abs() + (gained * pulled).sqrt();
        let missing = (self.need + both - 4.0 * error * scale).max(0.0);
        let along =
            if missing > 0.0 { missing * missing / gained * (1.0 - 2.0 * error) } else { 0.0 };
        let square = self.square - pulled - 4.0 * error * (self.square + pulled) + along;
        square.max(0.0).sqrt() * (1.0 - ROUNDING)
    }
}

#[cfg(test)]
mod tests {
    use rand::{Rng, RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::instance::{Cost, Distance, FeatureOptions, Instance, Limits};
    use crate::model::{Classifier, Linear};
    use crate::search::layout::trial::points;

    /// Numbers and two features of levels; some columns are nearly the same, or count for nothing.
    fn instance(random: &mut impl Rng) -> Instance {
        let columns = [vec![0], vec![1], vec![2], vec![3], vec![4, 5, 6], vec![7, 8]];
        let mut row = |length: usize| -> Vec<f64> {
            (0..length).map(|_| random.random_range(-1.0..1.0)).collect()
        };
        let mut factor: Vec<Vec<f64>> = (0..9).map(|_| row(9)).collect();
        let weights = row(9);
        let features: Vec<FeatureOptions> = columns
            .into_iter()
            .enumerate()
            .map(|(index, columns)| {
                let mut options = vec![vec![0.0; columns.len()]];
                options.extend((0..3).map(|_| row(columns.len())));
                FeatureOptions::of_changes(format!("f{index}"), columns, &[0.0; 9], &options)
            })
            .collect();
        let alike = [0.0, 1e-9, 1e-5, 1e-2][random.random_range(0..4)];
        let near = random.random_bool(0.5);
        let nothing = random.random_bool(0.1);
        for row in &mut factor {
            if near {
                row[1] = alike * row[1] - row[0];
                row[7] = row[3] + alike * row[7];
            }
            row[2] *= if nothing { 0.0 } else { 1.0 };
        }
        let most = random.random_range(2..4);
        let linear = Linear { weights, intercept: -random.random_range(0.1..1.5) };
        let limits = Limits::default();
        let cost = Cost {
            distance: Distance::Mahalanobis { factor },
            outlier: None,
            change_cost: 0.0,
            most: limits,
        };
        Instance::new(vec![0.0; 9], features, most, Classifier::Linear(linear), cost).unwrap()
    }

    #[test]
    fn every_plan_within_a_radius_is_in_a_set_at_no_more_than_its_distance() {
        let mut random = ChaCha8Rng::seed_from_u64(11);
        let (mut inside, mut outside, mut fixed, mut tight) = (0, 0, 0, 0);
        for round in 0..1500 {
            let instance = instance(&mut random);
            let space = Space::new(&instance);
            let ways = Ways::new(&space);
            let mut region = Region::whole(&space);
            if round % 2 == 0 {
                // One of the features stays at a value that changes it.
                let f = random.random_range(0..space.features.len());
                let index = random.random_range(0..=space.features[f].last());
                region.spans[f] = (index, index);
            }
            if !region.settle(&space) || region.undecided(&space).is_empty() {
                continue;
            }
            let mut problem = Problem::new(&space, &ways, &region).unwrap();
            fixed += usize::from(!problem.fixed.is_empty());
            let radius = problem.first_radius(&ways, 0.0) * random.random_range(0.8..1.6);
            let sets = problem.within(&ways, &Taken::default(), radius).unwrap();
            for indices in points(&space, &region) {
                let plan = instance.evaluate(&space.choice(&indices));
                if plan.score < 0.0 || plan.distance > radius {
                    continue;
                }
                let changed = |f: &usize| !space.features[*f].is_keep(indices[*f]);
                let changed: Vec<usize> = (0..indices.len()).filter(changed).collect();
                if changed.len() > instance.max_changes() {
                    continue;
                }
                let of_problem = |f: &usize| problem.fixed.iter().any(|fixed| fixed.0 == *f);
                let holds = |set: &&(Vec<usize>, f64)| {
                    changed.iter().all(|f| set.0.contains(f) || of_problem(f))
                };
                let mut least = f64::INFINITY;
                for set in sets.iter().filter(holds) {
                    assert!(set.1 <= plan.distance, "{} above {}", set.1, plan.distance);
                    least = least.min(set.1);
                }
                assert!(least < f64::INFINITY, "a plan at {} is in no set", plan.distance);
                tight += usize::from(least > 0.9 * plan.distance);
                inside += 1;
            }
            let all = problem.within(&ways, &Taken::default(), 1e3 * radius);
            outside += all.map_or(0, |all| all.len() - sets.len());
            assert!(problem.within(&ways, &Taken::default(), f64::MAX).is_none());
        }
        assert!(
            inside > 500 && outside > 3000 && fixed > 300 && tight > 150,
            "{inside} {outside} {fixed} {tight}"
        );
    }
}
