//! The schema's rules for one applicant: clauses and sums over the options of an instance.
//!
//! Ranges are not walked through: a statement about one move can only change its truth near a few numbers, and is
//! asked exactly around them.

mod alone;
mod claims;
mod option_clause;
#[cfg(test)]
mod tests;

pub(super) use self::alone::allowed_alone;
use self::option_clause::OptionClause;
use super::clauses::clauses;
use crate::Result;
use crate::action::Move;
use crate::data::{Demand, Formula, Record, Rule, Value};
use crate::instance::{self, Coefficients, Literal, Term};

/// An applicant's rules over their moves. Features that move together need no rule here: they are one move.
pub(super) fn instance_rules(
    rules: &[&Rule],
    moves: &[Move],
    applicant: &Record,
) -> Result<Vec<instance::OptionRule>> {
    let context = RuleContext { moves, applicant };
    let mut list = Vec::new();
    for rule in rules {
        let made = match &rule.demand {
            Demand::Together(_) => Ok(Vec::new()),
            Demand::AtMost { most, features } => Ok(vec![context.at_most(rule, *most, features)]),
            Demand::Formula(formula) => context.formula(rule, formula),
        };
        list.extend(made.map_err(|error| error.in_file(format!("rule `{}`", rule.text)))?);
    }
    Ok(list)
}

/// Rules that a choice of options breaks and every plan respects, where the choice breaks sums of a rule. Sums of many digits are
/// rounded in the instance, so that such choices may pass there.
pub(super) fn sum_cuts(
    rule: &Rule,
    moves: &[Move],
    applicant: &Record,
    choice: &[usize],
) -> Result<Vec<instance::OptionRule>> {
    let context = RuleContext { moves, applicant };
    let Demand::Formula(formula) = &rule.demand else { return Ok(Vec::new()) };
    let mut cuts = Vec::new();
    context.each_clause(rule, formula, |clause| cuts.extend(clause.cuts(choice, &context)))?;
    Ok(cuts.into_iter().map(|cut| instance::OptionRule::any_of(rule.title(), cut)).collect())
}

/// An applicant and what they may do.
struct RuleContext<'a> {
    moves: &'a [Move],
    applicant: &'a Record,
}

impl RuleContext<'_> {
    /// The move that a feature belongs to.
    fn move_of(&self, feature: usize) -> usize {
        let move_index = self.moves.iter().position(|action| action.members.contains(&feature));
        move_index.expect("every feature of the schema is in a move")
    }

    /// The application with one option of one move, given by its values.
    fn after(&self, move_index: usize, row: &[Value]) -> Record {
        let mut after = self.applicant.clone();
        for (&member, &value) in self.moves[move_index].members.iter().zip(row) {
            after[member] = value;
        }
        after
    }

    /// The options of a move for which something is true of the application after it. Along a range it may begin or cease
    /// to be true near these numbers only, each given with the member's index in the move.
    fn literal(
        &self,
        move_index: usize,
        breaks: &[(usize, f64)],
        holds: impl Fn(&Record) -> bool,
    ) -> Literal {
        let options = &self.moves[move_index].options;
        let pieces = options.pieces(breaks, |row| holds(&self.after(move_index, row)));
        let true_ones = pieces.into_iter().filter(|piece| piece.is);
        let options = true_ones.map(|piece| (piece.first, piece.last)).collect();
        Literal { feature: move_index, options }
    }

    /// The own numbers of a move's members, with their indices in it.
    fn own_numbers(&self, move_index: usize) -> Vec<(usize, f64)> {
        let members = self.moves[move_index].members.iter().enumerate();
        let number = |(index, &member): (usize, &usize)| match self.applicant[member] {
            Value::Number(own) => Some((index, own)),
            Value::Level(_) | Value::Code(_) => None,
        };
        members.filter_map(number).collect()
    }

    fn at_most(&self, rule: &Rule, most: usize, features: &[usize]) -> instance::OptionRule {
        let terms = self.moves.iter().enumerate().filter_map(|(move_index, action)| {
            let counted: Vec<usize> =
                action.members.iter().copied().filter(|member| features.contains(member)).collect();
            let changed = |row: &[Value]| {
                let after = self.after(move_index, row);
                counted.iter().filter(|&&f| after[f] != self.applicant[f]).count()
            };
            let mut coefficients = Coefficients::default();
            for piece in action.options.pieces(&self.own_numbers(move_index), changed) {
                coefficients.push(piece.is as f64, 0.0, piece.last - piece.first + 1);
            }
            (!counted.is_empty()).then_some(Term { feature: move_index, coefficients })
        });
        instance::OptionRule::at_most(rule.title(), terms.collect(), most as f64)
    }

    fn formula(&self, rule: &Rule, formula: &Formula) -> Result<Vec<instance::OptionRule>> {
        let mut list = Vec::new();
        self.each_clause(rule, formula, |clause| {
            list.extend(clause.rule(rule.title(), self));
        })?;
        Ok(list)
    }

    /// Visits every clause of a formula with the options that excuse from it.
    fn each_clause(
        &self,
        rule: &Rule,
        formula: &Formula,
        mut visit: impl FnMut(OptionClause<'_>),
    ) -> Result<()> {
        let silent = self.silent(formula);
        let mut move_indices: Vec<usize> =
            rule.features().iter().map(|&f| self.move_of(f)).collect();
        move_indices.sort_unstable();
        move_indices.dedup();
        // Who breaks a rule about values may leave all that it names as it is: for every move, either it stays or the
        // clause holds.
        let waived = !rule.must && rule.is_about_values() && !rule.holds(self.applicant);
        let excuses: Vec<Option<Literal>> = if waived {
            let features = rule.features();
            let kept = |after: &Record| features.iter().all(|&f| after[f] == self.applicant[f]);
            let excuse =
                |&move_index: &usize| self.literal(move_index, &self.own_numbers(move_index), kept);
            move_indices.iter().map(|move_index| Some(excuse(move_index))).collect()
        } else {
            vec![None]
        };
        for clause in clauses(formula)? {
            for excuse in &excuses {
                let ways: Vec<Literal> = silent.iter().chain(excuse).cloned().collect();
                visit(self.clause(&clause, ways)?);
            }
        }
        Ok(())
    }
}
