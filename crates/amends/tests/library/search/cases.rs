//! The search engine on instances made from real data, and how it stops.

use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use crate::common::cases::cases;
use amends::engine::SolveSettings;
use amends::engine::{Control, Progress};
use amends::search::{SearchSettings, search};
use amends::{Plan, Status};

#[test]
#[ignore = "needs the data sets: make test-data"]
fn known_optima_are_found_and_proven() {
    for case in cases(|_| true) {
        let report =
            search(&case.instance, &SearchSettings::default(), &Control::default()).unwrap();
        let plan = report.solution.plan.as_ref().unwrap();
        let objective = plan.evaluation.objective;
        assert_eq!(report.solution.status, Status::Optimal, "{}", case.name);
        let off = (objective - case.objective).abs() / case.objective;
        assert!(off < 1e-6, "{}: {objective} for {}", case.name, case.objective);
        assert_eq!(Plan::judge(&case.instance, plan.choice.clone()).as_ref(), Some(plan));
    }
}

#[test]
#[ignore = "needs the data sets: make test-data"]
fn every_number_of_threads_gives_the_same_plan() {
    for case in cases(|name| name.contains("lr-N20-eigen") || name.contains("german-gb")) {
        let plans: Vec<_> = [1, 2, 3]
            .map(|threads| {
                let settings =
                    SearchSettings::from(SolveSettings { threads, ..SolveSettings::default() });
                search(&case.instance, &settings, &Control::default()).unwrap().solution.plan
            })
            .into();
        assert_eq!(plans[0], plans[1], "{}", case.name);
        assert_eq!(plans[0], plans[2], "{}", case.name);
    }
}

#[test]
#[ignore = "needs the data sets: make test-data"]
fn a_stop_leaves_a_valid_plan_and_a_true_bound() {
    for case in cases(|name| name.ends_with("eigen-s0-1.json")) {
        for milliseconds in [1, 10, 100] {
            let limit = Duration::from_millis(milliseconds);
            let settings = SearchSettings::from(SolveSettings {
                time_limit: Some(limit),
                ..SolveSettings::default()
            });
            let solution = search(&case.instance, &settings, &Control::default()).unwrap().solution;
            let bound = solution.bound.expect("a stopped search has a bound");
            assert!(bound <= case.objective * (1.0 + 1e-6), "{} {milliseconds}", case.name);
            match solution.status {
                Status::Timeout => assert!(solution.plan.is_none()),
                Status::Feasible | Status::Optimal => {
                    let plan = solution.plan.expect("these statuses come with a plan");
                    assert!(plan.evaluation.objective >= case.objective * (1.0 - 1e-6));
                    let judged = Plan::judge(&case.instance, plan.choice.clone());
                    assert_eq!(judged, Some(plan));
                }
                other => panic!("{} {milliseconds}: {other:?}", case.name),
            }
        }
    }
}

#[test]
#[ignore = "needs the data sets: make test-data"]
fn a_raised_flag_ends_the_search() {
    for case in cases(|name| name == "heloc-rf-N20-eigen-s0-0.json") {
        let cancel = AtomicBool::new(true);
        let control = Control { cancel: Some(&cancel), progress: None };
        let began = Instant::now();
        let solution =
            search(&case.instance, &SearchSettings::default(), &control).unwrap().solution;
        assert!(matches!(solution.status, Status::Feasible | Status::Timeout));
        // A debug build lays out the trees slowly; a release build needs a few milliseconds.
        assert!(began.elapsed() < Duration::from_secs(2));
    }
}

#[test]
#[ignore = "needs the data sets: make test-data"]
fn progress_rises_towards_the_optimum() {
    for case in cases(|name| name == "heloc-gb-N20-eigen-s0-1.json") {
        let seen: Mutex<Vec<Progress>> = Mutex::new(Vec::new());
        let note = |progress: Progress| seen.lock().unwrap().push(progress);
        let control = Control { cancel: None, progress: Some(&note) };
        search(&case.instance, &SearchSettings::default(), &control).unwrap();
        let seen = seen.into_inner().unwrap();
        assert!(!seen.is_empty());
        assert!(seen.windows(2).all(|two| two[0].share <= two[1].share + 1e-12));
        for progress in &seen {
            assert!(progress.bound <= case.objective * (1.0 + 1e-6));
            assert!(progress.best.is_none_or(|best| best >= case.objective * (1.0 - 1e-6)));
            assert!((0.0..=1.0 + 1e-9).contains(&progress.share));
        }
    }
}

#[test]
#[ignore = "needs the data sets: make test-data"]
fn starting_plans_are_plans() {
    for case in cases(|name| name.contains("s0-0")) {
        let any = SearchSettings { any_plan: true, ..SearchSettings::default() };
        let report = search(&case.instance, &any, &Control::default()).unwrap();
        let plan = report.solution.plan.expect("these instances are easy to enter");
        assert_eq!(Plan::judge(&case.instance, plan.choice.clone()), Some(plan.clone()));
        assert!(plan.evaluation.objective >= case.objective * (1.0 - 1e-6), "{}", case.name);
    }
}
