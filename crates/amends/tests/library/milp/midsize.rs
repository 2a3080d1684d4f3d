//! Both engines on instances of middle size: beyond brute force, within reach of a general solver. Neither
//! knows what the other found.

use std::time::Duration;

use super::microlp;
use crate::common::random_instance::{Decider, Kind, Size, instances_of};
use amends::data::{Change, Dataset};
use amends::engine::Control;
use amends::engine::SolveSettings;
use amends::explain::{ExplainSettings, Explainer, Preset};
use amends::instance::{Instance, Literal, OptionRule, Term};
use amends::milp::{self, Formulation, MilpSettings, SolverSettings};
use amends::model::{Model, ModelKind, TrainSettings};
use amends::plausibility::Metric;
use amends::search::{SearchSettings, search};
use amends::{Solution, Status};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;

/// Far more than the search takes for any of these.
const LIMIT: Option<Duration> = Some(Duration::from_secs(60));

/// microlp occasionally fails numerically; another instance is compared then.
const PATIENCE: Option<Duration> = Some(Duration::from_secs(8));

fn searched(instance: &Instance) -> Solution {
    let settings =
        SearchSettings::from(SolveSettings { time_limit: LIMIT, ..SolveSettings::default() });
    search(instance, &settings, &Control::default()).expect("searched").solution
}

/// microlp alone, without a plan to start from. Where it gives up for numerical reasons, the report says so and claims
/// nothing: the instance counts as unproven.
fn programmed(instance: &Instance, formulation: Formulation) -> Solution {
    let settings = MilpSettings {
        formulation,
        solver: SolverSettings::from(SolveSettings {
            time_limit: PATIENCE,
            ..SolverSettings::default().solve
        }),
        start: None,
    };
    let report = milp::solve(instance, microlp().as_ref(), &settings).expect("solved");
    assert!(!report.work.solver_failed || report.solution.status == Status::Timeout);
    report.solution
}

/// HiGHS as users run it: with a starting plan and a second opinion.
#[cfg(feature = "highs")]
fn through_highs(instance: &Instance, formulation: Formulation) -> Solution {
    use amends::{Engine, milp::solver_by_name, solve};
    let engine = Engine::Milp { formulation, solver: solver_by_name("highs").unwrap() };
    let settings = SolveSettings { time_limit: LIMIT, ..SolveSettings::default() };
    solve(instance, &engine, &settings, &Control::default()).expect("solved").solution
}

/// Compares the search with a solver that is asked for both formulations; whether the instance has a plan and the solver
/// proved it the best in both.
fn agree(
    instance: &Instance,
    who: &str,
    solver: impl Fn(&Instance, Formulation) -> Solution,
) -> bool {
    let ours = searched(instance);
    let mut proven = ours.status == Status::Optimal;
    for formulation in [Formulation::Reduced, Formulation::Compact] {
        let theirs = solver(instance, formulation);
        let who = format!("{who}, {}", formulation.name());
        let Some(plan) = &ours.plan else {
            // microlp may give up where there is no plan, but must not find one.
            assert!(theirs.plan.is_none(), "{who}: a plan where the search has none");
            continue;
        };
        assert_eq!(ours.status, Status::Optimal, "{who}");
        let least = plan.evaluation.objective;
        let slack = 1e-6 * least.abs().max(1e-6);
        let found = theirs.plan.map_or(f64::INFINITY, |plan| plan.evaluation.objective);
        assert!(found >= least - slack, "{who}: {found}, search {least}");
        if theirs.status == Status::Optimal {
            assert!(found <= least + slack, "{who}: {found}, search {least}");
        } else {
            assert_ne!(theirs.status, Status::Infeasible, "{who}");
            proven = false;
        }
    }
    proven
}

/// German credit where only a few features may change.
fn german(mutable: &[&str]) -> Dataset {
    let mut german = Dataset::german_free();
    for feature in &mut german.schema.features {
        if !mutable.contains(&feature.name.as_str()) {
            feature.change = Change::Immutable;
        }
    }
    german
}

/// Compares the engines on the first rejected applicants of German credit who have a plan.
fn agree_on_german(
    dataset: &Dataset,
    kind: ModelKind,
    training: &TrainSettings,
    costs: &ExplainSettings,
    applicants: usize,
) {
    let model = Model::fit(dataset, kind, training).expect("trained");
    let explainer = Explainer::fit(dataset, &model, costs).expect("fitted");
    let rejected = dataset.records.iter().filter(|record| explainer.score(record) < 0.0);
    let instances = rejected.map(|record| explainer.instance(record).expect("an instance"));
    let label = format!("{kind}, {} preset", costs.preset.name());
    let planned = instances.filter(|instance| agree(instance, &label, programmed)).take(applicants);
    let compared: Vec<Instance> = planned.collect();
    assert_eq!(compared.len(), applicants, "{label}");
    #[cfg(feature = "highs")]
    for instance in &compared {
        assert!(agree(instance, &format!("{label}, HiGHS"), through_highs));
    }
}

fn costs(preset: Preset, prototypes: usize, option_limit: usize) -> ExplainSettings {
    let costs = ExplainSettings::preset(preset, "german");
    let option_limit = Some(option_limit);
    ExplainSettings { prototypes: Some(prototypes), option_limit, max_changes: 4, ..costs }
}

#[test]
fn linear_models_of_german_credit() {
    let dataset = german(&[
        "duration",
        "credit_amount",
        "installment_rate",
        "checking_account",
        "savings",
        "employment_since",
        "housing",
    ]);
    for preset in [Preset::Paper, Preset::Dace] {
        for kind in [ModelKind::LogisticRegression, ModelKind::LinearSvm] {
            let costs = costs(preset, 12, 20);
            agree_on_german(&dataset, kind, &TrainSettings::default(), &costs, 4);
        }
    }
}

/// A rule of each kind, and what several plans for one applicant take.
#[test]
#[expect(clippy::too_many_lines, reason = "one instance, written out")]
fn german_credit_under_rules() {
    let names =
        ["duration", "credit_amount", "installment_rate", "checking_account", "savings", "housing"];
    let dataset = german(&names);
    let (model, costs) = (ModelKind::LogisticRegression, costs(Preset::Paper, 12, 20));
    let model = Model::fit(&dataset, model, &TrainSettings::default()).expect("trained");
    let explainer = Explainer::fit(&dataset, &model, &costs).expect("fitted");
    let rejected = dataset.records.iter().filter(|record| explainer.score(record) < 0.0);
    let mut compared = 0;
    for record in rejected {
        let instance = explainer.instance(record).expect("an instance");
        let Some(best) = searched(&instance).plan else { continue };
        let feature = |name: &str| instance.features().iter().position(|f| f.name == name);
        let [duration, amount, checking, savings] =
            ["duration", "credit_amount", "checking_account", "savings"]
                .map(|name| feature(name).expect("may change"));
        let count = |feature: usize| instance.features()[feature].options.len();
        let changes = |feature: usize| {
            let changes = |option| f64::from(u8::from(!instance.keeps(feature, option)));
            (0..count(feature)).map(changes).collect()
        };
        let change = |feature: usize, option: usize| {
            let its = &instance.features()[feature];
            its.options.value(option, 0) - instance.x()[its.columns[0]]
        };
        let scaled = |feature: usize, factor: f64| Term {
            feature,
            coefficients: (0..count(feature)).map(|o| factor * change(feature, o)).collect(),
        };
        let one_account = [checking, savings]
            .map(|feature| Term { feature, coefficients: changes(feature) })
            .to_vec();
        let kept = instance.keep(duration);
        let lower = (0..count(amount)).filter(|&option| change(amount, option) < 0.0);
        let changed = instance.changed(&best.choice);
        let ruled = instance
            .clone()
            .with_rules([
                OptionRule::at_most("one account", one_account, 1.0),
                // For every month less, the amount falls by at least 50.
                OptionRule::at_most(
                    "pace",
                    vec![scaled(amount, 1.0), scaled(duration, -50.0)],
                    0.0,
                ),
                OptionRule::any_of(
                    "a shorter loan is a smaller one",
                    vec![
                        Literal { feature: duration, options: [kept].into_iter().collect() },
                        Literal { feature: amount, options: lower.collect() },
                    ],
                ),
            ])
            .expect("sound rules");
        compared += usize::from(agree(&ruled, "rules", programmed));
        let (mut another_set, mut apart) = (ruled.clone(), ruled);
        another_set.forbid_set(&changed);
        agree(&another_set, "another set", programmed);
        apart.demand_apart(&changed, 3);
        agree(&apart, "sets apart", programmed);
        if compared == 4 {
            return;
        }
    }
    panic!("only {compared} applicants have a plan under the rules");
}

#[test]
fn few_trees_of_german_credit() {
    let dataset = german(&["duration", "credit_amount", "checking_account", "savings", "housing"]);
    let training = TrainSettings {
        trees: 8,
        depth: Some(3),
        // At the usual rate so few trees reject hardly anybody.
        learning_rate: 0.5,
        ..TrainSettings::default()
    };
    for preset in [Preset::Paper, Preset::Dace] {
        for kind in [ModelKind::RandomForest, ModelKind::GradientBoosting] {
            agree_on_german(&dataset, kind, &training, &costs(preset, 12, 20), 4);
        }
    }
}

#[test]
fn random_instances() {
    let mut runner = TestRunner::deterministic();
    for metric in [Metric::SquaredEuclidean, Metric::Manhattan] {
        for decider in Decider::LINEAR {
            for distance in [0, 3] {
                let kind = Kind {
                    decider: Some(decider),
                    distance: Some(distance),
                    outlier: Some(1),
                    metric: Some(metric),
                };
                // microlp can't do as much with trees and networks.
                let few = Size { features: 6..10, points: 8..13, trees: 3..6, ..Size::MIDDLE };
                let size = if decider == Decider::Linear {
                    Size { points: 10..21, ..Size::MIDDLE }
                } else {
                    Size { units: 2..5, ..few }
                };
                let strategy = instances_of(kind, size);
                let drawn = std::iter::repeat_with(|| {
                    strategy.new_tree(&mut runner).expect("drawn").current()
                });
                let label = format!("{kind:?}");
                let compared =
                    drawn.take(80).filter(|instance| agree(instance, &label, programmed)).take(2);
                assert_eq!(compared.count(), 2, "{label}");
            }
        }
    }
}
