//! What makes a rule usable with its schema.

use super::parser::place_of;
use super::verdict::{Verdict, judge};
use super::{Atom, Demand, Formula, Rule};
use crate::InputError;
use crate::data::{Change, Feature, Kind, Value, some_of};

impl Rule {
    /// Refuses a rule that does not fit the features, that can never hold, or that forbids nothing.
    ///
    /// What can be decided from the possible values and moves of each single feature is decided; arithmetic between features
    /// is not.
    pub fn check(&self, features: &[Feature]) -> Result<(), InputError> {
        let check = || {
            self.check_kinds(features)?;
            match &self.demand {
                Demand::Together(group) => check_together(group, features),
                Demand::AtMost { most, features: group } => check_at_most(*most, group, features),
                Demand::Formula(formula) => self.check_formula(formula, features),
            }
        };
        check().map_err(|error| error.at(place_of(&self.text)))
    }

    /// Refuses a rule that repeats or contradicts another.
    pub(in crate::data) fn check_beside(
        &self,
        other: &Self,
        features: &[Feature],
    ) -> Result<(), InputError> {
        let check = || match (&self.demand, &other.demand) {
            (mine, theirs) if mine == theirs => {
                Err(InputError::new(format!("says the same as {}", place_of(&other.text)))
                    .remedy("keep one of the two"))
            }
            _ if self.name.is_some() && self.name == other.name => {
                Err(InputError::new("is the name of two rules")
                    .value(self.title())
                    .remedy("give each rule a name of its own"))
            }
            (Demand::Together(mine), Demand::Together(theirs)) => {
                match mine.iter().find(|feature| theirs.contains(feature)) {
                    Some(&both) => Err(InputError::new(format!(
                        "moves with two groups: see {}",
                        place_of(&other.text)
                    ))
                    .value(&features[both].name)
                    .remedy("name all features that change together in one rule")),
                    None => Ok(()),
                }
            }
            (Demand::Formula(mine), Demand::Formula(theirs))
                if self.features().len() == 1 && self.features() == other.features() =>
            {
                let both = Formula::All(vec![theirs.clone(), mine.clone()]);
                match judge(&both, false, features) {
                    Verdict::Never => {
                        Err(InputError::new(format!("contradicts {}", place_of(&other.text)))
                            .remedy("loosen one of the two, or remove it"))
                    }
                    Verdict::Always | Verdict::Undecided => Ok(()),
                }
            }
            _ => Ok(()),
        };
        check().map_err(|error| error.at(place_of(&self.text)))
    }

    /// A rule that was parsed fits; one that was built in code may not.
    fn check_kinds(&self, features: &[Feature]) -> Result<(), InputError> {
        if self.name.as_deref().is_some_and(|name| name.trim().is_empty()) {
            return Err(InputError::new("has an empty name").remedy("remove it, or write one"));
        }
        if self.features().iter().any(|&feature| feature >= features.len()) {
            return Err(InputError::new("names a feature that the schema lacks")
                .remedy("read the rule with the schema it belongs to"));
        }
        let mut unfit = None;
        match &self.demand {
            Demand::Together(group) => {
                unfit = group.iter().copied().find(|&feature| !features[feature].is_numeric());
            }
            Demand::AtMost { .. } => {}
            Demand::Formula(formula) => formula.visit(&mut |atom| {
                let misfit = atom.features().into_iter().find(|&f| !fits(atom, &features[f]));
                unfit = unfit.or(misfit);
            }),
        }
        match unfit {
            Some(feature) => Err(InputError::new(format!(
                "does not fit `{}`, which is of kind {}",
                features[feature].name,
                features[feature].kind.name()
            ))
            .remedy("sums and groups need numbers, moves an order, and values those of the kind")),
            None => Ok(()),
        }
    }

    fn check_formula(&self, formula: &Formula, features: &[Feature]) -> Result<(), InputError> {
        let excusable = !self.must && self.is_about_values();
        let named = self.features();
        let fixed = named.iter().filter(|&&f| features[f].change == Change::Immutable);
        let fixed: Vec<String> = fixed.map(|&f| features[f].name.clone()).collect();
        match judge(formula, excusable, features) {
            Verdict::Undecided => Ok(()),
            Verdict::Never => {
                Err(InputError::new("holds for no values and moves that the schema allows").remedy(
                    if fixed.is_empty() {
                        "loosen the rule, or remove it".to_owned()
                    } else {
                        format!("loosen the rule, or remove it: {} may not change", some_of(&fixed))
                    },
                ))
            }
            Verdict::Always => {
                Err(InputError::new("says nothing: it allows every move that the schema allows")
                    .remedy(if excusable && fixed.len() == named.len() {
                        "remove it, or write `must` in front: who breaks a rule and can't change what it names \
                         is bound by a `must` alone"
                    } else {
                        "correct it, or remove it"
                    }))
            }
        }
    }
}

fn fits(atom: &Atom, feature: &Feature) -> bool {
    match atom {
        Atom::Changes { .. } => true,
        Atom::Moves { .. } | Atom::Lies { .. } => !matches!(feature.kind, Kind::Categorical { .. }),
        Atom::Sum { .. } => feature.is_numeric(),
        Atom::Is { values, .. } => values.iter().all(|value| match value {
            Value::Number(_) => feature.is_numeric(),
            Value::Level(level) => *level < feature.levels().len(),
            Value::Code(code) => *code < feature.codes.len(),
        }),
    }
}

fn check_together(group: &[usize], features: &[Feature]) -> Result<(), InputError> {
    if group.len() < 2 {
        return Err(InputError::new("names fewer than two features that change together")
            .remedy("name the others, too"));
    }
    let with = |change: Change| group.iter().map(|&f| &features[f]).find(|f| f.change == change);
    if let Some(fixed) = with(Change::Immutable) {
        return Err(InputError::new("may not change, so none of the others could")
            .value(&fixed.name)
            .remedy("leave it out of the rule, or let it change"));
    }
    if let (Some(up), Some(down)) = (with(Change::Increase), with(Change::Decrease)) {
        return Err(InputError::new(format!(
            "may only rise and `{}` only fall, so neither could change",
            down.name
        ))
        .value(&up.name)
        .remedy("leave one of them out of the rule, or give both the same `change`"));
    }
    Ok(())
}

fn check_at_most(most: usize, group: &[usize], features: &[Feature]) -> Result<(), InputError> {
    let movable = group.iter().filter(|&&f| features[f].change != Change::Immutable).count();
    if movable > most {
        return Ok(());
    }
    Err(InputError::new(format!(
        "says nothing: {movable} of the features may change at all, and {most} are allowed to"
    ))
    .remedy("allow fewer, name more features, or remove the rule"))
}
