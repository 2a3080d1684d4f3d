//! microlp: pure Rust, always built in.

use ::microlp::{
    ComparisonOp, Error as Failure, OptimizationDirection, Problem, Solution, SolveOptions,
    SolveOutcome, TerminationReason, Variable,
};

use super::attempt::{LinkedSolver, Tolerances};
use super::screen::{effective_bounds, round_integers};
use super::{Capabilities, Outcome, SolverAnswer, SolverTask};
use crate::engine::SolveSettings;
use crate::milp::{Program, ProgramColumn};
use crate::{Error, Result};

const NAME: &str = "microlp";

/// The solver that needs nothing but Rust. It takes a time limit, a gap and a start; it uses one thread. Good on linear models; on forests it is slow and sometimes gives up.
#[derive(Debug, Clone, Copy, Default)]
pub struct Microlp;

impl LinkedSolver for Microlp {
    const NAME: &'static str = NAME;
    const CAPABILITIES: Capabilities = Capabilities { threads: false, gap: true };

    fn attempt(task: &SolverTask<'_>, tolerances: Tolerances) -> Result<SolverAnswer> {
        let SolverTask { program, settings, start } = *task;
        let (problem, variables) = translate(program)?;
        let mut options = options(tolerances, &settings.solve);
        options.warm_start =
            start.map(|start| variables.iter().copied().zip(start.iter().copied()).collect());
        answer(program, &variables, problem.solve_with(options))
    }
}

fn options(tolerances: Tolerances, settings: &SolveSettings) -> SolveOptions {
    let mut options = SolveOptions::default();
    options.time_limit = settings.time_limit;
    options.mip_gap = settings.relative_gap;
    // Pruning by more than the requested gap would claim more than was proven.
    options.tolerances.prune_epsilon = options.tolerances.prune_epsilon.min(settings.relative_gap);
    if tolerances == Tolerances::Tight {
        options.int_tol = 1e-9;
        options.tolerances.feasibility = 1e-9;
    }
    options
}

/// The offset becomes a column fixed at 1, so that gaps and bounds are those of the whole objective.
fn translate(program: &Program) -> Result<(Problem, Vec<Variable>)> {
    let mut problem = Problem::new(OptimizationDirection::Minimize);
    let variables = program
        .columns
        .iter()
        .map(|column| add_variable(&mut problem, column))
        .collect::<Result<Vec<_>>>()?;
    if program.offset != 0.0 {
        problem.add_var(program.offset, (1.0, 1.0));
    }
    for row in &program.rows {
        let terms = || row.terms.iter().map(|&(column, value)| (variables[column], value));
        if row.lower == row.upper {
            problem.add_constraint(terms(), ComparisonOp::Eq, row.lower);
            continue;
        }
        if row.lower.is_finite() {
            problem.add_constraint(terms(), ComparisonOp::Ge, row.lower);
        }
        if row.upper.is_finite() {
            problem.add_constraint(terms(), ComparisonOp::Le, row.upper);
        }
    }
    Ok((problem, variables))
}

fn add_variable(problem: &mut Problem, column: &ProgramColumn) -> Result<Variable> {
    let (lower, upper) = effective_bounds(column);
    if !column.integer {
        return Ok(problem.add_var(column.cost, (lower, upper)));
    }
    if (lower, upper) == (0.0, 1.0) {
        return Ok(problem.add_binary_var(column.cost));
    }
    let fits = f64::from(i32::MIN)..=f64::from(i32::MAX);
    if !fits.contains(&lower) || !fits.contains(&upper) {
        return Err(Error::solver(
            NAME,
            format!(
                "takes whole numbers from {} to {} only, but column `{}` ranges from {lower} to {upper}; \
                 give it tighter bounds or use another solver",
                i32::MIN,
                i32::MAX,
                column.name
            ),
        ));
    }
    Ok(problem.add_integer_var(column.cost, (lower as i32, upper as i32)))
}

fn answer(
    program: &Program,
    variables: &[Variable],
    outcome: std::result::Result<SolveOutcome, Failure>,
) -> Result<SolverAnswer> {
    match outcome {
        Ok(SolveOutcome::Solution(solution)) => solved(program, variables, &solution),
        Ok(SolveOutcome::Interrupted(interrupted)) => {
            Ok(SolverAnswer::new(Outcome::TimeLimit, None, interrupted.stats().best_bound))
        }
        Err(Failure::Infeasible) => Ok(SolverAnswer::new(Outcome::Infeasible, None, None)),
        Err(Failure::Unbounded) => Err(Error::solver(
            NAME,
            "says that the objective can fall for ever; give every column with a cost a bound",
        )),
        Err(failure) => Err(Error::solver(
            NAME,
            format!(
                "gave up: {failure}; try HiGHS (a build with the cargo feature `highs`) or the search engine"
            ),
        )),
    }
}

fn solved(program: &Program, variables: &[Variable], solution: &Solution) -> Result<SolverAnswer> {
    let (outcome, bound) = match solution.termination_reason() {
        TerminationReason::ProvenOptimal => (Outcome::Optimal, Some(solution.objective())),
        TerminationReason::MipGap => (Outcome::Optimal, solution.stats().best_bound),
        TerminationReason::TimeLimit => (Outcome::TimeLimit, solution.stats().best_bound),
        other => {
            return Err(Error::solver(
                NAME,
                format!("stopped for an unknown reason ({other:?}); try another solver"),
            ));
        }
    };
    let mut values: Vec<f64> =
        variables.iter().map(|&variable| solution.var_value(variable)).collect();
    round_integers(program, &mut values);
    Ok(SolverAnswer::new(outcome, Some(values), bound))
}
