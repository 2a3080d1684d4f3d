//! Which level of a feature may follow which.

use std::collections::HashSet;

use super::check::Flaw;
use super::{Change, Feature};
use crate::InputError;
use crate::data::{LocalRule, Value};

const KEY: &str = "moves";

/// The levels that an applicant with a certain level may go to. Where a feature lists such moves, all others are forbidden.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LevelMoves {
    /// The level of the application.
    pub from: String,
    /// The levels that may take its place.
    pub to: Vec<String>,
}

impl Feature {
    /// Whether one level may follow another, as far as listed moves have a say.
    pub(crate) fn lists_move(&self, from: usize, to: usize) -> bool {
        let (from, to) = (self.levels().get(from), self.levels().get(to));
        let leads = |listed: &LevelMoves| {
            Some(&listed.from) == from && listed.to.iter().any(|level| Some(level) == to)
        };
        self.moves.is_empty() || self.moves.iter().any(leads)
    }

    /// Refuses moves of levels that the feature does not have, twice the same, and those that another rule forbids.
    pub(super) fn check_level_moves(&self) -> Result<(), Flaw> {
        if self.moves.is_empty() {
            return Ok(());
        }
        if self.is_numeric() {
            let error = InputError::new(format!("does not fit kind {}", self.kind.name()))
                .remedy("only levels have moves; numbers take range, max_change and the like");
            return Err(Flaw::of(KEY, error));
        }
        if self.change == Change::Immutable {
            let error = InputError::new("allows a change that change = \"immutable\" forbids")
                .remedy("keep one of the two rules");
            return Err(Flaw::of(KEY, error));
        }
        let mut seen = HashSet::new();
        for LevelMoves { from, to } in &self.moves {
            if to.is_empty() {
                let error = InputError::new("leads nowhere")
                    .at(format!("`{from}`"))
                    .remedy("list the levels that it may become, or leave it out so that it stays");
                return Err(Flaw::of(KEY, error));
            }
            for level in to {
                self.check_move(from, level)?;
                if !seen.insert((from, level)) {
                    let error = InputError::new("is listed twice")
                        .value(format!("{from} -> {level}"))
                        .remedy("keep one of the two");
                    return Err(Flaw::of(KEY, error));
                }
            }
        }
        Ok(())
    }

    fn check_move(&self, from: &str, to: &str) -> Result<(), Flaw> {
        let level = |text: &str| {
            let index = self.levels().iter().position(|level| level == text);
            index.ok_or_else(|| {
                let error = InputError::new("is not one of the levels")
                    .value(text)
                    .remedy(format!("use one of `{}`", self.levels().join("`, `")));
                Flaw::of(KEY, error)
            })
        };
        let shown = || format!("{from} -> {to}");
        let (old, new) = (level(from)?, level(to)?);
        if old == new {
            let error = InputError::new("is no move")
                .value(shown())
                .remedy("leave it out: every level may stay as it is");
            return Err(Flaw::of(KEY, error));
        }
        match self.broken(Value::Level(old), Value::Level(new)).first() {
            None => Ok(()),
            Some(rule) => {
                let against = match rule {
                    LocalRule::Direction => format!("change = \"{}\"", self.change.name()),
                    other => other.key().to_owned(),
                };
                let error = InputError::new(format!("goes against {against}"))
                    .value(shown())
                    .remedy("remove the move, or the other rule");
                Err(Flaw::of(KEY, error))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Kind;

    fn moves(from: &str, to: &[&str]) -> LevelMoves {
        LevelMoves { from: from.to_owned(), to: to.iter().map(ToString::to_string).collect() }
    }

    fn grade(list: &[LevelMoves]) -> Feature {
        let levels = ["low", "high", "unknown"].map(str::to_owned).to_vec();
        Feature { moves: list.to_vec(), ..Feature::new("grade", Kind::Categorical { levels }) }
    }

    #[test]
    fn only_listed_moves_are_made() {
        let feature = grade(&[moves("low", &["high"]), moves("unknown", &["low", "high"])]);
        assert!(feature.check_level_moves().is_ok());
        let allowed = [(0, 1), (2, 0), (2, 1)];
        for (from, to) in (0..3).flat_map(|from| (0..3).map(move |to| (from, to))) {
            let broken = feature.broken(Value::Level(from), Value::Level(to));
            let holds = from == to || allowed.contains(&(from, to));
            assert_eq!(broken.is_empty(), holds, "{from} {to}");
            assert!(holds || broken == [LocalRule::Moves]);
        }
        assert!(grade(&[]).broken(Value::Level(1), Value::Level(0)).is_empty());
    }

    #[test]
    fn moves_that_cannot_be_are_refused() {
        let message = |feature: Feature| {
            let flaw = feature.check_level_moves().unwrap_err();
            assert_eq!(flaw.key, Some(KEY));
            flaw.error.to_string()
        };
        for (list, part) in [
            (moves("low", &["middle"]), "`middle` is not one of the levels; use one of `low`"),
            (moves("none", &["low"]), "`none` is not one of the levels"),
            (moves("low", &["low"]), "`low -> low` is no move"),
            (moves("low", &["high", "high"]), "`low -> high` is listed twice"),
            (moves("low", &[]), "leads nowhere"),
        ] {
            let found = message(grade(&[list]));
            assert!(found.contains(part), "{found}");
        }
        let list = [moves("low", &["unknown"])];
        let levels = grade(&[]).levels().to_vec();
        let ordinal = Feature { kind: Kind::Ordinal { levels }, ..grade(&list) };
        let falls = Feature { change: Change::Decrease, ..ordinal.clone() };
        assert!(message(falls).contains("goes against change = \"decrease\""));
        let mut step = ordinal;
        step.limits.one_step = true;
        assert!(message(step).contains("`low -> unknown` goes against one_step"));
        let fixed = Feature { change: Change::Immutable, ..grade(&list) };
        assert!(message(fixed).contains("change = \"immutable\""));
        let number = Feature { kind: Kind::Integer, ..grade(&list) };
        assert!(message(number).contains("does not fit kind integer"));
    }
}
