//! What a single move may do while everything else stays as it is.

use super::RuleContext;
use crate::action::Move;
use crate::data::{Atom, Demand, Record, Rule, Value};
use crate::instance::OptionSet;

/// The options of a move that no rule forbids where no other move is made. Rules of single features are in the options already.
pub(in crate::explain) fn allowed_alone(
    rules: &[&Rule],
    moves: &[Move],
    applicant: &Record,
    move_index: usize,
) -> OptionSet {
    let context = RuleContext { moves, applicant };
    let mut breaks = context.own_numbers(move_index);
    for rule in rules {
        if let Demand::Formula(formula) = &rule.demand {
            formula.visit(&mut |atom| breaks.extend(context.breaks_along(move_index, atom)));
        }
    }
    let allowed = |row: &[Value]| {
        let after = context.after(move_index, row);
        rules.iter().all(|rule| rule.allows(applicant, &after))
    };
    let pieces = moves[move_index].options.pieces(&breaks, allowed).into_iter();
    pieces.filter(|piece| piece.is).map(|piece| (piece.first, piece.last)).collect()
}

impl RuleContext<'_> {
    /// The numbers of a move's members near which a statement may begin or cease to be true where only this move is made, each
    /// with the member's index in the move.
    fn breaks_along(&self, move_index: usize, atom: &Atom) -> Vec<(usize, f64)> {
        let action = &self.moves[move_index];
        let member_of = |feature: usize| action.members.iter().position(|&own| own == feature);
        if !matches!(atom, Atom::Sum { .. }) {
            let member = atom.features().first().and_then(|&feature| member_of(feature));
            let breaks = member.map_or_else(Vec::new, |_| self.breaks(atom));
            return breaks.into_iter().map(|number| (member.unwrap_or(0), number)).collect();
        }
        // A sum goes one way along a range, so that its truth ends where a run of options does.
        let holds = |after: &Record| atom.holds(self.applicant, after);
        let literal = self.one_sided(move_index, holds);
        let mut breaks = Vec::new();
        for (start, range) in action.options.ranges() {
            let moving = (0..action.members.len()).find(|&member| range.moves(member));
            let Some(member) = moving else { continue };
            for end in literal.options.intervals().iter().flat_map(|&(first, last)| [first, last]) {
                if (start..start + range.len()).contains(&end) {
                    breaks.push((member, range.value(end - start, member)));
                }
            }
        }
        breaks
    }
}
