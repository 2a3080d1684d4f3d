//! One door to both engines.

use std::time::{Duration, Instant};

use crate::instance::Instance;
use crate::milp::{self, Formulation, MilpReport, MilpSettings, Solver, SolverSettings};
use crate::search::{self, Control, SearchReport, SearchSettings};
use crate::{Plan, Result, Solution, Status};

pub use crate::solving::{SolveSettings, Solving, time_limit};

/// How long the search engine may look for a plan that contradicts a solver's claim.
const SECOND_OPINION: Duration = Duration::from_secs(2);

/// A plan contradicts a claim where it is cheaper by more than this, relatively.
const DISAGREEMENT: f64 = 1e-6;

/// What solves an instance.
pub enum Engine {
    /// Ours: exact search over sets of changed features.
    Search,
    /// A mixed-integer program and a general solver.
    Milp {
        /// Which program.
        formulation: Formulation,
        /// Which solver.
        solver: Box<dyn Solver>,
    },
}

/// Solves instances: an engine does, or an engine under demands that no instance can express.
pub trait Solve {
    /// Solves an instance.
    fn solve(
        &self,
        instance: &Instance,
        settings: &SolveSettings,
        control: &Control<'_>,
    ) -> Result<SolveReport>;
}

impl Solve for Engine {
    fn solve(
        &self,
        instance: &Instance,
        settings: &SolveSettings,
        control: &Control<'_>,
    ) -> Result<SolveReport> {
        solve(instance, self, settings, control)
    }
}

impl Engine {
    /// The name on the command line and in results.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Search => "search",
            Self::Milp { .. } => "milp",
        }
    }
}

/// An answer, and what the engine tells of its work.
#[derive(Debug, Clone)]
pub struct SolveReport {
    /// The checked answer.
    pub solution: Solution,
    /// What the engine tells of its work.
    pub work: Work,
}

/// What an engine tells of its work.
#[derive(Debug, Clone)]
pub enum Work {
    /// The search engine's counts.
    Search(SearchReport),
    /// The program's size and the solver's conduct.
    Milp(MilpReport),
}

impl SolveReport {
    /// The engine's name.
    pub const fn engine(&self) -> &'static str {
        match self.work {
            Work::Search(_) => "search",
            Work::Milp(_) => "milp",
        }
    }

    /// Whether a general solver broke down; the remark says how.
    pub const fn solver_failed(&self) -> bool {
        match &self.work {
            Work::Search(_) => false,
            Work::Milp(report) => report.solver_failed,
        }
    }

    /// What the reader should know beyond the status.
    pub fn remark(&self) -> Option<&str> {
        match &self.work {
            Work::Search(_) => None,
            Work::Milp(report) => report.remark.as_deref(),
        }
    }
}

/// Solves an instance.
pub fn solve(
    instance: &Instance,
    engine: &Engine,
    settings: &SolveSettings,
    control: &Control<'_>,
) -> Result<SolveReport> {
    settings.check()?;
    instance.check()?;
    match engine {
        Engine::Search => {
            let settings = SearchSettings {
                time_limit: settings.time_limit,
                relative_gap: settings.relative_gap,
                threads: settings.threads,
                any_plan: settings.any_plan,
                ..SearchSettings::default()
            };
            let report = search::search(instance, &settings, control)?;
            Ok(SolveReport { solution: report.solution.clone(), work: Work::Search(report) })
        }
        Engine::Milp { formulation, solver } => {
            let settings = MilpSettings {
                formulation: *formulation,
                solver: SolverSettings {
                    time_limit: settings.time_limit,
                    relative_gap: settings.relative_gap,
                    threads: settings.threads,
                    ..SolverSettings::default()
                },
                start: search::start_plan(instance).map(|plan| plan.choice),
            };
            let report = confirmed(instance, solver.as_ref(), &settings)?;
            Ok(SolveReport { solution: report.solution.clone(), work: Work::Milp(report) })
        }
    }
}

/// A general solver's claim with a second opinion.
///
/// HiGHS has been seen to claim an optimum, bound and all, where a cheaper plan exists: its point
/// passes every check, so only another proof can tell. Where the search engine finds something
/// better within its time, the program is solved again from there, by another way.
fn confirmed(
    instance: &Instance,
    solver: &dyn Solver,
    settings: &MilpSettings,
) -> Result<MilpReport> {
    let begin = Instant::now();
    let mut report = milp::solve(instance, solver, settings)?;
    let Some(better) = better_plan(instance, &report.solution, settings)? else {
        return Ok(report);
    };
    let mut again = settings.clone();
    again.solver.time_limit =
        settings.solver.time_limit.map(|limit| limit.saturating_sub(begin.elapsed()));
    again.solver.doubts += 1;
    again.start = Some(better.choice.clone());
    let claimed = report.solution.plan.map(|plan| plan.evaluation.objective);
    let repairs = report.repairs + 1;
    report = milp::solve(instance, solver, &again)?;
    report.repairs += repairs;
    let remark = format!(
        "{} first claimed {}, but the search engine found a plan of cost {}",
        solver.name(),
        claimed.map_or_else(
            || "that no plan exists".to_owned(),
            |cost| format!("an optimum of {cost}")
        ),
        better.evaluation.objective
    );
    report.remark =
        Some(report.remark.map_or_else(|| remark.clone(), |more| format!("{remark}; {more}")));
    report.solution.time = begin.elapsed();
    Ok(report)
}

/// A plan that contradicts a claim of optimality or infeasibility.
fn better_plan(
    instance: &Instance,
    claim: &Solution,
    settings: &MilpSettings,
) -> Result<Option<Plan>> {
    if !matches!(claim.status, Status::Optimal | Status::Infeasible) {
        return Ok(None);
    }
    let left = settings.solver.time_limit.map(|limit| limit.saturating_sub(claim.time));
    let time_limit = Some(left.map_or(SECOND_OPINION, |left| left.min(SECOND_OPINION)));
    let threads = settings.solver.threads;
    let settings = SearchSettings { time_limit, threads, ..SearchSettings::default() };
    let found = search::search(instance, &settings, &Control::default())?.solution.plan;
    let claimed = claim.plan.as_ref().map_or(f64::INFINITY, |plan| plan.evaluation.objective);
    Ok(found.filter(|plan| plan.evaluation.objective < claimed * (1.0 - DISAGREEMENT)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instance::read_instances;
    use crate::milp::{Answer, Outcome, Program};

    const INSTANCE: &str = r#"{
        "version": 1, "x": [0, 0],
        "features": [
            {"name": "a", "columns": [0], "options": [[0], [1], [2]]},
            {"name": "b", "columns": [1], "options": [[0], [5]]}],
        "max_changes": 2,
        "classifier": {"kind": "linear", "weights": [1, 1], "intercept": -2},
        "cost": {"distance": {"kind": "l1-mahalanobis", "factor": [[1, 0], [0, 1]]}}}"#;

    /// Claims what it was made with, whatever the program.
    struct Claims(Answer);

    impl Solver for Claims {
        fn name(&self) -> &'static str {
            "liar"
        }

        fn solve(&self, _: &Program, _: &SolverSettings, _: Option<&[f64]>) -> Result<Answer> {
            Ok(self.0.clone())
        }
    }

    fn confirm(claim: impl FnOnce(&Instance) -> Answer) -> MilpReport {
        let instance = read_instances(INSTANCE, "test").unwrap().remove(0);
        let solver = Claims(claim(&instance));
        confirmed(&instance, &solver, &MilpSettings::default()).unwrap()
    }

    fn claim_of(instance: &Instance, choice: &[usize], bound: f64) -> Answer {
        let point = milp::encode(instance, Formulation::Reduced).unwrap().point(choice);
        Answer::new(Outcome::Optimal, Some(point), Some(bound))
    }

    #[test]
    fn a_true_optimum_is_confirmed() {
        let report = confirm(|instance| claim_of(instance, &[2, 0], 2.0));
        assert_eq!((report.solution.status, report.repairs), (Status::Optimal, 0));
        assert_eq!(report.remark, None);
    }

    #[test]
    fn an_optimum_that_is_none_is_found_out_though_its_plan_passes_every_check() {
        let report = confirm(|instance| claim_of(instance, &[0, 1], 5.0));
        assert_eq!(report.solution.status, Status::Feasible);
        assert_eq!(report.solution.plan.unwrap().choice, [2, 0]);
        assert_eq!(report.solution.bound, None);
        assert!(report.remark.unwrap().contains("found a plan of cost 2"));
    }

    #[test]
    fn infeasible_is_found_out_where_a_plan_exists() {
        let report = confirm(|_| Answer::new(Outcome::Infeasible, None, None));
        assert_eq!(report.solution.status, Status::Feasible);
        assert!(report.remark.unwrap().contains("that no plan exists"));
    }
}
