//! A clause of a rule over the options of moves.

use super::RuleContext;
use crate::explain::clauses::{Claim, Clause};
use crate::explain::sums::Weighed;
use crate::instance::{self, Literal, RuleKind};
use crate::{InputError, Result};

/// A clause over the options of moves: one of these ways is taken, or the sum holds.
pub(super) struct OptionClause<'a> {
    ways: Vec<Literal>,
    sum: Option<Claim<'a>>,
}

impl OptionClause<'_> {
    /// As a rule of an instance; `None` where it always holds.
    pub(super) fn rule(self, name: &str, context: &RuleContext) -> Option<instance::OptionRule> {
        let always = |way: &Literal| way.options.len() == context.moves[way.feature].len();
        if self.ways.iter().any(always) {
            return None;
        }
        let kind = match self.sum {
            None => RuleKind::AnyOf(self.ways),
            Some(claim) => {
                Weighed::of(claim, context.moves, context.applicant).unless(self.ways)?
            }
        };
        Some(instance::OptionRule { name: name.to_owned(), kind })
    }

    /// Clauses that every plan respects and a choice breaks whose sum is too large.
    pub(super) fn cuts(&self, choice: &[usize], context: &RuleContext) -> Vec<Vec<Literal>> {
        let taken = |way: &Literal| way.options.contains(choice[way.feature]);
        let Some(claim) = self.sum.filter(|_| !self.ways.iter().any(taken)) else {
            return Vec::new();
        };
        let cuts = Weighed::of(claim, context.moves, context.applicant).cuts(choice);
        let or_a_way = |cut: Vec<Literal>| merged([self.ways.clone(), cut].concat());
        cuts.into_iter().map(or_a_way).collect()
    }
}

impl RuleContext<'_> {
    /// A clause: options of single moves, and at most one sum over several.
    pub(super) fn clause<'c>(
        &self,
        clause: &Clause<'c>,
        mut ways: Vec<Literal>,
    ) -> Result<OptionClause<'c>> {
        let mut sum: Option<Claim> = None;
        for &claim in clause {
            let features = claim.atom.features();
            let move_index = features.first().map(|&feature| self.move_of(feature));
            match move_index
                .filter(|&move_index| features.iter().all(|&f| self.move_of(f) == move_index))
            {
                Some(move_index) => ways.push(self.claim(move_index, claim)),
                None if sum.is_none() => sum = Some(claim),
                None => {
                    return Err(InputError::new(
                        "offers a choice between two comparisons of several features",
                    )
                    .remedy("write one comparison per rule, or compare single features in `or`")
                    .into());
                }
            }
        }
        Ok(OptionClause { ways: merged(ways), sum })
    }
}

/// One literal per move, with all the options that were named.
fn merged(ways: Vec<Literal>) -> Vec<Literal> {
    let mut list: Vec<Literal> = Vec::new();
    for way in ways {
        match list.iter_mut().find(|known| known.feature == way.feature) {
            Some(known) => known.options = known.options.union(&way.options),
            None => list.push(way),
        }
    }
    list.retain(|way| !way.options.is_empty());
    list
}
