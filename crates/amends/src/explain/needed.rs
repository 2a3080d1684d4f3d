//! Changes that a plan could do without: the model would accept the rest of the plan, too.
//!
//! The cheapest plan may have such changes, because a change that follows the correlations in the data makes the others cheaper:
//! a shorter credit is more usual if it is smaller, too. Plans may be asked to have none. No engine knows of this: a plan with a
//! smaller plan inside is taken away, together with all others that contain a plan like the smaller one, and the case is solved
//! again. What is left at the end is the cheapest plan in which every change is needed.

use super::case::Case;
use super::outcome_box::OutcomeBox;
use crate::Result;
use crate::data::Value;
use crate::instance::{Literal, OptionRule, OptionSet};

/// Of plans with more changes than this only those parts are tried that lack a single change.
const MOST_CHANGES: usize = 12;

impl Case<'_> {
    /// The smallest part of a plan that is a plan by itself; none where every change is needed.
    pub(super) fn sufficient_part(&self, choice: &[usize]) -> Result<Option<Vec<usize>>> {
        let changed = self.changed_moves(choice);
        let all = (1_usize << changed.len().min(MOST_CHANGES)) - 1;
        let mut parts: Vec<Vec<usize>> = if changed.len() <= MOST_CHANGES {
            let members = |part: usize| {
                changed.iter().enumerate().filter(move |(at, _)| part & (1 << at) != 0)
            };
            (1..all).map(|part| members(part).map(|(_, &index)| index).collect()).collect()
        } else {
            let without = |&out: &usize| changed.iter().copied().filter(move |&index| index != out);
            changed.iter().map(|out| without(out).collect()).collect()
        };
        parts.sort_by_key(Vec::len);
        for kept in parts {
            let part = self.part_of(choice, &kept);
            if self.is_plan(&part)? {
                return Ok(Some(part));
            }
        }
        Ok(None)
    }

    /// Rules that take away every plan that contains a plan like this one and changes more.
    pub(super) fn without_additions(&self, part: &[usize]) -> Vec<OptionRule> {
        let moved = self.changed_moves(part);
        let elsewhere: Vec<Literal> = match self.accepted_box(part, &moved) {
            Some(area) => moved.iter().map(|&index| self.outside(&area, index)).collect(),
            None => moved.iter().map(|&index| self.other_option(index, part[index])).collect(),
        };
        let others = (0..self.moves.len()).filter(|index| !moved.contains(index));
        let alone = |index: usize| {
            let stays = std::iter::once(self.moves[index].keep).collect();
            let literals =
                elsewhere.iter().cloned().chain([Literal { feature: index, options: stays }]);
            OptionRule::any_of("every change is needed", literals.collect())
        };
        others.filter(|&index| self.moves[index].len() > 1).map(alone).collect()
    }

    /// The moves that give some feature another value.
    fn changed_moves(&self, choice: &[usize]) -> Vec<usize> {
        let changes = |&index: &usize| {
            let action = &self.moves[index];
            action.values(choice[index]) != action.values(action.keep)
        };
        (0..self.moves.len()).filter(changes).collect()
    }

    /// Some of a plan's changes; everything else stays.
    fn part_of(&self, choice: &[usize], kept: &[usize]) -> Vec<usize> {
        let option = |index: usize| {
            if kept.contains(&index) { choice[index] } else { self.moves[index].keep }
        };
        (0..choice.len()).map(option).collect()
    }

    /// Whether a choice is accepted and permitted, with its margin.
    fn is_plan(&self, choice: &[usize]) -> Result<bool> {
        let record = self.record(choice);
        Ok(self.refusal(&record).is_none() && self.margin_cuts(&record)?.is_empty())
    }

    /// Where the moved features may lie so that every such plan is accepted and permitted. None where rules between features or a
    /// margin would have to be looked at for each.
    fn accepted_box(&self, part: &[usize], moved: &[usize]) -> Option<OutcomeBox> {
        if !self.rules.is_empty() || self.has_margin_step() {
            return None;
        }
        let encoder = &self.explainer.encoder;
        let members = moved.iter().flat_map(|&index| self.moves[index].members.iter());
        let columns: Vec<usize> =
            members.flat_map(|&member| encoder.feature_columns(member)).collect();
        Some(OutcomeBox::accepted(self.explainer, &self.record(part), &columns))
    }

    /// The options of a move that lead out of a box.
    fn outside(&self, area: &OutcomeBox, index: usize) -> Literal {
        let (action, encoder) = (&self.moves[index], &self.explainer.encoder);
        let ends = action.members.iter().enumerate().flat_map(|(at, &member)| {
            let (low, high) = area.side(encoder.feature_columns(member).start);
            [low, high].into_iter().filter(|end| end.is_finite()).map(move |end| (at, end))
        });
        let holds = |row: &[Value]| {
            let mut members = action.members.iter().zip(row);
            members.all(|(&member, &value)| area.holds(encoder, member, value))
        };
        let pieces = action.options.pieces(&ends.collect::<Vec<_>>(), holds).into_iter();
        let out = pieces.filter(|piece| !piece.is).map(|piece| (piece.first, piece.last));
        Literal { feature: index, options: out.collect() }
    }

    fn other_option(&self, index: usize, option: usize) -> Literal {
        let taken: OptionSet = std::iter::once(option).collect();
        Literal { feature: index, options: taken.complement(self.moves[index].len()) }
    }
}
