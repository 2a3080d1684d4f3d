//! FICO's HELOC file, with made-up rows in its columns.

use std::fmt::Write as _;

use amends::data::Schema;
use serde_json::Value;

use crate::support::Folder;

/// Rows in FICO's raw form. Every fifth has no record at all, every seventh one special code.
fn heloc() -> String {
    heloc_with_code_in(4)
}

fn heloc_with_code_in(coded: usize) -> String {
    let schema = Schema::heloc();
    let mut text = schema.target.column.clone();
    for feature in &schema.features {
        let _ = write!(text, ",{}", feature.name);
    }
    for row in 1..=120_usize {
        let level = row * 37 % 29;
        text += if level > 14 { "\nGood" } else { "\nBad" };
        for column in 0..schema.features.len() {
            let number = 1 + level + row * (column + 3) * 7 % 13;
            let _ = match (row % 5, row % 7, column) {
                (0, _, _) => write!(text, ",-9"),
                (_, 0, _) if column == coded => write!(text, ",-7"),
                _ => write!(text, ",{number}"),
            };
        }
    }
    text + "\n"
}

fn explain<'a>(more: &[&'a str]) -> Vec<&'a str> {
    let quick = ["explain", "--dataset", "heloc", "--data", "heloc.csv", "--max-changes", "1"];
    [&quick, more].concat()
}

fn rows(answers: &[Value]) -> Vec<u64> {
    answers.iter().map(|answer| answer["row"].as_u64().unwrap()).collect()
}

#[test]
fn rows_keep_their_number_in_the_file() {
    let folder = Folder::new().with("heloc.csv", heloc());
    let zero = |args: &[&str]| {
        let args = [args, &["--heloc-codes", "zero", "--format", "json"]].concat();
        folder.answers(&explain(&args)).json()
    };
    assert_eq!(rows(&zero(&["--row", "7,119"])), [7, 119]);
    let rejected = zero(&["--rejected", "9"]);
    assert_eq!(rejected.len(), 9);
    assert!(rows(&rejected).iter().all(|row| row % 5 != 0), "{:?}", rows(&rejected));
    let dropped = ["--heloc-codes", "drop", "--rejected", "9", "--format", "json"];
    let dropped = folder.answers(&explain(&dropped)).json();
    assert!(rows(&dropped).iter().all(|row| row % 5 != 0 && row % 7 != 0));
}

#[test]
fn rows_without_a_record_can_not_be_explained() {
    let folder = Folder::new().with("heloc.csv", heloc());
    let parts = ["heloc.csv, --row: `5` was left out for its special codes; choose another row"];
    folder.refuses(&explain(&["--row", "5", "--heloc-codes", "zero"]), &parts);
    folder.refuses(&explain(&["--row", "7", "--heloc-codes", "drop"]), &["`7` was left out"]);
    let beyond = explain(&["--row", "121", "--heloc-codes", "zero"]);
    folder.refuses(&beyond, &["--row: `121` is not a row of the table"]);
}

#[test]
fn dropping_codes_that_are_gone_is_refused() {
    let zeroed = heloc().replace("-9", "0").replace("-7", "0");
    let zeroed = zeroed.replace("Good", "0").replace("Bad", "1");
    let folder = Folder::new().with("heloc.csv", zeroed);
    let zeros = folder.answers(&explain(&["--rejected", "2", "--format", "json"]));
    assert_eq!(zeros.json()[0]["schema"], "heloc");
    assert!(zeros.err.contains("note: this file has 0 in place of HELOC's codes"));
    let parts = ["heloc.csv: has 0 in place of the codes", "; keep the zeros"];
    folder.refuses(&explain(&["--heloc-codes", "drop"]), &parts);
}

#[test]
fn advice_is_usual_but_not_for_the_presets_of_the_papers() {
    let months = Schema::heloc_codes().feature_index("MSinceMostRecentDelq").unwrap();
    let folder = Folder::new().with("heloc.csv", heloc_with_code_in(months));
    let data = ["--dataset", "heloc", "--data", "heloc.csv", "--rejected", "2"];
    let asked = |command: &str, more: &[&str]| {
        let args = [&[command][..], &data, &["--max-changes", "1", "--format", "json"], more];
        folder.run(&args.concat())
    };
    let schema = |preset: &str| {
        let answered = asked("explain", &["--preset", preset]);
        (answered.json()[0]["schema"].clone(), answered.err.contains("--heloc-codes zero"))
    };
    assert_eq!(schema("standard"), ("heloc-codes".into(), false));
    assert_eq!(schema("dace"), ("heloc".into(), true));
    assert_eq!(schema("paper"), ("heloc".into(), true));
    let parts = ["--heloc-codes is for HELOC alone; leave it out"];
    folder.refuses(&["explain", "--heloc-codes", "zero"], &parts);
    let parts = ["--german-schema is for German credit alone"];
    folder.refuses(&explain(&["--german-schema", "free"]), &parts);
    // A model that was trained with the table's usual codes decides on it.
    let train = ["train", "--dataset", "heloc", "--data", "heloc.csv", "--model", "lr"];
    folder.answers(&[&train[..], &["--output", "model.json"]].concat());
    assert_eq!(asked("explain", &["--model", "model.json"]).json()[0]["schema"], "heloc-codes");
}

#[test]
fn codes_as_states_differ_from_numbers() {
    let months = Schema::heloc_codes().feature_index("MSinceMostRecentDelq").unwrap();
    let folder = Folder::new().with("heloc.csv", heloc_with_code_in(months));
    let state = ["--heloc-codes", "state", "--rejected", "99", "--format", "json"];
    let answers = folder.answers(&explain(&state)).json();
    assert!(rows(&answers).iter().all(|row| row % 5 != 0));
    assert!(answers.iter().any(|answer| answer["row"].as_u64().unwrap() % 7 == 0));
    for answer in answers.iter().filter(|answer| !answer["application"].is_null()) {
        let coded = answer["row"].as_u64().unwrap() % 7 == 0;
        assert_eq!(answer["application"]["MSinceMostRecentDelq"] == -7, coded, "{answer}");
        assert_eq!(answer["schema"], "heloc-codes");
    }
    folder.refuses(&explain(&["--heloc-codes", "state", "--row", "5"]), &["`5` was left out"]);
    let elsewhere = Folder::new().with("heloc.csv", heloc());
    let parts = ["heloc.csv, row 7, column `NumSatisfactoryTrades`: `-7` is a code", "; correct"];
    elsewhere.refuses(&explain(&["--heloc-codes", "state"]), &parts);
    let zeroed = heloc().replace("-9", "0").replace("-7", "0");
    let zeroed = zeroed.replace("Good", "0").replace("Bad", "1");
    let parts = ["heloc.csv: has 0 in place of the codes", "can't be distinguished from numbers"];
    let folder = Folder::new().with("heloc.csv", zeroed);
    folder.refuses(&explain(&["--heloc-codes", "state"]), &parts);
}

#[test]
fn new_applicants_have_their_codes_read_as_in_training() {
    let months = Schema::heloc_codes().feature_index("MSinceMostRecentDelq").unwrap();
    let table = heloc_with_code_in(months);
    let line = |row: usize| {
        format!("{}\n{}\n", table.lines().next().unwrap(), table.lines().nth(row).unwrap())
    };
    let folder =
        Folder::new().with("heloc.csv", &table).with("new.csv", line(7)).with("none.csv", line(5));
    let score = |more: &[&str]| {
        let args = explain(&[more, &["--format", "json"]].concat());
        folder.answers(&args).json()[0]["score_before"].as_f64().unwrap()
    };
    for codes in ["zero", "state"] {
        let codes = ["--heloc-codes", codes];
        let from_table = score(&[&codes[..], &["--row", "7"]].concat());
        assert_eq!(score(&[&codes[..], &["--applicants", "new.csv"]].concat()), from_table);
        let none = [&codes[..], &["--applicants", "none.csv", "--strict"]].concat();
        folder.refuses(
            &explain(&none),
            &["none.csv, row 1: has no record", "; leave the applicant out"],
        );
    }
    let dropped = ["--heloc-codes", "drop", "--applicants", "new.csv", "--strict"];
    folder.refuses(
        &explain(&dropped),
        &["new.csv, row 1, column `MSinceMostRecentDelq`: `-7` is a code"],
    );
}
