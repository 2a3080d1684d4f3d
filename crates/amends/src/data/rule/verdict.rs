//! Whether a rule can ever hold, and whether it can ever fail to.
//!
//! Every single feature's possible situations are gone through, in every combination. Statements about several features may
//! hold or not, whatever else does: what follows from their arithmetic is not seen. So a rule that is refused here deserves it, and some
//! that deserve it pass.

use std::collections::BTreeSet;

use super::situation::{Situation, situations};
use super::{Atom, Formula};
use crate::data::Feature;

/// Where there are more combinations than this, nothing is decided.
const MOST_COMBINATIONS: usize = 50_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// It holds for nobody and no move.
    Never,
    /// It forbids nothing.
    Always,
    Undecided,
}

/// Judges a formula; one that is `excusable` binds nobody who changes nothing that it names.
pub(super) fn judge(formula: &Formula, excusable: bool, features: &[Feature]) -> Verdict {
    let mut statements: Vec<&Atom> = Vec::new();
    formula.collect(&mut statements);
    let named: BTreeSet<usize> = statements.iter().flat_map(|atom| atom.features()).collect();
    let mut groups = Vec::new();
    for place in named {
        let own = |(_, atom): &(usize, &&Atom)| atom.decided_by() == Some(place);
        let own: Vec<usize> = statements.iter().enumerate().filter(own).map(|(i, _)| i).collect();
        let atoms: Vec<&Atom> = own.iter().map(|&statement| statements[statement]).collect();
        let Some(options) = situations(place, features, &atoms, &statements) else {
            return Verdict::Undecided;
        };
        groups.push(Group { own, options });
    }
    for (statement, atom) in statements.iter().enumerate() {
        if atom.decided_by().is_none() {
            let option = |holds| Situation { holds: vec![holds], changed: false };
            groups
                .push(Group { own: vec![statement], options: [true, false].map(option).to_vec() });
        }
    }
    let combinations =
        groups.iter().try_fold(1_usize, |count, group| count.checked_mul(group.options.len()));
    if !combinations.is_some_and(|count| (1..=MOST_COMBINATIONS).contains(&count)) {
        return Verdict::Undecided;
    }
    let (mut sometimes, mut forbids) = (false, false);
    let mut holds = vec![false; statements.len()];
    for mut combination in 0..combinations.unwrap_or_default() {
        let mut changed = false;
        for Group { own, options } in &groups {
            let option = &options[combination % options.len()];
            combination /= options.len();
            changed |= option.changed;
            for (&statement, &holding) in own.iter().zip(&option.holds) {
                holds[statement] = holding;
            }
        }
        let true_now = formula.holds_given(&statements, &holds);
        sometimes |= true_now;
        forbids |= !true_now && (changed || !excusable);
        if sometimes && forbids {
            return Verdict::Undecided;
        }
    }
    if sometimes { Verdict::Always } else { Verdict::Never }
}

/// A feature's situations, or the two of a statement about several features.
struct Group {
    /// The statements that are decided here.
    own: Vec<usize>,
    options: Vec<Situation>,
}

impl Formula {
    /// Its statements, each once.
    fn collect<'a>(&'a self, found: &mut Vec<&'a Atom>) {
        match self {
            Self::Atom(atom) => {
                if !found.contains(&atom) {
                    found.push(atom);
                }
            }
            Self::Not(inner) => inner.collect(found),
            Self::All(parts) | Self::Any(parts) => {
                for part in parts {
                    part.collect(found);
                }
            }
        }
    }

    fn holds_given(&self, statements: &[&Atom], holds: &[bool]) -> bool {
        let given = |part: &Self| part.holds_given(statements, holds);
        match self {
            Self::Atom(atom) => {
                statements.iter().zip(holds).any(|(other, &holds)| holds && *other == atom)
            }
            Self::Not(inner) => !given(inner),
            Self::All(parts) => parts.iter().all(given),
            Self::Any(parts) => parts.iter().any(given),
        }
    }
}
