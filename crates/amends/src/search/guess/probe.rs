//! A point of the space that knows what small moves away from it would cost.

use crate::search::layout::space::{Move, Norm, Space, dot};
use crate::search::layout::values::ValueIndex;
use crate::search::outlier::reference::Reference;
use crate::search::score::PointScore;
use crate::solution::Plan;

/// Fewer points than this are looked at without asking whether they are near enough.
const FEW_POINTS: usize = 256;

/// With at least so many points in reach, those near the current values are listed first.
const MANY_POINTS: usize = 2048;

/// So many of them are listed.
const NEARBY: usize = 512;

/// The current values, with everything needed to price a move without starting over.
pub(in crate::search) struct Probe<'s> {
    pub space: &'s Space<'s>,
    pub reference: Option<&'s Reference<'s>>,
    pub indices: Vec<ValueIndex>,
    /// No weighted outlier term is less than this.
    pub least_outlier: f64,
    position: Vec<f64>,
    /// The position's product with itself, and with what a change of one of each numeric feature moves it by, as far as they
    /// have been asked for (else not a number).
    square: f64,
    products: Vec<f64>,
    table: f64,
    score: Box<dyn PointScore + 's>,
    /// What the changes add up to in the metric of the reference points.
    shifted: f64,
    /// Of the reference points nearest to the applicant, as far as they have been asked for, the sums of terms.
    sums: Vec<f64>,
    changed: Vec<f64>,
    moved: Vec<f64>,
    moved_sums: Vec<f64>,
    order: Vec<u32>,
    /// How much more the outlier term when last asked may be than the checker's, where only the points nearby were looked at.
    slack: Option<f64>,
    /// The points nearest to the current values, with their sums of terms, nearest first; empty where not asked for.
    nearby: Vec<(f64, u32)>,
    /// All points with lesser sums than this are among them.
    nearby_up_to: f64,
}

impl<'s> Probe<'s> {
    pub(in crate::search) fn new(
        space: &'s Space<'s>,
        reference: Option<&'s Reference<'s>>,
        indices: Vec<ValueIndex>,
    ) -> Self {
        let mut probe = Self {
            space,
            reference,
            least_outlier: reference.map_or(0.0, |reference| reference.whole.bound),
            position: vec![0.0; space.rows],
            square: 0.0,
            products: vec![f64::NAN; space.features.len()],
            table: 0.0,
            score: space.classifier.point(space),
            shifted: 0.0,
            sums: Vec::new(),
            changed: Vec::new(),
            moved: vec![0.0; space.rows],
            moved_sums: Vec::new(),
            order: Vec::new(),
            slack: None,
            nearby: Vec::new(),
            nearby_up_to: 0.0,
            indices,
        };
        probe.refresh();
        probe
    }

    /// Goes to other values.
    pub(in crate::search) fn jump(&mut self, indices: &[ValueIndex]) {
        self.indices.clear();
        self.indices.extend_from_slice(indices);
        self.refresh();
    }

    /// Takes a move.
    pub(in crate::search) fn go(&mut self, moves: &[Move]) {
        for &(f, index) in moves {
            self.indices[f] = index;
        }
        self.refresh();
    }

    fn refresh(&mut self) {
        let space = self.space;
        self.position.fill(0.0);
        self.table = space.fixed_cost;
        self.sums.clear();
        self.nearby.clear();
        self.shifted = 0.0;
        for (f, (feature, &index)) in space.features.iter().zip(&self.indices).enumerate() {
            self.table += feature.cost(index);
            if feature.is_keep(index) {
                continue;
            }
            feature.add_image(index, 1.0, &mut self.position);
            if let Some(reference) = self.reference {
                self.shifted += reference.moved(space, f, index);
            }
        }
        self.square = dot(&self.position, &self.position);
        self.products.fill(f64::NAN);
        self.score.go_to(&self.indices);
    }

    /// How many features differ from the applicant.
    pub(in crate::search) fn changes(&self) -> usize {
        self.changes_after(&[])
    }

    /// How many features would differ after a move.
    pub(in crate::search) fn changes_after(&self, moves: &[Move]) -> usize {
        let changes = |f: usize| {
            let index = moves.iter().find(|m| m.0 == f).map_or(self.indices[f], |m| m.1);
            !self.space.features[f].is_keep(index)
        };
        self.space.parts.iter().filter(|part| part.has(changes)).count()
    }

    /// What the changes themselves cost after a move.
    pub(in crate::search) fn change_cost(&self, moves: &[Move]) -> f64 {
        self.space.cost_of_changes(|| self.changes_after(moves))
    }

    /// The distance after a move.
    pub(in crate::search) fn distance(&mut self, moves: &[Move]) -> f64 {
        let mut table = self.table;
        for &(f, index) in moves {
            let feature = &self.space.features[f];
            table += feature.cost(index) - feature.cost(self.indices[f]);
        }
        match (self.space.norm, moves) {
            (Norm::None, _) => return table,
            (Norm::Length, []) => return self.square.sqrt(),
            (Norm::Length | Norm::Squared, &[(f, index)]) => {
                if let Some(square) = self.square_after(f, index) {
                    return if self.space.norm == Norm::Length { square.sqrt() } else { square };
                }
            }
            _ => {}
        }
        self.moved.copy_from_slice(&self.position);
        for &(f, index) in moves {
            let feature = &self.space.features[f];
            if let Some(numeric) = feature.numeric() {
                let change = feature.change(index) - feature.change(self.indices[f]);
                for (moved, image) in self.moved.iter_mut().zip(&numeric.image) {
                    *moved += change * image;
                }
            } else {
                feature.add_image(index, 1.0, &mut self.moved);
                feature.add_image(self.indices[f], -1.0, &mut self.moved);
            }
        }
        self.space.length(&self.moved)
    }

    /// The squared length after the move of a numeric feature, without going through the rows of `U`; `None` where little is
    /// left of large squares, which makes it inexact.
    fn square_after(&mut self, f: usize, index: ValueIndex) -> Option<f64> {
        let feature = &self.space.features[f];
        let numeric = feature.numeric()?;
        if self.products[f].is_nan() {
            self.products[f] = dot(&numeric.image, &self.position);
        }
        let change = feature.change(index) - feature.change(self.indices[f]);
        let own = change * change * self.space.product(f, f);
        let square = self.square + 2.0 * change * self.products[f] + own;
        (square > 1e-3 * (self.square + own)).then_some(square)
    }

    /// The weighted outlier term after a move.
    pub(in crate::search) fn outlier(&mut self, moves: &[Move]) -> f64 {
        let term = self.outlier_term(moves);
        self.reference.map_or(0.0, |reference| reference.outlier.weight * term)
    }

    /// The cost of a move that leads to a known distance; infinity where a limit is exceeded.
    pub(in crate::search) fn objective(&mut self, distance: f64, moves: &[Move]) -> f64 {
        let term = self.outlier_term(moves);
        if self.space.cost_limits.exclude(distance, term) {
            return f64::INFINITY;
        }
        let outlier = self.reference.map_or(0.0, |reference| reference.outlier.weight * term);
        distance + outlier + self.change_cost(moves)
    }

    /// The outlier term after a move, without its weight.
    pub(in crate::search) fn outlier_term(&mut self, moves: &[Move]) -> f64 {
        let Some(reference) = self.reference else { return 0.0 };
        let count = self.in_reach(reference, moves);
        if count >= MANY_POINTS
            && let Some(term) = self.term_nearby(reference, count, moves)
        {
            return term;
        }
        self.ask_for(reference, count);
        self.moved_sums.clear();
        self.moved_sums.extend_from_slice(&self.sums[..count]);
        for &(f, index) in moves {
            reference.shift(self.space, f, (self.indices[f], index), 0, &mut self.moved_sums);
        }
        self.slack = None;
        reference.value(&self.moved_sums, &mut self.order)
    }

    /// The outlier term after a move, from the points that are near the current values; `None` where others could be among the
    /// nearest.
    fn term_nearby(&mut self, reference: &Reference, count: usize, moves: &[Move]) -> Option<f64> {
        let space = self.space;
        let k = reference.outlier.k?;
        // A number and its state share a column.
        let shares =
            |f: usize| space.features[f].is_state() || f > 0 && space.features[f - 1].is_state();
        if moves.iter().any(|&(f, _)| shares(f)) {
            return None;
        }
        self.gather_nearby(reference, count);
        let sum_of = |n: u32, sum: f64| {
            let step = |&(f, index): &Move| {
                let of = |index: ValueIndex| reference.term(space, f, index, n as usize);
                of(index) - of(self.indices[f])
            };
            sum + moves.iter().map(step).sum::<f64>()
        };
        // Those nearest before the move are a limit of how far the nearest are after it.
        let (nearest, _) = self.nearby.split_at_checked(2 * (k + 1))?;
        let mut sums: Vec<f64> = nearest.iter().map(|&(sum, n)| sum_of(n, sum)).collect();
        let limit = *sums.select_nth_unstable_by(k, f64::total_cmp).1;
        let moved =
            moves.iter().map(|&(f, index)| reference.apart(space, f, self.indices[f], index));
        let reach = reference.reach(moved.sum(), limit);
        if reach >= self.nearby_up_to {
            return None;
        }
        let near = self.nearby.partition_point(|&(sum, _)| sum <= reach);
        let mut moved: Vec<(f64, u32)> =
            self.nearby[..near].iter().map(|&(sum, n)| (sum_of(n, sum), n)).collect();
        moved.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        moved.truncate(k + 1);
        self.order.clear();
        self.order.extend(moved.iter().map(|&(_, n)| n));
        let (term, slack) = reference.value_of_nearest(&moved);
        self.slack = Some(slack);
        Some(term)
    }

    /// Lists the points nearest to the current values, unless they are listed.
    fn gather_nearby(&mut self, reference: &Reference, count: usize) {
        if !self.nearby.is_empty() {
            return;
        }
        self.ask_for(reference, count);
        self.nearby.extend(self.sums.iter().copied().zip(0..));
        // Points that there is no sum of are at least as far from the applicant as the last.
        let unknown = reference.base_beyond(self.sums.len());
        self.nearby_up_to = reference.least_after(unknown, self.shifted);
        if self.nearby.len() > NEARBY {
            let by_sum = |a: &(f64, u32), b: &(f64, u32)| a.0.total_cmp(&b.0);
            let next = self.nearby.select_nth_unstable_by(NEARBY, by_sum).1.0;
            self.nearby_up_to = self.nearby_up_to.min(next);
            self.nearby.truncate(NEARBY);
        }
        self.nearby.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    }

    /// How many of the points nearest to the applicant can be among the nearest after a move.
    fn in_reach(&self, reference: &Reference, moves: &[Move]) -> usize {
        let space = self.space;
        let shifted = moves.iter().map(|&(f, index)| {
            reference.moved(space, f, index) - reference.moved(space, f, self.indices[f])
        });
        let shifted = shifted.sum::<f64>() + self.shifted;
        let count = reference.in_reach(shifted);
        if count < FEW_POINTS || reference.outlier.k.is_none_or(|k| self.order.len() <= k) {
            return count;
        }
        // The nearest are no farther than those that were nearest when last asked.
        let steps = self.indices.iter().enumerate().filter_map(|(f, &from)| {
            let to = moves.iter().find(|m| m.0 == f).map_or(from, |m| m.1);
            let keep = space.features[f].keep.0;
            (!space.features[f].is_keep(to)).then_some((f, keep, to))
        });
        let steps: Vec<(usize, ValueIndex, ValueIndex)> = steps.collect();
        let sum = |&n: &u32| {
            let n = n as usize;
            let added = steps.iter().map(|&(f, keep, to)| {
                reference.term(space, f, to, n) - reference.term(space, f, keep, n)
            });
            reference.base()[n] + added.sum::<f64>()
        };
        let farthest = self.order.iter().map(sum).fold(0.0, f64::max);
        count.min(reference.in_reach_of(shifted, farthest))
    }

    /// Brings the sums of terms of the nearest points up to date.
    fn ask_for(&mut self, reference: &Reference, count: usize) {
        let from = self.sums.len();
        if count <= from {
            return;
        }
        // More than asked for, so that the next question is seldom beyond it again.
        let count = (count + count / 4).min(reference.count());
        self.sums.extend_from_slice(&reference.base()[from..count]);
        for (f, (feature, &index)) in self.space.features.iter().zip(&self.indices).enumerate() {
            if !feature.is_keep(index) {
                let way = (feature.keep.0, index);
                reference.shift(self.space, f, way, from, &mut self.sums[from..]);
            }
        }
    }

    /// Lets the checker judge the current values, by the reference points that can be among the nearest.
    pub(in crate::search) fn judge(&self) -> Option<Plan> {
        let instance = self.space.instance;
        let near = self.reference.map(|reference| reference.rows(self.in_reach(reference, &[])));
        Plan::judge_near(instance, self.space.choice(&self.indices), near.as_deref())
    }

    /// How much more [`Self::outlier_term`] may have said than the checker would, when last asked.
    pub(in crate::search) fn outlier_slack(&self) -> f64 {
        let of_all = |reference: &Reference| reference.slack(&self.moved_sums, &self.order);
        self.slack.unwrap_or_else(|| self.reference.map_or(0.0, of_all))
    }

    /// The classifier's score after a move. It is only computed from scratch, in the classifier's own order, where it is not
    /// known otherwise or rounding could decide.
    pub(in crate::search) fn score(&mut self, moves: &[Move]) -> f64 {
        if let Some(score) = self.score.after(&self.indices, moves) {
            return score;
        }
        self.space.write_row(&self.indices, moves, &mut self.changed);
        self.space.instance.classifier().score(&self.changed)
    }

    /// The scores in the cells of a number at the current values, up to rounding; `None` if they are not known at once.
    pub(in crate::search) fn scores_along(&mut self, f: usize) -> Option<&[f64]> {
        self.score.along(&self.indices, f)
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::instance::{Cost, Distance, FeatureOptions, Instance, Limits, Outlier};
    use crate::model::{Classifier, Linear};
    use crate::plausibility::Metric;

    #[test]
    fn the_outlier_term_after_a_move_is_that_of_all_points() {
        let mut random = ChaCha8Rng::seed_from_u64(9);
        let mut nearby = 0;
        for metric in [Metric::Euclidean, Metric::SquaredEuclidean, Metric::Manhattan] {
            let mut value = |size: f64| random.random_range(-size..size);
            let features = (0..3).map(|f| {
                let changes: Vec<Vec<f64>> = (0..9).map(|_| vec![value(4.0)]).collect();
                let changes = [vec![vec![0.0]], changes].concat();
                FeatureOptions::of_changes(format!("f{f}"), vec![f], &[0.0; 3], &changes)
            });
            let features = features.collect();
            let points: Vec<Vec<f64>> =
                (0..6_000).map(|_| (0..3).map(|_| value(4.0)).collect()).collect();
            let outlier = Outlier {
                weight: 1.0,
                metric,
                k_distance: points.iter().map(|_| 0.5 + value(0.4)).collect(),
                density: points.iter().map(|_| 1.0 + value(0.9)).collect(),
                points: points.into(),
                k: Some(5),
                scale: None,
            };
            let distance = Distance::Mahalanobis { factor: vec![vec![1.0; 3]] };
            let cost = Cost {
                distance,
                outlier: Some(outlier),
                change_cost: 0.0,
                most: Limits::default(),
            };
            let linear = Classifier::Linear(Linear { weights: vec![1.0; 3], intercept: -9.0 });
            let instance = Instance::new(vec![0.0; 3], features, 3, linear, cost).unwrap();
            let space = Space::new(&instance);
            let reference = Reference::new(&space).unwrap();
            let keep: Vec<ValueIndex> = space.features.iter().map(|f| f.keep.0).collect();
            let mut probe = Probe::new(&space, Some(&reference), keep);
            for _ in 0..300 {
                let mut index = |f: usize| random.random_range(0..=space.features[f].last());
                let moves = [(0, index(0)), (2, index(2))];
                let mut indices = probe.indices.clone();
                for (f, index) in moves {
                    indices[f] = index;
                }
                let exact = instance.evaluate(&space.choice(&indices)).outlier;
                let term = probe.outlier_term(&moves);
                nearby += usize::from(probe.slack.is_some());
                assert!((term - exact).abs() <= 1e-9 * exact, "{term} is not {exact}");
                if random.random_bool(0.3) {
                    probe.go(&[(random.random_range(0..3), moves[0].1)]);
                }
            }
        }
        assert!(nearby > 50, "{nearby}");
    }
}
