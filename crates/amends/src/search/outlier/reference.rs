//! The reference points laid out for searching: what each feature adds to each point's distance.

use crate::instance::{Instance, Outlier};
use crate::plausibility::Metric;
use crate::search::layout::feature::Feature;
use crate::search::layout::region::Region;
use crate::search::layout::space::Space;
use crate::search::layout::values::ValueIndex;
use crate::search::outlier::nearby::Nearby;
use crate::search::outlier::offsets::{
    from_applicant, in_step, inverse_scale, offsets, scale_of_errors,
};
use crate::search::outlier::order::Order;
use crate::search::outlier::region_distances::RegionDistances;

/// What one feature adds to the distances, before any root is taken.
#[derive(Debug)]
pub(in crate::search) enum Spread {
    /// A numeric feature: the term of `change / scale - offset[n]`. Squares of columns that move in step add up to one such
    /// term and something that does not depend on the change, which is counted with the columns that can't change.
    Numeric {
        /// One over the column's scale.
        inverse: f64,
        /// Where each point lies, seen from the applicant.
        offset: Vec<f64>,
    },
    /// Columns in step whose absolute differences are added up: one over the scale and the offsets, per column.
    InStep {
        /// Per column.
        columns: Vec<(f64, Vec<f64>)>,
    },
    /// Any other feature: a term per value and point, ordered by value.
    Options {
        /// The terms.
        terms: Vec<f64>,
        /// Per value, the sum of terms between the option and the applicant.
        moved: Vec<f64>,
    },
}

impl Spread {
    /// The terms of every value of a feature without an order; `offsets` has those of all columns.
    fn of_options(feature: &Feature, outlier: &Outlier, x: &[f64], offsets: &[Vec<f64>]) -> Self {
        let count = outlier.points.len();
        let (mut terms, mut moved) = (Vec::new(), Vec::new());
        for index in 0..=feature.last() {
            let to = feature.columns.iter().enumerate().map(|(position, &c)| {
                let change = feature.values.value(index, position) - x[c];
                (c, change * inverse_scale(outlier, c))
            });
            let to: Vec<(usize, f64)> = to.collect();
            let from = terms.len();
            terms.resize(from + count, 0.0);
            for &(c, to) in &to {
                for (sum, offset) in terms[from..].iter_mut().zip(&offsets[c]) {
                    *sum += term(outlier.metric, to - offset);
                }
            }
            moved.push(to.iter().map(|to| term(outlier.metric, to.1)).sum());
        }
        Self::Options { terms, moved }
    }
}

/// How many movable features each column belongs to: a number and its state share a column.
fn users(space: &Space) -> Vec<usize> {
    let mut users = vec![0; space.instance.x().len()];
    for &column in space.features.iter().flat_map(|feature| &feature.columns) {
        users[column] += 1;
    }
    users
}

/// The outlier term, laid out. The points are in the order of their distance from the applicant, nearest first (`order.rs`), so that
/// those that can be among the nearest of anything not far away come first.
#[derive(Debug)]
pub(in crate::search) struct Reference<'a> {
    pub outlier: &'a Outlier,
    order: Order,
    /// Per point, its local density.
    pub density: Vec<f64>,
    largest_density: f64,
    /// Per point, its distance to its k-th nearest neighbour.
    pub k_distance: Vec<f64>,
    /// Per movable feature.
    pub spread: Vec<Spread>,
    /// Per point, the terms of the columns that can't change.
    pub rest: Vec<f64>,
    /// What a sum of terms can be off by, relative to `scale`.
    pub relative_error: f64,
    /// At least the largest sum of terms in sight, and what rounding errors are in proportion to.
    pub scale: f64,
    /// What is known of the points in the whole space.
    pub whole: Nearby,
}

/// About what a point takes beside its terms: what is known of it, in a few lists, and the lists that these are made from.
const PER_POINT: usize = 256;

/// About what a thread needs per point while it works on a region.
const WORK_PER_POINT: usize = 128;

impl<'a> Reference<'a> {
    /// The outlier term where the instance has one and gives it a weight or a limit.
    fn outlier(instance: &'a Instance) -> Option<&'a Outlier> {
        let cost = instance.cost();
        let matters = |o: &&Outlier| o.weight > 0.0 || cost.most.outlier.is_some();
        cost.outlier.as_ref().filter(matters)
    }

    /// About how many bytes the points take once they are laid out, and how many each thread needs to work with them.
    pub(in crate::search) fn bytes(space: &Space<'a>) -> (usize, usize) {
        let points = Self::outlier(space.instance).map_or(0, |outlier| outlier.points.len());
        let terms = |feature: &Feature| {
            if feature.is_numeric() { feature.columns.len() } else { feature.last() as usize + 1 }
        };
        // And all columns once more, for all searches together.
        let terms = space.features.iter().map(terms).sum::<usize>() + space.instance.x().len();
        let per_point = terms.saturating_mul(size_of::<f64>()).saturating_add(PER_POINT);
        (points.saturating_mul(per_point), points.saturating_mul(WORK_PER_POINT))
    }

    /// `None` where the instance has no outlier term, or gives it neither weight nor limit.
    pub(in crate::search) fn new(space: &Space<'a>) -> Option<Self> {
        let outlier = Self::outlier(space.instance)?;
        let x = space.instance.x();
        let inverse = |column: usize| inverse_scale(outlier, column);
        let sums = from_applicant(space.instance, outlier, |_| true);
        let count = sums.len();
        let order = Order::new(&sums, outlier.k.unwrap_or(1));
        let users = users(space);
        let mut offsets = offsets(space, outlier, &order, &users);
        let mut rest = vec![0.0; count];
        let mut spread = |feature: &Feature| {
            if !feature.is_numeric() {
                return Spread::of_options(feature, outlier, x, &offsets);
            }
            let mut offset = |c: usize| {
                if users[c] > 1 { offsets[c].clone() } else { std::mem::take(&mut offsets[c]) }
            };
            if let [c] = feature.columns[..] {
                return Spread::Numeric { inverse: inverse(c), offset: offset(c) };
            }
            let columns = feature.columns.iter().map(|&c| (inverse(c), offset(c)));
            let columns: Vec<(f64, Vec<f64>)> = columns.collect();
            if outlier.metric == Metric::Manhattan {
                return Spread::InStep { columns };
            }
            in_step(&columns, &mut rest)
        };
        let spread: Vec<Spread> = space.features.iter().map(&mut spread).collect();
        if users.contains(&0) {
            let fixed = from_applicant(space.instance, outlier, |c| users[c] == 0);
            for (rest, &row) in rest.iter_mut().zip(&order.rows) {
                *rest += fixed[row as usize];
            }
        }
        let relative_error = 8.0 * (x.len() as f64 + 4.0) * f64::EPSILON;
        let whole = Nearby::default();
        let of = |values: &[f64]| -> Vec<f64> {
            order.rows.iter().map(|&row| values[row as usize]).collect()
        };
        let (density, k_distance) = (of(&outlier.density), of(&outlier.k_distance));
        let mut reference = Self {
            outlier,
            order,
            largest_density: crate::search::layout::space::largest(&density),
            density,
            k_distance,
            spread,
            rest,
            relative_error,
            scale: scale_of_errors(space.instance, outlier, relative_error),
            whole,
        };
        let mut region = Region::whole(space);
        if region.settle(space) {
            reference.whole = Nearby::whole(&mut RegionDistances::new(space, &reference, &region));
        }
        Some(reference)
    }

    pub(in crate::search) fn count(&self) -> usize {
        self.order.base.len()
    }

    /// Per point, the terms of all columns at the applicant, added up.
    pub(in crate::search) fn base(&self) -> &[f64] {
        &self.order.base
    }

    /// At most the sum of terms between the applicant and any point beyond so many of the first.
    pub(in crate::search) fn base_beyond(&self, count: usize) -> f64 {
        self.order.beyond(count)
    }

    /// What a feature at a value adds to a point's distance.
    pub(in crate::search) fn term(
        &self,
        space: &Space,
        f: usize,
        index: ValueIndex,
        n: usize,
    ) -> f64 {
        match &self.spread[f] {
            Spread::Numeric { inverse, offset } => {
                term(self.outlier.metric, space.features[f].change(index) * inverse - offset[n])
            }
            Spread::InStep { columns } => {
                let change = space.features[f].change(index);
                let of = |(inverse, offset): &(f64, Vec<f64>)| {
                    term(self.outlier.metric, change * inverse - offset[n])
                };
                columns.iter().map(of).sum()
            }
            Spread::Options { terms, .. } => terms[index as usize * self.count() + n],
        }
    }

    /// What everything but some features adds to a point's distance, where the others keep their
    /// values: put together from whichever are fewer.
    pub(in crate::search) fn standing(
        &self,
        space: &Space,
        open: &[u32],
        kept: &[u32],
        n: usize,
    ) -> f64 {
        let own = |&f: &u32| {
            let f = f as usize;
            self.term(space, f, space.features[f].keep.0, n)
        };
        if open.len() < kept.len() {
            self.order.base[n] - open.iter().map(own).sum::<f64>()
        } else {
            self.rest[n] + kept.iter().map(own).sum::<f64>()
        }
    }

    /// Brings sums of terms up to date when a feature goes from one value to another: those of the points from `first` on.
    pub(in crate::search) fn shift(
        &self,
        space: &Space,
        f: usize,
        (from, to): (ValueIndex, ValueIndex),
        first: usize,
        sums: &mut [f64],
    ) {
        match &self.spread[f] {
            Spread::Numeric { inverse, offset } => {
                let feature = &space.features[f];
                let (from, to) = (feature.change(from) * inverse, feature.change(to) * inverse);
                let metric = self.outlier.metric;
                for (sum, offset) in sums.iter_mut().zip(&offset[first..]) {
                    *sum += term(metric, to - offset) - term(metric, from - offset);
                }
            }
            Spread::InStep { .. } => {
                for (n, sum) in (first..).zip(sums) {
                    *sum += self.term(space, f, to, n) - self.term(space, f, from, n);
                }
            }
            Spread::Options { terms, .. } => {
                let count = self.count();
                let of = |index: ValueIndex| &terms[index as usize * count + first..][..sums.len()];
                let (to, from) = (of(to), of(from));
                for (sum, (to, from)) in sums.iter_mut().zip(to.iter().zip(from)) {
                    *sum += to - from;
                }
            }
        }
    }

    /// The sum of terms between a value of a feature and the applicant's own.
    pub(in crate::search) fn moved(&self, space: &Space, f: usize, index: ValueIndex) -> f64 {
        let metric = self.outlier.metric;
        match &self.spread[f] {
            Spread::Numeric { inverse, .. } => {
                term(metric, space.features[f].change(index) * inverse)
            }
            Spread::InStep { columns } => {
                let change = space.features[f].change(index);
                columns.iter().map(|(inverse, _)| term(metric, change * inverse)).sum()
            }
            Spread::Options { moved, .. } => moved[index as usize],
        }
    }

    /// The sum of terms between two values of a feature.
    pub(in crate::search) fn apart(
        &self,
        space: &Space,
        f: usize,
        from: ValueIndex,
        to: ValueIndex,
    ) -> f64 {
        let metric = self.outlier.metric;
        let feature = &space.features[f];
        match &self.spread[f] {
            Spread::Numeric { inverse, .. } => {
                term(metric, (feature.change(to) - feature.change(from)) * inverse)
            }
            Spread::InStep { columns } => {
                let change = feature.change(to) - feature.change(from);
                columns.iter().map(|(inverse, _)| term(metric, change * inverse)).sum()
            }
            Spread::Options { .. } => {
                let of_column = |(position, &c): (usize, &usize)| {
                    let change =
                        feature.values.value(to, position) - feature.values.value(from, position);
                    term(metric, change * inverse_scale(self.outlier, c))
                };
                feature.columns.iter().enumerate().map(of_column).sum()
            }
        }
    }

    /// At least what any sum of terms, outlier term or its cost amounts to.
    pub(in crate::search) fn largest_cost(&self) -> f64 {
        let outlier = self.outlier;
        let reach = self.scale.max(crate::search::layout::space::largest(&self.k_distance));
        let term = self.largest_density * reach.max(1.0);
        self.scale + term + outlier.weight * term
    }

    /// How many points, from the nearest on, can be among the k nearest (one, for the surrogate) of plans whose sum of terms
    /// with the applicant is at most `moved`. Plans that far away have k points within that and the applicant's k-th distance, and
    /// the triangle inequality puts all others that are as near within twice as much.
    pub(in crate::search) fn in_reach(&self, moved: f64) -> usize {
        // One more than k, because guesses ask how far the next one is.
        let k = self.outlier.k.unwrap_or(1).min(self.count() - 1);
        self.in_reach_of(moved, self.reach(moved, self.order.base[k]))
    }

    /// How many points, from the nearest on, can have a sum of terms of at most `sum` with plans whose sum of terms with the
    /// applicant is at most `moved`.
    pub(in crate::search) fn in_reach_of(&self, moved: f64, sum: f64) -> usize {
        let most = self.reach(moved, sum);
        self.order.up_to(most)
    }

    /// At least the sum of terms between a point and a value, where it is `sum` to another value that is `moved` away from
    /// it, by the triangle inequality.
    pub(in crate::search) fn reach(&self, moved: f64, sum: f64) -> f64 {
        let of_sum = |sum: f64| if self.is_squared() { sum.max(0.0).sqrt() } else { sum };
        let error = 2.0 * self.relative_error * self.scale;
        let reach = (of_sum(moved + error) + of_sum(sum + error)) * (1.0 + 1e-9);
        let reach = if self.is_squared() { reach * reach } else { reach };
        reach * (1.0 + 1e-9) + error
    }

    /// At most the sum of terms between a point and a value that is `moved` away from the applicant, where it is at least `base`
    /// to the applicant.
    pub(in crate::search) fn least_after(&self, base: f64, moved: f64) -> f64 {
        let of_sum = |sum: f64| if self.is_squared() { sum.max(0.0).sqrt() } else { sum };
        let error = 2.0 * self.relative_error * self.scale;
        let least = (of_sum(base - error) - of_sum(moved + error)) * (1.0 - 1e-9);
        let least = least.max(0.0);
        (if self.is_squared() { least * least } else { least }) * (1.0 - 1e-9) - error
    }

    /// The rows in the instance of so many of the first points, in rising order.
    pub(in crate::search) fn rows(&self, count: usize) -> Vec<u32> {
        let mut rows = self.order.rows[..count].to_vec();
        rows.sort_unstable();
        rows
    }

    /// Whether terms are squares of differences.
    pub(in crate::search) fn is_squared(&self) -> bool {
        self.outlier.metric != Metric::Manhattan
    }

    /// What one unit of a point's distance costs where it is nearest.
    pub(in crate::search) fn strength(&self, n: u32) -> f64 {
        self.outlier.weight * self.density[n as usize]
    }

    /// A distance from its sum of terms.
    pub(in crate::search) fn rooted(&self, sum: f64) -> f64 {
        if self.outlier.metric == Metric::Euclidean { sum.max(0.0).sqrt() } else { sum.max(0.0) }
    }

    /// The outlier term from every point's sum of terms, up to rounding; `order` holds the nearest points when last asked.
    /// Points that are equally near up to rounding count as such, so the surrogate is not overstated.
    pub(in crate::search) fn value(&self, sums: &[f64], order: &mut Vec<u32>) -> f64 {
        let outlier = self.outlier;
        let reach = |n: usize| self.rooted(sums[n]).max(self.k_distance[n]);
        let Some(k) = outlier.k else {
            let least = sums.iter().copied().fold(f64::INFINITY, f64::min);
            let near = least * (1.0 + 1e-9) + self.relative_error * self.scale;
            return (0..sums.len())
                .filter(|&n| sums[n] <= near)
                .map(|n| self.density[n] * reach(n))
                .fold(f64::INFINITY, f64::min);
        };
        k_least(sums, k + 1, order);
        let mean = |value: &dyn Fn(usize) -> f64| {
            order[..k].iter().map(|&n| value(n as usize)).sum::<f64>() / k as f64
        };
        mean(&|n| self.density[n]) * (mean(&reach) + 1e-10)
    }

    /// The true k-LOF from the k nearest points and the next, with their sums of terms, nearest first; and how much more that
    /// may be than the checker's.
    pub(in crate::search) fn value_of_nearest(&self, nearest: &[(f64, u32)]) -> (f64, f64) {
        let sums: Vec<f64> = nearest.iter().map(|near| near.0).collect();
        let k = self.outlier.k.unwrap_or(1);
        let mean = |value: &dyn Fn(&(f64, u32)) -> f64| {
            nearest[..k].iter().map(value).sum::<f64>() / k as f64
        };
        let density = mean(&|near| self.density[near.1 as usize]);
        let reach = mean(&|near| self.rooted(near.0).max(self.k_distance[near.1 as usize]));
        let indices: Vec<u32> = (0..sums.len() as u32).collect();
        (density * (reach + 1e-10), self.slack(&sums, &indices))
    }

    /// How much more `value` may say than the checker does: rounding, and for the true k-LOF
    /// (`infinity`) also the choice between points that are equally far.
    pub(in crate::search) fn slack(&self, sums: &[f64], order: &[u32]) -> f64 {
        let outlier = self.outlier;
        let error = 2.0 * self.relative_error * self.scale;
        if let Some(k) = outlier.k {
            let sum = |n: u32| sums[n as usize];
            let next = order.get(k).map_or(f64::INFINITY, |&n| sum(n));
            if next <= sum(order[k - 1]) * (1.0 + 1e-9) + error {
                return f64::INFINITY;
            }
        }
        let error = if outlier.metric == Metric::Euclidean {
            // sqrt(s) - sqrt(s - e) is at most sqrt(e), and at most e / sqrt(s).
            let least = sums.iter().copied().fold(f64::INFINITY, f64::min);
            error.sqrt().min(error / self.rooted(least))
        } else {
            error
        };
        self.largest_density * error
    }
}

/// The positions of the k least values (all, where there are fewer), least first. `order` may hold the answer for similar values,
/// which saves most of the work.
fn k_least(values: &[f64], k: usize, order: &mut Vec<u32>) {
    let before =
        |a: u32, b: u32| values[a as usize].total_cmp(&values[b as usize]).then(a.cmp(&b)).is_lt();
    if k >= 64 {
        order.clear();
        order.extend(0..values.len() as u32);
        order.sort_unstable_by(|&a, &b| values[a as usize].total_cmp(&values[b as usize]));
        order.truncate(k);
        return;
    }
    // None of the k least is above the largest of any k values.
    let mut worst = f64::INFINITY;
    if order.len() == k && order.iter().all(|&n| (n as usize) < values.len()) {
        worst = order.iter().map(|&n| values[n as usize]).fold(f64::NEG_INFINITY, f64::max);
    }
    order.clear();
    // One pass with a short sorted list: nearly every value is turned away by one comparison.
    for (n, &value) in values.iter().enumerate() {
        if value > worst || order.len() == k && value >= worst {
            continue;
        }
        let n = n as u32;
        let at = order.partition_point(|&other| before(other, n));
        if order.len() == k {
            order.pop();
        }
        order.insert(at, n);
        if order.len() == k {
            worst = values[order[k - 1] as usize];
        }
    }
}

/// What one difference adds to a distance.
pub(in crate::search) fn term(metric: Metric, difference: f64) -> f64 {
    match metric {
        Metric::SquaredEuclidean | Metric::Euclidean => difference * difference,
        Metric::Manhattan => difference.abs(),
    }
}
