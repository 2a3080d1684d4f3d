//! Classifiers made of classifiers: bounds of the members' scores, combined.
//!
//! A member whose higher scores make the combined score lower is laid out as the classifier of the negative score, so that the
//! combined score never falls where a member's score rises: an upper bound of it is the combination of upper bounds.

mod bound;
mod lines;
mod merged;
mod point;
mod term;
#[cfg(test)]
mod tests;

use self::bound::CombinedBound;
use self::merged::MergedTrees;
use self::point::CombinedPoint;
use self::term::Term;
use super::{ClassifierScore, MemberBound, MemberScore, PointScore, ScoreBound, lay_out_member};
use crate::instance::Instance;
use crate::model::{Classifier, Combine, Combined, Member};
use crate::search::layout::feature::Feature;
use crate::search::layout::space::Space;

/// A combination with its members laid out.
#[derive(Debug)]
pub(in crate::search::score) struct Combination {
    combine: Combine,
    intercept: f64,
    /// What scores are computed from.
    points: Vec<(Term, Box<dyn MemberScore>)>,
    /// What the score is bounded from.
    bounded: Vec<(Term, Box<dyn MemberScore>)>,
}

impl Combination {
    pub(in crate::search::score) fn new(
        instance: &Instance,
        features: &[Feature],
        combined: &Combined,
    ) -> Self {
        let lay_out = |classifier: &Classifier| lay_out_member(instance, features, classifier);
        let members = combined.members.iter();
        let points = members.map(|member| (Term::new(member), lay_out(&member.classifier)));
        let (trees, others): (Vec<&Member>, Vec<&Member>) =
            combined.members.iter().partition(|member| merged::joins(combined, member));
        let mut bounded: Vec<(Term, Box<dyn MemberScore>)> = Vec::new();
        let one_by_one = if trees.len() > 1 {
            let sum = MergedTrees::new(&trees);
            bounded.push((Term::plain_sum(), Box::new(sum)));
            others
        } else {
            combined.members.iter().collect()
        };
        bounded.extend(one_by_one.into_iter().map(|member| {
            let score = if member.is_opposed() {
                lay_out(&member.classifier.negated())
            } else {
                lay_out(&member.classifier)
            };
            (Term::new(member), score)
        }));
        let Combined { combine, intercept, .. } = *combined;
        Self { combine, intercept, points: points.collect(), bounded }
    }

    fn lay_out_bound<'s>(&'s self, space: &'s Space<'s>) -> Result<CombinedBound<'s>, usize> {
        let bounds = self.bounded.iter().map(|(_, score)| score.member(space));
        Ok(CombinedBound::new(space, self, bounds.collect::<Result<Vec<_>, usize>>()?))
    }
}

impl ClassifierScore for Combination {
    fn point<'s>(&'s self, space: &'s Space<'s>) -> Box<dyn PointScore + 's> {
        Box::new(CombinedPoint::new(space, self))
    }

    fn bound<'s>(&'s self, space: &'s Space<'s>) -> Result<Box<dyn ScoreBound + 's>, usize> {
        Ok(Box::new(self.lay_out_bound(space)?))
    }
}

impl MemberScore for Combination {
    fn member<'s>(&'s self, space: &'s Space<'s>) -> Result<Box<dyn MemberBound + 's>, usize> {
        Ok(Box::new(self.lay_out_bound(space)?))
    }
}
