//! Instance files that can't be used.

use crate::support::{Folder, INSTANCE, TREE_INSTANCE};

/// An instance with one text replaced, which both readers of instances must refuse.
fn refused(instance: &str, from: &str, to: &str, parts: &[&str]) {
    assert!(instance.contains(from), "{from} is in the instance");
    let folder = Folder::new().with("bad.json", instance.replacen(from, to, 1));
    let parts: Vec<&str> = ["bad.json"].iter().chain(parts).copied().collect();
    folder.refuses(&["solve", "bad.json", "--json"], &parts);
    folder.refuses(&["solve", "bad.json", "--engine", "milp"], &parts);
    folder.refuses(&["export", "bad.json", "-o", "program.lp"], &parts);
}

#[test]
fn arrays_that_disagree_in_length() {
    refused(INSTANCE, "[1, 0, 0.5]", "[1, 0]", &["classifier.weights: has 2 weights", "3 columns"]);
    refused(INSTANCE, "[[0], [1]", "[[0], [1, 1]", &["features[0] `a`, options[1]", "2 entries"]);
    refused(
        INSTANCE,
        "[1, 2], \"density\"",
        "[1], \"density\"",
        &["cost.outlier.k_distance", "1 entries"],
    );
    refused(INSTANCE, "[0.5, 0.25]", "[0.5]", &["cost.outlier.density: has 1 entries"]);
    refused(INSTANCE, "[[3, 1, 0]", "[[3, 1]", &["cost.outlier.points[0]: has 2 entries"]);
    refused(INSTANCE, "[0, 2, 0]", "[0, 2]", &["cost.distance.factor[1]"]);
    refused(INSTANCE, "\"x\": [1, 1, 0]", "\"x\": [1, 1]", &["column 2", "x has 2 columns"]);
    refused(TREE_INSTANCE, "[2.5, 0, 0]", "[2.5]", &["trees[0].threshold: has 1 entries"]);
}

#[test]
fn trees_that_are_none() {
    let right = "\"right\": [2, -1, -1]";
    let cycle = ["trees[0].right: of node 0 leads to node 0", "no cycles"];
    refused(TREE_INSTANCE, right, "\"right\": [0, -1, -1]", &cycle);
    let dangling = ["trees[0].right: of node 0 is 9, which is not a node", "; point to"];
    refused(TREE_INSTANCE, right, "\"right\": [9, -1, -1]", &dangling);
    refused(TREE_INSTANCE, right, "\"right\": [-1, -1, -1]", &["of node 0 is -1, which is no"]);
    let shared = ["of node 0 leads to node 1, which was reached before"];
    refused(TREE_INSTANCE, right, "\"right\": [1, -1, -1]", &shared);
    refused(TREE_INSTANCE, "[0, -1, -1]", "[7, -1, -1]", &["of node 0 is column 7", "3 columns"]);
    // What looks like a leaf and has children is neither.
    let leaf =
        ["trees[0].feature: of node 0 is -2, the sign of a leaf, but its children are 1 and 2"];
    refused(TREE_INSTANCE, "[0, -1, -1]", "[-2, -1, -1]", &leaf);
    refused(TREE_INSTANCE, "[0, -1, -1]", "[0, -1, -7]", &["of node 2 is -7, which is neither a"]);
}

#[test]
fn leaves_as_scikit_learn_marks_them() {
    let marked = TREE_INSTANCE.replacen("[0, -1, -1]", "[0, -2, -2]", 1);
    let folder = Folder::new().with("ours.json", TREE_INSTANCE).with("theirs.json", marked);
    let objective = |file| {
        let solved = folder.answers(&["solve", file, "--json"]).out;
        serde_json::from_str::<serde_json::Value>(&solved).unwrap()["objective"].clone()
    };
    assert!(objective("ours.json").is_number());
    assert_eq!(objective("ours.json"), objective("theirs.json"));
}

#[test]
fn scores_that_overflow() {
    let own = ["features[0] `a`: has values of up to", "with a weight of 1e308", "; give smaller"];
    refused(INSTANCE, "\"weights\": [1, 0, 0.5]", "\"weights\": [1e308, 0, 0.5]", &own);
    let fixed = "\"intercept\": 1e308";
    refused(INSTANCE, "\"intercept\": -3", fixed, &["classifier: has scores of up to 1e308"]);
}

#[test]
fn nothing_may_change() {
    refused(
        INSTANCE,
        "\"max_changes\": 2",
        "\"max_changes\": 0",
        &["max_changes: is 0", "; allow"],
    );
    refused(
        INSTANCE,
        "[[0], [1], [2], [3]]",
        "[]",
        &["features[0] `a`: has no options", "; every"],
    );
    refused(
        INSTANCE,
        "[[0], [1], [2], [3]]",
        "[[1]]",
        &["`a`: does not offer the applicant's own"],
    );
}

#[test]
fn numbers_out_of_range() {
    refused(INSTANCE, "\"weight\": 0.5", "\"weight\": -0.5", &["cost.outlier.weight: is -0.5"]);
    refused(INSTANCE, "\"density\": [0.5", "\"density\": [-1", &["cost.outlier.density: holds -1"]);
    refused(
        INSTANCE,
        "\"intercept\": -3",
        "\"intercept\": 1e999",
        &["is not valid JSON (number out of range"],
    );
    refused(INSTANCE, "\"intercept\": -3", "\"intercept\": NaN", &["is not valid JSON"]);
    refused(
        INSTANCE,
        "\"version\": 1",
        "\"version\": 9",
        &["version: is 9", "reads versions 1 to 2"],
    );
}

#[test]
fn unknown_kinds_and_metrics() {
    refused(
        INSTANCE,
        "\"linear\"",
        "\"cubic\"",
        &["classifier.kind: `cubic` is not known here", "`linear`, `trees`, `mlp`"],
    );
    refused(
        INSTANCE,
        "\"squared-euclidean\"",
        "\"cosine\"",
        &["cost.outlier.metric: `cosine` is not", "`manhattan`"],
    );
    refused(
        INSTANCE,
        "l1-mahalanobis",
        "l3",
        &["cost.distance.kind: `l3` is not known here", "`table`"],
    );
}

#[test]
fn unknown_keys() {
    let rules = "\"rule\": [], \"max_changes\": 2";
    let parts = ["bad.json: `rule` is not a known key; did you mean `rules`?"];
    refused(INSTANCE, "\"max_changes\": 2", rules, &parts);
    let comment = "\"comment\": \"mine\", \"max_changes\": 2";
    refused(INSTANCE, "\"max_changes\": 2", comment, &["`comment` is not a known key"]);
    refused(INSTANCE, "\"columns\"", "\"column\"", &["features[0]: `column` is not a known key"]);
    let sum = "\"sum\": 1, \"threshold\": [";
    refused(TREE_INSTANCE, "\"threshold\": [", sum, &["classifier.trees[0]: `sum` is not a known"]);
}

#[test]
fn text_that_is_no_json() {
    let folder = Folder::new().with("bad.json", "{\"version\": 1,").with("empty.json", "\n");
    for command in ["solve", "export"] {
        folder.refuses(&[command, "bad.json"], &["bad.json: is not valid JSON", "line 1"]);
        folder.refuses(&[command, "empty.json"], &["empty.json: is empty; give one"]);
        folder.refuses(&[command, "absent.json"], &["absent.json: there is no such file"]);
    }
    let folder = folder.with("latin.json", b"{\"name\": \"M\xfcller\"}");
    folder.refuses(&["solve", "latin.json"], &["latin.json: is not UTF-8 text; save it"]);
}

#[test]
fn a_broken_line_among_good_ones_is_found_before_anything_is_solved() {
    let good = INSTANCE.replace('\n', " ");
    let broken = good.replace("[1, 0, 0.5]", "[1]");
    let folder = Folder::new().with("many.jsonl", format!("{good}\n{broken}\n{good}\n"));
    folder.refuses(&["solve", "many.jsonl", "--json"], &["many.jsonl, line 2, classifier.weights"]);
}

#[test]
fn a_program_is_of_one_instance() {
    let good = INSTANCE.replace('\n', " ");
    let folder = Folder::new().with("many.jsonl", format!("{good}\n{good}\n"));
    let parts = ["many.jsonl: holds 2 instances, but a program is one; export one line"];
    folder.refuses(&["export", "many.jsonl"], &parts);
}
