//! Classifiers made of classifiers: each member's score, transformed, and all of them combined.

use serde::{Deserialize, Serialize};

use super::{Classifier, Transform};
use crate::{InputError, Result};

/// Members in members in members: deeper ones are refused.
const MOST_DEPTH: usize = 4;

/// What rounding does to a member's bounds in a box, times the sizes of what they are sums of.
const ROUNDING: f64 = 1e-12;

/// Classifiers of which one score is made; accepted where it is at least 0.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Combined {
    /// The classifiers, in the order in which a sum adds them up.
    pub members: Vec<Member>,
    /// How their values are combined.
    pub combine: Combine,
    /// Added to what the combination gives; for a cut at `c` it is `-c`.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub intercept: f64,
}

/// A classifier whose score is part of another one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Member {
    /// Gives the score; whether it is above 0 does not matter in itself.
    pub classifier: Classifier,
    /// What becomes of the score.
    #[serde(default, skip_serializing_if = "Transform::is_identity")]
    pub transform: Transform,
    /// How often its value counts in a sum; 1 in other combinations.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub weight: f64,
}

/// How the values of members become one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Combine {
    /// Weight times value, added up in the order of the members.
    Sum,
    /// The least value: every member must accept.
    Minimum,
    /// The k-th largest value, from 1: so many members must accept.
    KthLargest(usize),
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands fields over by reference")]
fn is_zero(number: &f64) -> bool {
    *number == 0.0
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands fields over by reference")]
fn is_one(number: &f64) -> bool {
    *number == 1.0
}

fn one() -> f64 {
    1.0
}

impl Member {
    /// A member that counts once, with its score as it is.
    pub fn new(classifier: Classifier) -> Self {
        Self { classifier, transform: Transform::Identity, weight: 1.0 }
    }

    /// Whether a higher score of the member makes the combined score lower.
    pub(crate) fn is_opposed(&self) -> bool {
        (self.weight < 0.0) != self.transform.is_falling()
    }

    /// What the combination is made of: weight times transformed score.
    pub(crate) fn value(&self, score: f64) -> f64 {
        self.weight * self.transform.of(score)
    }

    /// Bounds of its value where its score is between two.
    pub(crate) fn value_range(&self, scores: (f64, f64)) -> (f64, f64) {
        self.transform.weighted_range(self.weight, scores)
    }
}

impl Combine {
    /// One value from all members' values. Not a number if one of them is not. No value of a member that rises makes it fall,
    /// whatever the rounding.
    pub(crate) fn of(self, values: &[f64]) -> f64 {
        match self {
            Self::Sum => values.iter().fold(0.0, |sum, value| sum + value),
            _ if values.iter().any(|value| value.is_nan()) => f64::NAN,
            Self::Minimum => values.iter().copied().fold(f64::INFINITY, f64::min),
            Self::KthLargest(k) => {
                let mut sorted = values.to_vec();
                sorted.sort_unstable_by(|a, b| b.total_cmp(a));
                sorted[k - 1]
            }
        }
    }
}

impl Combined {
    /// The combined score.
    pub fn score(&self, x: &[f64]) -> f64 {
        self.of_scores(|member| member.classifier.score(x))
    }

    pub(super) fn score_in_64_bits(&self, x: &[f64]) -> f64 {
        self.of_scores(|member| member.classifier.score_in_64_bits(x))
    }

    fn of_scores(&self, score: impl Fn(&Member) -> f64) -> f64 {
        let values: Vec<f64> =
            self.members.iter().map(|member| member.value(score(member))).collect();
        self.combine.of(&values) + self.intercept
    }

    /// Bounds of the score in a box, and the size of the terms that they are sums of.
    pub(super) fn range_in(&self, sides: &[(f64, f64)]) -> ((f64, f64), f64) {
        let ranges: Vec<(f64, f64)> = (self.members.iter())
            .map(|member| {
                let (low, low_size) = member.classifier.lowest_in(sides);
                let (high, high_size) = match &member.classifier {
                    Classifier::Trees(trees) => trees.highest_in(sides),
                    other => other.highest_in(sides),
                };
                let error = ROUNDING * (1.0 + low_size.max(high_size));
                member.value_range((low - error, high + error))
            })
            .collect();
        let lows: Vec<f64> = ranges.iter().map(|range| range.0).collect();
        let highs: Vec<f64> = ranges.iter().map(|range| range.1).collect();
        let size = ranges.iter().map(|(low, high)| low.abs().max(high.abs())).sum::<f64>();
        let of = |values: &[f64]| self.combine.of(values) + self.intercept;
        ((of(&lows), of(&highs)), size + self.intercept.abs())
    }

    /// A bound of the size of every score, those of members and sums on the way included.
    pub(super) fn largest_score(&self, sizes: &[f64]) -> f64 {
        let member = |member: &Member| {
            let size = member.classifier.largest_score(sizes);
            size + member.weight.abs() * member.transform.largest(size)
        };
        self.members.iter().map(member).sum::<f64>() + self.intercept.abs()
    }

    pub(super) fn column_weight(&self, column: usize) -> f64 {
        let weight = |member: &Member| {
            let times =
                if member.transform.is_identity() { member.weight.abs().max(1.0) } else { 1.0 };
            times * member.classifier.column_weight(column)
        };
        self.members.iter().map(weight).fold(0.0, f64::max)
    }

    /// Per column, the numbers that trees of any member compare it with, in ascending order.
    pub(super) fn thresholds(&self, columns: usize) -> Option<Vec<Vec<f64>>> {
        let mut all: Option<Vec<Vec<f64>>> = None;
        let members = self.members.iter();
        for more in members.filter_map(|member| member.classifier.thresholds(columns)) {
            let all = all.get_or_insert_with(|| vec![Vec::new(); columns]);
            for (all, more) in all.iter_mut().zip(more) {
                all.extend(more);
            }
        }
        for cuts in all.iter_mut().flatten() {
            cuts.sort_unstable_by(f64::total_cmp);
            cuts.dedup();
        }
        all
    }

    /// The classifier of the negative score: it accepts where this one scores at most 0.
    pub(crate) fn negated(&self) -> Self {
        let members = self.members.iter().cloned();
        let intercept = -self.intercept;
        let Self { combine: Combine::Sum, .. } = self else {
            // The least of the values is the largest of their negatives.
            let count = self.members.len();
            let combine = Combine::KthLargest(match self.combine {
                Combine::KthLargest(k) => count - k + 1,
                Combine::Sum | Combine::Minimum => 1,
            });
            let negative = |member: Member| {
                let members = vec![Member { weight: -1.0, ..member }];
                let alone = Self { members, combine: Combine::Sum, intercept: 0.0 };
                Member::new(Classifier::Combined(alone))
            };
            return Self { members: members.map(negative).collect(), combine, intercept };
        };
        let negative = |member: Member| Member { weight: -member.weight, ..member };
        Self { members: members.map(negative).collect(), combine: Combine::Sum, intercept }
    }

    /// Checks members, their transformations and the combination, `depth` levels inside of others.
    pub(super) fn check(&self, columns: usize, depth: usize) -> Result<()> {
        let wrong = |place: &str, problem: String, remedy: &str| {
            Err(InputError::new(problem).at(place).remedy(remedy).into())
        };
        if depth >= MOST_DEPTH {
            return wrong(
                "classifier",
                format!("is combined in more than {MOST_DEPTH} levels"),
                "combine fewer levels of classifiers",
            );
        }
        if self.members.is_empty() {
            return wrong("classifier.members", "is empty".into(), "give at least one member");
        }
        if let Combine::KthLargest(k) = self.combine
            && !(1..=self.members.len()).contains(&k)
        {
            return wrong(
                "classifier.combine.kth-largest",
                format!("is {k}, but there are {} members", self.members.len()),
                "give a number from 1 to the number of members",
            );
        }
        if !self.intercept.is_finite() {
            return wrong(
                "classifier.intercept",
                "is not a finite number".into(),
                "give a finite one",
            );
        }
        for (index, member) in self.members.iter().enumerate() {
            let place = format!("classifier.members[{index}]");
            self.check_weight(member, &place)?;
            let checked = member.transform.check();
            let checked = checked.and_then(|()| member.classifier.check_at(columns, depth + 1));
            checked.map_err(|error| error.in_place(&place))?;
        }
        Ok(())
    }

    fn check_weight(&self, member: &Member, place: &str) -> Result<()> {
        let wrong = |problem: &str, remedy: &str| {
            Err(InputError::new(problem)
                .at(format!("{place}.weight"))
                .value(member.weight)
                .remedy(remedy)
                .into())
        };
        if !member.weight.is_finite() {
            return wrong("is not a finite number", "give a finite weight");
        }
        if self.combine != Combine::Sum && member.weight != 1.0 {
            return wrong(
                "is not 1, but only sums have weights",
                "leave out `weight`, or combine by `sum`",
            );
        }
        Ok(())
    }
}
