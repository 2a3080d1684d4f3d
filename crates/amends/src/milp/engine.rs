//! Solves an instance through a program, and accepts only what the checker confirms.
//!
//! Solvers work with tolerances, and on these programs a tolerance can make a wrong reference point
//! pass for the nearest or a plan pass for valid. Every answer is decoded to a plan and judged from
//! the instance. Where the judgement is worse than the solver's claim, exactly that false combination
//! is forbidden and the program solved again: cuts remove what does not exist, so bounds stay valid.

use std::time::Duration;

use super::run::Run;
use super::units::Units;
use super::work::{MilpReport, MilpWork};
use super::{Formulation, Solver, SolverSettings, encode};
use crate::engine::{Clock, Control, Report};
use crate::instance::Instance;
use crate::{Plan, Result, Solution};

/// How often a program is solved again in the units of the plan that was found.
const MOST_UNITS: usize = 3;

/// How to solve.
#[derive(Debug, Clone, Default)]
pub struct MilpSettings {
    /// Which program to write.
    pub formulation: Formulation,
    /// How long and how exactly to solve it.
    pub solver: SolverSettings,
    /// A plan to start from; ignored where it does not hold.
    pub start: Option<Vec<usize>>,
}

/// Solves an instance with a solver, and checks what it says. A solver that breaks down is reported as such in the result;
/// one that can't be run at all is an error.
pub fn solve(
    instance: &Instance,
    solver: &dyn Solver,
    settings: &MilpSettings,
) -> Result<MilpReport> {
    solve_until(instance, solver, settings, &Control::default())
}

/// The same, but stops between solves once it is cancelled.
pub(crate) fn solve_until(
    instance: &Instance,
    solver: &dyn Solver,
    settings: &MilpSettings,
    control: &Control<'_>,
) -> Result<MilpReport> {
    let clock = Clock::start(&settings.solver.solve, control);
    let mut settings = settings.clone();
    let judged = settings.start.clone().and_then(|choice| Plan::judge(instance, choice));
    let mut units = Units::new(instance, judged.map(|plan| plan.evaluation.objective));
    let mut report = solve_in(units, instance, solver, &settings, clock)?;
    for _ in 1..MOST_UNITS {
        let Some(plan) = &report.solution.plan else { break };
        let fitting = Units::new(instance, Some(plan.evaluation.objective));
        if fitting == units || report.work.solver_failed || clock.is_over() {
            break;
        }
        units = fitting;
        settings.start = Some(plan.choice.clone());
        let mut again = solve_in(units, instance, solver, &settings, clock)?;
        // A solver that breaks down in other units has answered in these.
        if again.work.solver_failed {
            break;
        }
        again.work.repairs += report.work.repairs;
        report = again;
    }
    report.solution.time = clock.elapsed();
    Ok(report)
}

/// Solves the program of an instance in other units; the solution is in those of the instance.
fn solve_in(
    units: Units,
    instance: &Instance,
    solver: &dyn Solver,
    settings: &MilpSettings,
    clock: Clock<'_>,
) -> Result<MilpReport> {
    let scaled = (!units.is_plain()).then(|| units.apply(instance));
    let scaled = scaled.as_ref().unwrap_or(instance);
    let encoded = encode(scaled, settings.formulation)?;
    let mut work = MilpWork {
        solver: solver.name().to_owned(),
        formulation: settings.formulation,
        rows: encoded.program.rows.len(),
        columns: encoded.program.columns.len(),
        nonzeros: encoded.program.nonzeros(),
        repairs: 0,
        remark: None,
        solver_failed: false,
    };
    if instance.already_accepted() {
        return Ok(Report { solution: Solution::already_accepted(Duration::ZERO), work });
    }
    let best = settings.start.clone().and_then(|choice| Plan::judge(scaled, choice));
    let mut run = Run {
        instance: scaled,
        unit: units.factor(),
        solver,
        settings,
        clock,
        encoded,
        best,
        bound: None,
        set_aside: f64::INFINITY,
    };
    let status = run.until_settled(&mut work)?;
    let status = run.consistent(status, &mut work);
    let plan = run.best.and_then(|plan| Plan::judge(instance, plan.choice));
    let bound = run.bound.map(|bound| bound / units.factor());
    let solution = Solution { status, plan, bound, time: Duration::ZERO };
    Ok(Report { solution, work })
}
