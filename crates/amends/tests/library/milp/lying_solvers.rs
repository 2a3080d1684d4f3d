//! A solver's claim is passed on only where the checker confirms it.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicUsize};

use super::microlp;
use amends::engine::{Control, Engine, SolveSettings};
use amends::instance::{Instance, read_instances};
use amends::milp::{
    Capabilities, Formulation, MilpSettings, Outcome, Program, Solver, SolverAnswer, SolverTask,
    encode, solve,
};
use amends::{Error, Result, Status};

/// Age may rise by 1 or 2, housing may change; the cheapest plan is age + 2 at cost 2.1.
const INSTANCE: &str = r#"{
    "version": 1, "x": [30, 1, 0],
    "features": [
        {"name": "age", "columns": [0], "options": [[0], [1], [2]]},
        {"name": "housing", "columns": [1, 2], "options": [[0, 0], [-1, 1]]}],
    "max_changes": 2,
    "classifier": {"kind": "linear", "weights": [1, 0, 3], "intercept": -31.5},
    "cost": {
        "distance": {"kind": "l1-mahalanobis", "factor": [[1, 0, 0], [0, 2, 0], [0, 0, 2]]},
        "outlier": {"weight": 0.1, "metric": "squared-euclidean",
                    "points": [[32, 1, 0], [30, 0, 1]], "k_distance": [1, 1], "density": [1, 1]}}}"#;

fn instance() -> Instance {
    read_instances(INSTANCE, "test").unwrap().remove(0)
}

/// A solver that gives a prepared answer.
struct Claims<F>(F);

impl<F: Fn(&Program) -> SolverAnswer + Send + Sync> Solver for Claims<F> {
    fn name(&self) -> &'static str {
        "liar"
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities::ALL
    }

    fn solve(&self, task: &SolverTask<'_>) -> Result<SolverAnswer> {
        let program = task.program;
        Ok((self.0)(program))
    }
}

fn settings(start: Option<Vec<usize>>) -> MilpSettings {
    MilpSettings { formulation: Formulation::Reduced, start, ..MilpSettings::default() }
}

/// The point of a plan, cut or filled to the columns that the program has now.
fn point(choice: &[usize]) -> Vec<f64> {
    encode(&instance(), Formulation::Reduced).unwrap().point(choice)
}

#[test]
fn an_honest_solver_is_believed() {
    let report = solve(&instance(), microlp().as_ref(), &settings(None)).unwrap();
    assert_eq!(report.solution.status, Status::Optimal);
    let plan = report.solution.plan.unwrap();
    assert_eq!(plan.choice, [2, 0]);
    assert!((plan.evaluation.objective - 2.1).abs() < 1e-9);
    assert_eq!((report.work.repairs, report.work.remark), (0, None));
}

#[test]
fn a_bound_that_reaches_the_plan_is_a_proof_even_at_the_time_limit() {
    for (bound, status, kept) in [
        (Some(2.1), Status::Optimal, true),
        (Some(2.1 - 1e-7), Status::Optimal, true),
        (Some(2.0), Status::Feasible, true),
        // More than the plan costs: no bound at all.
        (Some(2.2), Status::Feasible, false),
        (None, Status::Feasible, false),
    ] {
        let values = point(&[2, 0]);
        for values in [Some(values), None] {
            let stops =
                Claims(|_: &Program| SolverAnswer::new(Outcome::TimeLimit, values.clone(), bound));
            let report = solve(&instance(), &stops, &settings(Some(vec![2, 0]))).unwrap();
            assert_eq!(report.solution.status, status, "{bound:?}");
            assert_eq!(report.solution.bound.is_some(), kept, "{bound:?}");
            let gap = report.solution.gap();
            assert!(status == Status::Optimal || gap.is_none_or(|gap| gap > 1e-6), "{gap:?}");
        }
    }
}

/// Breaks down in the first solves.
struct Breaks(AtomicUsize);

impl Solver for Breaks {
    fn name(&self) -> &'static str {
        "fragile"
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities::ALL
    }

    fn solve(&self, task: &SolverTask<'_>) -> Result<SolverAnswer> {
        let left = self.0.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(1));
        match left {
            Ok(_) => Err(Error::solver("fragile", "gave up: singular basis")),
            Err(_) => microlp().solve(task),
        }
    }
}

#[test]
fn a_breakdown_leaves_the_plan_that_was_known_and_the_next_applicant_alone() {
    let solver = Breaks(AtomicUsize::new(2));
    let known = solve(&instance(), &solver, &settings(Some(vec![0, 1]))).unwrap();
    assert_eq!(known.solution.status, Status::Feasible);
    assert_eq!((known.solution.plan.unwrap().choice, known.solution.bound), (vec![0, 1], None));
    assert!(
        known.work.solver_failed && known.work.remark.unwrap().contains("gave up: singular basis")
    );
    let none = solve(&instance(), &solver, &settings(None)).unwrap();
    assert_eq!((none.solution.status, none.solution.plan), (Status::Timeout, None));
    assert!(none.work.solver_failed);
    let next = solve(&instance(), &solver, &settings(None)).unwrap();
    assert_eq!((next.solution.status, next.work.solver_failed), (Status::Optimal, false));
}

#[test]
fn infeasible_is_not_believed_where_a_plan_is_known() {
    let liar = Claims(|_: &Program| SolverAnswer::new(Outcome::Infeasible, None, None));
    let report = solve(&instance(), &liar, &settings(Some(vec![2, 0]))).unwrap();
    assert_eq!(report.solution.status, Status::Feasible);
    assert_eq!(report.solution.bound, None);
    assert!(report.work.remark.unwrap().contains("is known"));
}

#[test]
fn a_costly_plan_is_not_optimal_where_a_cheaper_one_is_known() {
    let values = point(&[0, 1]);
    let liar = Claims(move |program: &Program| {
        SolverAnswer::new(Outcome::Optimal, Some(values.clone()), Some(program.objective(&values)))
    });
    let report = solve(&instance(), &liar, &settings(Some(vec![2, 0]))).unwrap();
    assert_eq!(report.solution.status, Status::Feasible);
    assert_eq!(report.solution.plan.unwrap().choice, [2, 0]);
    assert_eq!(report.solution.bound, None);
}

#[test]
fn a_plan_that_the_model_rejects_is_never_passed_on() {
    let values = point(&[1, 0]);
    let liar = Claims(move |_: &Program| {
        SolverAnswer::new(Outcome::Optimal, Some(values.clone()), Some(1.0))
    });
    let report = solve(&instance(), &liar, &settings(None)).unwrap();
    assert_eq!(report.solution.status, Status::Timeout);
    assert!(report.solution.plan.is_none());
    assert!(report.work.remark.unwrap().contains("do not hold"));
}

/// Answers once with a false nearest point, as an integrality tolerance allows; after that, correctly.
struct WrongNearestOnce(AtomicBool);

impl Solver for WrongNearestOnce {
    fn name(&self) -> &'static str {
        "careless"
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities::ALL
    }

    fn solve(&self, task: &SolverTask<'_>) -> Result<SolverAnswer> {
        let program = task.program;
        if self.0.swap(true, Relaxed) {
            return microlp().solve(task);
        }
        let mut values = point(&[0, 1]);
        let column = |name: &str| program.columns.iter().position(|c| c.name == name).unwrap();
        values.swap(column("mu_0"), column("mu_1"));
        values[column("rho_0")] = 0.0;
        values[column("rho_1")] = 0.0;
        Ok(SolverAnswer::new(Outcome::Optimal, Some(values), Some(1.9)))
    }
}

#[test]
fn a_wrong_nearest_point_is_cut_off_and_solved_again() {
    let solver = WrongNearestOnce(false.into());
    let report = solve(&instance(), &solver, &settings(None)).unwrap();
    assert_eq!(report.work.repairs, 1);
    assert_eq!(report.solution.status, Status::Optimal);
    assert_eq!(report.solution.plan.unwrap().choice, [2, 0]);
}

/// Is cancelled while it works, and claims what a known plan refutes.
struct CancelledAtWork {
    cancel: Arc<AtomicBool>,
    asked: Arc<AtomicUsize>,
}

impl Solver for CancelledAtWork {
    fn name(&self) -> &'static str {
        "cancelled"
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities::ALL
    }

    fn solve(&self, _: &SolverTask<'_>) -> Result<SolverAnswer> {
        self.asked.fetch_add(1, Relaxed);
        self.cancel.store(true, Relaxed);
        Ok(SolverAnswer::new(Outcome::Infeasible, None, None))
    }
}

#[test]
fn a_cancelled_solver_is_not_asked_again() {
    let (cancel, asked) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
    let solver = Box::new(CancelledAtWork { cancel: cancel.clone(), asked: asked.clone() });
    let engine = Engine::Milp { formulation: Formulation::Reduced, solver };
    let control = Control { cancel: Some(&*cancel), progress: None };
    // It is asked once in the first solve, and not at all where all is cancelled before.
    for _ in 0..2 {
        let report =
            amends::solve(&instance(), &engine, &SolveSettings::default(), &control).unwrap();
        assert_eq!(report.solution.status, Status::Feasible);
        assert_eq!(asked.load(Relaxed), 1);
    }
}

#[test]
fn a_claim_without_a_bound_is_no_proof() {
    let values = point(&[2, 0]);
    let liar =
        Claims(move |_: &Program| SolverAnswer::new(Outcome::Optimal, Some(values.clone()), None));
    let report = solve(&instance(), &liar, &settings(None)).unwrap();
    assert_eq!(report.solution.status, Status::Feasible);
    assert!(report.solution.plan.is_some());
}
