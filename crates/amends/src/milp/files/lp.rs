//! Programs as LP files, which people read too.

use std::io::{self, Write};

use super::spelling::{CONSTANT, Names, OBJECTIVE, number};
use crate::milp::solvers::screen::{effective_bounds, malformation};
use crate::milp::{Program, ProgramColumn};

/// Readers cut or refuse long lines; this many terms stay below the shortest limit.
const TERMS_PER_LINE: usize = 6;

const LOWER_SUFFIX: &str = "_lo";
const UPPER_SUFFIX: &str = "_up";

/// Writes a program in the CPLEX LP format.
///
/// Only what all readers understand is used: a row with two sides becomes two rows (`_lo`, `_up`), and the offset is
/// the cost of a column that is fixed at 1. Names as in [`write_mps`](super::write_mps).
pub fn write_lp(program: &Program, mut to: impl Write) -> io::Result<()> {
    if let Some(fault) = malformation(program) {
        return Err(io::Error::new(io::ErrorKind::InvalidData, fault));
    }
    let mut names = Names::of(program);
    if names.rows.iter().any(|name| name.ends_with(LOWER_SUFFIX) || name.ends_with(UPPER_SUFFIX)) {
        names.number_rows();
    }
    let costs = costs(program, &names);
    write!(to, "Minimize\n {OBJECTIVE}:")?;
    write_terms(&costs, &mut to)?;
    writeln!(to)?;
    write_rows(program, &names, &mut to)?;
    write_bounds(program, &names, &mut to)?;
    if costs.iter().any(|(name, _)| *name == CONSTANT) {
        writeln!(to, " {CONSTANT} = 1")?;
    }
    write_integers(program, &names, &mut to)?;
    writeln!(to, "End")
}

/// The objective's terms, the offset and unused columns included.
fn costs<'a>(program: &Program, names: &'a Names) -> Vec<(&'a str, f64)> {
    let mut in_a_row = vec![false; program.columns.len()];
    for row in program.rows.iter().filter(|row| row.lower.is_finite() || row.upper.is_finite()) {
        for &(column, _) in &row.terms {
            in_a_row[column] = true;
        }
    }
    // A bound alone does not declare a column to every reader, so unused ones are named here with a zero.
    let mut costs: Vec<(&str, f64)> = program
        .columns
        .iter()
        .zip(&names.columns)
        .zip(in_a_row)
        .filter(|((column, _), in_a_row)| column.cost != 0.0 || !in_a_row)
        .map(|((column, name), _)| (name.as_str(), column.cost))
        .collect();
    if program.offset != 0.0 || costs.is_empty() {
        costs.push((CONSTANT, program.offset));
    }
    costs
}

fn write_rows(program: &Program, names: &Names, to: &mut impl Write) -> io::Result<()> {
    writeln!(to, "Subject To")?;
    for (row, name) in program.rows.iter().zip(&names.rows) {
        let mut terms: Vec<(&str, f64)> =
            row.terms.iter().map(|&(column, value)| (&*names.columns[column], value)).collect();
        if let (true, Some(first)) = (terms.is_empty(), names.columns.first()) {
            terms.push((first, 0.0));
        }
        let sides = [(LOWER_SUFFIX, ">=", row.lower), (UPPER_SUFFIX, "<=", row.upper)];
        let both = row.lower.is_finite() && row.upper.is_finite();
        if row.lower == row.upper {
            write_row(name, "", &terms, "=", row.lower, to)?;
            continue;
        }
        for (suffix, sign, side) in sides.into_iter().filter(|(_, _, side)| side.is_finite()) {
            write_row(name, if both { suffix } else { "" }, &terms, sign, side, to)?;
        }
    }
    Ok(())
}

fn write_row(
    name: &str,
    suffix: &str,
    terms: &[(&str, f64)],
    sign: &str,
    side: f64,
    to: &mut impl Write,
) -> io::Result<()> {
    write!(to, " {name}{suffix}:")?;
    write_terms(terms, to)?;
    writeln!(to, " {sign} {}", number(side))
}

fn write_terms(terms: &[(&str, f64)], to: &mut impl Write) -> io::Result<()> {
    for (index, (name, coefficient)) in terms.iter().enumerate() {
        if index > 0 && index % TERMS_PER_LINE == 0 {
            write!(to, "\n   ")?;
        }
        let sign = if *coefficient < 0.0 { '-' } else { '+' };
        write!(to, " {sign} {} {name}", number(coefficient.abs()))?;
    }
    Ok(())
}

fn write_bounds(program: &Program, names: &Names, to: &mut impl Write) -> io::Result<()> {
    writeln!(to, "Bounds")?;
    for (column, name) in program.columns.iter().zip(&names.columns) {
        if is_binary(column) {
            continue;
        }
        let (lower, upper) = effective_bounds(column);
        match (lower.is_finite(), upper.is_finite()) {
            (false, false) => writeln!(to, " {name} free")?,
            (false, true) => writeln!(to, " -inf <= {name} <= {}", number(upper))?,
            (true, true) if lower == upper => writeln!(to, " {name} = {}", number(lower))?,
            (true, true) => writeln!(to, " {} <= {name} <= {}", number(lower), number(upper))?,
            (true, false) => writeln!(to, " {name} >= {}", number(lower))?,
        }
    }
    Ok(())
}

fn write_integers(program: &Program, names: &Names, to: &mut impl Write) -> io::Result<()> {
    for (section, binary) in [("Generals", false), ("Binaries", true)] {
        let mut members = program
            .columns
            .iter()
            .zip(&names.columns)
            .filter(|(column, _)| column.integer && is_binary(column) == binary)
            .peekable();
        if members.peek().is_some() {
            writeln!(to, "{section}")?;
        }
        for (_, name) in members {
            writeln!(to, " {name}")?;
        }
    }
    Ok(())
}

fn is_binary(column: &ProgramColumn) -> bool {
    column.integer && effective_bounds(column) == (0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::super::spelling::tests_program::small_program;
    use super::*;

    #[test]
    fn a_small_program_reads_as_expected() {
        let mut file = Vec::new();
        write_lp(&small_program(), &mut file).unwrap();
        let expected = "\
Minimize
 obj: + 2.5 take + 0.3333333333333333 loose + 0 unused - 7.25 constant
Subject To
 band_lo: + 1 take - 1 count >= -2
 band_up: + 1 take - 1 count <= 4
 most: + 3 take <= 100.5
 same: + 1 loose + 1 below = 0
Bounds
 -3 <= count <= 8
 loose free
 -inf <= below <= -1
 unused = 2
 constant = 1
Generals
 count
Binaries
 take
End
";
        assert_eq!(String::from_utf8(file).unwrap(), expected);
    }
}
