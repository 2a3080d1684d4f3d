//! What a member's score adds to the combination, as a function that never falls.

use super::lines::{Line, logistic, table};
use crate::model::{Member, Transform};

/// Weight and transformation of a member. Its functions take the member's score, or the negative of it where that makes the
/// value rise.
#[derive(Debug, Clone)]
pub(super) struct Term {
    weight: f64,
    transform: Transform,
    /// Whether it is about the negative of the score.
    opposed: bool,
}

/// Halvings of the interval in which a cut lies.
const HALVINGS: usize = 200;

impl Term {
    pub(super) fn new(member: &Member) -> Self {
        let (weight, transform) = (member.weight, member.transform.clone());
        Self { weight, transform, opposed: member.is_opposed() }
    }

    /// The sum of several members' values as they are.
    pub(super) fn plain_sum() -> Self {
        Self { weight: 1.0, transform: Transform::Identity, opposed: false }
    }

    /// Bounds of the value of a score that may be off by some amount; of the score itself, not its negative.
    pub(super) fn about(&self, score: f64, error: f64) -> (f64, f64) {
        self.transform.weighted_range(self.weight, (score - error, score + error))
    }

    /// The value of a score itself.
    pub(super) fn plain(&self, score: f64) -> f64 {
        self.weight * self.transform.of(score)
    }

    /// Bounds of the value between two signed scores.
    pub(super) fn range(&self, (low, high): (f64, f64)) -> (f64, f64) {
        let scores = if self.opposed { (-high, -low) } else { (low, high) };
        self.transform.weighted_range(self.weight, scores)
    }

    /// At least the value of a signed score.
    pub(super) fn highest(&self, score: f64) -> f64 {
        self.range((score, score)).1
    }

    /// A signed score from a range up to which the value with the intercept is below 0; scores of plans that are accepted lie
    /// above it. It is infinite where none in the range is accepted, or where all may be.
    pub(super) fn cut(&self, (low, high): (f64, f64), intercept: f64) -> f64 {
        let rejected = |score: f64| self.highest(score) + intercept < 0.0;
        if !rejected(low) {
            return f64::NEG_INFINITY;
        }
        if rejected(high) {
            return f64::INFINITY;
        }
        let (mut below, mut above) = (low, high);
        for _ in 0..HALVINGS {
            let middle = 0.5 * below + 0.5 * above;
            if middle <= below || middle >= above {
                break;
            }
            if rejected(middle) { below = middle } else { above = middle }
        }
        below
    }

    /// How large the numbers are that values between two scores are computed from, for their rounding.
    pub(super) fn size(&self, range: (f64, f64)) -> f64 {
        let (low, high) = self.range(range);
        self.weight.abs() + low.abs().max(high.abs())
    }

    /// A line that is nowhere below the value between two signed scores, and near it at a third.
    pub(super) fn line(&self, range: (f64, f64), at: f64) -> Line {
        let at = at.clamp(range.0, range.1);
        let (low, high) = self.range(range);
        if low == high || range.0 == range.1 {
            return Line::level(high);
        }
        match &self.transform {
            Transform::Identity => Line { slope: self.weight.abs(), constant: 0.0 },
            Transform::Logistic { slope, offset } => {
                // With the weight and the slope of either sign, the value is |weight| times a rising logistic function.
                let offset = if self.weight < 0.0 { -offset } else { *offset };
                let inner = |score: f64| slope.abs() * score + offset;
                let line = logistic((inner(range.0), inner(range.1)), inner(at));
                let (size, base) = (self.weight.abs(), self.weight.min(0.0));
                Line {
                    slope: size * line.slope * slope.abs(),
                    constant: base + size * (line.constant + line.slope * offset),
                }
            }
            Transform::Isotonic { scores, .. } => self.table_line(scores, range, at),
            Transform::Vote { cut } => self.table_line(&[*cut], range, at),
        }
    }

    /// A line above a value that is straight between some scores of the member, and may jump at them.
    fn table_line(&self, scores: &[f64], range: (f64, f64), at: f64) -> Line {
        let signed = scores.iter().map(|&score| if self.opposed { -score } else { score });
        let inside = signed.filter(|score| range.0 < *score && *score < range.1);
        let mut points: Vec<(f64, f64)> = [range.0, range.1]
            .into_iter()
            .chain(inside)
            // Votes jump, some of them just after their cut.
            .map(|score| (score, self.highest(score.next_up())))
            .collect();
        points.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        table(&points, at)
    }
}
