//! Schemas, model files and applicants that can't be used, and files that are not there.

use crate::support::{Folder, SCHEMA, loans, schema_with};

#[test]
fn a_missing_schema() {
    let folder = Folder::new().with("loans.csv", loans());
    folder.refuses_on_loans(
        "explain",
        &[],
        &["loans.toml: there is no such file", "check the path"],
    );
    let parts = ["loans.csv has no schema", "`amends init`"];
    folder.refuses(&["explain", "--data", "loans.csv"], &parts);
}

#[test]
fn everything_immutable() {
    let schema = schema_with(|_| "immutable");
    let folder = Folder::new().with("loans.csv", loans()).with("loans.toml", schema);
    let parts = ["schema `loans`: declares every feature immutable", "; set `change`"];
    folder.refuses_on_loans("explain", &["-o", "plans.txt"], &parts);
    folder.refuses_on_loans("instance", &["-o", "problem.json"], &parts);
}

#[test]
fn a_schema_that_is_none() {
    let refused = |schema: &str, parts: &[&str]| {
        let folder = Folder::new().with("loans.csv", loans()).with("loans.toml", schema);
        folder.refuses_on_loans("explain", &["-o", "plans.txt"], parts);
    };
    refused("version = ", &["loans.toml, line 1", "; correct the schema file"]);
    refused(&SCHEMA.replacen("integer", "whole", 1), &["loans.toml, line 9", "`whole`"]);
    refused(
        &SCHEMA.replacen("\"own\", ", "\"own\", \"own\", ", 1),
        &["loans.toml", "feature `housing`", "listed twice"],
    );
    refused(&SCHEMA.replacen("version = 1", "version = 2", 1), &["loans.toml, line 1: `2`"]);
}

#[test]
fn applicants_without_a_feature_or_with_an_unknown_level() {
    let folder = Folder::with_loans().with("new.csv", "income,debt,housing,age\n30,2,own,40\n");
    let explain = ["--applicants", "new.csv", "--strict", "-o", "plans.txt"];
    let parts =
        ["new.csv, column `guarantor`: is in the schema but not in the table; add the column"];
    folder.refuses_on_loans("explain", &explain, &parts);
    let folder = folder
        .with("new.csv", "income,debt,housing,guarantor,age\n30,2,own,no,40\n31,2,castle,no,40\n");
    let parts = ["new.csv, row 2, column `housing`: `castle` is not a level", "`own`"];
    folder.refuses_on_loans("explain", &explain, &parts);
    folder.refuses_on_loans(
        "explain",
        &["--applicants", "absent.csv"],
        &["absent.csv: there is no such"],
    );
}

#[test]
fn a_model_of_another_schema() {
    let folder = Folder::with_loans();
    folder.answers(&["train", "--model", "lr", "-o", "german.json"]);
    let explain = ["--model", "german.json", "-o", "plans.txt"];
    folder.refuses_on_loans(
        "explain",
        &explain,
        &["german.json", "`german`", "`loans`", "; give the schema"],
    );
}

#[test]
fn a_model_file_that_is_none() {
    let folder = Folder::with_loans().with("model.json", "{\"format\": \"amends-model\"");
    folder.refuses_on_loans(
        "explain",
        &["--model", "model.json"],
        &["model.json: is not a model file"],
    );
    folder.refuses_on_loans(
        "explain",
        &["--model", "absent.json"],
        &["--model: `absent.json`", "use lr"],
    );
    folder.refuses_on_loans("explain", &["--model", "."], &[".: is a folder"]);
}

#[test]
fn a_model_whose_scores_overflow() {
    let folder = Folder::with_loans();
    folder.answers_on_loans("train", &["--model", "lr", "-o", "model.json"]);
    let mut model: serde_json::Value = serde_json::from_str(&folder.read("model.json")).unwrap();
    // Of the income, which everybody has: infinitely far on the accepted side.
    model["classifier"]["weights"][0] = 1e308.into();
    let folder = folder.with("model.json", model.to_string());
    let parts = ["row 3: the model's score of this application overflows (`income` = ", "; check"];
    folder.refuses_on_loans("explain", &["--model", "model.json", "--row", "3"], &parts);
    folder.refuses_on_loans("instance", &["--model", "model.json", "--row", "3"], &parts);
    let parts = ["the model's score of this application overflows"];
    folder.refuses_on_loans("audit", &["--model", "model.json", "--all-rows"], &parts);
    // Nobody counts as accepted, so that everybody is looked at.
    folder.refuses_on_loans("explain", &["--model", "model.json", "--rejected", "1"], &parts);
}

#[test]
fn heloc_without_its_file() {
    let folder = Folder::with_loans();
    folder.refuses(&["explain", "--dataset", "heloc"], &["FICO's file", "--data FILE"]);
    let args = ["explain", "--dataset", "heloc", "--data", "loans.csv"];
    folder
        .refuses(&args, &["loans.csv, column `RiskPerformance`: is missing", "FICO's HELOC file"]);
}
