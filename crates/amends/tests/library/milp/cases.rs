//! Instances made from real data through HiGHS: the quick ones of them, in all formulations.
//! `scripts/bench/cases.py` solves them all, which takes an hour.

use crate::common::cases::cases;
use amends::engine::Control;
use amends::milp::{Formulation, solver_by_name};
use amends::{Engine, SolveSettings, Status, solve};

#[test]
#[ignore = "needs the data sets: make test-data"]
fn every_formulation_finds_the_known_optimum() {
    for case in cases(|name| name.starts_with("german-lr-N20-cholesky")) {
        for &formulation in Formulation::ALL {
            let engine = Engine::Milp { formulation, solver: solver_by_name("highs").unwrap() };
            let report =
                solve(&case.instance, &engine, &SolveSettings::default(), &Control::default())
                    .expect("solved");
            let solution = report.solution;
            let who = format!("{} {}", case.name, formulation.name());
            assert_eq!(solution.status, Status::Optimal, "{who}");
            let objective = solution.plan.expect("optimal").evaluation.objective;
            let off = (objective - case.objective).abs() / case.objective;
            assert!(off <= 1e-6, "{who}: {objective} for {}", case.objective);
        }
    }
}
