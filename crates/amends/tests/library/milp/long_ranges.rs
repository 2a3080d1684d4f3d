//! Ranges too long for a binary per value: the compact program says what the instance says, and finds what brute force
//! finds; the other programs refuse them and name the remedy.

use super::agreement::{kinds, violation};
use super::microlp;
use crate::common::brute_force;
use crate::common::random_instance::long_instances;
use crate::common::repeatable::repeatable;
use amends::Status;
use amends::instance::{Instance, read_instances};
use amends::milp::{
    BUILT_IN_SOLVERS, Capabilities, Formulation, MilpSettings, Outcome, Solver, SolverAnswer,
    SolverTask, encode, solve, solver_by_name,
};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;

fn for_long_instances(per_kind: u32, check: impl Fn(Instance) -> Result<(), TestCaseError>) {
    for kind in kinds() {
        TestRunner::new(repeatable(per_kind))
            .run(&long_instances(kind), &check)
            .unwrap_or_else(|error| panic!("{kind:?}: {error}"));
    }
}

/// Brute force judges tens of thousands of plans; a few hundred of them are compared in detail.
fn every_so_often<T>(all: Vec<T>) -> impl Iterator<Item = T> {
    let often = all.len() / 300 + 1;
    all.into_iter().step_by(often)
}

#[test]
fn every_plan_is_a_point_at_its_own_cost() {
    for_long_instances(15, |instance| {
        let encoded = encode(&instance, Formulation::Compact).expect("linear");
        for plan in every_so_often(brute_force::plans(&instance)) {
            let values = encoded.point(&plan.choice);
            let far = violation(&encoded.program, &values);
            prop_assert!(far < 1e-9, "violated by {far}");
            let cost = encoded.program.objective(&values);
            prop_assert!((cost - plan.evaluation.objective).abs() < 1e-9 * cost.max(1.0));
            prop_assert_eq!(encoded.decode(&values), plan.choice);
        }
        Ok(())
    });
}

#[test]
fn what_is_no_plan_breaks_a_row() {
    for_long_instances(15, |instance| {
        let encoded = encode(&instance, Formulation::Compact).expect("linear");
        for choice in every_so_often(brute_force::choices(&instance)) {
            let values = encoded.point(&choice);
            // Where several classifiers must accept, each has a row of its own: m0_validity, m1_validity, ...
            let broken = |name: &str| {
                let of_member = format!("_{name}");
                let rows = encoded.program.rows.iter();
                let rows = rows.filter(|row| row.name == name || row.name.ends_with(&of_member));
                let by = rows.map(|row| {
                    let activity: f64 = row.terms.iter().map(|&(c, v)| v * values[c]).sum();
                    (row.lower - activity).max(activity - row.upper)
                });
                by.reduce(f64::max).expect("there is such a row")
            };
            let judged = instance.evaluate(&choice);
            prop_assert_eq!(broken("changes") > 0.0, judged.changes > instance.max_changes());
            for (index, rule) in instance.rules().iter().enumerate() {
                let by = broken(&format!("rule_{index}"));
                prop_assert!((by > 0.0) != rule.holds(&choice) || by.abs() < 1e-12, "{by}");
            }
            // What a network's units can be is only proven for so many changes.
            if judged.score.abs() > 1e-9 && judged.changes <= instance.max_changes() {
                prop_assert_eq!(broken("validity") > 0.0, !judged.accepted, "{}", judged.score);
            }
        }
        Ok(())
    });
}

#[test]
fn the_compact_program_and_brute_force_agree() {
    for_long_instances(15, |instance| {
        let expected = brute_force::best(&instance);
        for solver in BUILT_IN_SOLVERS {
            let solver = solver_by_name(solver).expect("built in");
            let formulation = Formulation::Compact;
            let settings = MilpSettings { formulation, ..MilpSettings::default() };
            let report = solve(&instance, solver.as_ref(), &settings).expect("solved");
            if instance.already_accepted() {
                prop_assert_eq!(report.solution.status, Status::AlreadyAccepted);
                continue;
            }
            match (&expected, &report.solution.plan) {
                (None, None) => prop_assert_eq!(report.solution.status, Status::Infeasible),
                (Some(best), Some(found)) => {
                    prop_assert_eq!(
                        report.solution.status,
                        Status::Optimal,
                        "{:?}",
                        report.work.remark
                    );
                    let (best, found) = (best.evaluation.objective, found.evaluation.objective);
                    let near = 1e-6 * best.max(1e-3);
                    prop_assert!((best - found).abs() <= near, "{found} for {best}");
                }
                (best, found) => prop_assert!(false, "found {found:?}, best {best:?}"),
            }
        }
        Ok(())
    });
}

#[test]
fn other_programs_refuse_and_name_the_way_out() {
    for_long_instances(1, |instance| {
        for formulation in [Formulation::Pairwise, Formulation::Reduced] {
            let message = encode(&instance, formulation).expect_err("too long").to_string();
            for way in ["search engine", "fewer values", "compact formulation"] {
                prop_assert!(message.contains(way), "{message}");
            }
        }
        Ok(())
    });
}

/// An income in cents, of which a little more than 1234.56 is enough.
const CENTS: &str = r#"{
    "version": 2, "x": [1000.0, 3],
    "features": [
        {"name": "income", "columns": [0], "ranges": [{"first": [0], "last": [99999.99], "step": 0.01}]},
        {"name": "years", "columns": [1], "ranges": [{"first": [3], "last": [40], "step": 1}]}],
    "max_changes": 1,
    "classifier": {"kind": "linear", "weights": [1, 0.01], "intercept": -1234.595},
    "cost": {"distance": {"kind": "l1-mahalanobis", "factor": [[1, 0], [0, 10]]},
             "outlier": {"weight": 0.001, "metric": "squared-euclidean", "points": [[1100, 3], [1300, 5]],
                         "k_distance": [1, 1], "density": [1, 1]}}}"#;

fn cents() -> Instance {
    read_instances(CENTS, "cents.json").unwrap().remove(0)
}

fn compact() -> MilpSettings {
    MilpSettings { formulation: Formulation::Compact, ..MilpSettings::default() }
}

#[test]
fn ten_million_values_are_few_columns() {
    let instance = cents();
    let report = solve(&instance, microlp().as_ref(), &compact()).unwrap();
    assert!(
        report.work.columns < 120 && report.work.rows < 120,
        "{} {}",
        report.work.columns,
        report.work.rows
    );
    let plan = report.solution.plan.unwrap();
    assert_eq!(report.solution.status, Status::Optimal, "{:?}", report.work.remark);
    assert_eq!(instance.apply(&plan.choice), [1234.57, 3.0]);
    // The program was made finer, and no plan forbidden.
    assert_eq!(report.work.repairs, 0);
}

/// (v - 1300)^2 / 100 falls as fast as the effort rises at 1250, far from every point at which a range is cut.
#[test]
fn a_square_is_exact_where_the_optimum_is() {
    let lighter = cents().edited(|parts| parts.cost.outlier.as_mut().unwrap().weight = 0.01);
    let instance = lighter.unwrap();
    let report = solve(&instance, microlp().as_ref(), &compact()).unwrap();
    assert_eq!((report.solution.status, report.work.repairs), (Status::Optimal, 0));
    let evaluation = report.solution.plan.unwrap().evaluation;
    assert!((evaluation.objective - 275.04).abs() < 275e-6, "{evaluation:?}");
}

/// Claims once that a cent too little is enough; after that, it solves correctly.
struct ACentShort(std::sync::atomic::AtomicBool, Vec<f64>);

impl Solver for ACentShort {
    fn name(&self) -> &'static str {
        "careless"
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities::ALL
    }

    fn solve(&self, task: &SolverTask<'_>) -> amends::Result<SolverAnswer> {
        let program = task.program;
        if self.0.swap(true, std::sync::atomic::Ordering::Relaxed) {
            return microlp().solve(task);
        }
        let bound = Some(program.objective(&self.1));
        Ok(SolverAnswer::new(Outcome::Optimal, Some(self.1.clone()), bound))
    }
}

#[test]
fn a_false_plan_within_a_long_range_is_cut_off_and_solved_again() {
    let instance = cents().edited(|parts| parts.cost.outlier = None).unwrap();
    let encoded = encode(&instance, Formulation::Compact).unwrap();
    let solver = ACentShort(false.into(), encoded.point(&[123_456, 0]));
    let report = solve(&instance, &solver, &compact()).unwrap();
    assert_eq!((report.solution.status, report.work.repairs), (Status::Optimal, 1));
    assert_eq!(report.solution.plan.unwrap().choice, [123_457, 0]);
}
