//! Rules by hand: what each kind forbids, what is proven then, and several plans for one applicant.

use crate::common::cases::cases;
use amends::engine::Control;
use amends::instance::{Instance, Literal, OptionRule, Term, read_instances};
use amends::milp::{BUILT_IN_SOLVERS, Formulation, solver_by_name};
use amends::search::{SearchSettings, search};
use amends::{Engine, SolveSettings, Status, solve};

/// Any of three features may rise, `a` is the cheapest and `c` the most expensive; the applicant lacks a score of 4.
const INSTANCE: &str = r#"{
    "version": 1, "x": [0, 0, 0, 7],
    "features": [
        {"name": "a", "columns": [0], "options": [[0], [1], [2], [3], [4], [5], [6]]},
        {"name": "b", "columns": [1], "options": [[-1], [0], [1], [2], [3], [4]]},
        {"name": "fixed", "columns": [3], "options": [[0]]},
        {"name": "c", "columns": [2], "options": [[0], [2], [4]]}],
    "max_changes": 3,
    "classifier": {"kind": "linear", "weights": [1, 1, 1, 0], "intercept": -4},
    "cost": {"distance": {"kind": "l1-mahalanobis",
                          "factor": [[1, 0, 0, 0], [0, 2, 0, 0], [0, 0, 3, 0]]}}}"#;

fn instance(rules: Vec<OptionRule>) -> Instance {
    let instance = read_instances(INSTANCE, "rules.json").unwrap().remove(0);
    instance.with_rules(rules).unwrap()
}

fn literal(feature: usize, options: &[usize]) -> Literal {
    Literal { feature, options: options.iter().copied().collect() }
}

fn term(feature: usize, coefficients: &[f64]) -> Term {
    Term { feature, coefficients: coefficients.to_vec().into() }
}

/// The best choice and its cost as every engine finds them; all must agree.
fn solved(rules: Vec<OptionRule>) -> Option<(Vec<usize>, f64)> {
    let instance = instance(rules);
    let mut engines = vec![Engine::Search];
    for name in BUILT_IN_SOLVERS {
        for &formulation in Formulation::ALL {
            engines.push(Engine::Milp { formulation, solver: solver_by_name(name).unwrap() });
        }
    }
    let (settings, control) = (SolveSettings::default(), Control::default());
    let mut answers = engines.iter().map(|engine| {
        let solution = solve(&instance, engine, &settings, &control).unwrap().solution;
        let expected = if solution.plan.is_some() { Status::Optimal } else { Status::Infeasible };
        assert_eq!(solution.status, expected);
        solution.plan.map(|plan| (plan.choice, plan.evaluation.objective))
    });
    let first = answers.next().unwrap();
    for answer in answers {
        assert_eq!(answer, first);
    }
    first
}

const A: [f64; 7] = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
const B: [f64; 6] = [-1.0, 0.0, 1.0, 2.0, 3.0, 4.0];

#[test]
fn without_rules_the_cheapest_feature_does_it() {
    assert_eq!(solved(Vec::new()), Some((vec![4, 1, 0, 0], 4.0)));
}

#[test]
fn a_value_is_capped() {
    let rule = OptionRule::at_most("a stays below 3", vec![term(0, &A)], 2.0);
    assert_eq!(solved(vec![rule]), Some((vec![2, 3, 0, 0], 6.0)));
}

#[test]
fn few_of_a_group_change() {
    let changes = |feature, count, keep: usize| {
        let mut coefficients = vec![1.0; count];
        coefficients[keep] = 0.0;
        term(feature, &coefficients)
    };
    let none = vec![changes(0, 7, 0), changes(1, 6, 1)];
    assert_eq!(
        solved(vec![OptionRule::at_most("neither", none, 0.0)]),
        Some((vec![0, 1, 0, 2], 12.0))
    );
}

#[test]
fn a_change_demands_another() {
    // Where a changes, c does too.
    let rule = OptionRule::any_of("link", vec![literal(0, &[0]), literal(3, &[1, 2])]);
    assert_eq!(solved(vec![rule.clone()]), Some((vec![0, 5, 0, 0], 8.0)));
    // And b must not reach 4 on its own: a 2 with c 2 costs 8, b 3 is not enough.
    let cap = OptionRule::at_most("b below 4", vec![term(1, &B)], 3.0);
    assert_eq!(solved(vec![rule, cap]), Some((vec![2, 1, 0, 1], 8.0)));
}

#[test]
fn features_move_together() {
    let opposite = |c: &[f64]| c.iter().map(|c| -c).collect::<Vec<_>>();
    let equal = vec![
        OptionRule::at_most("a <= b", vec![term(0, &A), term(1, &opposite(&B))], 0.0),
        OptionRule::at_most("b <= a", vec![term(1, &B), term(0, &opposite(&A))], 0.0),
    ];
    assert_eq!(solved(equal), Some((vec![2, 3, 0, 0], 6.0)));
}

#[test]
fn a_combination_is_forbidden() {
    // Not a 4 or 5 with everything else kept.
    let rule =
        OptionRule::any_of("not this", vec![literal(0, &[0, 1, 2, 3, 6]), literal(1, &[0, 2])]);
    assert_eq!(solved(vec![rule]), Some((vec![3, 2, 0, 0], 5.0)));
}

#[test]
fn a_rule_about_a_feature_without_a_choice_is_settled_by_it() {
    let (never, always) = (term(2, &[3.0]), literal(2, &[0]));
    assert_eq!(solved(vec![OptionRule::at_most("never", vec![never], 2.0)]), None);
    let holds = OptionRule::any_of("always", vec![always, literal(0, &[])]);
    assert_eq!(solved(vec![holds]).unwrap().1, 4.0);
}

#[test]
fn infeasible_by_rules_is_proven() {
    assert_eq!(solved(vec![OptionRule::any_of("never", Vec::new())]), None);
    // Each can be held, both can't be with a score of 4.
    let a = OptionRule::at_most("a", vec![term(0, &A)], 1.0);
    let rest = OptionRule::at_most("rest", vec![term(1, &B), term(3, &[0.0, 2.0, 4.0])], 2.0);
    assert!(solved(vec![a.clone()]).is_some() && solved(vec![rest.clone()]).is_some());
    assert_eq!(solved(vec![a, rest]), None);
}

#[test]
fn rules_have_no_say_in_whether_the_applicant_is_accepted_already() {
    let rejected = instance(vec![OptionRule::any_of("never", Vec::new())]);
    let classifier = rejected.classifier().with_cut_at(-4.0).into();
    let accepted = rejected.edited(|parts| parts.classifier = classifier).unwrap();
    let report = search(&accepted, &SearchSettings::default(), &Control::default()).unwrap();
    assert_eq!(report.solution.status, Status::AlreadyAccepted);
}

#[test]
fn a_start_takes_along_what_rules_demand() {
    let rule = OptionRule::any_of("link", vec![literal(0, &[0]), literal(3, &[1, 2])]);
    let cap = OptionRule::at_most("b below 1", vec![term(1, &B)], 0.0);
    let any = SearchSettings { any_plan: true, ..SearchSettings::default() };
    let report = search(&instance(vec![rule, cap]), &any, &Control::default()).unwrap();
    let plan = report.solution.plan.expect("easy to enter");
    assert_eq!(plan.choice, [2, 1, 0, 1]);
}

/// The features that a plan changes.
fn changed(instance: &Instance, choice: &[usize]) -> Vec<usize> {
    let keep = instance.keep_all();
    (0..choice.len()).filter(|&f| choice[f] != keep[f]).collect()
}

#[test]
#[ignore = "needs the data sets: make test-data"]
fn several_plans_differ_in_what_they_change() {
    for case in cases(|name| name.ends_with("N20-eigen-s0-0.json") && !name.contains("heloc-rf")) {
        let mut instance = case.instance;
        let mut seen: Vec<Vec<usize>> = Vec::new();
        let mut last = 0.0;
        for number in 0..4 {
            let plans: Vec<_> = [1, 2]
                .map(|threads| {
                    let settings =
                        SearchSettings::from(SolveSettings { threads, ..SolveSettings::default() });
                    let solution = search(&instance, &settings, &Control::default()).unwrap();
                    assert_eq!(solution.solution.status, Status::Optimal, "{}", case.name);
                    solution.solution.plan.unwrap()
                })
                .into();
            assert_eq!(plans[0], plans[1], "{}: threads disagree", case.name);
            let objective = plans[0].evaluation.objective;
            assert!(objective >= last * (1.0 - 1e-9), "{}", case.name);
            let set = changed(&instance, &plans[0].choice);
            let apart = |other: &Vec<usize>| {
                let common = set.iter().filter(|f| other.contains(f)).count();
                set.len() + other.len() - 2 * common
            };
            let least = if number == 3 { 3 } else { 1 };
            assert!(seen.iter().all(|other| apart(other) >= least), "{}", case.name);
            instance.forbid_set(&set);
            seen.push(set);
            if number == 2 {
                for set in &seen {
                    instance.demand_apart(set, 3);
                }
            }
            last = objective;
        }
    }
}
