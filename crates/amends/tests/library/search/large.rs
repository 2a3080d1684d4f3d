//! Many features, many changes, odd settings: the search stays within its time and its results are correct.

use std::time::{Duration, Instant};

use amends::engine::Control;
use amends::engine::SolveSettings;
use amends::instance::{Cost, Distance, FeatureOptions, Instance, Limits};
use amends::model::{Classifier, Linear, Sums, Tree, TreeEnsemble};
use amends::search::{SearchSettings, search};
use amends::{Plan, Status};

/// Deterministic numbers in (-1, 1).
fn noise(seed: usize) -> f64 {
    let mixed = (seed as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mixed = (mixed ^ (mixed >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    ((mixed >> 11) as f64 / (1_u64 << 53) as f64) * 2.0 - 1.0
}

pub fn wide(features: usize, options: i32, max_changes: usize) -> Instance {
    let factor = (0..features)
        .map(|row| {
            (0..features)
                .map(|c| if c == row { 1.5 } else { 0.3 * noise(row * features + c) })
                .collect()
        })
        .collect();
    let weights: Vec<f64> = (0..features).map(|c| noise(7_000 + c)).collect();
    let x = vec![0.0; features];
    let changes: Vec<Vec<f64>> =
        (-options..=options).map(|step| vec![f64::from(step) * 0.5]).collect();
    let feature = |c| FeatureOptions::of_changes(format!("f{c}"), vec![c], &x, &changes);
    let features = (0..features).map(feature).collect();
    Instance::new(
        x,
        features,
        max_changes,
        Classifier::Linear(Linear { weights, intercept: -4.3 }),
        Cost {
            distance: Distance::L1Mahalanobis { factor },
            outlier: None,
            change_cost: 0.0,
            most: Limits::default(),
        },
    )
    .unwrap()
}

#[test]
fn two_hundred_columns_stop_in_time_with_plan_and_bound() {
    for max_changes in [8, 200] {
        let instance = wide(200, 6, max_changes);
        // Long enough for a first bound, also beside other tests.
        let limit = Duration::from_secs(2);
        let settings = SearchSettings::from(SolveSettings {
            time_limit: Some(limit),
            ..SolveSettings::default()
        });
        let began = Instant::now();
        let solution = search(&instance, &settings, &Control::default()).unwrap().solution;
        assert!(began.elapsed() < Duration::from_secs(20), "took {:?}", began.elapsed());
        let plan = solution.plan.expect("a plan is easy to find");
        let bound = solution.bound.expect("there is always a bound");
        assert!(bound <= plan.evaluation.objective);
        assert!(bound > 0.0);
        assert_eq!(Plan::judge(&instance, plan.choice.clone()), Some(plan));
    }
}

/// Stumps over many features: small and cheap gains from each, and two features that only together are enough.
fn forest_over_many_features(features: usize, repeated: usize) -> Classifier {
    let stump = |column: usize, threshold: f64, gain: f64| Tree {
        feature: vec![column as i64, -1, -1],
        threshold: vec![threshold, 0.0, 0.0],
        left: vec![1, -1, -1],
        right: vec![2, -1, -1],
        value: vec![0.0, 0.0, gain],
    };
    let cheap = (2..features).flat_map(|column| {
        (0..repeated).map(move |at| (column, 0.25 + at as f64 / repeated as f64))
    });
    let mut trees: Vec<Tree> =
        cheap.map(|(column, threshold)| stump(column, threshold, 0.3 / repeated as f64)).collect();
    trees.extend([0, 1].map(|column| stump(column, 40.0, 0.5)));
    Classifier::Trees(TreeEnsemble { threshold: 1.0, sums: Sums::default(), trees: trees.into() })
}

#[test]
fn a_plan_that_a_climb_finds_is_there_at_any_time_limit() {
    let instance = wide(120, 90, 2)
        .edited(|parts| parts.classifier = forest_over_many_features(120, 40).into())
        .unwrap();
    let time_limit = Some(Duration::from_nanos(1));
    let settings = SearchSettings::from(SolveSettings { time_limit, ..SolveSettings::default() });
    let solution = search(&instance, &settings, &Control::default()).unwrap().solution;
    let plan = solution.plan.expect("two changes are enough, and each raises the score most");
    assert_eq!(plan.evaluation.changes, 2);
    assert!(solution.bound.is_some_and(|bound| bound <= plan.evaluation.objective));
}

#[test]
fn no_limit_on_changes_is_proven_on_a_small_instance() {
    let instance = wide(6, 4, 99);
    let solution =
        search(&instance, &SearchSettings::default(), &Control::default()).unwrap().solution;
    assert_eq!(solution.status, Status::Optimal);
    let best = crate::common::brute_force::best(&instance).unwrap();
    let objective = solution.plan.unwrap().evaluation.objective;
    assert!((objective - best.evaluation.objective).abs() < 1e-9);
}

#[test]
fn unusable_settings_are_refused_by_name() {
    let instance = wide(2, 1, 1);
    for (settings, name) in [
        (SearchSettings::from(SolveSettings { threads: 0, ..SolveSettings::default() }), "threads"),
        (
            SearchSettings::from(SolveSettings { relative_gap: -1.0, ..SolveSettings::default() }),
            "gap",
        ),
        (
            SearchSettings::from(SolveSettings {
                relative_gap: f64::NAN,
                ..SolveSettings::default()
            }),
            "gap",
        ),
    ] {
        let error = search(&instance, &settings, &Control::default()).unwrap_err();
        assert!(error.to_string().starts_with(name), "{error}");
    }
}

#[test]
fn numbers_that_overflow_are_refused_not_miscounted() {
    let overflowing = wide(3, 1, 2).edited(|parts| {
        let Distance::L1Mahalanobis { factor } = &mut parts.cost.distance else { return };
        factor[0][0] = f64::MAX;
        factor[1][0] = f64::MAX;
    });
    let error = overflowing.unwrap_err();
    assert!(error.to_string().contains("beyond 1e150"), "{error}");
}

#[test]
fn a_wider_gap_is_kept() {
    let instance = wide(12, 4, 4);
    let exact =
        search(&instance, &SearchSettings::default(), &Control::default()).unwrap().solution;
    let optimum = exact.plan.unwrap().evaluation.objective;
    let settings =
        SearchSettings::from(SolveSettings { relative_gap: 0.1, ..SolveSettings::default() });
    let rough = search(&instance, &settings, &Control::default()).unwrap().solution;
    assert_eq!(rough.status, Status::Optimal);
    assert!(rough.gap().unwrap() <= 0.1 + 1e-9);
    // The gap is a share of the plan's own cost.
    assert!(rough.plan.unwrap().evaluation.objective <= optimum / 0.9 + 1e-9);
    assert!(rough.bound.unwrap() <= optimum);
}
