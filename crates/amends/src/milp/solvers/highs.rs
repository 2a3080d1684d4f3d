//! HiGHS, compiled in with the feature `highs`.

use std::time::Duration;

use ::highs::{
    HighsModelStatus as Status, HighsOptionValue, HighsSolutionStatus, Model, RowProblem, Sense,
    SolvedModel,
};

use super::attempt::{LinkedSolver, Tolerances};
use super::screen::{effective_bounds, round_integers};
use super::{Capabilities, Outcome, SolverAnswer, SolverTask};
use crate::engine::Deadline;
use crate::milp::{Program, Row};
use crate::{Error, Result};

const NAME: &str = "highs";

/// HiGHS drops coefficients below 1e-9 when it reads a program.
const LEAST_COEFFICIENT: f64 = 1e-8;
/// Tolerances are absolute: a row lifted beyond this can't be kept to them in floating point, and HiGHS then cuts off
/// true optima (German credit, preset `dace`: the optimum at cost 7.14 holds every row exactly, 16.02 was claimed).
const GREATEST_COEFFICIENT: f64 = 1e4;

/// The fastest free solver here. It takes a time limit, a gap, threads and a start, and gives its bound.
///
/// Its bound is a claim, not a proof: it has been seen to report an optimum of 4.0875, bound and all, where 4.0326 is
/// right (German credit, reduced formulation, tolerances of 1e-9), with a solution that passes every check. Checking
/// the solution can't detect that; another engine, or another seed, can.
#[derive(Debug, Clone, Copy, Default)]
pub struct Highs;

impl LinkedSolver for Highs {
    const NAME: &'static str = NAME;
    const CAPABILITIES: Capabilities = Capabilities::ALL;

    fn attempt(task: &SolverTask<'_>, tolerances: Tolerances) -> Result<SolverAnswer> {
        let deadline = Deadline::start(task.settings.solve.time_limit);
        let without_presolve = |mut model: Model| {
            set(&mut model, "presolve", "off")?;
            if let Some(left) = deadline.left() {
                set_time_limit(&mut model, left)?;
            }
            model.try_solve().map_err(|_| failed("reported an error, also without presolve"))
        };
        let first = model(task, tolerances)?.try_solve();
        let mut solved = match first {
            Ok(solved) => solved,
            // HiGHS 1.15 was seen to presolve a small program to nothing, find that the resulting point violates a row, and
            // give up.
            Err(_) => without_presolve(model(task, tolerances)?)?,
        };
        if solved.status() == Status::UnboundedOrInfeasible {
            // Presolve stops as soon as it knows that one of the two holds; the solver itself finds out which.
            solved = without_presolve(Model::from(solved))?;
        }
        answer(task.program, &solved)
    }
}

fn model(task: &SolverTask<'_>, tolerances: Tolerances) -> Result<Model> {
    let SolverTask { program, settings, start } = *task;
    let mut model = translate(program)
        .try_optimise(Sense::Minimise)
        .map_err(|_| failed("refused the program"))?;
    model.make_quiet();
    set_tolerances(&mut model, tolerances)?;
    set(&mut model, "mip_rel_gap", settings.solve.relative_gap)?;
    set(&mut model, "mip_abs_gap", 0.0)?;
    // The trees of these programs are small; HiGHS spends most of its time on starting over.
    set(&mut model, "mip_allow_restart", false)?;
    set(&mut model, "random_seed", i32::try_from(settings.doubts).unwrap_or(i32::MAX))?;
    if settings.doubts > 0 {
        set(&mut model, "presolve", "off")?;
    }
    set(&mut model, "threads", i32::try_from(settings.solve.threads).unwrap_or(i32::MAX))?;
    if let Some(limit) = settings.solve.time_limit {
        set_time_limit(&mut model, limit)?;
    }
    if let Some(start) = start {
        let mut point = start.to_vec();
        point.extend(offset_column(program).map(|_| 1.0));
        // A start is a hint: the solve continues where HiGHS refuses it.
        let _ = model.try_set_solution(Some(&point), None, None, None);
    }
    Ok(model)
}

/// Inside branch and bound HiGHS takes the integrality tolerance for rows and bounds too, and a tenth of it for
/// reduced costs: costs as small as an outlier weight need that to be tiny.
fn set_tolerances(model: &mut Model, tolerances: Tolerances) -> Result<()> {
    let (integrality, feasibility) = match tolerances {
        Tolerances::Tight => (1e-10, 1e-9),
        Tolerances::Usual => (1e-7, 1e-7),
    };
    set(model, "mip_feasibility_tolerance", integrality)?;
    set(model, "primal_feasibility_tolerance", feasibility)?;
    set(model, "dual_feasibility_tolerance", feasibility)
}

fn set_time_limit(model: &mut Model, limit: Duration) -> Result<()> {
    set(model, "time_limit", limit.as_secs_f64())
}

fn set(model: &mut Model, option: &str, value: impl HighsOptionValue) -> Result<()> {
    model
        .try_set_option(option, value)
        .map_err(|_| failed(&format!("refused a value of its option `{option}`")))
}

/// The offset becomes a column fixed at 1, so that gaps and bounds are those of the whole objective.
fn offset_column(program: &Program) -> Option<f64> {
    (program.offset != 0.0).then_some(program.offset)
}

fn translate(program: &Program) -> RowProblem {
    let mut problem = RowProblem::new();
    let columns: Vec<_> = program
        .columns
        .iter()
        .map(|column| {
            let (lower, upper) = effective_bounds(column);
            problem.add_column_with_integrality(column.cost, lower..=upper, column.integer)
        })
        .collect();
    if let Some(offset) = offset_column(program) {
        problem.add_column(offset, 1.0..=1.0);
    }
    for row in &program.rows {
        let scale = scale(row);
        problem.add_row(
            row.lower * scale..=row.upper * scale,
            row.terms.iter().map(|&(column, value)| (columns[column], value * scale)),
        );
    }
    problem
}

/// A power of two, so that it rounds nothing, that lifts a row's least coefficient to where HiGHS keeps it, unless
/// that would push its greatest one out of reach.
fn scale(row: &Row) -> f64 {
    let sizes = || row.terms.iter().map(|(_, value)| value.abs()).filter(|size| *size > 0.0);
    let least = sizes().fold(f64::INFINITY, f64::min);
    let greatest = sizes().fold(0.0, f64::max);
    let scale = (LEAST_COEFFICIENT / least).log2().ceil().exp2();
    if scale > 1.0 && scale * greatest < GREATEST_COEFFICIENT { scale } else { 1.0 }
}

fn answer(program: &Program, solved: &SolvedModel) -> Result<SolverAnswer> {
    let outcome = match solved.status() {
        Status::Optimal => Outcome::Optimal,
        Status::Infeasible => return Ok(SolverAnswer::new(Outcome::Infeasible, None, None)),
        Status::ReachedTimeLimit => Outcome::TimeLimit,
        Status::Unbounded => {
            return Err(failed(
                "says that the objective can fall for ever; give every column with a cost a bound",
            ));
        }
        other => return Err(failed(&format!("stopped with the status {other:?}"))),
    };
    let values = (solved.primal_solution_status() == HighsSolutionStatus::Feasible).then(|| {
        let mut values = solved.get_solution().columns().to_vec();
        values.truncate(program.columns.len());
        round_integers(program, &mut values);
        values
    });
    if outcome == Outcome::Optimal && values.is_none() {
        return Err(failed("claims an optimum, but its point breaks a row"));
    }
    Ok(SolverAnswer::new(outcome, values, bound(program, solved, outcome)))
}

fn bound(program: &Program, solved: &SolvedModel, outcome: Outcome) -> Option<f64> {
    let mixed_integer = program.columns.iter().any(|column| column.integer);
    let bound = match (mixed_integer, outcome) {
        (true, _) => solved.double_info_value(c"mip_dual_bound").ok()?,
        (false, Outcome::Optimal) => solved.objective_value(),
        // An unfinished simplex proves nothing.
        (false, _) => return None,
    };
    // HiGHS writes "none yet" as an infinite bound.
    bound.is_finite().then_some(bound)
}

fn failed(what: &str) -> Error {
    Error::solver(NAME, format!("{what}; try the solver microlp or the search engine"))
}
