//! How names and numbers are written in model files, so that every reader understands them.

use std::collections::HashSet;

use crate::milp::Program;

/// The objective's name in a model file.
pub(in crate::milp) const OBJECTIVE: &str = "obj";
/// The name of the LP format's column that is fixed at 1 and carries the offset.
pub(in crate::milp) const CONSTANT: &str = "constant";

/// Longer names are cut or refused by some readers.
const LONGEST_NAME: usize = 60;

/// Words that an LP file's reader takes for a section or a number rather than a name.
const RESERVED: &[&str] = &[
    OBJECTIVE, CONSTANT, "bin", "binaries", "binary", "bound", "bounds", "end", "free", "gen",
    "general", "generals", "inf", "infinity", "int", "integer", "integers", "max", "maximise",
    "maximize", "min", "minimise", "minimize", "nan", "semi", "semis", "sos", "sos1", "sos2", "st",
    "such", "subject",
];

/// The names of a program's columns and rows in a file.
pub(in crate::milp) struct Names {
    pub(in crate::milp) columns: Vec<String>,
    pub(in crate::milp) rows: Vec<String>,
}

impl Names {
    /// The program's own names where all of them are safe and different; otherwise `c0`, `c1`, ... or `r0`, `r1`, ...
    pub(in crate::milp) fn of(program: &Program) -> Self {
        Self {
            columns: own_or_numbered(program.columns.iter().map(|column| &*column.name), 'c'),
            rows: own_or_numbered(program.rows.iter().map(|row| &*row.name), 'r'),
        }
    }

    /// Names the rows by their numbers.
    pub(in crate::milp) fn number_rows(&mut self) {
        self.rows = numbered(self.rows.len(), 'r');
    }
}

fn own_or_numbered<'a>(own: impl Iterator<Item = &'a str> + Clone, letter: char) -> Vec<String> {
    let mut seen = HashSet::new();
    if own.clone().all(|name| is_safe(name) && seen.insert(name)) {
        own.map(str::to_owned).collect()
    } else {
        numbered(own.count(), letter)
    }
}

fn numbered(count: usize, letter: char) -> Vec<String> {
    (0..count).map(|index| format!("{letter}{index}")).collect()
}

/// Letters, digits, dots and underscores, not starting like a number (`e5` is one to some readers).
fn is_safe(name: &str) -> bool {
    let starts_well =
        name.starts_with(|first: char| first.is_ascii_alphabetic() && !matches!(first, 'e' | 'E'));
    starts_well
        && name.len() <= LONGEST_NAME
        && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.'))
        && !RESERVED.contains(&name.to_ascii_lowercase().as_str())
}

/// The shortest text that reads back as the same number.
pub(in crate::milp) fn number(value: f64) -> String {
    if value == 0.0 {
        // Minus zero would be surprising.
        return "0".to_owned();
    }
    let text = format!("{value:?}");
    text.strip_suffix(".0").map_or_else(|| text.clone(), str::to_owned)
}

#[cfg(test)]
pub(in crate::milp) mod tests_program {
    use crate::milp::{Program, ProgramColumn};

    /// One of everything that the formats have a word for.
    pub(in crate::milp) fn small_program() -> Program {
        let mut program = Program { offset: -7.25, ..Program::default() };
        let mut add = |name: &str, lower, upper, integer, cost| {
            program.add_column(ProgramColumn { name: name.to_owned(), lower, upper, integer, cost })
        };
        let take = add("take", 0.0, 1.0, true, 2.5);
        let count = add("count", -3.0, 8.0, true, 0.0);
        let loose = add("loose", f64::NEG_INFINITY, f64::INFINITY, false, 1.0 / 3.0);
        let below = add("below", f64::NEG_INFINITY, -1.0, false, 0.0);
        add("unused", 2.0, 2.0, false, 0.0);
        program.add_row("band".into(), -2.0, 4.0, [(take, 1.0), (count, -1.0)]);
        program.add_row("most".into(), f64::NEG_INFINITY, 100.5, [(take, 3.0)]);
        program.add_row("same".into(), 0.0, 0.0, [(loose, 1.0), (below, 1.0)]);
        program
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::milp::ProgramColumn;

    fn named(names: &[&str]) -> Vec<String> {
        let mut program = Program::default();
        for name in names {
            program.add_column(ProgramColumn {
                name: (*name).to_owned(),
                lower: 0.0,
                upper: 1.0,
                integer: false,
                cost: 0.0,
            });
        }
        Names::of(&program).columns
    }

    #[test]
    fn safe_names_stay() {
        assert_eq!(named(&["age_2", "t", "leaf.3"]), ["age_2", "t", "leaf.3"]);
    }

    #[test]
    fn one_unsafe_or_repeated_name_numbers_them_all() {
        for unsafe_name in ["credit amount", "", "e5", "2x", "Free", "obj", "a+b", "größe", "t"] {
            assert_eq!(named(&["t", unsafe_name]), ["c0", "c1"], "{unsafe_name}");
        }
    }

    #[test]
    fn numbers_read_back_exactly() {
        for value in [1.0, -2.5, 1.0 / 3.0, 1e-300, 4e22, -6151.0, f64::MIN_POSITIVE, f64::MAX] {
            assert_eq!(number(value).parse::<f64>().unwrap(), value);
        }
        assert_eq!(number(-0.0), "0");
        assert_eq!(number(12.0), "12");
    }
}
