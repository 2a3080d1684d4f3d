//! Rules between features, judged in whole numbers from what the schema's documentation says they mean.

use super::exact::Exact;
use super::feature::Cell;

/// A rule of the schema.
#[derive(Debug, Clone, PartialEq)]
pub enum Rule {
    AtMost { most: usize, of: Vec<usize> },
    Together(Vec<usize>),
    Claim { must: bool, form: Form },
}

/// How a rule begins.
#[derive(Debug, Clone, PartialEq)]
pub enum Form {
    Holds(Claim),
    Never(Claim),
    If(Claim, Claim),
}

/// Statements joined by words.
#[derive(Debug, Clone, PartialEq)]
pub enum Claim {
    Says(Statement),
    Not(Box<Claim>),
    And(Vec<Claim>),
    Or(Vec<Claim>),
}

#[derive(Debug, Clone, PartialEq)]
pub enum Statement {
    Changes(usize),
    Stays(usize),
    Moves { feature: usize, up: bool, by: Option<(By, Exact)> },
    DoesNotMove { feature: usize, up: bool },
    Is { feature: usize, among: Vec<Cell>, not: bool },
    Compares { feature: usize, sign: Sign, with: Cell },
    Sum { terms: Vec<Term>, sign: Sign, constant: Exact },
}

/// How far a feature moves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum By {
    Exactly,
    AtLeast,
    AtMost,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Sign {
    AtMost,
    AtLeast,
    Below,
    Above,
    Equal,
    Unequal,
}

/// A number, or its change, times a factor in thousandths.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Term {
    pub thousandths: i128,
    pub feature: usize,
    pub change: bool,
}

/// An application as it is and as it would become.
#[derive(Clone, Copy)]
pub struct Step<'a> {
    pub before: &'a [Cell],
    pub after: &'a [Cell],
}

impl Rule {
    /// Whether an application may become another.
    pub fn allows(&self, step: Step<'_>) -> bool {
        let changed = |&f: &usize| step.before[f] != step.after[f];
        match self {
            Self::AtMost { most, of } => of.iter().filter(|f| changed(f)).count() <= *most,
            Self::Together(members) => {
                let amounts = members.iter().filter_map(|&f| step.amount(f));
                let amounts: Vec<Exact> = amounts.collect();
                let others = members.iter().filter(|&&f| step.amount(f).is_none());
                amounts.windows(2).all(|pair| pair[0] == pair[1])
                    && !others.into_iter().any(changed)
            }
            Self::Claim { must, form } => {
                let mut statements = Vec::new();
                form.claims(&mut |claim| claim.collect(&mut statements));
                if statements.iter().any(|statement| statement.is_silent(step)) {
                    return true;
                }
                let excused = !must
                    && statements.iter().all(|statement| statement.is_about_values())
                    && !statements
                        .iter()
                        .flat_map(|statement| statement.features())
                        .any(|f| changed(&f));
                excused || form.holds(step)
            }
        }
    }
}

impl Form {
    fn claims<'a>(&'a self, see: &mut dyn FnMut(&'a Claim)) {
        match self {
            Self::Holds(claim) | Self::Never(claim) => see(claim),
            Self::If(when, then) => {
                see(when);
                see(then);
            }
        }
    }

    fn holds(&self, step: Step<'_>) -> bool {
        match self {
            Self::Holds(claim) => claim.holds(step),
            Self::Never(claim) => !claim.holds(step),
            Self::If(when, then) => !when.holds(step) || then.holds(step),
        }
    }
}

impl Claim {
    fn collect<'a>(&'a self, into: &mut Vec<&'a Statement>) {
        match self {
            Self::Says(statement) => into.push(statement),
            Self::Not(claim) => claim.collect(into),
            Self::And(claims) | Self::Or(claims) => {
                for claim in claims {
                    claim.collect(into);
                }
            }
        }
    }

    fn holds(&self, step: Step<'_>) -> bool {
        match self {
            Self::Says(statement) => statement.holds(step),
            Self::Not(claim) => !claim.holds(step),
            Self::And(claims) => claims.iter().all(|claim| claim.holds(step)),
            Self::Or(claims) => claims.iter().any(|claim| claim.holds(step)),
        }
    }
}

impl Statement {
    fn features(&self) -> Vec<usize> {
        match self {
            Self::Changes(feature)
            | Self::Stays(feature)
            | Self::Moves { feature, .. }
            | Self::DoesNotMove { feature, .. }
            | Self::Is { feature, .. }
            | Self::Compares { feature, .. } => vec![*feature],
            Self::Sum { terms, .. } => terms.iter().map(|term| term.feature).collect(),
        }
    }

    /// Whether it asks for no change.
    fn is_about_values(&self) -> bool {
        match self {
            Self::Is { .. } | Self::Compares { .. } => true,
            Self::Sum { terms, .. } => !terms.iter().any(|term| term.change),
            _ => false,
        }
    }

    /// Whether it asks for a number or rank of who has a code: then the rule says nothing.
    fn is_silent(&self, step: Step<'_>) -> bool {
        let is_code = |cell: Cell| matches!(cell, Cell::Code(_));
        let coded = |feature: usize| is_code(step.after[feature]);
        let was_coded = |feature: usize| is_code(step.before[feature]);
        match self {
            Self::Changes(_) | Self::Stays(_) => false,
            Self::Moves { feature, .. } | Self::DoesNotMove { feature, .. } => {
                coded(*feature) || was_coded(*feature)
            }
            Self::Is { feature, among, .. } => {
                coded(*feature) && among.iter().all(|cell| matches!(cell, Cell::Number(_)))
            }
            Self::Compares { feature, .. } => coded(*feature),
            Self::Sum { terms, .. } => terms
                .iter()
                .any(|term| coded(term.feature) || (term.change && was_coded(term.feature))),
        }
    }

    fn holds(&self, step: Step<'_>) -> bool {
        let changed = |feature: usize| step.before[feature] != step.after[feature];
        let rise = |feature: usize| rank(step.after[feature]) - rank(step.before[feature]);
        match self {
            Self::Changes(feature) => changed(*feature),
            Self::Stays(feature) => !changed(*feature),
            Self::Moves { feature, up, by } => {
                let size = if *up { rise(*feature) } else { -rise(*feature) };
                let far = by.is_none_or(|(by, limit)| match by {
                    By::Exactly => size == limit,
                    By::AtLeast => size >= limit,
                    By::AtMost => size <= limit,
                });
                size > Exact::ZERO && far
            }
            Self::DoesNotMove { feature, up } => {
                let size = if *up { rise(*feature) } else { -rise(*feature) };
                size <= Exact::ZERO
            }
            Self::Is { feature, among, not } => among.contains(&step.after[*feature]) != *not,
            Self::Compares { feature, sign, with } => {
                sign.holds(rank(step.after[*feature]).units(), rank(*with).units())
            }
            Self::Sum { terms, sign, constant } => {
                let of = |term: &Term| {
                    let new = rank(step.after[term.feature]);
                    let old =
                        if term.change { rank(step.before[term.feature]) } else { Exact::ZERO };
                    term.thousandths * (new - old).units()
                };
                sign.holds(terms.iter().map(of).sum(), 1000 * constant.units())
            }
        }
    }
}

impl Sign {
    fn holds(self, left: i128, right: i128) -> bool {
        match self {
            Self::AtMost => left <= right,
            Self::AtLeast => left >= right,
            Self::Below => left < right,
            Self::Above => left > right,
            Self::Equal => left == right,
            Self::Unequal => left != right,
        }
    }
}

impl Step<'_> {
    /// How far a number moves that is one before and after.
    fn amount(self, feature: usize) -> Option<Exact> {
        match (self.before[feature], self.after[feature]) {
            (Cell::Number(old), Cell::Number(new)) => Some(new - old),
            _ => None,
        }
    }
}

/// A number, or the rank of a level. Nobody is asked for the rank of a code.
fn rank(cell: Cell) -> Exact {
    match cell {
        Cell::Number(number) => number,
        Cell::Level(level) => Exact::whole(level as i128),
        Cell::Code(_) => Exact::ZERO,
    }
}
