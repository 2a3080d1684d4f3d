//! The options of a move for which a statement about single features is true.

use super::RuleContext;
use crate::data::{Atom, Formula, Record, Value};
use crate::decimal::sum;
use crate::explain::clauses::Claim;
use crate::instance::Literal;

impl RuleContext<'_> {
    /// The options with a code where the formula asks for a number: it says nothing about those.
    pub(super) fn silent(&self, formula: &Formula) -> Vec<Literal> {
        let mut list: Vec<Literal> = Vec::new();
        formula.visit(&mut |atom| {
            for feature in atom.features() {
                let move_index = self.move_of(feature);
                // Only this feature counts: the others are given as numbers.
                let plain = vec![Value::Number(0.0); self.applicant.len()];
                let silent = |after: &Record| {
                    let (mut before, mut then) = (plain.clone(), plain.clone());
                    before[feature] = self.applicant[feature];
                    then[feature] = after[feature];
                    atom.is_silent(&before, &then)
                };
                // Numbers are all alike to it.
                let literal = self.literal(move_index, &[], silent);
                if !literal.options.is_empty() && !list.contains(&literal) {
                    list.push(literal);
                }
            }
        });
        list
    }

    /// The options of a move under which a claim about it is true.
    pub(super) fn claim(&self, move_index: usize, claim: Claim) -> Literal {
        let holds = |after: &Record| claim.atom.holds(self.applicant, after) == claim.holds;
        if matches!(claim.atom, Atom::Sum { .. }) {
            return self.one_sided(move_index, holds);
        }
        let breaks = self.breaks(claim.atom);
        let feature = claim.atom.features()[0];
        let member = self.moves[move_index].members.iter().position(|&member| member == feature);
        let breaks: Vec<(usize, f64)> =
            breaks.into_iter().map(|number| (member.unwrap_or(0), number)).collect();
        self.literal(move_index, &breaks, holds)
    }

    /// The numbers near which a statement about one feature may begin or cease to be true.
    pub(super) fn breaks(&self, atom: &Atom) -> Vec<f64> {
        let own = |feature: &usize| match self.applicant[*feature] {
            Value::Number(own) => Some(own),
            Value::Level(_) | Value::Code(_) => None,
        };
        match atom {
            Atom::Changes { feature } => own(feature).into_iter().collect(),
            Atom::Moves { feature, least, most, .. } => own(feature).map_or_else(Vec::new, |own| {
                let sizes = least.iter().chain(most);
                let ends = sizes.flat_map(|&size| [sum(own, size), sum(own, -size)]);
                ends.chain([own]).collect()
            }),
            Atom::Is { values, .. } => {
                let number = |value: &Value| match *value {
                    Value::Number(number) => Some(number),
                    Value::Level(_) | Value::Code(_) => None,
                };
                values.iter().filter_map(number).collect()
            }
            Atom::Lies { low, high, .. } => {
                [*low, *high].into_iter().filter(|end| end.is_finite()).collect()
            }
            Atom::Sum { .. } => Vec::new(),
        }
    }

    /// The options of a move for which a comparison of sums holds: along a range a sum goes one way, so that its truth
    /// changes at most once.
    pub(super) fn one_sided(&self, move_index: usize, holds: impl Fn(&Record) -> bool) -> Literal {
        let options = &self.moves[move_index].options;
        let at = |option: usize| holds(&self.after(move_index, &options.values(option)));
        let mut intervals = Vec::new();
        for (start, range) in options.ranges() {
            let end = start + range.len() - 1;
            let (first, last) = (at(start), at(end));
            let (mut low, mut high) = (start, end);
            while first != last && high - low > 1 {
                let middle = usize::midpoint(low, high);
                if at(middle) == first { low = middle } else { high = middle }
            }
            match (first, last) {
                (true, true) => intervals.push((start, end)),
                (true, false) => intervals.push((start, low)),
                (false, true) => intervals.push((high, end)),
                (false, false) => {}
            }
        }
        let listed = options.listed_values().map(|(option, _)| option).filter(|&option| at(option));
        intervals.extend(listed.map(|option| (option, option)));
        Literal { feature: move_index, options: intervals.into_iter().collect() }
    }
}
