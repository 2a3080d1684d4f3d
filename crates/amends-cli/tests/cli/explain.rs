//! `amends explain`: rows in, plans out, in the table's own words.

use std::fs;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::support::{Folder, INSTANCE, PROVEN, SCHEMA, loans, model_of_few_trees, schema_with};

fn plans(folder: &Folder, more: &[&str]) -> Vec<Value> {
    let more = [&["--format", "json"], more].concat();
    folder.answers_on_loans("explain", &more).json()
}

#[test]
fn text_tells_before_and_after_with_label_and_unit() {
    let folder = Folder::with_loans();
    let out = folder.answers_on_loans("explain", &[&["--row", "13"], &PROVEN[..]].concat()).out;
    for part in [
        "Logistic regression. A plan costs its l1-mahalanobis distance + 0.01 x 1-LOF",
        "Preset dace: eigen factor, squared-euclidean metric, raw columns",
        "Applicant in row 13: rejected (score -",
        "Approved with ",
        "Monthly income  ",
        " EUR\n",
        "Then score +",
        "Best among the 100 values offered per number (bound ",
    ] {
        assert!(out.contains(part), "{part} is not in\n{out}");
    }
}

#[test]
fn best_among_few_values_is_not_called_optimal() {
    let folder = Folder::with_loans();
    let text =
        |more: &[&str]| folder.answers_on_loans("explain", &[&["--row", "13"], more].concat()).out;
    assert!(text(&[]).contains("Optimal: no cheaper plan exists"));
    assert!(text(&["--options", "7"]).contains("Best among the 7 values offered per number"));
    let all = text(&["--preset", "dace", "--options", "all"]);
    assert!(all.contains("Optimal: no cheaper plan exists"), "{all}");
    let answers = plans(&folder, &["--row", "13", "--options", "7"]);
    assert_eq!(answers[0]["values_offered"], 7);
    assert_eq!(plans(&folder, &["--row", "13"])[0]["values_offered"], Value::Null);
}

#[test]
fn several_rows_come_in_the_order_asked_for() {
    let folder = Folder::with_loans();
    let answers = plans(&folder, &["--row", "30,13,18"]);
    let rows: Vec<&Value> = answers.iter().map(|answer| &answer["row"]).collect();
    assert_eq!(rows, [30, 13, 18]);
}

#[test]
fn values_keep_their_types_and_labels() {
    let folder = Folder::with_loans();
    for answer in plans(&folder, &["--rejected", "9"]) {
        let application = answer["application"].as_object().unwrap();
        let names: Vec<&String> = application.keys().collect();
        assert_eq!(names, ["income", "debt", "housing", "guarantor", "age"]);
        assert!(application["income"].is_u64() && application["age"].is_u64(), "{answer}");
        assert!(application["debt"].is_number(), "{answer}");
        assert!(["own", "rent", "free"].contains(&application["housing"].as_str().unwrap()));
        assert!(["no", "yes"].contains(&application["guarantor"].as_str().unwrap()));
        assert!(!answer.to_string().contains(".0,\"housing\""), "{answer}");
        for change in answer["changes"].as_array().unwrap() {
            let name = change["feature"].as_str().unwrap();
            assert_eq!(change["after"], application[name]);
            assert_ne!(change["after"], change["before"]);
        }
    }
}

#[test]
fn plans_keep_to_the_rules() {
    let schema =
        SCHEMA.replacen("kind = \"continuous\"", "kind = \"continuous\"\nchange = \"decrease\"", 1);
    let folder = Folder::new().with("loans.csv", loans()).with("loans.toml", schema);
    let mut debts = 0;
    for model in ["lr", "svm", "rf", "gb"] {
        for answer in plans(
            &folder,
            &[&model_of_few_trees(model)[..], &["--rejected", "20", "--max-changes", "2"]].concat(),
        ) {
            let changes = answer["changes"].as_array().unwrap();
            assert!(changes.len() <= 2, "{answer}");
            for change in changes {
                assert_ne!(change["feature"], "age");
                if change["feature"] == "debt" {
                    debts += 1;
                    assert!(change["after"].as_f64() < change["before"].as_f64(), "{change}");
                }
            }
        }
    }
    assert!(debts > 0, "some plan reduces a debt");
}

#[test]
fn the_model_accepts_every_changed_application() {
    let folder = Folder::with_loans();
    for model in ["lr", "svm", "rf", "gb"] {
        let model = model_of_few_trees(model);
        let more = ["--rejected", "20", "--format", "csv"];
        let table = folder.answers_on_loans("explain", &[&model[..], &more].concat()).out;
        let mut reader = csv::Reader::from_reader(table.as_bytes());
        let header = reader.headers().unwrap().clone();
        let place = |name: &str| header.iter().position(|column| column == name).unwrap();
        let (first, status) = (place("income"), place("status"));
        let mut changed = String::from("income,debt,housing,guarantor,age\n");
        let mut count = 0;
        for record in reader.records() {
            let record = record.unwrap();
            assert!(["optimal", "feasible"].contains(&&record[status]), "{record:?}");
            let cells: Vec<&str> = record.iter().skip(first).collect();
            changed += &(cells.join(",") + "\n");
            count += 1;
        }
        assert!(count > 2, "{table}");
        fs::write(folder.path().join("changed.csv"), changed).unwrap();
        let again = plans(&folder, &[&model[..], &["--applicants", "changed.csv"]].concat());
        assert_eq!(again.len(), count);
        for answer in again {
            assert_eq!(answer["status"], "already-accepted", "{answer}");
        }
    }
}

#[test]
fn applicants_come_from_a_file_or_from_standard_input() {
    // A column more, another order, no outcome.
    let table =
        "name,age,guarantor,housing,debt,income\nAda,40,no,rent,20,25\nBob,41,yes,own,0,80\n";
    let folder = Folder::with_loans().with("new.csv", table);
    let from_file = plans(&folder, &["--applicants", "new.csv"]);
    let args = [
        "explain",
        "--data",
        "loans.csv",
        "--schema",
        "loans.toml",
        "--applicants",
        "-",
        "--format",
        "json",
    ];
    let from_input = folder.run_with_input(&args, table).json();
    for answers in [from_file, from_input] {
        let statuses: Vec<&Value> = answers.iter().map(|answer| &answer["status"]).collect();
        assert_eq!(statuses.len(), 2);
        assert_ne!(statuses[0], "already-accepted");
        assert_eq!(statuses[1], "already-accepted");
        assert_eq!(answers[0]["application"]["age"], 40);
        assert_eq!((&answers[0]["row"], &answers[1]["row"]), (&1.into(), &2.into()));
    }
}

#[test]
fn accepted_applicants_get_no_plan_but_a_sentence() {
    let folder = Folder::with_loans()
        .with("new.csv", "income,debt,housing,guarantor,age\n80,0,own,yes,41\n");
    let out = folder.answers_on_loans("explain", &["--applicants", "new.csv"]).out;
    assert!(out.contains("Applicant in row 1: already accepted (score +"), "{out}");
    assert!(out.contains("nothing to change"), "{out}");
}

#[test]
fn that_no_plan_exists_is_said() {
    // Only the guarantor may change, and nobody's word outweighs such a debt.
    let only_guarantor = |kind: &str| if kind == "binary" { "free" } else { "immutable" };
    let schema = schema_with(only_guarantor);
    let folder = Folder::new()
        .with("loans.csv", loans())
        .with("loans.toml", schema)
        .with("new.csv", "income,debt,housing,guarantor,age\n20,23,rent,no,41\n");
    let more = [&["--applicants", "new.csv"], &PROVEN[..]].concat();
    let out = folder.answers_on_loans("explain", &more).out;
    // Under a limit on the values of numbers, that is all that can be said.
    assert!(out.contains("No plan among the 100 values offered per number."), "{out}");
    let more = [&more[..], &["--options", "all"]].concat();
    let out = folder.answers_on_loans("explain", &more).out;
    assert!(out.contains("Infeasible: no plan exists under these rules, proven."), "{out}");
    assert_eq!(plans(&folder, &more)[0]["status"], "infeasible");
}

#[test]
fn an_applicant_without_any_option_does_not_stop_the_others() {
    let only_debt = |kind: &str| if kind == "continuous" { "decrease" } else { "immutable" };
    let schema = schema_with(only_debt);
    let folder = Folder::new()
        .with("loans.csv", loans())
        .with("loans.toml", schema)
        .with("new.csv", "income,debt,housing,guarantor,age\n20,0,rent,no,41\n50,12,own,yes,41\n");
    let answers = plans(&folder, &[&["--applicants", "new.csv"], &PROVEN[..]].concat());
    assert_eq!(answers[0]["status"], "infeasible", "{}", answers[0]);
    assert_ne!(answers[1]["status"], "infeasible", "{}", answers[1]);
}

#[test]
fn a_file_holds_what_would_have_been_printed() {
    let folder = Folder::with_loans();
    let more = ["--format", "csv", "--row", "2,4"];
    folder.answers_on_loans("explain", &[&more[..], &["-o", "plans.csv"]].concat());
    let printed = folder.answers_on_loans("explain", &[&more[..], &["-o", "-"]].concat()).out;
    let lines = |text: &str| text.lines().count();
    assert_eq!((lines(&folder.read("plans.csv")), lines(&printed)), (3, 3));
    assert_eq!(folder.files().len(), 3, "{:?}", folder.files());
}

#[cfg(unix)]
#[test]
fn a_file_is_as_readable_as_any_other_and_links_stay() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = Folder::with_loans().with("behind.txt", "old");
    symlink("behind.txt", folder.path().join("plans.txt")).unwrap();
    folder.answers_on_loans("explain", &["--row", "2", "-o", "plans.txt"]);
    assert!(folder.path().join("plans.txt").is_symlink());
    assert!(folder.read("behind.txt").contains("Applicant in row 2"));
    let mode = |name: &str| fs::metadata(folder.path().join(name)).unwrap().permissions().mode();
    assert_eq!(mode("behind.txt"), mode("loans.csv"));
}

#[test]
fn german_credit_is_there_without_any_file() {
    let run = Folder::new().answers(&["explain", "--row", "2", "--format", "json"]);
    let answer = run.json().remove(0);
    assert_eq!((&answer["schema"], &answer["model"]), (&"german".into(), &"lr".into()));
    let application = answer["application"].as_object().unwrap();
    assert_eq!(application.len(), 20);
    assert_eq!((&application["age"], &application["foreign_worker"]), (&22.into(), &"yes".into()));
}

#[test]
fn a_reader_that_stops_reading_is_no_failure() {
    let folder = Folder::with_loans().with("small.json", INSTANCE);
    let data = ["--data", "loans.csv", "--schema", "loans.toml"];
    for args in [
        [&["explain", "--rejected", "20"], &data[..]].concat(),
        [&["explain", "--rejected", "20", "--format", "json"], &data[..]].concat(),
        [&["explain", "--rejected", "20", "--format", "csv"], &data[..]].concat(),
        [&["evaluate", "--splits", "1", "--trees", "3"], &data[..]].concat(),
        [&["evaluate", "--splits", "1", "--trees", "3", "--format", "csv"], &data[..]].concat(),
        [&["train", "--model", "lr", "-o", "model.json"], &data[..]].concat(),
        [&["instance"], &data[..]].concat(),
        vec!["init", "loans.csv", "--target", "outcome"],
        vec!["solve", "small.json", "--json"],
        vec!["export", "small.json"],
        vec!["--help"],
    ] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_amends"))
            .current_dir(folder.path())
            .args(&args)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(
            output.status.code(),
            Some(0),
            "{args:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
}
