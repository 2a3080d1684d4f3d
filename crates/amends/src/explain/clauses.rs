//! Formulas as clauses: each an "at least one of these", all of which hold.

use crate::data::{Atom, Formula};
use crate::{InputError, Result};

/// Rules that need more clauses than this are too tangled for anybody.
const MOST_CLAUSES: usize = 256;

/// A statement, or its opposite.
#[derive(Debug, Clone, Copy)]
pub(super) struct Claim<'a> {
    pub atom: &'a Atom,
    /// Whether the statement is to hold; otherwise its opposite is.
    pub holds: bool,
}

/// At least one of the claims is true.
pub(super) type Clause<'a> = Vec<Claim<'a>>;

/// The clauses that together say what a formula says.
pub(super) fn clauses(formula: &Formula) -> Result<Vec<Clause<'_>>> {
    of(formula, true)
}

fn of(formula: &Formula, holds: bool) -> Result<Vec<Clause<'_>>> {
    match formula {
        Formula::Atom(atom) => Ok(vec![vec![Claim { atom, holds }]]),
        Formula::Not(inner) => of(inner, !holds),
        // "Not all" is "any not", and the other way round.
        Formula::All(parts) if holds => all(parts, holds),
        Formula::Any(parts) if !holds => all(parts, holds),
        Formula::All(parts) | Formula::Any(parts) => any(parts, holds),
    }
}

fn all(parts: &[Formula], holds: bool) -> Result<Vec<Clause<'_>>> {
    let mut list = Vec::new();
    for part in parts {
        list.extend(of(part, holds)?);
        check_size(list.len())?;
    }
    Ok(list)
}

/// One of every part's clauses, in all combinations.
fn any(parts: &[Formula], holds: bool) -> Result<Vec<Clause<'_>>> {
    let mut list: Vec<Clause> = vec![Vec::new()];
    for part in parts {
        let more = of(part, holds)?;
        check_size(list.len().saturating_mul(more.len()))?;
        list = list
            .iter()
            .flat_map(|clause| more.iter().map(move |other| [&clause[..], &other[..]].concat()))
            .collect();
    }
    Ok(list)
}

fn check_size(clauses: usize) -> Result<()> {
    if clauses <= MOST_CLAUSES {
        return Ok(());
    }
    Err(InputError::new("mixes `and` and `or` so often that it can't be worked out")
        .remedy("split it into several rules")
        .into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Value;

    fn changes(feature: usize) -> Formula {
        Formula::Atom(Atom::Changes { feature })
    }

    fn not(formula: Formula) -> Formula {
        Formula::Not(Box::new(formula))
    }

    /// What a formula says where the features of these bits change.
    fn says(formula: &Formula, bits: usize) -> bool {
        match formula {
            Formula::Atom(atom) => bits >> atom.features()[0] & 1 == 1,
            Formula::Not(inner) => !says(inner, bits),
            Formula::All(parts) => parts.iter().all(|part| says(part, bits)),
            Formula::Any(parts) => parts.iter().any(|part| says(part, bits)),
        }
    }

    #[test]
    fn clauses_say_the_same_as_the_formula() {
        let implies = Formula::Any(vec![
            not(Formula::All(vec![changes(0), not(changes(1))])),
            Formula::All(vec![changes(2), Formula::Any(vec![changes(3), not(changes(0))])]),
        ]);
        for formula in [
            implies.clone(),
            not(implies),
            Formula::All(Vec::new()),
            Formula::Any(Vec::new()),
            not(Formula::Any(vec![changes(1), changes(2)])),
        ] {
            let list = clauses(&formula).unwrap();
            for bits in 0..16 {
                let before = [Value::Number(0.0); 4];
                let after: Vec<Value> =
                    (0..4).map(|f| Value::Number((bits >> f & 1) as f64)).collect();
                let claimed = list.iter().all(|clause| {
                    clause.iter().any(|claim| claim.atom.holds(&before, &after) == claim.holds)
                });
                assert_eq!(claimed, says(&formula, bits), "{formula:?} {bits}");
            }
        }
    }

    #[test]
    fn tangled_formulas_are_refused() {
        let pair = |f| Formula::All(vec![changes(f), changes(f + 1)]);
        let parts = (0..9).map(pair).collect();
        assert!(clauses(&Formula::Any(parts)).unwrap_err().to_string().contains("split it"));
    }
}
