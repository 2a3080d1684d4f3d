//! `--harmless`: no change of a plan lowers the score by itself.

use std::fmt::Write as _;

use serde_json::Value;

use super::support::Folder;

/// A table in which the distance makes it cheap to lower the income along with the amount.
const LOANS: &str = include_str!("../../../../docs/examples/loans.csv");
const SCHEMA: &str = include_str!("../../../../docs/examples/loans.toml");

const DATA: [&str; 4] = ["--preset", "paper", "--model", "lr"];

fn explained(folder: &Folder, more: &[&str]) -> Vec<Value> {
    let args = [&DATA[..], more, &["--format", "json"]].concat();
    folder.answers_on_loans("explain", &args).json()
}

/// The table's row with one cell changed, as a line of CSV.
fn with_change(row: usize, change: &Value) -> String {
    let mut lines = LOANS.lines();
    let header = lines.next().unwrap();
    let column = header.split(',').position(|name| name == change["feature"]).unwrap();
    let mut cells: Vec<String> =
        lines.nth(row - 1).unwrap().split(',').map(str::to_owned).collect();
    cells[column] = match &change["after"] {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    cells.join(",")
}

#[test]
fn no_change_lowers_the_score_by_itself() {
    let folder = Folder::new().with("loans.csv", LOANS).with("loans.toml", SCHEMA);
    let people = ["--rejected", "12"];
    let free = explained(&folder, &people);
    let harmless = explained(&folder, &[&people[..], &["--harmless"]].concat());
    let mut alone = LOANS.lines().next().unwrap().to_owned() + "\n";
    let mut before = Vec::new();
    let mut dearer = 0;
    for (free, harmless) in free.iter().zip(&harmless) {
        let cost = |answer: &Value| answer["objective"].as_f64().unwrap();
        assert!(cost(free) <= cost(harmless) * (1.0 + 1e-6));
        dearer += usize::from(cost(free) * 1.001 < cost(harmless));
        let row = usize::try_from(harmless["row"].as_u64().unwrap()).unwrap();
        for change in harmless["changes"].as_array().unwrap() {
            let _ = writeln!(alone, "{}", with_change(row, change));
            before.push(harmless["score_before"].as_f64().unwrap());
        }
    }
    assert!(dearer > 0, "the free plans of some applicant should have a harmful change");
    let folder = folder.with("alone.csv", alone);
    let args = ["--applicants", "alone.csv", "--no-why-none"];
    let scores = explained(&folder, &args);
    assert_eq!(scores.len(), before.len());
    for (answer, before) in scores.iter().zip(before) {
        assert!(answer["score_before"].as_f64().unwrap() >= before - 1e-9, "{answer}");
    }
}

#[test]
fn both_engines_find_the_same() {
    let folder = Folder::with_loans();
    let one = ["--harmless", "--rejected", "1", "--prototypes", "3"];
    let search = explained(&folder, &one);
    let milp =
        explained(&folder, &[&one[..], &["--engine", "milp", "--solver", "microlp"]].concat());
    let cost = |answers: &[Value]| answers[0]["objective"].as_f64().unwrap();
    assert!((cost(&search) - cost(&milp)).abs() <= 1e-5 * cost(&search));
}

#[test]
fn it_is_named_where_it_stands_in_the_way() {
    let folder = Folder::with_loans();
    let falls = ["--rejected", "1", "--rule", "income falls"];
    assert_eq!(explained(&folder, &falls)[0]["status"], "optimal");
    let none = &explained(&folder, &[&falls[..], &["--harmless"]].concat())[0];
    assert_eq!(none["status"], "infeasible");
    let ways = none["why_none"]["ways"].as_array().unwrap();
    let kinds: Vec<&Value> = ways.iter().map(|way| &way["relaxed"][0]["kind"]).collect();
    assert!(kinds.contains(&&Value::from("harmless")), "{none}");
    let args = [&DATA[..], &falls, &["--harmless"]].concat();
    let text = folder.answers_on_loans("explain", &args).out;
    assert!(text.contains("with changes that lower the score by themselves"), "{text}");
    assert!(text.contains("Plans have no change that would lower the score by itself."), "{text}");
}
