//! The provenance in results.

use amends::provenance::sha256;
use serde_json::{Value, json};

use super::support::{Folder, INSTANCE};

/// The provenance and the settings of the first line.
fn first(folder: &Folder, args: &[&str]) -> (Value, Value) {
    let lines = folder.answers_on_loans("explain", &[args, &["--format", "json"]].concat()).json();
    (lines[0]["provenance"].clone(), lines[0]["settings"].clone())
}

#[test]
fn hashes_are_those_of_the_files() {
    let folder = Folder::with_loans();
    folder.answers_on_loans("train", &["--model", "lr", "-o", "model.json"]);
    let (found, _) = first(&folder, &["--model", "model.json", "--seed", "5", "--gap", "1e-4"]);
    for (key, file) in [("model", "model.json"), ("schema", "loans.toml"), ("data", "loans.csv")] {
        assert_eq!(found[format!("{key}_sha256")], sha256(&folder.read(file)), "{key}");
    }
    assert_eq!(found["date"], "2026-11-18T12:00:00Z");
    assert_eq!(found["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!((&found["seed"], &found["gap"]), (&json!(5), &json!(1e-4)));
    assert_eq!((&found["engine"], &found["time_limit"]), (&json!("search"), &json!(60.0)));
}

#[test]
fn a_model_has_the_same_hash_before_and_after_it_is_saved() {
    let folder = Folder::with_loans();
    folder.answers_on_loans("train", &["--model", "gb", "--trees", "5", "-o", "model.json"]);
    let (trained, _) = first(&folder, &["--model", "gb", "--trees", "5"]);
    assert_eq!(trained["model_sha256"], sha256(&folder.read("model.json")));
}

#[test]
fn settings_are_those_that_were_used() {
    let folder = Folder::with_loans();
    let (_, standard) = first(&folder, &["--model", "lr"]);
    assert_eq!(standard["prototypes"], Value::Null, "all points are used");
    let (_, paper) = first(&folder, &["--model", "lr", "--preset", "paper", "--prototypes", "7"]);
    assert_eq!((&paper["prototypes"], &paper["k"]), (&json!(7), &json!(1)));
    let (_, all) = first(&folder, &["--model", "lr", "--preset", "dace", "--prototypes", "500"]);
    assert!(all["prototypes"].as_u64().unwrap() < 60, "there are no more accepted rows");
}

#[test]
fn rules_of_the_command_line_and_the_cost_per_change_are_recorded() {
    let folder = Folder::with_loans();
    let args = ["--model", "lr", "--rule", "housing stays", "--change-cost", "0.25"];
    let (found, settings) = first(&folder, &args);
    assert_eq!(found["rules"], json!(["housing stays"]));
    assert_eq!(settings["change_cost"], json!(0.25));
}

#[test]
fn solved_instances_and_evaluations_have_their_own() {
    let folder = Folder::with_loans().with("instance.json", INSTANCE);
    let args = ["solve", "instance.json", "--json", "--gap", "1e-3"];
    let solved = folder.answers(&args).json().remove(0)["provenance"].clone();
    assert_eq!(solved["instances_sha256"], sha256(INSTANCE));
    assert_eq!((&solved["gap"], &solved["time_limit"]), (&json!(1e-3), &Value::Null));
    let args = ["--models", "lr", "--splits", "2", "--format", "json"];
    let evaluated =
        folder.answers_on_loans("evaluate", &args).json().remove(0)["provenance"].clone();
    assert_eq!(evaluated["data_sha256"], sha256(&folder.read("loans.csv")));
    assert_eq!((&evaluated["splits"], &evaluated["date"]), (&json!(2), &solved["date"]));
}

#[test]
fn audits_and_bad_rows_have_it_too() {
    let folder = Folder::with_loans().with(
        "new.csv",
        "income,debt,housing,guarantor,age\n30,20,rent,no,30\n30,20,castle,no,30\n",
    );
    let args = ["--applicants", "new.csv", "--format", "json"];
    let data = ["explain", "--data", "loans.csv", "--schema", "loans.toml"];
    let run = folder.run(&[&data[..], &args].concat());
    assert_eq!(run.code, Some(4), "{}", run.err);
    let lines = run.json();
    assert_eq!(lines[1]["status"], "error");
    assert_eq!(lines[0]["provenance"], lines[1]["provenance"]);
    let audit = folder.answers_on_loans("audit", &["--rejected", "1", "--format", "json"]).json();
    assert_eq!(audit[0]["provenance"]["data_sha256"], lines[0]["provenance"]["data_sha256"]);
}

/// Whoever has the repository can check a receipt of the embedded data with its file.
#[test]
fn embedded_schemas_have_the_hash_of_their_file() {
    let file = include_str!("../../../amends/src/data/german/german.toml");
    let args = ["explain", "--model", "lr", "--rejected", "1", "--format", "json"];
    let found = Folder::new().answers(&args).json().remove(0);
    assert_eq!(found["provenance"]["schema_sha256"], sha256(file));
}
