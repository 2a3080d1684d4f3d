//! A second opinion on what a general solver claims.

use std::time::Duration;

use super::{Control, Deadline, SolveSettings};
use crate::milp::{self, MilpReport, MilpSettings, Solver};
use crate::search;
use crate::{Instance, Plan, Result, Solution, Status};

/// How long the search engine may look for a plan that contradicts a solver's claim.
const SECOND_OPINION: Duration = Duration::from_secs(2);

/// A claim that comes when the time is over is still compared with the first guesses of the search.
const SHORTEST: Duration = Duration::from_millis(1);

/// A plan contradicts a claim where it is cheaper by more than this, relatively.
const DISAGREEMENT: f64 = 1e-6;

/// A general solver's claim with a second opinion.
///
/// HiGHS has been seen to claim an optimum, bound and all, where a cheaper plan exists: its point
/// passes every check, so only another proof can tell. Where the search engine finds something
/// better within its time, the program is solved again from there, by another way.
pub(super) fn confirmed(
    instance: &Instance,
    solver: &dyn Solver,
    settings: &MilpSettings,
    control: &Control<'_>,
) -> Result<MilpReport> {
    let deadline = Deadline::start(settings.solver.solve.time_limit);
    let mut report = milp::solve_until(instance, solver, settings, control)?;
    let Some(better) = better_plan(instance, &report.solution, settings, &deadline)? else {
        return Ok(report);
    };
    let mut again = settings.clone();
    again.solver.solve.time_limit = deadline.left();
    again.solver.doubts += 1;
    again.start = Some(better.choice.clone());
    let claimed = report.solution.plan.map(|plan| plan.evaluation.objective);
    let repairs = report.work.repairs + 1;
    report = milp::solve_until(instance, solver, &again, control)?;
    report.work.repairs += repairs;
    let remark = format!(
        "{} first claimed {}, but the search engine found a plan of cost {}",
        solver.name(),
        claimed.map_or_else(
            || "that no plan exists".to_owned(),
            |cost| format!("an optimum of {cost}")
        ),
        better.evaluation.objective
    );
    report.work.remark =
        Some(report.work.remark.map_or_else(|| remark.clone(), |more| format!("{remark}; {more}")));
    report.solution.time = deadline.elapsed();
    Ok(report)
}

/// A plan that contradicts a claim of optimality or infeasibility.
fn better_plan(
    instance: &Instance,
    claim: &Solution,
    settings: &MilpSettings,
    deadline: &Deadline,
) -> Result<Option<Plan>> {
    if !matches!(claim.status, Status::Optimal | Status::Infeasible) {
        return Ok(None);
    }
    let left = deadline.left().unwrap_or(SECOND_OPINION).clamp(SHORTEST, SECOND_OPINION);
    let threads = settings.solver.solve.threads;
    // It is not cancelled, because the claim would stand without it; it takes no longer than a moment.
    let settings = SolveSettings { time_limit: Some(left), threads, ..SolveSettings::default() };
    let found = search::search(instance, &settings.into(), &Control::default())?.solution.plan;
    let claimed = claim.plan.as_ref().map_or(f64::INFINITY, |plan| plan.evaluation.objective);
    Ok(found.filter(|plan| plan.evaluation.objective < claimed * (1.0 - DISAGREEMENT)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instance::read_instances;
    use crate::milp::{self, Capabilities, Formulation, Outcome, SolverAnswer, SolverTask};

    const INSTANCE: &str = r#"{
        "version": 1, "x": [0, 0],
        "features": [
            {"name": "a", "columns": [0], "options": [[0], [1], [2]]},
            {"name": "b", "columns": [1], "options": [[0], [5]]}],
        "max_changes": 2,
        "classifier": {"kind": "linear", "weights": [1, 1], "intercept": -2},
        "cost": {"distance": {"kind": "l1-mahalanobis", "factor": [[1, 0], [0, 1]]}}}"#;

    /// Claims what it was made with, whatever the program.
    struct Claims(SolverAnswer);

    impl Solver for Claims {
        fn name(&self) -> &'static str {
            "liar"
        }

        fn capabilities(&self) -> Capabilities {
            Capabilities::ALL
        }

        fn solve(&self, _: &SolverTask<'_>) -> Result<SolverAnswer> {
            Ok(self.0.clone())
        }
    }

    fn confirm(claim: impl FnOnce(&Instance) -> SolverAnswer) -> MilpReport {
        let instance = read_instances(INSTANCE, "test").unwrap().remove(0);
        let solver = Claims(claim(&instance));
        confirmed(&instance, &solver, &MilpSettings::default(), &Control::default()).unwrap()
    }

    fn claim_of(instance: &Instance, choice: &[usize], bound: f64) -> SolverAnswer {
        let point = milp::encode(instance, Formulation::Reduced).unwrap().point(choice);
        SolverAnswer::new(Outcome::Optimal, Some(point), Some(bound))
    }

    #[test]
    fn a_true_optimum_is_confirmed() {
        let report = confirm(|instance| claim_of(instance, &[2, 0], 2.0));
        assert_eq!((report.solution.status, report.work.repairs), (Status::Optimal, 0));
        assert_eq!(report.work.remark, None);
    }

    #[test]
    fn an_optimum_that_is_none_is_found_out_though_its_plan_passes_every_check() {
        let report = confirm(|instance| claim_of(instance, &[0, 1], 5.0));
        assert_eq!(report.solution.status, Status::Feasible);
        assert_eq!(report.solution.plan.unwrap().choice, [2, 0]);
        assert_eq!(report.solution.bound, None);
        assert!(report.work.remark.unwrap().contains("found a plan of cost 2"));
    }

    #[test]
    fn infeasible_is_found_out_where_a_plan_exists() {
        let report = confirm(|_| SolverAnswer::new(Outcome::Infeasible, None, None));
        assert_eq!(report.solution.status, Status::Feasible);
        assert!(report.work.remark.unwrap().contains("that no plan exists"));
    }
}
