//! Classifiers made of classifiers: bounds of the members' scores, combined.
//!
//! A member whose higher scores make the combined score lower is laid out as the classifier of the negative score, so that the
//! combined score never falls where a member's score rises: an upper bound of it is the combination of upper bounds.

mod bound;
mod lines;
mod point;
mod term;

use self::bound::CombinedBound;
use self::point::CombinedPoint;
use self::term::Term;
use super::{ClassifierScore, MemberBound, MemberScore, PointScore, ScoreBound, lay_out_member};
use crate::instance::Instance;
use crate::model::{Combine, Combined};
use crate::search::layout::feature::Feature;
use crate::search::layout::space::Space;

/// A combination with its members laid out.
#[derive(Debug)]
pub(in crate::search::score) struct Combination {
    terms: Vec<Term>,
    combine: Combine,
    intercept: f64,
    members: Vec<Member>,
}

/// A member, laid out.
#[derive(Debug)]
struct Member {
    score: Box<dyn MemberScore>,
    /// The classifier of the negative score, where that is the one to be bounded.
    opposite: Option<Box<dyn MemberScore>>,
}

impl Combination {
    pub(in crate::search::score) fn new(
        instance: &Instance,
        features: &[Feature],
        combined: &Combined,
    ) -> Self {
        let member = |member: &crate::model::Member| {
            let opposite = member
                .is_opposed()
                .then(|| lay_out_member(instance, features, &member.classifier.negated()));
            Member { score: lay_out_member(instance, features, &member.classifier), opposite }
        };
        Self {
            terms: combined.members.iter().map(Term::new).collect(),
            combine: combined.combine,
            intercept: combined.intercept,
            members: combined.members.iter().map(member).collect(),
        }
    }

    fn lay_out_bound<'s>(&'s self, space: &'s Space<'s>) -> Result<CombinedBound<'s>, usize> {
        let bounds = self.members.iter().map(|member| {
            let bounded = member.opposite.as_ref().unwrap_or(&member.score);
            bounded.member(space)
        });
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
