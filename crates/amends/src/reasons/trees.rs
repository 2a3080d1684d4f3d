//! Contributions to the score of a tree ensemble: exact interventional Shapley values, in polynomial time.
//!
//! Take one tree, one member of the group and one leaf. A mixed application, with the applicant's values in a coalition S and
//! the member's elsewhere, reaches the leaf if S contains all features on whose splits along the path only the applicant goes
//! that way (`a` of them), and none of those on whose splits only the member does (`b` of them); if there is a feature on
//! whose splits neither does, the leaf is not reached by any S. That game has the Shapley values
//! `value (a-1)! b! / (a+b)!` for each of the former, and `-value a! (b-1)! / (a+b)!` for each of the latter. Contributions are their sums over
//! trees and leaves, averaged over members.
//!
//! A walk through a tree keeps the members together that have the same two sets, and goes only where a mixed application can.

use super::Contributions;
use crate::model::{Tree, TreeEnsemble};
use crate::partition::partition;

/// Per feature, its contribution to the sum of leaf values, added up in 64 bits.
pub(super) fn contributions(
    ensemble: &TreeEnsemble,
    feature_of: &[usize],
    x: &[f64],
    rows: &[Vec<f64>],
) -> Contributions {
    let features = feature_of.last().map_or(0, |last| last + 1);
    let mut walk = Walk {
        feature_of,
        x,
        columns: (0..x.len()).map(|c| rows.iter().map(|row| row[c]).collect()).collect(),
        decided: vec![None; features],
        by_applicant: Vec::new(),
        by_member: Vec::new(),
        weights: Weights::default(),
        values: vec![0.0; features],
    };
    let mut members: Vec<u32> = (0..rows.len() as u32).collect();
    for tree in ensemble.trees.iter() {
        walk.through(tree, &mut members);
    }
    let count = rows.len() as f64;
    Contributions::exact(walk.values.into_iter().map(|sum| sum / count).collect())
}

/// Whose values decide at the splits of a feature, on the way to a leaf.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Decider {
    Applicant,
    Member,
}

struct Walk<'a> {
    feature_of: &'a [usize],
    x: &'a [f64],
    /// The members' values by column.
    columns: Vec<Vec<f64>>,
    /// Per feature, who decides; nobody as long as both go the same way.
    decided: Vec<Option<Decider>>,
    by_applicant: Vec<usize>,
    by_member: Vec<usize>,
    weights: Weights,
    values: Vec<f64>,
}

/// What to do next, last in first out.
enum Step {
    /// Go on from a node with the members between two places.
    Visit(usize, usize, usize),
    Decide(usize, Decider),
    Forget(usize, Decider),
}

impl Walk<'_> {
    fn through(&mut self, tree: &Tree, members: &mut [u32]) {
        let mut steps = vec![Step::Visit(0, 0, members.len())];
        while let Some(step) = steps.pop() {
            match step {
                Step::Visit(node, from, to) if from < to => {
                    if tree.is_leaf(node) {
                        self.add_leaf(tree.value[node], to - from);
                    } else {
                        self.split(tree, node, (members, from, to), &mut steps);
                    }
                }
                Step::Visit(..) => {}
                Step::Decide(feature, who) => {
                    self.decided[feature] = Some(who);
                    self.deciders(who).push(feature);
                }
                Step::Forget(feature, who) => {
                    self.decided[feature] = None;
                    self.deciders(who).pop();
                }
            }
        }
    }

    fn deciders(&mut self, who: Decider) -> &mut Vec<usize> {
        match who {
            Decider::Applicant => &mut self.by_applicant,
            Decider::Member => &mut self.by_member,
        }
    }

    fn split(
        &self,
        tree: &Tree,
        node: usize,
        (members, from, to): (&mut [u32], usize, usize),
        steps: &mut Vec<Step>,
    ) {
        let (column, threshold) = (tree.feature[node] as usize, tree.threshold[node]);
        let child = |left: bool| (if left { tree.left[node] } else { tree.right[node] }) as usize;
        let feature = self.feature_of[column];
        let applicant_left = self.x[column] <= threshold;
        if self.decided[feature] == Some(Decider::Applicant) {
            steps.push(Step::Visit(child(applicant_left), from, to));
            return;
        }
        let values = &self.columns[column];
        let goes_along = |member: u32| (values[member as usize] <= threshold) == applicant_left;
        let middle = from + partition(&mut members[from..to], goes_along);
        steps.push(Step::Visit(child(applicant_left), from, middle));
        if self.decided[feature] == Some(Decider::Member) {
            steps.push(Step::Visit(child(!applicant_left), middle, to));
        } else if middle < to {
            // Both ways are possible for the others, each with one who decides.
            for (who, left) in
                [(Decider::Applicant, applicant_left), (Decider::Member, !applicant_left)]
            {
                steps.push(Step::Forget(feature, who));
                steps.push(Step::Visit(child(left), middle, to));
                steps.push(Step::Decide(feature, who));
            }
        }
    }

    fn add_leaf(&mut self, value: f64, members: usize) {
        let (a, b) = (self.by_applicant.len(), self.by_member.len());
        let value = value * members as f64;
        if a > 0 {
            let gain = value * self.weights.of(a, b);
            for &feature in &self.by_applicant {
                self.values[feature] += gain;
            }
        }
        if b > 0 {
            let loss = value * self.weights.of(b, a);
            for &feature in &self.by_member {
                self.values[feature] -= loss;
            }
        }
    }
}

/// `(a-1)! b! / (a+b)!`, computed once per pair: `1/a` for `b = 0`, and `b / (a+b)` times that of `b - 1`.
#[derive(Default)]
struct Weights {
    /// By a, then by b.
    known: Vec<Vec<f64>>,
}

impl Weights {
    fn of(&mut self, a: usize, b: usize) -> f64 {
        if self.known.len() < a {
            self.known.resize_with(a, Vec::new);
        }
        let row = &mut self.known[a - 1];
        while row.len() <= b {
            let next = match (row.len(), row.last()) {
                (b, Some(last)) => last * b as f64 / (a + b) as f64,
                (_, None) => 1.0 / a as f64,
            };
            row.push(next);
        }
        row[b]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_those_of_factorials() {
        let factorial = |n: usize| (1..=n).map(|k| k as f64).product::<f64>();
        let mut weights = Weights::default();
        for (a, b) in [(3, 4), (1, 0), (5, 2), (1, 6), (2, 2)] {
            let expected = factorial(a - 1) * factorial(b) / factorial(a + b);
            assert!((weights.of(a, b) - expected).abs() < 1e-15, "{a} {b}");
        }
    }

    #[test]
    fn partitions_keep_everybody() {
        let mut members = [5, 2, 7, 4, 1];
        assert_eq!(partition(&mut members, |member| member % 2 == 0), 2);
        assert!(members[..2].iter().all(|member| member % 2 == 0));
        members.sort_unstable();
        assert_eq!(members, [1, 2, 4, 5, 7]);
    }
}
