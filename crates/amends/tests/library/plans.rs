//! Several plans and the front against judging every combination of options, in both engines.

use crate::common::brute_force;
use crate::common::random_instance::{Kind, instances};
use amends::engine::Control;
use amends::instance::{Instance, read_instances};
use amends::milp::{BUILT_IN_SOLVERS, Formulation, solver_by_name};
use amends::plans::{
    Front, FrontEnd, FrontSettings, Several, SeveralEnd, SeveralSettings, front, several,
};
use amends::plausibility::Metric;
use amends::{Engine, Plan, SolveSettings, Status};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

/// Runs a check on random instances, as search and as programs can hold them.
fn for_random_instances(
    cases: u32,
    check: impl Fn(&Instance, &Engine) -> Result<(), TestCaseError>,
) {
    let run = |kind: Kind, seed: u8, engine: &Engine| {
        let config = Config { cases, failure_persistence: None, ..Config::default() };
        let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[seed; 32]);
        let mut runner = TestRunner::new_with_rng(config, rng);
        let outcome = runner.run(&instances(kind), |instance| check(&instance, engine));
        outcome.unwrap_or_else(|error| panic!("{} {kind:?}: {error}", engine.name()));
    };
    for distance in 0..4 {
        for outlier in 0..3 {
            let (distance, outlier) = (Some(distance), Some(outlier));
            run(Kind { distance, outlier, ..Kind::default() }, 1, &Engine::Search);
        }
    }
    for distance in [0, 3] {
        for metric in [Metric::SquaredEuclidean, Metric::Manhattan] {
            let (distance, outlier, metric) = (Some(distance), Some(1), Some(metric));
            for (seed, &formulation) in Formulation::ALL.iter().enumerate() {
                let solver = solver_by_name(BUILT_IN_SOLVERS[0]).expect("built in");
                let engine = Engine::Milp { formulation, solver };
                run(Kind { distance, outlier, metric, decider: None }, seed as u8, &engine);
            }
        }
    }
}

/// How many features one set has and the other has not.
fn difference(a: &[usize], b: &[usize]) -> usize {
    let common = a.iter().filter(|feature| b.contains(feature)).count();
    a.len() + b.len() - 2 * common
}

fn run_several(instance: &Instance, engine: &Engine, wanted: SeveralSettings) -> Several {
    let (settings, control) = (SolveSettings::default(), Control::default());
    several(instance, &wanted, engine, &settings, &control).expect("solved")
}

/// Each plan is the cheapest of those that are far enough from all before it.
fn several_agree(instance: &Instance, engine: &Engine) -> Result<(), TestCaseError> {
    for (count, apart, supersets) in [(4, 1, false), (4, 1, true), (3, 2, false), (3, 2, true)] {
        let found = run_several(instance, engine, SeveralSettings { count, apart, supersets });
        if instance.already_accepted() {
            prop_assert_eq!(found.end, SeveralEnd::AlreadyAccepted);
            prop_assert!(found.plans().next().is_none());
            continue;
        }
        let mut left = brute_force::plans(instance);
        for plan in found.plans() {
            let objective = |plan: &Plan| plan.evaluation.objective;
            let best = left.iter().map(objective).fold(f64::INFINITY, f64::min);
            let cost = objective(plan);
            prop_assert!((cost - best).abs() <= 1e-6 * best.max(1e-3), "{} for {}", cost, best);
            prop_assert!(left.contains(plan), "not far enough from those before it");
            let set = instance.changed(&plan.choice);
            left.retain(|other| {
                let other = instance.changed(&other.choice);
                let is_superset = set.iter().all(|feature| other.contains(feature));
                difference(&set, &other) >= apart && (supersets || !is_superset)
            });
        }
        let end = if left.is_empty() && found.plans().count() < count {
            SeveralEnd::NoFurther
        } else {
            SeveralEnd::AllFound
        };
        prop_assert_eq!(found.end, end);
    }
    Ok(())
}

#[test]
fn several_plans_are_the_best_of_all_that_differ() {
    for_random_instances(60, several_agree);
}

fn run_front(instance: &Instance, engine: &Engine, wanted: &FrontSettings) -> Front {
    let (settings, control) = (SolveSettings::default(), Control::default());
    front(instance, wanted, engine, &settings, &control).expect("solved")
}

/// Whether a plan is at most the resolution worse than another in both parts, or ordinary.
fn matches(plan: &Plan, other: &Plan, wanted: &FrontSettings) -> bool {
    let no_worse = |a: f64, b: f64| a - wanted.resolution * a.max(1e-3) <= b * (1.0 + 2e-9);
    let (a, b) = (&plan.evaluation, &other.evaluation);
    no_worse(a.distance, b.distance)
        && no_worse(a.outlier, b.outlier.max(wanted.ordinary.unwrap_or(0.0)))
}

/// The points rise in distance and fall in outlier term, and no plan beats one by more than the resolution.
fn points_stand(front: &Front, plans: &[Plan], resolution: f64) -> Result<(), TestCaseError> {
    for pair in front.points.windows(2) {
        let (left, right) = (&pair[0].plan.evaluation, &pair[1].plan.evaluation);
        prop_assert!(left.distance < right.distance && left.outlier > right.outlier);
        let near = |a: f64, b: f64| (a - b).abs() <= 0.5 * resolution * a.max(b).max(1e-3);
        prop_assert!(
            !(near(left.distance, right.distance) && near(left.outlier, right.outlier)),
            "the same point twice"
        );
    }
    for point in &front.points {
        prop_assert!(point.proven && plans.contains(&point.plan));
        let far_below = |a: f64, b: f64| a < b - 2.0 * resolution * b.max(1e-3);
        let at = &point.plan.evaluation;
        let beaten = plans.iter().map(|plan| &plan.evaluation).find(|other| {
            let (less, fewer) =
                (far_below(other.distance, at.distance), far_below(other.outlier, at.outlier));
            less && other.outlier <= at.outlier || fewer && other.distance <= at.distance
        });
        prop_assert!(beaten.is_none(), "{:?} beats {:?}", beaten, at);
    }
    Ok(())
}

fn front_agrees(instance: &Instance, engine: &Engine) -> Result<(), TestCaseError> {
    let plans = brute_force::plans(instance);
    for (resolution, ordinary) in [(1e-6, None), (0.1, None), (1e-6, Some(0.7)), (0.02, Some(2.0))]
    {
        let wanted = FrontSettings { resolution, ordinary, ..FrontSettings::default() };
        let found = run_front(instance, engine, &wanted);
        if instance.already_accepted() {
            prop_assert_eq!(found.end, FrontEnd::AlreadyAccepted);
            return Ok(());
        }
        prop_assert_eq!(found.end, FrontEnd::Complete);
        points_stand(&found, &plans, resolution)?;
        for plan in &plans {
            let matched = found.points.iter().any(|point| matches(&point.plan, plan, &wanted));
            prop_assert!(matched, "nothing matches {:?}", plan.evaluation);
        }
        if found.points.len() > 1 {
            let at_most = Some(found.points.len() - 1);
            let capped = run_front(instance, engine, &FrontSettings { at_most, ..wanted.clone() });
            let is_capped = matches!(capped.end, FrontEnd::Capped { unexplored: 1.. });
            prop_assert!(is_capped, "{:?}", capped.end);
            prop_assert_eq!(Some(capped.points.len()), at_most);
            points_stand(&capped, &plans, resolution)?;
            let spread =
                run_front(instance, engine, &FrontSettings { at_most: Some(99), ..wanted.clone() });
            prop_assert_eq!(spread.end, FrontEnd::Complete);
            points_stand(&spread, &plans, resolution)?;
        }
    }
    Ok(())
}

#[test]
fn the_front_is_every_plan_that_no_other_beats() {
    for_random_instances(30, front_agrees);
}

/// Two plans of each distance, and a more expensive one that adds nothing.
const TIES: &str = r#"{
    "version": 1, "x": [0, 0],
    "features": [
        {"name": "a", "columns": [0], "options": [[0], [2], [3], [4]]},
        {"name": "b", "columns": [1], "options": [[0], [2], [3], [4]]}],
    "max_changes": 1,
    "classifier": {"kind": "linear", "weights": [1, 1], "intercept": -2},
    "cost": {"distance": {"kind": "l1-mahalanobis", "factor": [[1, 0], [0, 1]]},
             "outlier": {"weight": 1, "metric": "manhattan", "points": [[3, 0], [0, 3]],
                         "k_distance": [0, 0], "density": [1, 1]}}}"#;

fn ties() -> Instance {
    read_instances(TIES, "ties").unwrap().remove(0)
}

#[test]
fn equal_points_appear_once() {
    let found = run_front(&ties(), &Engine::Search, &FrontSettings::default());
    let pairs: Vec<_> = found
        .points
        .iter()
        .map(|point| (point.plan.evaluation.distance, point.plan.evaluation.outlier))
        .collect();
    assert_eq!(pairs, [(2.0, 1.0), (3.0, 0.0)]);
    assert_eq!(found.end, FrontEnd::Complete);
}

#[test]
fn limits_of_the_instance_bind_the_front_and_an_empty_one_is_proven() {
    let instance = ties().edited(|parts| parts.cost.most.distance = Some(2.5)).unwrap();
    let found = run_front(&instance, &Engine::Search, &FrontSettings::default());
    assert_eq!((found.points.len(), found.end), (1, FrontEnd::Complete));
    let instance = instance.edited(|parts| parts.cost.most.outlier = Some(0.5)).unwrap();
    let found = run_front(&instance, &Engine::Search, &FrontSettings::default());
    assert_eq!((found.points.len(), found.end), (0, FrontEnd::Complete));
}

#[test]
fn what_was_not_looked_into_is_said() {
    let stop = std::sync::atomic::AtomicBool::new(true);
    let control = Control { cancel: Some(&stop), ..Control::default() };
    let (settings, wanted) = (SolveSettings::default(), FrontSettings::default());
    let found = front(&ties(), &wanted, &Engine::Search, &settings, &control).unwrap();
    assert_eq!(found.end, FrontEnd::Stopped { unexplored: 1 });
    let two = SeveralSettings::new(2);
    let found = several(&ties(), &two, &Engine::Search, &settings, &control).unwrap();
    assert_eq!(found.end, SeveralEnd::Stopped);
}

#[test]
fn no_further_plan_is_an_answer() {
    let found = run_several(&ties(), &Engine::Search, SeveralSettings::new(3));
    assert_eq!(found.end, SeveralEnd::NoFurther);
    assert_eq!(found.plans().count(), 2);
    let last = found.reports.last().unwrap();
    assert_eq!(last.solution.status, Status::Infeasible);
}

#[test]
fn settings_that_mean_nothing_are_refused() {
    let (settings, control) = (SolveSettings::default(), Control::default());
    for (count, apart) in [(0, 1), (1, 0)] {
        let wanted = SeveralSettings { count, apart, supersets: false };
        assert!(several(&ties(), &wanted, &Engine::Search, &settings, &control).is_err());
    }
    for resolution in [0.0, 1.0, f64::NAN] {
        let wanted = FrontSettings { resolution, ..FrontSettings::default() };
        assert!(front(&ties(), &wanted, &Engine::Search, &settings, &control).is_err());
    }
    let wanted = FrontSettings { ordinary: Some(0.0), ..FrontSettings::default() };
    assert!(front(&ties(), &wanted, &Engine::Search, &settings, &control).is_err());
    let wanted = FrontSettings { at_most: Some(0), ..FrontSettings::default() };
    assert!(front(&ties(), &wanted, &Engine::Search, &settings, &control).is_err());
}
