//! What becomes of a member's score before scores are combined: increasing or decreasing functions of it.

use serde::{Deserialize, Serialize};

use super::LARGEST_SCORE;
use crate::{InputError, Result};

/// A monotone function of a score.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Transform {
    /// The score itself.
    #[default]
    Identity,
    /// `1 / (1 + exp(-(slope * score + offset)))`: a probability from log-odds, or sigmoid calibration. Platt's
    /// `1 / (1 + exp(a * score + b))` has the slope `-a` and the offset `-b`.
    Logistic {
        /// A negative slope makes the probability fall with the score.
        slope: f64,
        /// Added to slope times score.
        offset: f64,
    },
    /// Straight lines between the points of a table, constant before the first and after the last: isotonic calibration.
    Isotonic {
        /// The scores of the table, in ascending order.
        scores: Vec<f64>,
        /// What becomes of each; they never fall, or never rise.
        values: Vec<f64>,
    },
    /// 1 from the cut on, else 0.
    Vote {
        /// The least score that counts as a vote.
        #[serde(default)]
        cut: f64,
    },
}

impl Transform {
    /// What becomes of a score. Rounding keeps the order of scores, except for that of the exponential function.
    pub fn of(&self, score: f64) -> f64 {
        match self {
            Self::Identity => score,
            Self::Logistic { slope, offset } => 1.0 / (1.0 + (-(slope * score + offset)).exp()),
            Self::Isotonic { scores, values } => interpolate(scores, values, score),
            Self::Vote { cut } if score >= *cut => 1.0,
            Self::Vote { .. } if score.is_nan() => f64::NAN,
            Self::Vote { .. } => 0.0,
        }
    }

    /// Whether it is the score itself.
    pub fn is_identity(&self) -> bool {
        *self == Self::Identity
    }

    /// Whether higher scores become lower values.
    pub(crate) fn is_falling(&self) -> bool {
        match self {
            Self::Identity | Self::Vote { .. } => false,
            Self::Logistic { slope, .. } => *slope < 0.0,
            Self::Isotonic { values, .. } => values.first() > values.last(),
        }
    }

    /// Bounds of the values of scores between two, whatever rounding makes of the exponential function.
    pub(crate) fn range(&self, (low, high): (f64, f64)) -> (f64, f64) {
        let (a, b) = (self.of(low), self.of(high));
        let (low, high) = if self.is_falling() { (b, a) } else { (a, b) };
        match self {
            Self::Logistic { .. } => {
                let error = 8.0 * f64::EPSILON;
                (low * (1.0 - error), (high * (1.0 + error)).min(1.0))
            }
            _ => (low, high),
        }
    }

    /// Bounds of the values, times a weight, of scores between two.
    pub(crate) fn weighted_range(&self, weight: f64, scores: (f64, f64)) -> (f64, f64) {
        let (low, high) = self.range(scores);
        let (a, b) = (weight * low, weight * high);
        if weight < 0.0 { (b, a) } else { (a, b) }
    }

    /// The largest value, by size, of scores of up to a size.
    pub(crate) fn largest(&self, size: f64) -> f64 {
        match self {
            Self::Identity => size,
            Self::Logistic { .. } | Self::Vote { .. } => 1.0,
            Self::Isotonic { values, .. } => values.iter().fold(0.0, |most, v| most.max(v.abs())),
        }
    }

    /// The most that a value changes by per change of the score.
    pub(crate) fn steepest(&self) -> f64 {
        match self {
            Self::Identity => 1.0,
            Self::Logistic { slope, .. } => 0.25 * slope.abs(),
            Self::Isotonic { scores, values } => {
                let pieces = scores.windows(2).zip(values.windows(2));
                let slope = |(s, v): (&[f64], &[f64])| ((v[1] - v[0]) / (s[1] - s[0])).abs();
                pieces.map(slope).fold(0.0, f64::max)
            }
            Self::Vote { .. } => f64::INFINITY,
        }
    }

    pub(super) fn check(&self) -> Result<()> {
        let finite = |name: &str, numbers: &[f64]| {
            let bad =
                numbers.iter().find(|number| number.abs().is_nan() || number.abs() > LARGEST_SCORE);
            bad.map_or(Ok(()), |bad| {
                Err(InputError::new("is not a finite number of a usual size")
                    .at(format!("transform.{name}"))
                    .value(bad)
                    .remedy("give finite numbers, none beyond 1e300")
                    .into())
            })
        };
        match self {
            Self::Identity => Ok(()),
            Self::Logistic { slope, offset } => {
                finite("slope", &[*slope])?;
                finite("offset", &[*offset])
            }
            Self::Vote { cut } => finite("cut", &[*cut]),
            Self::Isotonic { scores, values } => {
                finite("scores", scores)?;
                finite("values", values)?;
                check_table(scores, values)
            }
        }
    }
}

/// A table has as many values as scores, scores ascend, and values are monotone.
fn check_table(scores: &[f64], values: &[f64]) -> Result<()> {
    let wrong = |place: &str, problem: String, remedy: &str| {
        Err(InputError::new(problem).at(place).remedy(remedy).into())
    };
    if scores.is_empty() {
        return wrong(
            "transform.scores",
            "is empty".into(),
            "give at least one score with its value",
        );
    }
    if scores.len() != values.len() {
        return wrong(
            "transform.values",
            format!("has {} numbers for {} scores", values.len(), scores.len()),
            "give one value per score",
        );
    }
    if let Some(at) = scores.windows(2).position(|pair| pair[0] >= pair[1]) {
        return wrong(
            &format!("transform.scores[{}]", at + 1),
            format!("is {}, not above the score before it, {}", scores[at + 1], scores[at]),
            "sort the table by score, each score once",
        );
    }
    let rises = values.windows(2).position(|pair| pair[0] < pair[1]);
    let falls = values.windows(2).position(|pair| pair[0] > pair[1]);
    if let (Some(rise), Some(fall)) = (rises, falls) {
        return wrong(
            &format!("transform.values[{}]", rise.max(fall) + 1),
            "goes the other way than values before it".into(),
            "give values that never fall, or never rise",
        );
    }
    Ok(())
}

/// The value on the line between two points of a table, never beyond either.
fn interpolate(scores: &[f64], values: &[f64], score: f64) -> f64 {
    if score.is_nan() {
        return f64::NAN;
    }
    let above = scores.partition_point(|&other| other <= score);
    let (Some(below), Some(&next)) = (above.checked_sub(1), values.get(above)) else {
        return values[above.saturating_sub(1)];
    };
    let (from, value) = (scores[below], values[below]);
    let slope = (next - value) / (scores[above] - from);
    if score == from {
        return value;
    }
    (slope * (score - from) + value).clamp(value.min(next), value.max(next))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logistic_functions_are_those_of_probabilities_and_of_platt() {
        let probability = Transform::Logistic { slope: 1.0, offset: 0.0 };
        assert_eq!(probability.of(0.0), 0.5);
        assert!(probability.of(2.0) > 0.88 && probability.of(-800.0) == 0.0);
        let (a, b) = (-1.7_f64, 0.3_f64);
        let platt = Transform::Logistic { slope: -a, offset: -b };
        for score in [-3.0, -0.1, 0.0, 0.7, 11.0] {
            assert_eq!(platt.of(score), 1.0 / (1.0 + (a * score + b).exp()));
        }
        assert!(Transform::Logistic { slope: -1.0, offset: 0.0 }.is_falling());
    }

    #[test]
    fn tables_are_lines_between_points_and_constant_outside() {
        let table =
            Transform::Isotonic { scores: vec![0.0, 1.0, 3.0], values: vec![0.1, 0.1, 0.9] };
        for (score, value) in
            [(-9.0, 0.1), (0.5, 0.1), (1.0, 0.1), (2.0, 0.5), (3.0, 0.9), (4.0, 0.9)]
        {
            assert!((table.of(score) - value).abs() < 1e-15, "{score}");
        }
        assert_eq!(Transform::Isotonic { scores: vec![2.0], values: vec![0.4] }.of(-1.0), 0.4);
        assert!(table.of(f64::NAN).is_nan());
        let steep = Transform::Isotonic { scores: vec![0.0, 5e-324], values: vec![0.0, 1e300] };
        assert_eq!((steep.of(0.0), steep.of(5e-324)), (0.0, 1e300));
    }

    #[test]
    fn votes_count_from_the_cut_on() {
        let vote = Transform::Vote { cut: 0.5 };
        assert_eq!((vote.of(0.5), vote.of(0.5_f64.next_down())), (1.0, 0.0));
    }

    #[test]
    fn ranges_hold_every_value() {
        let table =
            Transform::Isotonic { scores: vec![-1.0, 0.0, 2.0], values: vec![0.9, 0.4, 0.1] };
        for transform in [
            Transform::Identity,
            Transform::Logistic { slope: 2.0, offset: -0.3 },
            Transform::Logistic { slope: -0.7, offset: 0.1 },
            table,
            Transform::Vote { cut: 0.1 },
        ] {
            let (low, high) = transform.range((-0.8, 1.1));
            for step in 0..=100 {
                let value = transform.of(-0.8 + 0.019 * f64::from(step));
                assert!(low <= value && value <= high, "{transform:?}");
            }
        }
    }
}
