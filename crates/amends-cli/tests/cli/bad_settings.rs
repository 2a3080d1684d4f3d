//! Options of the command line that can't be used.

use std::fs;

use crate::support::{Folder, INSTANCE};

/// Explains the loans into a file with some options, and expects a message.
fn refused(more: &[&str], parts: &[&str]) {
    let folder = Folder::with_loans();
    let args: Vec<&str> = ["-o", "plans.txt"].iter().chain(more).copied().collect();
    folder.refuses_on_loans("explain", &args, parts);
}

/// What clap refuses, it refuses in its own words.
fn refused_as_typed(args: &[&str], part: &str) {
    let run = Folder::new().run(args);
    assert_eq!(run.code, Some(2), "{args:?}");
    assert!(run.err.starts_with("error: ") && run.err.contains(part), "{args:?}: {}", run.err);
}

#[test]
fn margins_that_are_none() {
    refused(&["--margin", "-1"], &["error: margin: `-1` is negative or not a number"]);
}

#[test]
fn no_changes_allowed() {
    refused(
        &["--max-changes", "0"],
        &["max changes: `0` must be at least 1", "; 4 is the default"],
    );
}

#[test]
fn weights_that_are_none() {
    for lambda in ["-1", "NaN", "inf"] {
        refused(
            &["--lambda", lambda],
            &["lambda: `", "is negative or not a number; give a number of 0 or more"],
        );
    }
}

#[test]
fn costs_per_change_that_are_none() {
    for cost in ["-0.1", "NaN", "inf", "1e13"] {
        let parts = ["change cost: `", "must be between 0 and 1e12; 0.1 is the default"];
        refused(&["--change-cost", cost], &parts);
    }
    let part = "'little' for '--change-cost <COST>': not a number, such as 0.5";
    refused_as_typed(&["explain", "--change-cost", "little"], part);
}

#[test]
fn no_neighbours_and_no_prototypes() {
    refused(&["--k", "0"], &["k: `0` must be at least 1", "; 10 is the default"]);
    let paper = ["--preset", "paper", "--prototypes"];
    refused(&[&paper[..], &["0"]].concat(), &["prototypes: `0` must be at least 1"]);
    refused(&[&paper[..], &["few"]].concat(), &["--prototypes: `few`", "; give a whole number"]);
}

#[test]
fn time_limits_that_are_none() {
    for limit in ["0", "-1", "NaN", "1e-30"] {
        let parts =
            ["--time-limit: `", "is not a positive number of seconds; give seconds above 0"];
        refused(&["--time-limit", limit], &parts);
        let folder = Folder::new().with("small.json", INSTANCE);
        folder.refuses(&["solve", "small.json", "--time-limit", limit], &parts);
        folder.refuses(&["demo", "--time-limit", limit], &parts);
    }
}

#[test]
fn no_threads() {
    refused(&["--threads", "0"], &["threads: `0` must be at least 1"]);
}

#[test]
fn gaps_that_are_none() {
    refused(&["--gap", "-1"], &["gap: `-1` must be between 0 and 0.5; 1e-6 is the default"]);
}

#[test]
fn names_that_nobody_knows() {
    for (option, name, known) in [
        ("--preset", "ours", "standard, paper, dace"),
        ("--formulation", "big", "pairwise, reduced, compact"),
        ("--metric", "cosine", "squared-euclidean"),
        ("--distance", "manhattan", "l1-mahalanobis"),
        ("--factor", "lu", "cholesky"),
        ("--outlier", "forest", "none, surrogate, lof"),
        ("--svm-loss", "log", "squared-hinge"),
        ("--options", "some", "give a whole number, or all"),
        ("--model", "xgb", "lr, svm, rf or gb"),
    ] {
        refused(&[option, name], &[&format!("{option}: `{name}` is n"), known]);
    }
    let folder = Folder::with_loans();
    folder.refuses_on_loans(
        "evaluate",
        &["--models", "lr,xgb"],
        &["--models: `xgb`", "; use one of: lr"],
    );
    let train = ["--model", "xgb", "-o", "model.json"];
    folder.refuses_on_loans("train", &train, &["--model: `xgb`", "; use one of: lr"]);
}

#[test]
fn a_solver_that_nobody_knows() {
    let parts = ["solver: `cplex` is not a solver", "microlp", "--solver-command"];
    refused(&["--engine", "milp", "--preset", "dace", "--solver", "cplex"], &parts);
}

#[cfg(not(feature = "highs"))]
#[test]
fn a_solver_that_is_not_built_in() {
    let parts = ["solver: `highs` is not part of this build; build with the cargo feature `highs`"];
    refused(&["--engine", "milp", "--preset", "dace", "--solver", "highs"], &parts);
}

#[test]
fn a_solver_command_without_its_files() {
    refused(&["--engine", "milp", "--preset", "dace", "--solver-command", "cbc"], &["{model}"]);
}

#[test]
fn a_gap_that_the_solver_would_not_hear_of() {
    let command = "cbc {model} solve solution {solution}";
    let milp =
        ["--engine", "milp", "--preset", "dace", "--gap", "0.01", "--solver-command", command];
    refused(
        &milp,
        &["gap: `0.01` would be ignored", "a command needs {gap}", "(--solver-command)"],
    );
}

#[test]
fn options_without_effect() {
    for (args, part) in [
        (&["--formulation", "compact"][..], "--formulation: `compact` is for --engine milp only"),
        (&["--solver", "microlp"], "--solver: `microlp` is for --engine milp only"),
        (&["--solver-command", "cbc"], "--solver-command: `cbc` is for --engine milp only"),
        (&["--trees", "5"], "--trees: has no effect on this model; leave it out; it is for"),
        (&["--model", "svm", "--depth", "5"], "--depth: has no effect on this model"),
        (&["--svm-loss", "hinge"], "it is for training svm"),
        (&["--model", "rf", "--c", "5"], "it is for training lr or svm"),
        (&["--model", "rf", "--learning-rate", "0.2"], "it is for training gb"),
        (&["--model", "loans.csv", "--trees", "5"], "--trees: has no effect on this model"),
        (&["--class-one", "paid"], "--class-one: `paid` is for models of other libraries"),
        (&["--codes-as", "missing"], "--codes-as: `missing` is for models of other libraries"),
        (&["--prototypes", "5"], "--prototypes: has no effect with --outlier lof"),
        (&["--outlier", "none", "--k", "5"], "--k: has no effect with --outlier none"),
        (&["--factor", "eigen"], "--factor: has no effect with --distance mahalanobis"),
    ] {
        refused(args, &[part, "leave it out"]);
    }
    let folder = Folder::with_loans();
    folder.answers_on_loans("train", &["--model", "lr", "-o", "own.json"]);
    let own = ["--model", "own.json", "--class-one", "paid"];
    folder.refuses_on_loans("explain", &own, &["--class-one: `paid` is for models of other"]);
    let train = ["--model", "lr", "--trees", "5", "-o", "model.json"];
    folder.refuses_on_loans("train", &train, &["--trees: has no effect"]);
    let evaluate = ["--models", "lr,rf", "--svm-loss", "hinge"];
    folder.refuses_on_loans("evaluate", &evaluate, &["--svm-loss: has no effect"]);
}

#[test]
fn options_of_bench_without_effect() {
    let folder = Folder::new().with("small.json", INSTANCE);
    let bench = |args: &[&'static str]| [&["bench", "--without-german"], args].concat();
    folder.refuses(&bench(&[]), &["--without-german: leaves nothing to time; leave it out, or"]);
    for option in [["--applicants", "3"], ["--models", "lr"], ["--seed", "3"]] {
        let args = [&["--instances", "small.json"], &option[..]].concat();
        folder.refuses(&bench(&args), &[option[0], "has no effect", "; leave it out"]);
    }
    let limit = ["bench", "--milp-applicants", "0", "--milp-time-limit", "3"];
    folder.refuses(&limit, &["--milp-time-limit: has no effect", "; leave it out"]);
}

#[test]
fn a_cost_that_is_not_linear() {
    let parts = ["--engine: `milp` can't express this cost", "--preset dace"];
    refused(&["--engine", "milp"], &parts);
    refused(&["--engine", "milp", "--preset", "dace", "--metric", "euclidean"], &parts);
    refused(&["--engine", "milp", "--preset", "dace", "--outlier", "lof"], &parts);
}

#[test]
fn rows_that_the_table_has_not() {
    for row in ["0", "61", "3,99999999999"] {
        refused(&["--row", row], &["loans.csv, --row: `", "is not a row", "counted from 1 to 60"]);
    }
    let whole = "not a whole number of 0 or more";
    refused_as_typed(&["explain", "--row", "first"], "invalid value 'first' for '--row");
    refused_as_typed(&["explain", "--row", "first"], whole);
    refused_as_typed(&["explain", "--row=-1"], "invalid value '-1' for '--row");
    refused_as_typed(&["explain", "--k", "2.5"], whole);
    refused_as_typed(
        &["explain", "--gap", "small"],
        "for '--gap <GAP>': not a number, such as 0.5",
    );
}

#[test]
fn training_settings_that_are_none() {
    for (model, option, value) in
        [("lr", "--c", "0"), ("svm", "--c", "NaN"), ("rf", "--trees", "0"), ("gb", "--depth", "0")]
    {
        let setting = format!("setting `{}`: `", &option[2..]);
        refused(&["--model", model, option, value], &[&setting, "; "]);
    }
    for rate in ["0", "-0.1", "2", "NaN"] {
        let parts = ["setting `learning-rate`: `", "must be above 0 and at most 1"];
        refused(&["--model", "gb", "--learning-rate", rate], &parts);
    }
    for share in ["1", "NaN", "7"] {
        refused(
            &["--test-share", share],
            &["--test-share: `", "must be at least 0 and less than 1"],
        );
    }
    let folder = Folder::with_loans();
    folder.refuses_on_loans("evaluate", &["--splits", "0"], &["--splits: `0`", "at least 1"]);
    let none = ["--test-share", "0"];
    folder.refuses_on_loans("evaluate", &none, &["--test-share: `0` holds out no rows", "0.25"]);
    folder.refuses_on_loans("explain", &none, &["holds out no rows", "--applicants or --row"]);
    folder.refuses_on_loans("audit", &none, &["holds out no rows", "--all-rows"]);
}

#[test]
fn data_that_is_named_twice_or_by_half() {
    let folder = Folder::with_loans();
    let args = ["explain", "--dataset", "german", "--data", "loans.csv"];
    folder.refuses(&args, &["--dataset names a table", "; leave out"]);
    folder.refuses(&["explain", "--schema", "loans.toml"], &["--schema needs a table", "--data"]);
    refused_as_typed(&["explain", "--row", "1", "--applicants", "new.csv"], "cannot be used with");
    refused_as_typed(&["explain", "--dataset", "adult"], "possible values: german, heloc");
    let bare = Folder::new().run(&[]);
    assert!(bare.code == Some(2) && bare.err.contains("Usage: amends <COMMAND>"), "{}", bare.err);
}

#[test]
fn places_that_can_not_be_written_to() {
    let folder = Folder::with_loans().with("small.json", INSTANCE);
    fs::create_dir(folder.path().join("taken")).unwrap();
    let missing = ["the folder `absent` does not exist; create it"];
    let taken = ["taken: is a folder; name a file"];
    for (place, parts) in [("absent/file", &missing), ("taken", &taken)] {
        folder.refuses_on_loans("explain", &["-o", place], parts);
        folder.refuses_on_loans("instance", &["-o", place], parts);
        folder.refuses_on_loans("train", &["--model", "lr", "-o", place], parts);
        folder.refuses(&["init", "loans.csv", "--target", "outcome", "-o", place], parts);
        folder.refuses(&["export", "small.json", "-o", place], parts);
    }
}
