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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Linear, Sums, Tree, TreeEnsemble};

    fn linear(weight: f64, intercept: f64) -> Classifier {
        Classifier::Linear(Linear { weights: vec![weight], intercept })
    }

    fn combined(combine: Combine) -> Combined {
        let members = [(1.0, -2.0), (-1.0, 4.0), (0.5, 0.0)];
        let members = members.map(|(weight, intercept)| Member::new(linear(weight, intercept)));
        Combined { members: members.to_vec(), combine, intercept: 0.25 }
    }

    #[test]
    fn scores_are_computed_by_hand() {
        // The members score 1, 1 and 1.5 at 3, and -2, 4 and 0 at 0.
        assert_eq!(combined(Combine::Sum).score(&[3.0]), 3.75);
        assert_eq!(combined(Combine::Minimum).score(&[0.0]), -1.75);
        for (k, value) in [(1, 4.25), (2, 0.25), (3, -1.75)] {
            assert_eq!(combined(Combine::KthLargest(k)).score(&[0.0]), value);
        }
        let mut votes = combined(Combine::Sum);
        for (member, weight) in votes.members.iter_mut().zip([2.0, -1.0, 0.5]) {
            (member.transform, member.weight) = (Transform::Vote { cut: 1.0 }, weight);
        }
        assert_eq!(votes.score(&[3.0]), 2.0 - 1.0 + 0.5 + 0.25);
        let classifier = Classifier::Combined(combined(Combine::Minimum));
        assert_eq!(classifier.with_cut_at(0.5).score(&[0.0]), -2.25);
        assert!(combined(Combine::Minimum).score(&[f64::NAN]).is_nan());
    }

    #[test]
    fn negated_classifiers_have_the_negative_score() {
        let tree = Tree {
            value: vec![0.3],
            feature: vec![-1],
            threshold: vec![0.0],
            left: vec![-1],
            right: vec![-1],
        };
        let trees = TreeEnsemble { threshold: 0.7, sums: Sums::Double, trees: vec![tree].into() };
        for combine in [Combine::Sum, Combine::Minimum, Combine::KthLargest(2)] {
            let mut combined = combined(combine);
            combined.members[1].transform = Transform::Logistic { slope: -2.0, offset: 0.1 };
            combined.members[2].classifier = Classifier::Trees(trees.clone());
            for x in [-3.0, 0.0, 0.7, 5.0] {
                assert_eq!(combined.negated().score(&[x]), -combined.score(&[x]));
            }
        }
    }

    #[test]
    fn bounds_in_boxes_hold_every_score() {
        for combine in [Combine::Sum, Combine::Minimum, Combine::KthLargest(2)] {
            let mut combined = combined(combine);
            combined.members[0].transform = Transform::Logistic { slope: -1.0, offset: 0.0 };
            combined.members[2].transform = Transform::Vote { cut: 0.4 };
            let ((low, high), _) = combined.range_in(&[(-1.0, 2.5)]);
            for step in 0..=70 {
                let score = combined.score(&[-1.0 + 0.05 * f64::from(step)]);
                assert!(low <= score && score <= high, "{combine:?}");
            }
        }
    }

    fn refusal(break_it: impl FnOnce(&mut Combined)) -> String {
        let mut broken = combined(Combine::Sum);
        break_it(&mut broken);
        Classifier::Combined(broken).check(1).unwrap_err().to_string()
    }

    #[test]
    fn what_makes_no_sense_is_refused_where_it_is() {
        assert!(Classifier::Combined(combined(Combine::Sum)).check(1).is_ok());
        for (message, part) in [
            (refusal(|c| c.members.clear()), "classifier.members: is empty"),
            (
                refusal(|c| c.combine = Combine::KthLargest(0)),
                "kth-largest: is 0, but there are 3 members",
            ),
            (refusal(|c| c.combine = Combine::KthLargest(4)), "from 1 to the number of members"),
            (refusal(|c| c.intercept = f64::NAN), "classifier.intercept: is not a finite number"),
            (
                refusal(|c| c.members[1].weight = f64::INFINITY),
                "members[1].weight: `inf` is not a finite",
            ),
            (
                refusal(|c| (c.combine, c.members[2].weight) = (Combine::Minimum, 0.5)),
                "members[2].weight: `0.5` is not 1, but only sums have weights",
            ),
            (
                refusal(|c| {
                    c.members[0].classifier =
                        Classifier::Linear(Linear { weights: vec![], intercept: 0.0 });
                }),
                "classifier.members[0], classifier.weights: has 0 weights",
            ),
        ] {
            assert!(message.contains(part), "{message}");
        }
        let table = |scores: &[f64], values: &[f64]| {
            let transform =
                Transform::Isotonic { scores: scores.to_vec(), values: values.to_vec() };
            refusal(|c| c.members[0].transform = transform)
        };
        assert!(table(&[], &[]).contains("transform.scores: is empty"));
        assert!(
            table(&[0.0, 1.0], &[0.0]).contains("transform.values: has 1 numbers for 2 scores")
        );
        assert!(table(&[1.0, 1.0], &[0.0, 1.0]).contains("transform.scores[1]: is 1, not above"));
        assert!(
            table(&[0.0, 1.0, 2.0], &[0.0, 1.0, 0.5])
                .contains("transform.values[2]: goes the other way")
        );
        assert!(table(&[f64::NEG_INFINITY, 1.0], &[0.0, 1.0]).contains("is not a finite number"));
        let mut deep = combined(Combine::Sum);
        for _ in 0..4 {
            let inner = Member::new(Classifier::Combined(deep));
            deep = Combined { members: vec![inner], combine: Combine::Sum, intercept: 0.0 };
        }
        let message = Classifier::Combined(deep).check(1).unwrap_err().to_string();
        assert!(message.contains("more than 4 levels"), "{message}");
    }

    #[test]
    fn files_say_what_is_wrong_with_them() {
        let flaw = |text: &str| {
            let value = serde_json::from_str(text).unwrap();
            crate::model::CLASSIFIER.flaw(&value).map(|error| error.to_string())
        };
        let text =
            serde_json::to_string(&Classifier::Combined(combined(Combine::KthLargest(2)))).unwrap();
        assert!(text.contains(r#""combine":{"kth-largest":2}"#), "{text}");
        assert_eq!(flaw(&text), None);
        let read: Classifier = serde_json::from_str(&text).unwrap();
        assert_eq!(read, Classifier::Combined(combined(Combine::KthLargest(2))));
        for (from, to, part) in [
            ("kth-largest", "kth-largst", "kth-largst"),
            (r#"{"kth-largest":2}"#, r#""maximum""#, "`sum`, `minimum`"),
            (r#""weights":[1.0]"#, r#""weight":[1.0]"#, "members[0].classifier"),
            (r#""members""#, r#""member""#, "did you mean `members`"),
        ] {
            let message = flaw(&text.replacen(from, to, 1)).unwrap_or_default();
            assert!(message.contains(part), "{from}: {message}");
        }
    }
}
