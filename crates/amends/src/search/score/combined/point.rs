//! The scores of a combination around a point, from its members'.

use super::Combination;
use crate::search::layout::space::{Move, Space};
use crate::search::layout::values::ValueIndex;
use crate::search::score::PointScore;

/// The members at the point, and a buffer for scores along a number.
#[derive(Debug)]
pub(super) struct CombinedPoint<'s> {
    combination: &'s Combination,
    members: Vec<Box<dyn PointScore + 's>>,
    along: Vec<f64>,
}

impl<'s> CombinedPoint<'s> {
    pub(super) fn new(space: &'s Space<'s>, combination: &'s Combination) -> Self {
        let members = combination.points.iter().map(|(_, score)| score.point(space));
        Self { combination, members: members.collect(), along: Vec::new() }
    }

    /// Bounds of the score after a move.
    fn range(&mut self, indices: &[ValueIndex], moves: &[Move]) -> Option<(f64, f64)> {
        let Combination { points, combine, intercept, .. } = self.combination;
        let (mut lows, mut highs) = (Vec::new(), Vec::new());
        for ((term, _), member) in points.iter().zip(&mut self.members) {
            let (score, error) = member.about(indices, moves)?;
            let (low, high) = term.about(score, error);
            lows.push(low);
            highs.push(high);
        }
        Some((combine.of(&lows) + intercept, combine.of(&highs) + intercept))
    }
}

impl PointScore for CombinedPoint<'_> {
    fn go_to(&mut self, indices: &[ValueIndex]) {
        for member in &mut self.members {
            member.go_to(indices);
        }
    }

    fn after(&mut self, indices: &[ValueIndex], moves: &[Move]) -> Option<f64> {
        let (low, high) = self.range(indices, moves)?;
        (low > 0.0 || high < 0.0).then_some(0.5 * low + 0.5 * high)
    }

    fn about(&mut self, indices: &[ValueIndex], moves: &[Move]) -> Option<(f64, f64)> {
        let (low, high) = self.range(indices, moves)?;
        Some((0.5 * low + 0.5 * high, high - low))
    }

    fn along(&mut self, indices: &[ValueIndex], f: usize) -> Option<&[f64]> {
        let Combination { points, combine, intercept, .. } = self.combination;
        let mut values: Vec<Vec<f64>> = Vec::new();
        for ((term, _), member) in points.iter().zip(&mut self.members) {
            let scores = member.along(indices, f)?;
            values.resize_with(scores.len(), Vec::new);
            for (values, &score) in values.iter_mut().zip(scores) {
                values.push(term.plain(score));
            }
        }
        self.along.clear();
        self.along.extend(values.iter().map(|values| combine.of(values) + intercept));
        Some(&self.along)
    }
}
