//! What is decided before any solver runs: malformed programs are refused, trivial ones answered.
//!
//! Solvers differ in how they treat an empty range or a row without terms (some crash, and some file formats
//! can't express them), so all of them get programs where neither occurs.

use super::{Outcome, SolverAnswer, SolverTask};
use crate::milp::{Program, ProgramColumn};
use crate::{Error, Result};

/// Refuses programs that no solver accepts, and answers those that need none.
pub(in crate::milp) fn screen(solver: &str, task: &SolverTask<'_>) -> Result<Option<SolverAnswer>> {
    let SolverTask { program, settings, start } = *task;
    settings.solve.check()?;
    if let Some(fault) = malformation(program).or_else(|| start_fault(program, start)) {
        return Err(Error::solver(
            solver,
            format!("was not started: {fault}; this is a fault of the program, not of the solver"),
        ));
    }
    Ok(trivial_answer(program))
}

/// The bounds that matter: those of an integer column are moved inwards to whole numbers.
pub(in crate::milp) fn effective_bounds(column: &ProgramColumn) -> (f64, f64) {
    if column.integer {
        (column.lower.ceil(), column.upper.floor())
    } else {
        (column.lower, column.upper)
    }
}

/// Puts the values of integer columns on the whole numbers that the solver means.
pub(in crate::milp) fn round_integers(program: &Program, values: &mut [f64]) {
    for (column, value) in program.columns.iter().zip(values) {
        if column.integer {
            *value = value.round();
        }
    }
}

/// What makes a program meaningless, if anything.
pub(in crate::milp) fn malformation(program: &Program) -> Option<String> {
    if !program.offset.is_finite() {
        return Some(format!("the objective's offset is {}", program.offset));
    }
    for column in &program.columns {
        let name = &column.name;
        if !column.cost.is_finite() {
            return Some(format!("column `{name}` has cost {}", column.cost));
        }
        if let Some(fault) = range_fault(column.lower, column.upper) {
            return Some(format!("column `{name}` {fault}"));
        }
    }
    let mut last_row_of_column = vec![usize::MAX; program.columns.len()];
    for (index, row) in program.rows.iter().enumerate() {
        let name = &row.name;
        if let Some(fault) = range_fault(row.lower, row.upper) {
            return Some(format!("row `{name}` {fault}"));
        }
        for &(column, coefficient) in &row.terms {
            if !coefficient.is_finite() {
                return Some(format!("row `{name}` has coefficient {coefficient}"));
            }
            match last_row_of_column.get_mut(column) {
                None => return Some(format!("row `{name}` has no column {column} to refer to")),
                Some(last) if *last == index => {
                    return Some(format!("row `{name}` names column {column} twice"));
                }
                Some(last) => *last = index,
            }
        }
    }
    None
}

fn range_fault(lower: f64, upper: f64) -> Option<String> {
    (lower.is_nan() || upper.is_nan() || lower == f64::INFINITY || upper == f64::NEG_INFINITY)
        .then(|| format!("ranges from {lower} to {upper}"))
}

fn start_fault(program: &Program, start: Option<&[f64]>) -> Option<String> {
    let start = start?;
    if start.len() != program.columns.len() {
        return Some(format!(
            "the start has {} values for {} columns",
            start.len(),
            program.columns.len()
        ));
    }
    let index = start.iter().position(|value| !value.is_finite())?;
    Some(format!("the start gives column `{}` {}", program.columns[index].name, start[index]))
}

fn trivial_answer(program: &Program) -> Option<SolverAnswer> {
    let empty = |lower: f64, upper: f64| lower > upper;
    let impossible = program.columns.iter().any(|column| {
        let (lower, upper) = effective_bounds(column);
        empty(lower, upper)
    }) || program.rows.iter().any(|row| {
        empty(row.lower, row.upper)
            || (row.terms.is_empty() && !(row.lower <= 0.0 && row.upper >= 0.0))
    });
    if impossible {
        return Some(SolverAnswer::new(Outcome::Infeasible, None, None));
    }
    program
        .columns
        .is_empty()
        .then(|| SolverAnswer::new(Outcome::Optimal, Some(Vec::new()), Some(program.offset)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::milp::SolverSettings;

    fn one_column(lower: f64, upper: f64, integer: bool) -> Program {
        let mut program = Program::default();
        program.add_column(ProgramColumn { name: "x".into(), lower, upper, integer, cost: 1.0 });
        program
    }

    fn verdict(program: &Program) -> Result<Option<Outcome>> {
        screen("test", &SolverTask::new(program, &SolverSettings::default()))
            .map(|answer| answer.map(|answer| answer.outcome))
    }

    #[test]
    fn malformed_programs_are_refused_by_name() {
        let mut program = one_column(0.0, 1.0, false);
        program.add_row("wide".into(), f64::NEG_INFINITY, 1.0, [(3, 1.0)]);
        let message = verdict(&program).unwrap_err().to_string();
        assert!(message.contains("row `wide` has no column 3"), "{message}");

        let message = verdict(&one_column(f64::NAN, 1.0, false)).unwrap_err().to_string();
        assert!(message.contains("column `x` ranges from NaN to 1"), "{message}");
    }

    #[test]
    fn an_integer_range_without_a_whole_number_is_infeasible() {
        assert_eq!(verdict(&one_column(0.2, 0.8, true)).unwrap(), Some(Outcome::Infeasible));
        assert_eq!(verdict(&one_column(0.2, 0.8, false)).unwrap(), None);
        assert_eq!(verdict(&one_column(0.2, 1.8, true)).unwrap(), None);
    }

    #[test]
    fn rows_without_terms_are_decided() {
        let mut program = one_column(0.0, 1.0, false);
        program.add_row("fine".into(), -1.0, 1.0, []);
        assert_eq!(verdict(&program).unwrap(), None);
        program.add_row("impossible".into(), 1.0, 2.0, []);
        assert_eq!(verdict(&program).unwrap(), Some(Outcome::Infeasible));
    }

    #[test]
    fn a_program_without_columns_has_its_offset_as_optimum() {
        let program = Program { offset: 2.5, ..Program::default() };
        let answer = screen("test", &SolverTask::new(&program, &SolverSettings::default()))
            .unwrap()
            .unwrap();
        assert_eq!((answer.outcome, answer.bound), (Outcome::Optimal, Some(2.5)));
    }

    #[test]
    fn a_start_of_the_wrong_length_is_refused() {
        let program = one_column(0.0, 1.0, false);
        let (settings, start) = (SolverSettings::default(), Some(&[1.0, 2.0][..]));
        let refused = screen("test", &SolverTask { program: &program, settings: &settings, start });
        assert!(refused.unwrap_err().to_string().contains("2 values for 1 columns"));
    }
}
