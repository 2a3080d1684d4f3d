//! Sums in 32 bits: the checker rounds as XGBoost does, and no engine misses or invents a plan because of it.

use std::sync::Arc;

use crate::common::brute_force;
use crate::common::random_instance::{Decider, Kind, instances};
use amends::engine::Control;
use amends::instance::{Cost, Distance, FeatureOptions, Instance, Limits, read_instances};
use amends::milp::{BUILT_IN_SOLVERS, Formulation, solver_by_name};
use amends::model::{Classifier, Sums, Tree, TreeEnsemble};
use amends::plausibility::Metric;
use amends::search::{SearchSettings, search};
use amends::{Engine, Plan, SolveSettings, Status, solve};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};

fn tree(value: &[f32], feature: i64) -> Tree {
    let value: Vec<f64> = value.iter().copied().map(f64::from).collect();
    if let [only] = value[..] {
        let one = vec![-1];
        return Tree {
            feature: one.clone(),
            threshold: vec![0.0],
            left: one.clone(),
            right: one,
            value: vec![only],
        };
    }
    Tree {
        feature: vec![feature, -1, -1],
        threshold: vec![0.5, 0.0, 0.0],
        left: vec![1, -1, -1],
        right: vec![2, -1, -1],
        value: vec![0.0, value[0], value[1]],
    }
}

/// The instance with other trees, or why they are refused.
fn with_trees(
    instance: &Instance,
    change: impl FnOnce(&mut TreeEnsemble),
) -> amends::Result<Instance> {
    instance.clone().edited(|parts| {
        let Classifier::Trees(ensemble) = Arc::make_mut(&mut parts.classifier) else {
            panic!("no trees")
        };
        change(ensemble);
    })
}

/// The milp engine repairs a program fifty times and then says that the solver keeps claiming what does not hold.
const MOST_CUTS: usize = 40;

/// The cheapest plan by the search and by every solver and formulation; all say the same.
fn found(instance: &Instance) -> Option<Plan> {
    let settings =
        SearchSettings::from(SolveSettings { relative_gap: 1e-9, ..SolveSettings::default() });
    let searched = search(instance, &settings, &Control::default()).unwrap();
    let plan = searched.solution.plan;
    let proven = if plan.is_some() { Status::Optimal } else { Status::Infeasible };
    assert_eq!(searched.solution.status, proven);
    for name in BUILT_IN_SOLVERS {
        for &formulation in Formulation::ALL {
            let solver = solver_by_name(name).unwrap();
            let who = format!("{} {}", solver.name(), formulation.name());
            // As users have it, with a second opinion: where a limit is met exactly, HiGHS may see no way to meet it.
            let engine = Engine::Milp { formulation, solver };
            let settings = SolveSettings { relative_gap: 1e-9, ..SolveSettings::default() };
            let solution = solve(instance, &engine, &settings, &Control::default());
            let report = solution.unwrap();
            let remark = report.remark().map(str::to_owned);
            let solution = report.solution;
            assert_eq!(solution.status, proven, "{who}: {remark:?}");
            let cost = |plan: &Plan| plan.evaluation.objective;
            let (ours, theirs) = (plan.as_ref().map(cost), solution.plan.as_ref().map(cost));
            let close = match (ours, theirs) {
                (Some(a), Some(b)) => (a - b).abs() <= 1e-6 * a.max(1e-3),
                (a, b) => a == b,
            };
            assert!(close, "{who}: {theirs:?} for {ours:?}");
        }
    }
    plan
}

/// Two features that may rise to 1, at a cost of 1 and 3. Either one adds half a step of 1.0, and so do both in turn: in 32
/// bits 1 + half a step is 1 again, and only the second feature, whose tree comes before the 1, is not lost.
fn lost_to_rounding(sums: Sums) -> Instance {
    let half = f32::EPSILON / 2.0;
    let trees = vec![tree(&[0.0, 2.0 * half], 1), tree(&[1.0], 0), tree(&[0.0, half], 0)];
    // 64 bits reach it with the first feature, 32 bits with the second alone.
    let threshold = 1.0 + f64::from(half);
    let feature = |name: &str, column: usize| {
        FeatureOptions::of_changes(name, vec![column], &[0.0, 0.0], &[vec![0.0], vec![1.0]])
    };
    let costs = vec![vec![0.0, 1.0].into(), vec![0.0, 3.0].into()];
    let distance = Distance::Table { costs };
    let cost = Cost { distance, outlier: None, change_cost: 0.0, most: Limits::default() };
    let features = vec![feature("lost", 0), feature("kept", 1)];
    let classifier = Classifier::Trees(TreeEnsemble { threshold, sums, trees: trees.into() });
    Instance::new(vec![0.0, 0.0], features, 2, classifier, cost).unwrap()
}

#[test]
fn a_plan_that_32_bits_reject_is_none() {
    let double = found(&lost_to_rounding(Sums::Double)).unwrap();
    assert_eq!((double.choice, double.evaluation.objective), (vec![1, 0], 1.0));
    let single = found(&lost_to_rounding(Sums::Single)).unwrap();
    assert_eq!((single.choice, single.evaluation.objective), (vec![0, 1], 3.0));
}

#[test]
fn a_plan_that_only_32_bits_accept_is_found() {
    // Three quarters of a step are rounded up to a whole one.
    let part = 0.75 * f32::EPSILON;
    let instance = with_trees(&lost_to_rounding(Sums::Single), |ensemble| {
        Arc::make_mut(&mut ensemble.trees)[2] = tree(&[0.0, part], 0);
        ensemble.threshold = 1.0 + f64::from(f32::EPSILON);
    });
    let instance = instance.unwrap();
    assert_eq!(found(&instance).unwrap().choice, [1, 0]);
    let instance = with_trees(&instance, |ensemble| ensemble.sums = Sums::Double).unwrap();
    assert_eq!(found(&instance).unwrap().choice, [0, 1]);
}

/// Random trees with leaves of 32 bits behind a large number, so that every addition rounds; the cut is the sum of some choice
/// above the applicant's own. None where there is no such choice.
fn rough(instance: &Instance, pick: usize) -> Option<Instance> {
    let instance = with_trees(instance, |ensemble| {
        let trees = Arc::make_mut(&mut ensemble.trees);
        for value in trees.iter_mut().flat_map(|tree| &mut tree.value) {
            *value = f64::from((*value / 3.0) as f32 * 1e-4);
        }
        trees.insert(0, tree(&[1000.0], 0));
        (ensemble.sums, ensemble.threshold) = (Sums::Single, 0.0);
    });
    let instance = instance.unwrap();
    let own = instance.classifier().score(instance.x());
    let choices = brute_force::choices(&instance);
    let scores = choices.iter().map(|choice| instance.evaluate(choice).score);
    let above: Vec<f64> = scores.filter(|&score| score > own).collect();
    let threshold = *above.get(pick % above.len().max(1))?;
    Some(with_trees(&instance, |ensemble| ensemble.threshold = threshold).unwrap())
}

#[test]
fn engines_and_brute_force_agree_where_rounding_decides() {
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[11; 32]);
    let mut runner = TestRunner::new_with_rng(ProptestConfig::default(), rng);
    let (mut plans, mut decided_by_rounding) = (0, 0);
    for (distance, outlier) in [(0, 0), (3, 0), (3, 1)] {
        let kind = Kind {
            decider: Some(Decider::Trees),
            distance: Some(distance),
            outlier: Some(outlier),
            metric: Some(Metric::Manhattan),
        };
        let drawn = (instances(kind), any::<usize>());
        for _ in 0..500 {
            let (instance, pick) = drawn.new_tree(&mut runner).unwrap().current();
            // Every copy of the applicant's own values is one more combination for a general solver to distinguish.
            let copied = |its: &FeatureOptions| its.keep_set(instance.x()).len() > 1;
            if instance.features().iter().any(copied) {
                continue;
            }
            let Some(instance) = rough(&instance, pick) else { continue };
            let double = with_trees(&instance, |ensemble| ensemble.sums = Sums::Double).unwrap();
            let differs = |choice: &Vec<usize>| {
                instance.evaluate(choice).accepted != double.evaluate(choice).accepted
            };
            let choices = brute_force::choices(&instance);
            // Rejected, but within what rounding may add: a general solver needs a cut for each of them.
            let close = |choice: &&Vec<usize>| {
                double.evaluate(choice).score > -1e-2 && !instance.evaluate(choice).accepted
            };
            if choices.iter().filter(close).count() > MOST_CUTS {
                continue;
            }
            decided_by_rounding += usize::from(choices.iter().any(differs));
            let (expected, found) = (brute_force::best(&instance), found(&instance));
            plans += usize::from(found.is_some());
            let cost = |plan: Option<Plan>| plan.map(|plan| plan.evaluation.objective);
            match (cost(expected), cost(found)) {
                (Some(a), Some(b)) => assert!((a - b).abs() <= 2e-9 * a.max(1e-9), "{b} for {a}"),
                (a, b) => assert_eq!(a, b),
            }
        }
    }
    println!("{plans} plans, {decided_by_rounding} instances that rounding decides about");
    assert!(plans > 40 && decided_by_rounding > 40, "{plans} {decided_by_rounding}");
}

fn read(text: &str) -> amends::Result<Instance> {
    read_instances(text, "instance").map(|mut all| all.remove(0))
}

#[test]
fn files_say_it_and_old_ones_mean_64_bits() {
    let single = lost_to_rounding(Sums::Single);
    let text = single.to_json();
    assert!(text.contains(r#""sums":"single""#), "{text}");
    assert_eq!(read(&text).unwrap(), single);
    let old = text.replace(r#""sums":"single","#, "");
    assert_eq!(read(&old).unwrap(), lost_to_rounding(Sums::Double));
    assert!(!lost_to_rounding(Sums::Double).to_json().contains("sums"));
}

#[test]
fn what_32_bits_do_not_hold_is_refused() {
    let refusal = |change: &dyn Fn(&mut TreeEnsemble)| {
        with_trees(&lost_to_rounding(Sums::Single), change).unwrap_err().to_string()
    };
    let tenth = refusal(&|trees| Arc::make_mut(&mut trees.trees)[2].value[1] = 0.1);
    assert!(
        tenth.contains("classifier.trees[2].value: `0.1` of leaf 1 is not a number of 32 bits"),
        "{tenth}"
    );
    let large = refusal(&|trees| Arc::make_mut(&mut trees.trees)[1] = tree(&[f32::MAX], 0));
    assert!(large.contains("may add up to more than 32 bits hold"), "{large}");
    let word = lost_to_rounding(Sums::Single).to_json().replace("\"single\"", "\"half\"");
    let word = read(&word).unwrap_err().to_string();
    assert!(word.contains("classifier.sums: `half` is not known here"), "{word}");
}
