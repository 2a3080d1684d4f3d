//! Changes that lower the score by themselves: plans may be asked to have none.
//!
//! A change is one of a single feature, or of features that change together. It is harmful where the model scores the present
//! application lower with this change and no other, by more than rounding. Along a range of numbers, a score of trees can only
//! change at a threshold, and that of a linear model or a network is linear between the numbers at which a unit
//! begins or ceases to be active: options are scored around these numbers, and one for all in between. The score of a combination is bounded in
//! parts of the range instead, until it is certain in each.

use std::cell::RefCell;
use std::collections::HashMap;

use super::Explainer;
use super::score_line::ScoreLine;
use crate::action::Move;
use crate::data::{Record, Value};
use crate::instance::{OptionSet, ValueRange};
use crate::model::Classifier;

/// What rounding may take from a score, times the sizes of what it is a sum of.
const ROUNDING: f64 = 1e-12;

/// Options on both sides of a number at which the score may begin to be lower, which are scored one by one.
const AROUND: usize = 3;

/// Parts of a range whose scores are bounded: what is left of very long ranges is judged by its middle.
const MOST_BOUNDS: usize = 100_000;

/// Judges changes of one applicant.
pub(super) struct Harmless<'a> {
    explainer: &'a Explainer,
    x: Vec<f64>,
    score: f64,
}

impl<'a> Harmless<'a> {
    pub(super) fn new(explainer: &'a Explainer, applicant: &Record) -> Self {
        let x = explainer.encoder.encode(applicant);
        let score = explainer.classifier.score(&x);
        Self { explainer, x, score }
    }

    /// Whether a plan's changes of these features, as the only ones, lower the score. Options between those that were scored
    /// may be off by rounding once more.
    pub(super) fn refuses(&self, members: &[usize], plan: &Record) -> bool {
        let values: Vec<Value> = members.iter().map(|&member| plan[member]).collect();
        let row = self.row(members, &values);
        self.spare(&row) < -self.rounding(&row)
    }

    /// The options of a move that don't lower the score.
    pub(super) fn options(&self, action: &Move) -> OptionSet {
        let test = |values: &[Value]| self.spare(&self.row(&action.members, values)) >= 0.0;
        let listed = action.options.listed_values().filter(|(_, values)| test(values));
        let mut kept: Vec<(usize, usize)> = listed.map(|(option, _)| (option, option)).collect();
        for (start, range) in action.options.ranges() {
            let known = RefCell::new(HashMap::new());
            let test = |index: usize| {
                let values: Vec<Value> = range.row(index).into_iter().map(Value::Number).collect();
                let row = self.row(&action.members, &values);
                let Some(cell) = self.cell(&action.members, &row) else {
                    return self.spare(&row) >= 0.0;
                };
                *known.borrow_mut().entry(cell).or_insert_with(|| self.spare(&row) >= 0.0)
            };
            let pieces = if self.explainer.cut_points.is_none()
                && matches!(*self.explainer.classifier, Classifier::Combined(_))
            {
                self.pieces_by_bounds(action, range)
            } else {
                pieces(range.len(), &self.breaks(action, range))
            };
            for (first, last) in pieces {
                // The middle is as far as possible from where the score may begin to be lower.
                if test(usize::midpoint(first, last)) {
                    kept.push((start + first, start + last));
                }
            }
        }
        kept.into_iter().collect()
    }

    /// The application with other values of some features, encoded.
    fn row(&self, members: &[usize], values: &[Value]) -> Vec<f64> {
        let encoder = &self.explainer.encoder;
        let mut row = self.x.clone();
        for (&member, &value) in members.iter().zip(values) {
            row[encoder.feature_columns(member)]
                .copy_from_slice(&encoder.encode_value(member, value));
        }
        row
    }

    /// How much higher than the present score that of a row is, rounding allowed for: negative where it is lower.
    fn spare(&self, row: &[f64]) -> f64 {
        self.explainer.classifier.score(row) - self.score + self.rounding(row)
    }

    fn rounding(&self, row: &[f64]) -> f64 {
        let larger = |(a, b): (&f64, &f64)| a.abs().max(b.abs());
        let sizes: Vec<f64> = self.x.iter().zip(row).map(larger).collect();
        ROUNDING * self.explainer.classifier.largest_score(&sizes)
    }

    /// The indices of a range in pieces in which bounds of the score say that it is lower everywhere or nowhere, and single ones.
    fn pieces_by_bounds(&self, action: &Move, range: &ValueRange) -> Vec<(usize, usize)> {
        let end = |index: usize| {
            let values: Vec<Value> = range.row(index).into_iter().map(Value::Number).collect();
            self.row(&action.members, &values)
        };
        let mut left = MOST_BOUNDS;
        let mut open = vec![(0, range.len() - 1)];
        let mut pieces = Vec::new();
        while let Some((first, last)) = open.pop() {
            let (low, high) = (end(first), end(last));
            let sides: Vec<(f64, f64)> =
                low.iter().zip(&high).map(|(a, b)| (a.min(*b), a.max(*b))).collect();
            let (lowest, low_size) = self.explainer.classifier.lowest_in(&sides);
            let (highest, high_size) = self.explainer.classifier.highest_in(&sides);
            let least = self.score - self.rounding(&low).min(self.rounding(&high));
            let error = ROUNDING * (1.0 + low_size.max(high_size) + least.abs());
            let settled = lowest > least + error || highest < least - 2.0 * error;
            if first == last || settled || left == 0 {
                pieces.push((first, last));
                continue;
            }
            left -= 1;
            let middle = usize::midpoint(first, last);
            open.extend([(middle + 1, last), (first, middle)]);
        }
        pieces
    }

    /// For trees, between which thresholds a row has its numbers: rows with the same have the same score.
    fn cell(&self, members: &[usize], row: &[f64]) -> Option<Vec<usize>> {
        let cuts = self.explainer.cut_points.as_ref()?;
        let columns =
            members.iter().flat_map(|&member| self.explainer.encoder.feature_columns(member));
        Some(
            columns
                .map(|column| cuts[column].iter().filter(|&&cut| cut < row[column]).count())
                .collect(),
        )
    }

    /// Where in a range, as fractional indices, the score may begin or cease to be lower.
    fn breaks(&self, action: &Move, range: &ValueRange) -> Vec<f64> {
        let end = |index: usize| {
            let values: Vec<Value> = range.row(index).into_iter().map(Value::Number).collect();
            self.row(&action.members, &values)
        };
        let (first, last) = (end(0), end(range.len() - 1));
        let breaks = match &self.explainer.cut_points {
            Some(cuts) => {
                let columns = first.iter().zip(&last).zip(cuts).filter(|((a, b), _)| a != b);
                columns
                    .flat_map(|((a, b), cuts)| cuts.iter().map(move |cut| (cut - a) / (b - a)))
                    .collect()
            }
            None => {
                ScoreLine { classifier: &self.explainer.classifier, first: &first, last: &last }
                    .crossings(|row| self.spare(row))
            }
        };
        breaks.into_iter().map(|share| share * (range.len() - 1) as f64).collect()
    }
}

/// The indices of a range, cut into single ones around the breaks and intervals between them.
fn pieces(count: usize, breaks: &[f64]) -> Vec<(usize, usize)> {
    let mut alone: Vec<usize> = Vec::new();
    for &at in breaks.iter().filter(|at| (0.0..=(count - 1) as f64).contains(*at)) {
        let at = at as usize;
        alone.extend(at.saturating_sub(AROUND)..(at + AROUND + 1).min(count));
    }
    alone.sort_unstable();
    alone.dedup();
    let mut pieces = Vec::with_capacity(2 * alone.len() + 1);
    let mut next = 0;
    for index in alone {
        if next < index {
            pieces.push((next, index - 1));
        }
        pieces.push((index, index));
        next = index + 1;
    }
    if next < count {
        pieces.push((next, count - 1));
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::pieces;

    #[test]
    fn pieces_cover_every_index_once() {
        for (count, breaks) in [
            (1, vec![]),
            (1, vec![0.0]),
            (20, vec![7.2, 8.9, -3.0, 44.0]),
            (9, vec![8.0, 0.0]),
            (500, vec![250.5]),
        ] {
            let pieces = pieces(count, &breaks);
            let mut next = 0;
            for &(first, last) in &pieces {
                assert_eq!(first, next);
                next = last + 1;
            }
            assert_eq!(next, count);
            for at in breaks.iter().filter(|at| (0.0..count as f64).contains(*at)) {
                let at = *at as usize;
                assert!(pieces.contains(&(at, at)));
            }
        }
    }
}
