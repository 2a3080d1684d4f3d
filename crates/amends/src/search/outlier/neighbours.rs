//! The least true k-LOF of a region, from the points that can be among the k nearest there.
//!
//! The factor is `P(N) * Q(N)`, the mean density and the mean reach of the k nearest points `N`. With `p` and `q`
//! at most the means of any `N` that is possible, `(P - p) * (Q - q) >= 0`, so that
//!
//! ```text
//! P * Q >= mean over N of (p * reach + q * density) - p * q.
//! ```
//!
//! All three are least means of something over the possible `N`. Points that are certainly among the nearest are in all of them, and
//! the least others fill them up; comparing points in pairs tells which (`compare`). As the region shrinks, its neighbours become certain and the bound exact, which that of
//! Cauchy-Schwarz, `mean(sqrt(density * reach))` squared, does not unless all densities are the same.

use crate::search::outlier::reference::Spread;
use crate::search::outlier::region_distances::{Points, RegionDistances};

/// With more points than this that can be among the k nearest, the least values alone decide: many points make a
/// blunt bound, and take long.
const MANY: usize = 400;

/// One in so many points tells whether it is worth looking at all of them.
const SAMPLED: usize = 16;

/// So many of the points nearest to the applicant tell how far the k nearest of a region can be.
pub(in crate::search) const NEAREST: usize = 64;

/// Up to this many least values are kept in order.
const SHORT: usize = 32;

/// Up to this many points, every two of them are compared.
const COMPARED: usize = 64;

/// A point that can be among the k nearest somewhere in a region.
#[derive(Debug, Clone, Copy)]
pub(in crate::search) struct Neighbour {
    pub n: u32,
    /// At least and at most its sum of terms.
    pub least: f64,
    pub most: f64,
    pub density: f64,
    /// At least its reach.
    pub reach: f64,
    /// Among the k nearest everywhere.
    pub certain: bool,
}

/// The points that can be among the k nearest in a region, and a bound from them.
#[derive(Debug)]
pub(in crate::search) struct Neighbours {
    pub list: Vec<Neighbour>,
    pub k: usize,
    /// Differences between sums of terms of up to this may be rounding.
    tie: f64,
}

/// What a look at the points of a region found.
#[derive(Debug)]
pub(in crate::search) enum Found {
    /// Those that can be among the k nearest, where they are few.
    Few(Neighbours),
    /// They are many, but far fewer than were looked at.
    Fewer(Vec<u32>),
    /// Nothing that would help.
    Many,
}

impl Neighbours {
    /// Looks for those of some points, among which are all that can be. `rivals` are points that are probably nearest.
    pub(in crate::search) fn find(
        distances: &mut RegionDistances,
        k: usize,
        points: Points,
        rivals: &[u32],
    ) -> Found {
        let many = MANY.max(8 * k);
        let points = points.first(distances.in_reach());
        if points.len() <= 4 * many {
            return Self::among(distances, k, points, many);
        }
        // The k-th least of the largest sums of any points is a limit, and a good one where these are the nearest.
        let mut near: Vec<u32> =
            (0..NEAREST.max(2 * k) as u32).chain(rivals.iter().copied()).collect();
        near.sort_unstable();
        near.dedup();
        let largest = near.iter().map(|&n| distances.extremes(n as usize).1);
        let largest: Vec<f64> = largest.collect();
        let cut = distances.beyond(nth_least(largest.into_iter(), k - 1));
        let points = points.first(distances.in_reach_of(cut));
        let sample: Vec<u32> =
            (0..points.len()).step_by(SAMPLED).map(|index| points.at(index)).collect();
        let fits = distances.within(Points::Listed(&sample), cut).len();
        if fits * SAMPLED > 2 * many && 2 * fits > sample.len() {
            return Found::Many;
        }
        let fits = distances.within(points, cut);
        if 2 * fits.len() > points.len() && fits.len() > many {
            return Found::Many;
        }
        match Self::among(distances, k, Points::Listed(&fits), many) {
            Found::Many => Found::Fewer(fits),
            found => found,
        }
    }

    /// All of them, however many; `None` where rounding leaves too few.
    pub(in crate::search) fn all(
        distances: &mut RegionDistances,
        k: usize,
        points: &[u32],
    ) -> Option<Self> {
        match Self::among(distances, k, Points::Listed(points), usize::MAX) {
            Found::Few(neighbours) => Some(neighbours),
            Found::Fewer(_) | Found::Many => None,
        }
    }

    fn among(distances: &mut RegionDistances, k: usize, points: Points, few: usize) -> Found {
        let extremes = if distances.decides() {
            distances.extremes_of(points)
        } else {
            (0..points.len()).map(|index| distances.extremes(points.at(index) as usize)).collect()
        };
        let found = Self::chosen(distances, k, points, &extremes, few);
        let Found::Few(mut neighbours) = found else { return found };
        if (k + 1..=COMPARED).contains(&neighbours.list.len()) {
            if !distances.decides() {
                neighbours.compare_leads(distances);
            } else if let Some(varying) = distances.varying() {
                neighbours.compare(distances, &varying);
            }
        }
        Found::Few(neighbours)
    }

    /// All of them, by the least and the largest sum of terms of each; `None` where rounding leaves too few.
    pub(in crate::search) fn by_extremes(
        distances: &RegionDistances,
        k: usize,
        points: Points,
        extremes: &[(f64, f64)],
    ) -> Option<Self> {
        match Self::chosen(distances, k, points, extremes, usize::MAX) {
            Found::Few(neighbours) => Some(neighbours),
            Found::Fewer(_) | Found::Many => None,
        }
    }

    /// Those that can be, by the least and the largest sum of terms of each.
    fn chosen(
        distances: &RegionDistances,
        k: usize,
        points: Points,
        extremes: &[(f64, f64)],
        few: usize,
    ) -> Found {
        if points.len() < k {
            return Found::Many;
        }
        let reference = distances.reference;
        let most = nth_least(extremes.iter().map(|extremes| extremes.1), k - 1);
        let cut = distances.beyond(most);
        let fitting = extremes.iter().filter(|extremes| extremes.0 <= cut).count();
        let fits = extremes.iter().enumerate().filter(|(_, extremes)| extremes.0 <= cut);
        if fitting > few && 2 * fitting <= points.len() {
            return Found::Fewer(fits.map(|(index, _)| points.at(index)).collect());
        }
        if fitting < k || fitting > few {
            return Found::Many;
        }
        let mut list = Vec::with_capacity(fitting);
        for (index, &(least, most)) in fits {
            let n = points.at(index);
            let density = reference.density[n as usize];
            list.push(Neighbour { n, least, most, density, reach: 0.0, certain: false });
        }
        // Where k others can't be nearer than its largest distance.
        let next = nth_least(list.iter().map(|point| point.least), k);
        for point in &mut list {
            point.reach =
                distances.distance(point.least).max(reference.k_distance[point.n as usize]);
            point.certain = distances.beyond(point.most) < next;
        }
        // Nothing in sight is farther than the cut.
        Found::Few(Self { list, k, tie: 4.0 * distances.error + 1e-9 * cut })
    }

    /// Compares every two points where changes are undecided.
    fn compare_leads(&mut self, distances: &mut RegionDistances) {
        let list = &self.list;
        let mut ahead =
            |i: usize, j: usize| distances.lead(list[i].n as usize, list[j].n as usize) > self.tie;
        let (mut nearer, mut open) = (vec![0_usize; list.len()], Vec::new());
        for i in 1..list.len() {
            for j in 0..i {
                if ahead(j, i) {
                    nearer[i] += 1;
                } else if ahead(i, j) {
                    nearer[j] += 1;
                } else {
                    open.push((i, j));
                }
            }
        }
        self.settle(nearer, open);
    }

    /// Compares every two points: over a region the difference between two distances varies far less than the distances do.
    fn compare(&mut self, distances: &RegionDistances, varying: &[(usize, f64)]) {
        let tie = self.tie;
        let width = varying.len();
        let mut sums = Vec::with_capacity(self.list.len());
        // A sum differs from that in the middle by at most the sum of these, where two points are compared.
        let mut indices = Vec::with_capacity(self.list.len() * width);
        for point in &self.list {
            let n = point.n as usize;
            sums.push(distances.middle(n));
            for &(f, extent) in varying {
                if let Spread::Numeric { offset, .. } = &distances.reference.spread[f] {
                    indices.push(offset[n] * extent);
                }
            }
        }
        // How many are nearer than a point everywhere, and which pairs are open.
        let mut nearer = vec![0_usize; self.list.len()];
        let mut open = Vec::new();
        for i in 1..self.list.len() {
            let own = &indices[i * width..][..width];
            for j in 0..i {
                let other = &indices[j * width..][..width];
                let difference = sums[i] - sums[j];
                let most = own.iter().zip(other).map(|(a, b)| (a - b).abs()).sum::<f64>() + tie;
                if difference > most {
                    nearer[i] += 1;
                } else if difference < -most {
                    nearer[j] += 1;
                } else {
                    open.push((i, j));
                }
            }
        }
        self.settle(nearer, open);
    }

    /// Drops points and finds the certain ones, by how many points are nearer than each everywhere, and by the pairs of which
    /// either may be nearer.
    fn settle(&mut self, mut nearer: Vec<usize>, open: Vec<(usize, usize)>) {
        // With those left out that have k nearer ones, the others stay the k nearest.
        let k = self.k;
        let stays: Vec<bool> = nearer.iter().map(|&nearer| nearer < k).collect();
        for (i, j) in open {
            nearer[i] += usize::from(stays[j]);
            nearer[j] += usize::from(stays[i]);
        }
        for (point, nearer) in self.list.iter_mut().zip(nearer) {
            point.certain |= nearer < k;
        }
        let mut stays = stays.into_iter();
        self.list.retain(|_| stays.next().unwrap_or(true));
    }

    pub(in crate::search) fn points(&self) -> impl Iterator<Item = u32> {
        self.list.iter().map(|point| point.n)
    }

    /// No plan of the region has a lesser factor.
    pub(in crate::search) fn least_factor(&self) -> f64 {
        let mut values = Vec::with_capacity(self.list.len());
        let (p, q) = self.least_means();
        let joint = self.least_mean(&mut values, |point| p * point.reach + q * point.density);
        let product = joint - p * q;
        let root = self.least_mean(&mut values, |point| (point.density * point.reach).sqrt());
        product.max(root * root) * (1.0 - 1e-12)
    }

    /// At most the mean density, and at most the mean reach, of any possible neighbours.
    pub(in crate::search) fn least_means(&self) -> (f64, f64) {
        let mut values = Vec::with_capacity(self.list.len());
        let density = self.least_mean(&mut values, |point| point.density);
        let reach = self.least_mean(&mut values, |point| point.reach);
        (density * (1.0 - 1e-13), reach * (1.0 - 1e-13))
    }

    /// The least mean over the possible neighbours.
    fn least_mean(&self, others: &mut Vec<f64>, value: impl Fn(&Neighbour) -> f64) -> f64 {
        let mut sum = 0.0;
        let mut open = self.k;
        others.clear();
        for point in &self.list {
            let value = value(point);
            if point.certain {
                sum += value;
                open = open.saturating_sub(1);
            } else {
                others.push(value);
            }
        }
        if open > 0 && open < others.len() {
            others.select_nth_unstable_by(open - 1, f64::total_cmp);
        }
        sum += others[..open.min(others.len())].iter().sum::<f64>();
        sum / self.k as f64
    }
}

/// The value at an index of the sorted order, counted from 0; infinity where there are not so many.
pub(in crate::search) fn nth_least(values: impl Iterator<Item = f64>, index: usize) -> f64 {
    if index >= SHORT {
        let mut values: Vec<f64> = values.collect();
        return match values.len() {
            len if len <= index => f64::INFINITY,
            _ => *values.select_nth_unstable_by(index, f64::total_cmp).1,
        };
    }
    // Nearly every value is turned away by one comparison.
    let mut least = [f64::INFINITY; SHORT];
    for value in values {
        if value < least[index] {
            let mut at = index;
            while at > 0 && least[at - 1] > value {
                least[at] = least[at - 1];
                at -= 1;
            }
            least[at] = value;
        }
    }
    least[index]
}

#[cfg(test)]
mod tests {
    use rand::{Rng, RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::instance::{Cost, Distance, FeatureOptions, Instance, Limits, Outlier};
    use crate::model::{Classifier, Linear};
    use crate::plausibility::Metric;
    use crate::search::layout::region::Region;
    use crate::search::layout::space::Space;
    use crate::search::layout::trial::{points, region};
    use crate::search::layout::values::ValueIndex;
    use crate::search::outlier::nearby::{Nearby, narrow_lof};
    use crate::search::outlier::reference::Reference;

    /// Two numbers and a feature of two levels amid points of all densities, some of them equally far.
    fn instance(random: &mut impl Rng) -> Instance {
        instance_amid(random, 12)
    }

    fn instance_amid(random: &mut impl Rng, count: usize) -> Instance {
        let grid = random.random_bool(0.3);
        let mut value = |low: f64, high: f64| {
            let value: f64 = random.random_range(low..high);
            if grid { (4.0 * value).round() / 4.0 } else { value }
        };
        let columns = [vec![0], vec![1], vec![2, 3]];
        let features = columns.into_iter().enumerate().map(|(index, columns)| {
            let mut options = vec![vec![0.0; columns.len()]];
            options.extend((0..4).map(|_| columns.iter().map(|_| value(-1.0, 1.0)).collect()));
            FeatureOptions::of_changes(format!("f{index}"), columns, &[0.0; 4], &options)
        });
        let features = features.collect();
        let points: Vec<Vec<f64>> =
            (0..count).map(|_| (0..4).map(|_| value(-1.5, 1.5)).collect()).collect();
        let outlier = Outlier {
            weight: 1.0,
            metric: [Metric::Euclidean, Metric::SquaredEuclidean, Metric::Manhattan]
                [random.random_range(0..3)],
            k_distance: points.iter().map(|_| random.random_range(0.0..1.5)).collect(),
            density: points.iter().map(|_| random.random_range(-2.0..2.0_f64).exp()).collect(),
            points: points.into(),
            k: Some(random.random_range(1..5)),
            scale: random.random_bool(0.5).then(|| vec![1.0, 0.7, 2.0, 1.3]),
        };
        let distance = Distance::Mahalanobis { factor: vec![vec![1.0; 4]] };
        let cost =
            Cost { distance, outlier: Some(outlier), change_cost: 0.0, most: Limits::default() };
        let linear = Linear { weights: vec![1.0; 4], intercept: -9.0 };
        let limit = random.random_range(1..4);
        Instance::new(vec![0.0; 4], features, limit, Classifier::Linear(linear), cost).unwrap()
    }

    fn factor(space: &Space, point: &[ValueIndex]) -> f64 {
        space.instance.evaluate(&space.choice(point)).outlier
    }

    #[test]
    fn no_plan_of_a_region_has_a_lesser_factor() {
        let mut random = ChaCha8Rng::seed_from_u64(2);
        let (mut regions, mut tight) = (0, 0);
        for _ in 0..3_000 {
            let instance = instance(&mut random);
            let space = Space::new(&instance);
            let reference = Reference::new(&space).unwrap();
            let k = reference.outlier.k.unwrap();
            // Smaller and smaller regions, each with what was known of the one before.
            let mut nearby = reference.whole.clone();
            let mut current = Region::whole(&space);
            let mut plans: Option<Vec<Vec<ValueIndex>>> = None;
            while let Some(inside) = region(&mut random, &space) {
                let spans = current.spans.iter().zip(&inside.spans);
                let spans = spans.map(|(a, b)| (a.0.max(b.0), a.1.min(b.1))).collect();
                let counted = current.counted.iter().zip(&inside.counted).map(|(a, b)| a | b);
                current = Region { spans, counted: counted.collect(), ..Region::whole(&space) };
                if current.spans.iter().any(|span| span.0 > span.1) || !current.settle(&space) {
                    break;
                }
                let mut distances = RegionDistances::new(&space, &reference, &current);
                nearby = narrow_lof(&nearby, &mut distances, k).0;
                // What is known of a region holds for the plans that were in all before it: one that counted a change
                // which is not made allows fewer others.
                let mut inside = points(&space, &current);
                inside.retain(|plan| plans.as_ref().is_none_or(|plans| plans.contains(plan)));
                let least = inside.iter().map(|point| factor(&space, point));
                let least = least.fold(f64::INFINITY, f64::min);
                assert!(nearby.term <= least, "{} above {least}", nearby.term);
                regions += 1;
                tight += usize::from(inside.len() > 1 && nearby.term > 0.999 * least);
                plans = Some(inside);
            }
        }
        assert!(regions > 5_000 && tight > 200, "{regions}, {tight}");
    }

    #[test]
    fn among_many_points_the_same_are_found_as_by_looking_at_each() {
        let mut random = ChaCha8Rng::seed_from_u64(5);
        let (mut few, mut fewer, mut undecided) = (0, 0, 0);
        for _ in 0..150 {
            let instance = instance_amid(&mut random, 6_000);
            let space = Space::new(&instance);
            let reference = Reference::new(&space).unwrap();
            let k = reference.outlier.k.unwrap();
            let Some(mut inside) = region(&mut random, &space) else { continue };
            if !inside.settle(&space) {
                continue;
            }
            let mut distances = RegionDistances::new(&space, &reference, &inside);
            let every: Vec<u32> = (0..reference.count() as u32).collect();
            let mut least = Vec::new();
            distances.each_least(Points::First(every.len()), |_, n, sum| least.push((n, sum)));
            for (n, sum) in least {
                let exact = distances.extremes(n as usize).0;
                assert!((sum - exact).abs() <= distances.error, "{sum} is not {exact}");
            }
            let all = Neighbours::all(&mut distances, k, &every).unwrap();
            let rivals: Vec<u32> = (0..8).map(|_| random.random_range(0..6_000)).collect();
            let found = Neighbours::find(&mut distances, k, Points::First(every.len()), &rivals);
            undecided += usize::from(!distances.decides() && !matches!(found, Found::Many));
            match found {
                Found::Few(near) => {
                    few += 1;
                    assert!(near.points().eq(all.points()));
                    assert_eq!(near.least_factor(), all.least_factor());
                }
                Found::Fewer(listed) => {
                    fewer += 1;
                    assert!(all.points().all(|n| listed.binary_search(&n).is_ok()));
                }
                Found::Many => {}
            }
            // What is known of the whole space holds in it, though not all points are listed.
            let (narrowed, _) = narrow_lof(&reference.whole, &mut distances, k);
            let plans = points(&space, &inside);
            let least = plans.iter().map(|plan| factor(&space, plan));
            assert!(narrowed.term <= least.fold(f64::INFINITY, f64::min));
        }
        assert!(few > 20 && fewer > 10 && undecided > 10, "{few} {fewer} {undecided}");
    }

    #[test]
    fn the_bound_of_a_single_plan_is_its_factor() {
        let mut random = ChaCha8Rng::seed_from_u64(3);
        let mut exact = 0;
        for _ in 0..1_000 {
            let instance = instance(&mut random);
            let space = Space::new(&instance);
            let reference = Reference::new(&space).unwrap();
            let all = points(&space, &{
                let mut whole = Region::whole(&space);
                assert!(whole.settle(&space));
                whole
            });
            let point = &all[random.random_range(0..all.len())];
            let mut single = Region::whole(&space);
            single.spans = point.iter().map(|&index| (index, index)).collect();
            assert!(single.settle(&space));
            let mut distances = RegionDistances::new(&space, &reference, &single);
            let k = reference.outlier.k.unwrap();
            let (Nearby { term, .. }, _) = narrow_lof(&reference.whole, &mut distances, k);
            let factor = factor(&space, point);
            assert!(term <= factor);
            exact += usize::from(term >= factor * (1.0 - 1e-6));
        }
        // Of points equally far, the least could be the neighbour.
        assert!(exact > 850, "{exact}");
    }
}
