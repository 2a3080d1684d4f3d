//! The search engine against judging every combination of options.

use crate::common::brute_force::plans;
use crate::common::random_instance::{Decider, Kind, Size, instances_of};
use amends::engine::Control;
use amends::engine::SolveSettings;
use amends::instance::Instance;
use amends::plausibility::Metric;
use amends::search::{SearchSettings, search};
use amends::{Plan, Status};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

/// Random instances per combination of classifier, distance, outlier term and metric; there are 84.
const CASES: u32 = 300;

/// The documented rule: objectives rounded to the gap of 1e-9 (30 binary digits), then the
/// lexicographically least choice.
fn winner(plans: &[Plan]) -> Option<&Plan> {
    let rounded = |plan: &Plan| {
        let objective = plan.evaluation.objective;
        if objective == 0.0 {
            return 0.0;
        }
        let quantum = 2.0_f64.powi(objective.log2().floor() as i32 - 30);
        (objective / quantum).round() * quantum
    };
    plans
        .iter()
        .min_by(|a, b| rounded(a).total_cmp(&rounded(b)).then_with(|| a.choice.cmp(&b.choice)))
}

fn agrees(instance: &Instance, threads: usize, guesses: bool) -> Result<(), TestCaseError> {
    let settings = SearchSettings {
        guesses,
        ..SolveSettings { threads, relative_gap: 1e-9, ..SolveSettings::default() }.into()
    };
    let report = search(instance, &settings, &Control::default()).expect("a sound instance");
    let solution = &report.solution;
    if instance.already_accepted() {
        prop_assert_eq!(solution.status, Status::AlreadyAccepted);
        return Ok(());
    }
    let plans = plans(instance);
    let Some(best) = winner(&plans) else {
        prop_assert_eq!(solution.status, Status::Infeasible);
        prop_assert!(solution.plan.is_none());
        return Ok(());
    };
    prop_assert_eq!(solution.status, Status::Optimal);
    prop_assert_eq!(solution.plan.as_ref(), Some(best));
    let bound = solution.bound.expect("an optimal plan has a bound");
    let least = plans.iter().map(|p| p.evaluation.objective).fold(f64::INFINITY, f64::min);
    prop_assert!(bound <= least, "bound {} above the optimum {}", bound, least);
    prop_assert!(solution.gap().is_some_and(|gap| gap <= 2e-9), "gap {:?}", solution.gap());
    Ok(())
}

fn check(kind: Kind, size: Size, threads: usize, seed: u8) {
    let config = Config { cases: CASES, failure_persistence: None, ..Config::default() };
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[seed; 32]);
    let mut runner = TestRunner::new_with_rng(config, rng);
    // Without guesses every bound has to leave the winner standing; with them, most are tried against it.
    runner
        .run(&instances_of(kind, size), |instance| {
            agrees(&instance, threads, true)?;
            agrees(&instance, threads, false)
        })
        .unwrap();
}

fn check_all(decider: Decider, threads: usize) {
    for distance in 0..4 {
        for outlier in 0..3 {
            let metrics: &[Metric] = match outlier {
                0 => &[Metric::Euclidean],
                _ => &[Metric::SquaredEuclidean, Metric::Euclidean, Metric::Manhattan],
            };
            for &metric in metrics {
                let kind = Kind {
                    decider: Some(decider),
                    distance: Some(distance),
                    outlier: Some(outlier),
                    metric: Some(metric),
                };
                println!("{kind:?}");
                check(kind, Size::SMALL, threads, (distance * 3 + outlier) as u8);
            }
        }
    }
}

#[test]
fn linear_models_agree_with_brute_force() {
    check_all(Decider::Linear, 1);
}

#[test]
fn trees_agree_with_brute_force() {
    check_all(Decider::Trees, 1);
}

#[test]
fn networks_agree_with_brute_force() {
    check_all(Decider::Mlp, 1);
}

#[test]
fn combined_classifiers_agree_with_brute_force() {
    check_all(Decider::Combined, 1);
}

#[test]
fn two_threads_agree_with_brute_force() {
    for seed in 0..4 {
        check(Kind::default(), Size::SMALL, 2, seed);
    }
}

/// With many points the search considers them last.
#[test]
fn many_points_agree_with_brute_force() {
    let size = Size { features: 3..6, points: 41..70, ..Size::SMALL };
    for decider in Decider::ALL {
        for outlier in [1, 2] {
            for metric in [Metric::SquaredEuclidean, Metric::Euclidean, Metric::Manhattan] {
                let kind = Kind {
                    decider: Some(decider),
                    outlier: Some(outlier),
                    metric: Some(metric),
                    ..Kind::default()
                };
                check(kind, size.clone(), 1, outlier as u8);
            }
        }
    }
}
