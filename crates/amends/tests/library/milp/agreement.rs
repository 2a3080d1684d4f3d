//! The programs say what the instance says: every plan is a point of every program at its own cost,
//! and all formulations, all solvers and brute force find the same optimum.

use crate::common::brute_force;
use crate::common::random_instance::{Decider, Kind, instances};
use amends::Status;
use amends::instance::{FeatureOptions, Instance, OptionRule, RuleKind};
use amends::milp::{
    BUILT_IN_SOLVERS, EncodedInstance, Formulation, MilpSettings, Program, encode, solve,
    solver_by_name,
};
use amends::plausibility::Metric;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

/// The kinds of instance that a linear program can hold.
pub fn kinds() -> Vec<Kind> {
    let mut kinds = Vec::new();
    for decider in Decider::LINEAR {
        for distance in [0, 3] {
            for (outlier, metric) in
                [(0, Metric::Manhattan), (1, Metric::SquaredEuclidean), (1, Metric::Manhattan)]
            {
                kinds.push(Kind {
                    decider: Some(decider),
                    distance: Some(distance),
                    outlier: Some(outlier),
                    metric: Some(metric),
                });
            }
        }
    }
    kinds
}

/// Replaces the options of the first feature of one column by evenly spaced ones, which the compact
/// program writes on steps.
fn with_ladder(instance: Instance, step: f64) -> Instance {
    let single = |feature: &FeatureOptions| feature.columns.len() == 1;
    let table = matches!(instance.cost().distance, amends::instance::Distance::Table { .. });
    let Some(f) = instance.features().iter().position(single).filter(|_| !table) else {
        return instance;
    };
    let changes: Vec<Vec<f64>> = (-3..=4).map(|rung| vec![step * f64::from(rung)]).collect();
    let with_changes = instance.edited(|parts| {
        let feature = &mut parts.features[f];
        let (name, columns) = (feature.name.clone(), feature.columns.clone());
        *feature = FeatureOptions::of_changes(name, columns, &parts.x, &changes);
        parts.rules.iter_mut().for_each(|rule| fit(rule, f, &changes));
    });
    with_changes.expect("still sound")
}

/// Makes a rule fit a feature's new options: sums become linear in the change.
fn fit(rule: &mut OptionRule, feature: usize, options: &[Vec<f64>]) {
    match &mut rule.kind {
        RuleKind::AnyOf(literals) => {
            for literal in literals.iter_mut().filter(|literal| literal.feature == feature) {
                let all = std::iter::once((0, options.len() - 1)).collect();
                literal.options = literal.options.intersection(&all);
            }
        }
        RuleKind::AtMost { terms, .. } => {
            for term in terms.iter_mut().filter(|term| term.feature == feature) {
                let slope = term.coefficients.at(0);
                term.coefficients = options.iter().map(|option| slope * option[0]).collect();
            }
        }
    }
}

fn for_random_instances(per_kind: u32, check: impl Fn(Instance) -> Result<(), TestCaseError>) {
    for kind in kinds() {
        let config = ProptestConfig {
            cases: per_kind,
            failure_persistence: None,
            ..ProptestConfig::default()
        };
        let rng = proptest::test_runner::TestRng::deterministic_rng(config.rng_algorithm);
        let mut runner = TestRunner::new_with_rng(config, rng);
        runner
            .run(
                &(instances(kind), proptest::option::of(prop_oneof![Just(0.5), Just(1.0)])),
                |(instance, step)| {
                    check(step.map_or_else(
                        || instance.clone(),
                        |step| with_ladder(instance.clone(), step),
                    ))
                },
            )
            .unwrap_or_else(|error| panic!("{kind:?}: {error}"));
    }
}

/// How far a point is from satisfying every row and bound.
pub fn violation(program: &Program, values: &[f64]) -> f64 {
    let outside = |value: f64, lower: f64, upper: f64| (lower - value).max(value - upper).max(0.0);
    let columns = program
        .columns
        .iter()
        .zip(values)
        .map(|(column, &value)| outside(value, column.lower, column.upper));
    let rows = program.rows.iter().map(|row| {
        let activity: f64 = row.terms.iter().map(|&(column, factor)| factor * values[column]).sum();
        outside(activity, row.lower, row.upper)
    });
    columns.chain(rows).fold(0.0, f64::max)
}

#[test]
fn every_plan_is_a_point_of_every_program_at_its_own_cost() {
    for_random_instances(100, |instance| {
        for &formulation in Formulation::ALL {
            let encoded = encode(&instance, formulation).expect("linear");
            for plan in brute_force::plans(&instance) {
                let values = encoded.point(&plan.choice);
                let far = violation(&encoded.program, &values);
                prop_assert!(far < 1e-9, "{}: violated by {far}", formulation.name());
                let cost = encoded.program.objective(&values);
                prop_assert!((cost - plan.evaluation.objective).abs() < 1e-9 * cost.max(1.0));
                let decoded = instance.evaluate(&encoded.decode(&values));
                prop_assert_eq!(decoded.objective, plan.evaluation.objective);
            }
        }
        Ok(())
    });
}

/// Choices that break a rule are cut off by the rule's own row, not left to the checker.
#[test]
fn a_broken_rule_is_a_broken_row() {
    for_random_instances(60, |instance| {
        let rows = |encoded: &EncodedInstance<'_>| rows_named(encoded, "rule_");
        for &formulation in Formulation::ALL {
            let encoded = encode(&instance, formulation).expect("linear");
            prop_assert_eq!(rows(&encoded), instance.rules().len());
            for choice in brute_force::choices(&instance) {
                let values = encoded.point(&choice);
                for (index, rule) in instance.rules().iter().enumerate() {
                    let name = format!("rule_{index}");
                    let row = encoded.program.rows.iter().find(|row| row.name == name);
                    let row = row.expect("every rule has its row");
                    let activity: f64 = row.terms.iter().map(|&(c, v)| v * values[c]).sum();
                    let within = row.lower <= activity && activity <= row.upper;
                    prop_assert_eq!(within, rule.holds(&choice), "{:?} {:?}", formulation, rule);
                }
            }
        }
        Ok(())
    });
}

/// Choices beyond a limit are cut off by the limit's own row.
#[test]
fn an_exceeded_limit_is_a_broken_row() {
    for_random_instances(60, |instance| {
        let most = instance.cost().most;
        let limits = [("most_distance", most.distance), ("most_outlier", most.outlier)];
        for &formulation in Formulation::ALL {
            let encoded = encode(&instance, formulation).expect("linear");
            for (name, limit) in limits {
                let row = encoded.program.rows.iter().find(|row| row.name == name);
                prop_assert_eq!(row.is_some(), limit.is_some());
                let (Some(row), Some(limit)) = (row, limit) else { continue };
                for choice in brute_force::choices(&instance) {
                    let judged = instance.evaluate(&choice);
                    let part =
                        if name == "most_distance" { judged.distance } else { judged.outlier };
                    if (part - limit).abs() <= 1e-8 * limit + 1e-12 {
                        // So near that rounding decides: the checker has the last word.
                        continue;
                    }
                    let values = encoded.point(&choice);
                    let activity: f64 = row.terms.iter().map(|&(c, v)| v * values[c]).sum();
                    prop_assert_eq!(activity <= row.upper, part <= limit, "{} {}", part, limit);
                }
            }
        }
        Ok(())
    });
}

#[test]
fn formulations_solvers_and_brute_force_agree() {
    for_random_instances(60, |instance| {
        let expected = brute_force::best(&instance);
        for solver in BUILT_IN_SOLVERS {
            let solver = solver_by_name(solver).expect("built in");
            for &formulation in Formulation::ALL {
                let settings = MilpSettings { formulation, ..MilpSettings::default() };
                let report = solve(&instance, solver.as_ref(), &settings).expect("solved");
                let who = format!("{} {}", solver.name(), formulation.name());
                if instance.already_accepted() {
                    prop_assert_eq!(report.solution.status, Status::AlreadyAccepted);
                    continue;
                }
                match (&expected, &report.solution.plan) {
                    (None, None) => {
                        prop_assert_eq!(report.solution.status, Status::Infeasible, "{}", who);
                    }
                    (Some(best), Some(found)) => {
                        prop_assert_eq!(
                            report.solution.status,
                            Status::Optimal,
                            "{}: {:?}",
                            who,
                            report.work.remark
                        );
                        let (best, found) = (best.evaluation.objective, found.evaluation.objective);
                        prop_assert!(
                            (best - found).abs() <= 1e-6 * best.max(1e-3),
                            "{who}: {found} for {best}"
                        );
                    }
                    (best, found) => prop_assert!(false, "{who}: found {found:?}, best {best:?}"),
                }
            }
        }
        Ok(())
    });
}

fn rows_named(encoded: &EncodedInstance<'_>, start: &str) -> usize {
    encoded.program.rows.iter().filter(|row| row.name.starts_with(start)).count()
}

#[test]
fn nearest_neighbour_rows_are_as_many_as_the_paper_says() {
    for_random_instances(20, |instance| {
        let Some(term) = &instance.cost().outlier else { return Ok(()) };
        let n = term.points.len();
        for (formulation, rows) in [
            (Formulation::Pairwise, n * (n - 1)),
            (Formulation::Reduced, 2 * n),
            (Formulation::Compact, 2 * n),
        ] {
            let encoded = encode(&instance, formulation).expect("linear");
            prop_assert_eq!(rows_named(&encoded, "nearest_"), rows, "{}", formulation.name());
        }
        Ok(())
    });
}

#[test]
fn what_a_linear_program_cannot_hold_is_refused_with_the_way_out() {
    let refused = [
        Kind { distance: Some(1), ..Kind::default() },
        Kind { distance: Some(2), ..Kind::default() },
        Kind { outlier: Some(2), distance: Some(0), ..Kind::default() },
        Kind {
            outlier: Some(1),
            distance: Some(0),
            metric: Some(Metric::Euclidean),
            ..Kind::default()
        },
    ];
    for kind in refused {
        let mut runner = TestRunner::deterministic();
        let instance = instances(kind).new_tree(&mut runner).expect("drawn").current();
        let message = encode(&instance, Formulation::Reduced).expect_err("not linear").to_string();
        assert!(message.contains("search engine"), "{message}");
    }
}
