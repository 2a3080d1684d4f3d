//! Whether a rule can ever hold, and whether it can ever fail to.
//!
//! All combinations of the possible situations of each feature are tried. Statements about several features may
//! hold or not, independently of all else: their arithmetic is not considered. So a rule that is refused here really can't be used, but some
//! that can't be used pass.

use std::collections::BTreeSet;

use super::situation::{Situation, situations};
use super::{Atom, Formula};
use crate::data::Feature;

/// With more combinations than this, nothing is decided.
const MOST_COMBINATIONS: usize = 50_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// It never holds, for any applicant and any change.
    Never,
    /// It forbids nothing.
    Always,
    Undecided,
}

/// Judges a formula; one that is `excusable` binds nobody who changes nothing that it names.
pub(super) fn judge(formula: &Formula, excusable: bool, features: &[Feature]) -> Verdict {
    let mut statements: Vec<&Atom> = Vec::new();
    let gate = Gate::of(formula, &mut statements);
    let named: BTreeSet<usize> = statements.iter().flat_map(|atom| atom.features()).collect();
    let mut groups = Vec::new();
    for feature in named {
        let own = |(_, atom): &(usize, &&Atom)| atom.decided_by() == Some(feature);
        let own: Vec<usize> = statements.iter().enumerate().filter(own).map(|(i, _)| i).collect();
        let atoms: Vec<&Atom> = own.iter().map(|&statement| statements[statement]).collect();
        let Some(options) = situations(feature, features, &atoms, &statements) else {
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
        let true_now = gate.holds(&holds);
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

/// A formula whose statements are known by their indices: no formula is compared twice.
enum Gate {
    Statement(usize),
    Not(Box<Gate>),
    All(Vec<Gate>),
    Any(Vec<Gate>),
}

impl Gate {
    /// The formula's gate; its statements are collected, each once.
    fn of<'a>(formula: &'a Formula, statements: &mut Vec<&'a Atom>) -> Self {
        let mut gates = |parts: &'a [Formula]| -> Vec<Self> {
            parts.iter().map(|part| Self::of(part, statements)).collect()
        };
        match formula {
            Formula::Not(inner) => Self::Not(Box::new(Self::of(inner, statements))),
            Formula::All(parts) => Self::All(gates(parts)),
            Formula::Any(parts) => Self::Any(gates(parts)),
            Formula::Atom(atom) => {
                let known = statements.iter().position(|other| *other == atom);
                Self::Statement(known.unwrap_or_else(|| {
                    statements.push(atom);
                    statements.len() - 1
                }))
            }
        }
    }

    fn holds(&self, statements: &[bool]) -> bool {
        match self {
            Self::Statement(feature) => statements[*feature],
            Self::Not(inner) => !inner.holds(statements),
            Self::All(parts) => parts.iter().all(|part| part.holds(statements)),
            Self::Any(parts) => parts.iter().any(|part| part.holds(statements)),
        }
    }
}
