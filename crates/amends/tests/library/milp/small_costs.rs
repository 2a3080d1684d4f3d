//! Costs far below a solver's absolute tolerances are solved like all others, and proven as well.

use amends::engine::Control;
use amends::instance::{Instance, read_instances};
use amends::milp::{Formulation, MilpSettings, default_solver, solve};
use amends::{Engine, SolveSettings, Status};

/// The example of the instance format with the cost times one number and all columns times another.
fn example(cost: f64, size: f64) -> Instance {
    let of = |number: f64| number * size;
    let text = format!(
        r#"{{"version": 2, "x": [{x0}, {x1}, 1, 0],
         "features": [
           {{"name": "duration", "columns": [0], "options": [[{a}], [{b}], [{x0}]]}},
           {{"name": "amount", "columns": [1], "options": [[{c}], [{d}], [{x1}]]}},
           {{"name": "housing", "columns": [2, 3], "options": [[1, 0], [0, 1]]}}],
         "max_changes": 2,
         "classifier": {{"kind": "linear", "weights": [{w0}, {w1}, 0, 0.8], "intercept": 1.3}},
         "cost": {{
           "distance": {{"kind": "l1-mahalanobis", "factor": [[{u}, 0, 0, 0], [0, {v}, 0, 0], [0, 0, 0, {h}]]}},
           "outlier": {{"weight": {weight}, "metric": "squared-euclidean", "points": [[{a}, {c}, 1, 0], [{b}, {d}, 1, 0]],
             "k_distance": [{k0}, {k1}], "density": [{n0}, {n1}]}}}}}}"#,
        x0 = of(24.0),
        x1 = of(50.0),
        a = of(12.0),
        b = of(18.0),
        c = of(30.0),
        d = of(40.0),
        w0 = -0.05 / size,
        w1 = -0.02 / size,
        u = 0.1 / size * cost,
        v = 0.05 / size * cost,
        h = 9.0 * cost,
        weight = 0.1 * cost,
        k0 = 4.0 * size * size,
        k1 = 9.0 * size * size,
        n0 = 0.5 / size / size,
        n1 = 0.25 / size / size,
    );
    read_instances(&text, "example").unwrap().remove(0)
}

#[test]
fn optimal_means_a_gap_within_the_tolerance() {
    for (cost, size) in
        [(1.0, 1.0), (1e-9, 1.0), (3e-8, 1.0), (1e-12, 1.0), (1.0, 1e-6), (1e-7, 1e-7), (1e12, 1e6)]
    {
        let instance = example(cost, size);
        for formulation in [Formulation::Pairwise, Formulation::Reduced] {
            let engine = Engine::Milp { formulation, solver: default_solver() };
            let report =
                amends::solve(&instance, &engine, &SolveSettings::default(), &Control::default());
            let guided = report.unwrap().solution;
            // Without a plan to start from, the size of costs becomes known with the first answer.
            let settings = MilpSettings { formulation, ..MilpSettings::default() };
            let unguided = solve(&instance, default_solver().as_ref(), &settings).unwrap().solution;
            for solution in [guided, unguided] {
                let place = format!("cost {cost}, size {size}, {formulation:?}: {solution:?}");
                assert_eq!(solution.status, Status::Optimal, "{place}");
                assert!(solution.gap().is_some_and(|gap| gap <= 1e-6), "{place}");
                let plan = solution.plan.unwrap();
                assert_eq!(plan.choice, [0, 0, 0], "{place}");
                assert!((plan.evaluation.objective / cost - 2.4).abs() < 1e-9, "{place}");
            }
        }
    }
}

/// A solver that rounds all of these costs to 0 gives a bound of 0.
#[test]
fn a_cost_below_every_tolerance_is_proven() {
    let text = r#"{"version": 2, "x": [1, 108, 28, 0],
        "features": [
            {"name": "a", "columns": [2], "ranges": [{"first": [0], "last": [41], "step": 1}]},
            {"name": "b", "columns": [1], "options": [[105], [107], [109], [101], [108], [100]]},
            {"name": "c", "columns": [0], "options": [[0], [1]]},
            {"name": "d", "columns": [3], "options": [[0], [1]]}],
        "max_changes": 1,
        "classifier": {"kind": "linear", "weights": [-0.5, 0.08, 0, 0.2], "intercept": -8.22},
        "cost": {"distance": {"kind": "l1-mahalanobis", "factor": [
            [3.5715534239728237e-09, 0, 0, 0], [0, 9.346239322159815e-10, 0, 0],
            [0, 0, 2.492854393326433e-10, 0], [0, 0, 0, 1.3727173831588786e-09]]}}}"#;
    let instance = read_instances(text, "small").unwrap().remove(0);
    for &formulation in Formulation::ALL {
        let engine = Engine::Milp { formulation, solver: default_solver() };
        let report =
            amends::solve(&instance, &engine, &SolveSettings::default(), &Control::default());
        let solution = report.unwrap().solution;
        assert_eq!(solution.status, Status::Optimal, "{formulation:?}");
        assert!(solution.gap().is_some_and(|gap| gap <= 1e-6), "{formulation:?}: {solution:?}");
        assert_eq!(solution.plan.unwrap().choice, [28, 2, 1, 0], "{formulation:?}");
    }
}
