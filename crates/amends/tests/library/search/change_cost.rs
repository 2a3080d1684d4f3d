//! A cost per change: fewer changes where they save too little, and bounds that hold at any time.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use amends::engine::Control;
use amends::engine::{Progress, SolveSettings};
use amends::instance::{Distance, Instance};
use amends::model::{Classifier, Linear};
use amends::search::{SearchSettings, search};
use amends::{Solution, Status};

use super::large::wide;
use crate::common::brute_force::best;

fn solve(instance: &Instance) -> Solution {
    search(instance, &SearchSettings::default(), &Control::default()).unwrap().solution
}

fn priced(instance: Instance, change_cost: f64) -> Instance {
    instance.edited(|parts| parts.cost.change_cost = change_cost).unwrap()
}

fn factor(instance: &Instance) -> Vec<Vec<f64>> {
    match &instance.cost().distance {
        Distance::L1Mahalanobis { factor } | Distance::Mahalanobis { factor } => factor.clone(),
        _ => panic!("another distance"),
    }
}

#[test]
fn the_dearer_a_change_the_fewer_there_are() {
    let mut numbers = Vec::new();
    for change_cost in [0.0, 0.01, 0.1, 0.3, 1.0, 3.0, 1e6, 1e12] {
        let instance = priced(wide(6, 3, 6), change_cost);
        // A squared distance is the less, the more features share it.
        let squared = Distance::SquaredMahalanobis { factor: factor(&instance) };
        let instance = instance.edited(|parts| parts.cost.distance = squared).unwrap();
        let solution = solve(&instance);
        assert_eq!(solution.status, Status::Optimal);
        let found = solution.plan.unwrap().evaluation;
        let least = best(&instance).unwrap().evaluation.objective;
        assert!((found.objective - least).abs() <= 1e-6 * least, "{change_cost}");
        let parts = found.distance + change_cost * found.changes as f64;
        assert!((found.objective - parts).abs() <= 1e-12 * parts);
        numbers.push(found.changes);
    }
    assert!(numbers.is_sorted_by(|a, b| a >= b), "{numbers:?}");
    assert!(numbers[0] > numbers[7], "{numbers:?}");
}

/// Sets of features are searched one number at a time, up to a certain number.
#[test]
fn many_changes_are_counted_too() {
    let mut many = [0; 2];
    for (share, change_cost) in [(0.97, 0.05), (0.97, 0.5), (0.9, 0.2), (0.6, 0.01), (0.6, 2.0)] {
        let instance = priced(wide(10, 1, 99), change_cost);
        let Classifier::Linear(linear) = instance.classifier() else { panic!("not linear") };
        let most: f64 = linear.weights.iter().map(|weight| 0.5 * weight.abs()).sum();
        let harder = Linear { intercept: -share * most, ..linear.clone() };
        let harder = Arc::new(Classifier::Linear(harder));
        let instance = instance.edited(|parts| parts.classifier = harder).unwrap();
        // With a length as distance, sets have a closed form.
        let length = Distance::Mahalanobis { factor: factor(&instance) };
        let with_sets = instance.clone().edited(|parts| parts.cost.distance = length).unwrap();
        for (instance, many) in [instance, with_sets].iter().zip(&mut many) {
            let solution = solve(instance);
            assert_eq!(solution.status, Status::Optimal);
            let plan = solution.plan.unwrap();
            let least = best(instance).unwrap().evaluation.objective;
            assert!((plan.evaluation.objective - least).abs() <= 1e-6 * least);
            *many += usize::from(plan.evaluation.changes >= 9);
        }
    }
    assert!(many[0] >= 2 && many[1] >= 2, "{many:?}");
}

#[test]
fn no_bound_is_above_the_optimum_at_any_time() {
    for change_cost in [0.05, 0.7] {
        let instance = priced(wide(20, 4, 5), change_cost);
        let seen = Mutex::new(Vec::new());
        let note = |progress: Progress| seen.lock().unwrap().push(progress.bound);
        let control = Control { progress: Some(&note), ..Control::default() };
        let solution = search(&instance, &SearchSettings::default(), &control).unwrap().solution;
        assert_eq!(solution.status, Status::Optimal);
        let optimum = solution.plan.unwrap().evaluation.objective;
        let seen = seen.into_inner().unwrap();
        assert!(seen.iter().all(|&bound| bound <= optimum), "{seen:?}");
        let mut stopped = 0;
        for microseconds in [1, 300, 1_000, 3_000, 10_000, 30_000] {
            let settings = SearchSettings::from(SolveSettings {
                time_limit: Some(Duration::from_micros(microseconds)),
                ..SolveSettings::default()
            });
            let early = search(&instance, &settings, &Control::default()).unwrap().solution;
            assert!(early.bound.unwrap() <= optimum);
            if let Some(plan) = early.plan {
                assert!(plan.evaluation.objective >= optimum * (1.0 - 1e-6));
            }
            stopped += usize::from(early.status == Status::Feasible);
        }
        assert!(stopped > 0);
    }
}
