//! Changes that a plan could do without: the model would accept the rest of the plan, too.
//!
//! The cheapest plan may have such changes, because a change that follows the correlations in the data makes the others cheaper:
//! a shorter credit is more usual if it is smaller, too. Plans may be asked to have none. No engine knows of this: a plan with a
//! smaller plan inside is taken away, together with all others that contain a plan like the smaller one, and the case is solved
//! again. What is left at the end is the cheapest plan in which every change is needed. Every smaller plan is improved on the way
//! by a solve over the features that it changes: the best of these is the answer where it is as cheap as proven possible, or
//! where time runs out.

use std::collections::HashSet;
use std::time::Duration;

use super::case::Case;
use super::needed_gains::Gains;
use super::outcome_box::OutcomeBox;
use crate::data::Value;
use crate::engine::{Clock, SolveReport, Solving, Wanted, find};
use crate::instance::{Instance, Literal, OptionRule, OptionSet};
use crate::solution::LEAST_IN_GAP;
use crate::{Plan, Result, Status};

/// Of plans with more changes than this only those parts are tried that lack a single change.
const MOST_CHANGES: usize = 12;

/// An improvement of a smaller plan takes no longer than this, nor than this share of the time that is left.
const IMPROVEMENT: (Duration, u32) = (Duration::from_secs(2), 8);

/// The search for the cheapest plan in which every change is needed.
pub(super) struct NeededSearch<'a> {
    case: &'a Case<'a>,
    /// For linear models.
    gains: Option<Gains<'a>>,
    /// The cheapest plan found so far in which every change is needed.
    best: Option<Plan>,
    /// The highest bound so far: cuts only take plans away.
    bound: Option<f64>,
    /// The sets of features whose values were improved.
    improved: HashSet<Vec<usize>>,
}

impl<'a> NeededSearch<'a> {
    pub(super) fn new(case: &'a Case<'a>) -> Self {
        let gains = Gains::new(case);
        Self { case, gains, best: None, bound: None, improved: HashSet::new() }
    }

    /// Rules that hold from the beginning.
    pub(super) fn rules(&self) -> Vec<OptionRule> {
        self.gains.as_ref().map_or_else(Vec::new, Gains::useful_options)
    }

    /// A smaller plan inside a plan, in which every change is needed; adds rules that take the larger one away with others
    /// like it. `None` where every change is needed.
    pub(super) fn smaller(
        &self,
        choice: &[usize],
        cuts: &mut Vec<OptionRule>,
    ) -> Result<Option<Vec<usize>>> {
        let case = self.case;
        let Some(mut smaller) = case.sufficient_part(choice)? else { return Ok(None) };
        cuts.extend(self.sums(choice, &smaller)?);
        while let Some(part) = case.sufficient_part(&smaller)? {
            smaller = part;
        }
        if case.has_rules() || cuts.iter().all(|cut| cut.holds(choice)) {
            cuts.extend(case.without_additions(&smaller));
        }
        Ok(Some(smaller))
    }

    /// For linear models, what takes away all plans with an unneeded change that this plan has, too.
    fn sums(&self, choice: &[usize], smaller: &[usize]) -> Result<Vec<OptionRule>> {
        let Some(gains) = &self.gains else { return Ok(Vec::new()) };
        let changed = self.case.changed_moves(choice);
        let kept = self.case.changed_moves(smaller);
        let dropped: Vec<usize> =
            changed.iter().copied().filter(|index| !kept.contains(index)).collect();
        let mut cuts = Vec::new();
        for &one in &dropped {
            let rest: Vec<usize> = changed.iter().copied().filter(|&index| index != one).collect();
            if self.case.is_plan(&self.case.part_of(choice, &rest))? {
                cuts.extend(gains.without(&[one], choice));
            }
        }
        if cuts.is_empty() {
            cuts = gains.without(&dropped, choice);
        }
        Ok(cuts)
    }

    /// Keeps a plan in which every change is needed, and improves the values of what it changes.
    pub(super) fn keep_improved(
        &mut self,
        smaller: Vec<usize>,
        asked: &Instance,
        clock: &Clock<'_>,
        solving: &Solving<'_>,
    ) -> Result<()> {
        let changed = self.case.changed_moves(&smaller);
        self.keep(Plan::judge(asked, smaller));
        let Some(mut settings) = clock.next().filter(|_| !self.improved.contains(&changed)) else {
            return Ok(());
        };
        let stays = |index: usize| {
            let options = std::iter::once(self.case.moves[index].keep).collect();
            OptionRule::any_of("stays", vec![Literal { feature: index, options }])
        };
        let others = (0..self.case.moves.len()).filter(|index| !changed.contains(index));
        let only = asked.clone().with_rules(others.map(stays))?;
        let (most, share) = IMPROVEMENT;
        let limit = settings.time_limit.map_or(most, |left| most.min(left / share));
        settings.time_limit = Some(limit);
        let report = find(&only, Wanted::Cheapest, &Solving { settings: &settings, ..*solving })?;
        self.improved.insert(changed);
        let Some(plan) = report.solution.plan else { return Ok(()) };
        if self.case.is_plan(&plan.choice)? {
            let mut needed = plan.choice;
            while let Some(part) = self.case.sufficient_part(&needed)? {
                needed = part;
            }
            self.keep(Plan::judge(asked, needed));
        }
        Ok(())
    }

    fn keep(&mut self, plan: Option<Plan>) {
        let objective = |plan: &Plan| plan.evaluation.objective;
        if let Some(plan) = plan
            && self.best.as_ref().is_none_or(|best| objective(&plan) < objective(best))
        {
            self.best = Some(plan);
        }
    }

    /// Takes what a solve has proven, and puts the highest bound into its report. Gives whether the best plan so far is
    /// proven to be the cheapest.
    pub(super) fn learn(&mut self, report: &mut SolveReport, gap: f64) -> bool {
        let solution = &mut report.solution;
        let bounds = self.bound.into_iter().chain(solution.bound);
        self.bound = bounds.reduce(f64::max);
        if solution.status != Status::Infeasible {
            solution.bound = self.bound;
        }
        // Only plans with a change too many are taken away: the best is among what was left, or is what is left.
        (solution.status == Status::Infeasible && self.best.is_some()) || self.is_settled(gap)
    }

    /// Whether the best plan so far is proven to be the cheapest.
    pub(super) fn is_settled(&self, gap: f64) -> bool {
        let (Some(best), Some(bound)) = (&self.best, self.bound) else { return false };
        let objective = best.evaluation.objective;
        objective - bound <= gap * objective.abs().max(LEAST_IN_GAP)
    }

    /// A report with the best plan in which every change is needed, if that is proven to be the cheapest or better than the
    /// report's own.
    pub(super) fn answer(self, mut report: SolveReport, is_proven: bool) -> SolveReport {
        let solution = &mut report.solution;
        let own = solution.plan.as_ref().map_or(f64::INFINITY, |plan| plan.evaluation.objective);
        let Some(best) = self.best else { return report };
        if is_proven {
            let objective = best.evaluation.objective;
            solution.status = Status::Optimal;
            solution.bound = Some(solution.bound.map_or(objective, |bound| bound.min(objective)));
        } else if solution.status == Status::Timeout {
            solution.status = Status::Feasible;
        }
        let open = matches!(solution.status, Status::Feasible | Status::Optimal);
        if is_proven || (open && best.evaluation.objective < own) {
            solution.plan = Some(best);
        }
        report
    }
}

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
    fn without_additions(&self, part: &[usize]) -> Vec<OptionRule> {
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

    /// Where the moved features may lie so that every such plan is accepted and permitted: where they are, if rules between
    /// features depend on their values. None where a margin would have to be looked at for each.
    fn accepted_box(&self, part: &[usize], moved: &[usize]) -> Option<OutcomeBox> {
        if self.margin().is_some() {
            return None;
        }
        let (encoder, related) = (&self.explainer.encoder, self.related_moves());
        let free = moved.iter().filter(|&&index| !related[index]);
        let members = free.flat_map(|&index| self.moves[index].members.iter());
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
