//! Optimal plans and proofs that there is none, against every application that a person could write.
//!
//! What could be written is taken from the meaning of the schema, in exact arithmetic: every whole number, every multiple of
//! a step, every decimal with as many decimals as the table has, wherever data and rules leave room. Nothing here
//! looks at what the library offers its engines, and nothing is shared with them: values, rules, scores and costs are
//! computed anew. Only the fitted numbers of the cost are the library's.
//!
//! `AMENDS_FUZZ=20000` makes the long run go through so many applicants, `AMENDS_FUZZ_SEED=7` starts it elsewhere, and
//! `AMENDS_FUZZ_WORLD=rules:17` looks at one world alone.

mod brute_force;
mod compare;
mod cost;
mod draw;
mod encoding;
mod exact;
mod family;
mod feature;
mod judges;
mod known;
mod ledger;
mod long_run;
mod make_models;
mod make_rules;
mod moves;
mod problem;
mod reasons;
mod rule;
mod rule_words;
mod run;
mod score;
mod separable;
mod values;
mod world;

use family::{FAMILIES, Family};
use run::Tally;

/// Draws of every family.
const DRAWS: u64 = 40;

/// The family of a name.
fn family(name: &str) -> Family {
    let all = FAMILIES.into_iter().chain([family::MIXED]);
    all.into_iter().find(|family| family.name == name).expect("a family of this name")
}

/// Goes through the first worlds of a family.
fn check(name: &str) {
    let family = family(name);
    let mut tally = Tally::default();
    (0..DRAWS).for_each(|seed| tally.run(&family, seed));
    println!("{name}: {}", tally.line());
    tally.check();
    assert!(tally.plans >= 10, "{name}: {}", tally.line());
}

macro_rules! families {
    ($($test:ident: $name:literal;)*) => {
        $(#[test]
        fn $test() {
            check($name);
        })*

        #[test]
        fn every_family_has_a_test() {
            let tested = [$($name),*];
            let names = FAMILIES.iter().map(|family| family.name).chain(["mixed"]);
            assert_eq!(names.collect::<Vec<_>>(), tested);
        }
    };
}

families! {
    few_whole_numbers_and_levels: "few";
    few_whole_numbers_with_rules: "few-rules";
    wide_ranges_of_whole_numbers: "wide";
    decimals: "decimals";
    multiples_of_a_step: "steps";
    tiny_and_huge_numbers: "scales";
    tiny_and_huge_numbers_in_trees: "scaled-trees";
    tiny_and_huge_numbers_with_rules: "scaled-rules";
    own_values_that_no_row_has: "outside";
    codes_that_are_left_and_entered: "codes";
    rules_of_single_features: "limits";
    rules_between_features: "rules";
    equations: "equations";
    features_that_change_together: "together";
    trees: "trees";
    trees_with_sums_of_32_bits: "single";
    networks: "networks";
    target_scores_and_margins: "goals";
    plans_with_a_step_to_spare: "margin-step";
    plans_of_changes_that_lower_no_score: "harmless";
    plans_of_which_no_part_is_a_plan: "needed";
    plans_of_which_no_part_is_a_plan_under_rules: "needed-rules";
    plans_of_linear_models_of_which_no_part_is_a_plan: "needed-linear";
    plans_of_linear_models_of_which_no_part_is_a_plan_under_rules: "needed-linear-rules";
    plans_of_which_no_part_is_a_plan_at_any_scale: "needed-scales";
    other_costs: "costs";
    several_plans: "several";
    combined_classifiers: "combined";
    target_scores_of_combined_classifiers: "combined-goals";
    changes_that_lower_no_combined_score: "combined-harmless";
    everything_at_once: "mixed";
}
