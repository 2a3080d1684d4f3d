//! Programs as free MPS files, which every solver reads.

use std::io::{self, Write};

use super::spelling::{Names, OBJECTIVE, number};
use crate::milp::solvers::screen::{effective_bounds, malformation};
use crate::milp::{Program, ProgramColumn, Row};

/// Writes a program as a free MPS file.
///
/// Column and row names are the program's own where all are safe to write, otherwise `c0`, `c1`, ... and `r0`, ...
/// Numbers read back exactly; the offset is the objective's negative right-hand side, as is the custom.
///
/// ```
/// use amends::milp::{ProgramColumn, Program, write_mps};
/// let mut program = Program::default();
/// program.add_column(ProgramColumn { name: "x".into(), lower: 0.0, upper: 4.0, integer: true, cost: 1.5 });
/// let mut file = Vec::new();
/// write_mps(&program, &mut file)?;
/// assert!(String::from_utf8_lossy(&file).contains(" x obj 1.5"));
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn write_mps(program: &Program, mut to: impl Write) -> io::Result<()> {
    if let Some(fault) = malformation(program) {
        return Err(io::Error::new(io::ErrorKind::InvalidData, fault));
    }
    let names = Names::of(program);
    writeln!(to, "NAME amends FREE")?;
    writeln!(to, "OBJSENSE\n    MIN")?;
    write_rows(program, &names, &mut to)?;
    write_columns(program, &names, &mut to)?;
    write_sides(program, &names, &mut to)?;
    write_bounds(program, &names, &mut to)?;
    writeln!(to, "ENDATA")
}

/// How MPS classes a row; a row without sides has no effect and is left out.
enum Kind {
    Equal,
    AtLeast,
    AtMost,
    Range,
}

impl Kind {
    fn of(row: &Row) -> Option<Self> {
        match (row.lower.is_finite(), row.upper.is_finite()) {
            (true, true) if row.lower == row.upper => Some(Self::Equal),
            (true, true) => Some(Self::Range),
            (true, false) => Some(Self::AtLeast),
            (false, true) => Some(Self::AtMost),
            (false, false) => None,
        }
    }
}

fn sided_rows<'a>(
    program: &'a Program,
    names: &'a Names,
) -> impl Iterator<Item = (&'a Row, &'a str, Kind)> {
    program
        .rows
        .iter()
        .zip(&names.rows)
        .filter_map(|(row, name)| Kind::of(row).map(|kind| (row, name.as_str(), kind)))
}

fn write_rows(program: &Program, names: &Names, to: &mut impl Write) -> io::Result<()> {
    writeln!(to, "ROWS\n N {OBJECTIVE}")?;
    for (_, name, kind) in sided_rows(program, names) {
        let letter = match kind {
            Kind::Equal => 'E',
            Kind::AtLeast | Kind::Range => 'G',
            Kind::AtMost => 'L',
        };
        writeln!(to, " {letter} {name}")?;
    }
    Ok(())
}

fn write_columns(program: &Program, names: &Names, to: &mut impl Write) -> io::Result<()> {
    let mut terms: Vec<Vec<(&str, f64)>> = vec![Vec::new(); program.columns.len()];
    for (row, name, _) in sided_rows(program, names) {
        for &(column, coefficient) in &row.terms {
            terms[column].push((name, coefficient));
        }
    }
    writeln!(to, "COLUMNS")?;
    let mut inside_integers = false;
    for ((column, name), terms) in program.columns.iter().zip(&names.columns).zip(&terms) {
        if column.integer != inside_integers {
            write_marker(column.integer, to)?;
            inside_integers = column.integer;
        }
        // A column in no row and without a cost must still be named.
        if column.cost != 0.0 || terms.is_empty() {
            writeln!(to, "    {name} {OBJECTIVE} {}", number(column.cost))?;
        }
        for (row, coefficient) in terms {
            writeln!(to, "    {name} {row} {}", number(*coefficient))?;
        }
    }
    if inside_integers { write_marker(false, to) } else { Ok(()) }
}

fn write_marker(integers_start: bool, to: &mut impl Write) -> io::Result<()> {
    let word = if integers_start { "INTORG" } else { "INTEND" };
    writeln!(to, "    MARKER 'MARKER' '{word}'")
}

fn write_sides(program: &Program, names: &Names, to: &mut impl Write) -> io::Result<()> {
    writeln!(to, "RHS")?;
    if program.offset != 0.0 {
        writeln!(to, "    RHS {OBJECTIVE} {}", number(-program.offset))?;
    }
    for (row, name, kind) in sided_rows(program, names) {
        let side = if matches!(kind, Kind::AtMost) { row.upper } else { row.lower };
        if side != 0.0 {
            writeln!(to, "    RHS {name} {}", number(side))?;
        }
    }
    let mut ranges =
        sided_rows(program, names).filter(|(_, _, kind)| matches!(kind, Kind::Range)).peekable();
    if ranges.peek().is_some() {
        writeln!(to, "RANGES")?;
    }
    for (row, name, _) in ranges {
        writeln!(to, "    RANGES {name} {}", number(row.upper - row.lower))?;
    }
    Ok(())
}

fn write_bounds(program: &Program, names: &Names, to: &mut impl Write) -> io::Result<()> {
    writeln!(to, "BOUNDS")?;
    for (column, name) in program.columns.iter().zip(&names.columns) {
        for (kind, value) in bounds(column) {
            match value {
                Some(value) => writeln!(to, " {kind} BOUNDS {name} {}", number(value))?,
                None => writeln!(to, " {kind} BOUNDS {name}")?,
            }
        }
    }
    Ok(())
}

/// Both bounds are spelt out unless the column is continuous and not negative: readers disagree about the upper
/// bound of an integer column that has none, and about the lower one where the upper is negative.
fn bounds(column: &ProgramColumn) -> Vec<(&'static str, Option<f64>)> {
    let (lower, upper) = effective_bounds(column);
    if column.integer && (lower, upper) == (0.0, 1.0) {
        return vec![("BV", None)];
    }
    if lower == upper {
        return vec![("FX", Some(lower))];
    }
    if !lower.is_finite() && !upper.is_finite() {
        return vec![("FR", None)];
    }
    if !column.integer && lower == 0.0 && upper == f64::INFINITY {
        return Vec::new();
    }
    vec![
        if lower.is_finite() { ("LO", Some(lower)) } else { ("MI", None) },
        if upper.is_finite() { ("UP", Some(upper)) } else { ("PL", None) },
    ]
}

#[cfg(test)]
mod tests {
    use super::super::spelling::tests_program::small_program;
    use super::*;

    #[test]
    fn a_small_program_reads_as_expected() {
        let mut file = Vec::new();
        write_mps(&small_program(), &mut file).unwrap();
        let expected = "\
NAME amends FREE
OBJSENSE
    MIN
ROWS
 N obj
 G band
 L most
 E same
COLUMNS
    MARKER 'MARKER' 'INTORG'
    take obj 2.5
    take band 1
    take most 3
    count band -1
    MARKER 'MARKER' 'INTEND'
    loose obj 0.3333333333333333
    loose same 1
    below same 1
    unused obj 0
RHS
    RHS obj 7.25
    RHS band -2
    RHS most 100.5
RANGES
    RANGES band 6
BOUNDS
 BV BOUNDS take
 LO BOUNDS count -3
 UP BOUNDS count 8
 FR BOUNDS loose
 MI BOUNDS below
 UP BOUNDS below -1
 FX BOUNDS unused 2
ENDATA
";
        assert_eq!(String::from_utf8(file).unwrap(), expected);
    }

    #[test]
    fn a_program_that_means_nothing_is_not_written() {
        let program = Program { offset: f64::NAN, ..Program::default() };
        assert!(write_mps(&program, Vec::new()).is_err());
    }
}
