//! A feature's rules with an applicant's wishes: a wish takes away from what the schema allows and adds nothing.

use amends::data::{Atom, Change, Demand, Feature, FeatureLimits, Formula, Rule, Value};

use super::wishes::Key;
use crate::refusal::Problem;

/// What a wish may say of a feature, checked against the schema by itself.
pub fn check(key: &Key, feature: &Feature) -> Result<(), Problem> {
    let problem = |message: String, remedy: &str| {
        Err(Problem::new(format!("`{}` {message}", feature.name), remedy).of_feature(&feature.name))
    };
    if feature.change == Change::Immutable && *key != Key::Locked {
        return problem(
            format!("may not change at all, so that `{}` has no effect", key.name()),
            "leave the wish out",
        );
    }
    match key {
        Key::Range(_) if !feature.is_numeric() => {
            problem("has levels and no range".to_owned(), "use `levels`")
        }
        Key::Levels(_) if feature.is_numeric() => {
            problem("has numbers and no levels".to_owned(), "use `range`")
        }
        Key::Range(range) if is_empty(common(feature.limits.range, *range)) => {
            let [low, high] = feature.limits.range.unwrap_or_default();
            problem(
                format!("may only go from {low} to {high}, which the wish leaves no number of"),
                "give a range that has numbers in common with the schema's",
            )
        }
        Key::Change(change) if ![Change::Free, *change].contains(&feature.change) => {
            let (may, wish) = (feature.change.name(), change.name());
            problem(
                format!("may only {may}, and a wish can't make it {wish}"),
                "leave the wish out: wishes only narrow what the schema allows",
            )
        }
        Key::Locked | Key::Range(_) | Key::Change(_) | Key::Effort(_) | Key::Levels(_) => Ok(()),
    }
}

/// The feature as these wishes leave it to an applicant. What they say of levels is a rule ([`levels_rule`]).
pub fn narrowed<'k>(feature: &Feature, keys: impl IntoIterator<Item = &'k Key>) -> Feature {
    let mut narrow = feature.clone();
    let mut locked = false;
    for key in keys {
        match key {
            Key::Locked => locked = true,
            Key::Range(range) => narrow.limits.range = Some(common(narrow.limits.range, *range)),
            Key::Change(change) => narrow.change = *change,
            Key::Effort(factor) => narrow.effort = feature.effort * factor,
            Key::Levels(_) => {}
        }
    }
    if locked {
        lock(&mut narrow);
    }
    narrow
}

/// The rule that a feature becomes one of these levels or codes, where it changes. A rule says so whatever the applicant has
/// now, be it a level or a code.
pub fn levels_rule(index: usize, feature: &Feature, values: &[Value]) -> Rule {
    let names: Vec<String> = values.iter().map(|&value| feature.describe(value)).collect();
    let stays = Formula::Not(Box::new(Formula::Atom(Atom::Changes { feature: index })));
    let becomes = Formula::Atom(Atom::Is { feature: index, values: values.to_vec() });
    let text = format!("{} becomes {} or stays", feature.title(), names.join(" or "));
    let demand = Demand::Formula(Formula::Any(vec![stays, becomes]));
    Rule { text, name: None, must: false, demand }
}

/// What two ranges have in common.
fn common(range: Option<[f64; 2]>, [low, high]: [f64; 2]) -> [f64; 2] {
    range.map_or([low, high], |[least, most]| [low.max(least), high.min(most)])
}

fn is_empty([low, high]: [f64; 2]) -> bool {
    low > high
}

fn lock(feature: &mut Feature) {
    feature.change = Change::Immutable;
    feature.limits = FeatureLimits::default();
    feature.moves = Vec::new();
    for code in &mut feature.codes {
        code.leave = false;
        code.enter = false;
    }
}
