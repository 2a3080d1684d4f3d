//! Rules between features as users write them, and which rows break them.

use crate::support::{Folder, SCHEMA, loans};

/// The loans' schema with rules behind its features; the first rule's text stands in line 28.
fn ruled(rules: &[&str]) -> String {
    let rules = rules.iter().map(|rule| format!("[[rule]]\n{rule}\n"));
    format!("{SCHEMA}{}", rules.collect::<String>())
}

const RULES: [&str; 4] = [
    "rule = \"debt <= income\"\nname = \"debt is bounded by income\"",
    "rule = \"if housing changes then income rises\"",
    "rule = \"income >= 25 or guarantor is yes\"",
    "rule = \"must income <= 79\"",
];

const CHECK: [&str; 4] = ["check-rules", "loans.csv", "--schema", "loans.toml"];

/// The numbers of the rows that a test of income, debt and guarantor picks.
fn rows(picks: fn(f64, f64, &str) -> bool) -> Vec<usize> {
    let table = loans();
    let cells = table.lines().skip(1).map(|line| line.split(',').collect::<Vec<_>>());
    let picked =
        |cells: &Vec<&str>| picks(cells[0].parse().unwrap(), cells[1].parse().unwrap(), cells[3]);
    cells.enumerate().filter(|(_, cells)| picked(cells)).map(|(index, _)| index + 1).collect()
}

#[test]
fn rows_that_break_rules_are_counted_and_shown() {
    let schema = ruled(&RULES).replacen("unit = \"EUR\"", "range = [20, 60]", 1);
    let folder = Folder::with_loans().with("loans.toml", schema);
    let json = folder.answers(&[&CHECK[..], &["--format", "json"]].concat()).json();
    assert_eq!(json.len(), 5);
    let poor = rows(|income, _, guarantor| income < 25.0 && guarantor == "no");
    assert!(poor.len() > 1 && poor.len() < 6);
    assert_eq!(json[2]["broken"], poor.len());
    assert_eq!(json[2]["first_rows"], serde_json::json!(poor[..poor.len().min(5)]));
    assert_eq!(json[2]["first_values"]["guarantor"], "no");
    assert!(json[2]["first_values"].get("debt").is_none());
    assert_eq!(json[2]["warning"], serde_json::Value::Null);

    assert_eq!(json[0]["broken"], rows(|income, debt, _| debt > income).len());
    assert_eq!(json[0]["name"], "debt is bounded by income");
    assert_eq!(
        (&json[1]["about"], &json[1]["broken"]),
        (&"changes".into(), &serde_json::Value::Null)
    );

    let rich = rows(|income, _, _| income > 60.0);
    assert_eq!(json[4]["rule"], "income: range = [20, 60]");
    assert_eq!(json[4]["broken"], rich.len());
    assert_eq!(json[4]["share"], rich.len() as f64 / 60.0);
    assert!(json[4]["warning"].as_str().unwrap().contains("usually wrong"));

    let text = folder.answers(&CHECK).out;
    for part in [
        "loans: 60 rows; 4 rules about values, 1 about changes.",
        "debt <= income  (debt is bounded by income)",
        "if housing changes then income rises\n  About changes: rows can't break it.",
        &format!("Broken by {} rows ({:.1} %): {}", rich.len(), rich.len() as f64 / 0.6, rich[0]),
        &format!("Row {}: Monthly income ", rich[0]),
        "Warning: a rule that this many real people break is usually wrong.",
    ] {
        assert!(text.contains(part), "{part:?} is not in\n{text}");
    }

    folder.answers(&[&CHECK[..], &["--format", "csv", "-o", "rules.csv"]].concat());
    let csv = folder.read("rules.csv");
    assert!(csv.starts_with("rule,name,about,rows,broken,share,first_rows,first_values,warning\n"));
    assert_eq!(csv.lines().count(), 6);
}

#[test]
fn known_data_can_be_checked_too() {
    let folder = Folder::new().with("loans.csv", "a,b\n1,2\n");
    let text = folder.answers(&["check-rules", "--dataset", "german"]).out;
    assert!(text.starts_with("german: 1000 rows; 0 rules about values"), "{text}");
    folder.refuses(&["check-rules", "loans.csv"], &["loans.csv has no schema"]);
    folder.refuses(&["check-rules", "no.csv"], &["no.csv", "does not exist"]);
}

#[test]
fn wrong_rules_are_refused_with_line_and_text() {
    for (rule, parts) in [
        (
            "rule = \"incme rises\"",
            ["line 28, rule `incme rises`: `incme` is not a feature", "did you mean `income`?"],
        ),
        (
            "rule = \"housing is bought\"",
            ["`bought` is not a level of `housing`", "use one of `own`, `rent`, `free`"],
        ),
        ("rule = \"outcome is paid\"", ["`outcome` is the target", "name features alone"]),
        ("rule = \"age rises\"", ["holds for no values and moves", "`age` may not change"]),
        ("rule = \"\"", ["line 28, rule ``: is empty", "at most 1 of a, b changes"]),
        ("rule = 3", ["line 28, rule[0].rule: `3` is not a text", "correct the schema file"]),
        (
            "text = \"income rises\"",
            ["rule[0]: `text` is not a known key", "the keys here are `rule`, `name`"],
        ),
    ] {
        let folder = Folder::with_loans().with("loans.toml", ruled(&[rule]));
        let parts = [&["loans.toml, "], &parts[..]].concat();
        folder.refuses(&CHECK, &parts);
        folder.refuses_on_loans("explain", &["-o", "plans.txt"], &parts);
    }
    let twice = ruled(&["rule = \"income stays\"", "rule = \"income does not change\""]);
    let folder = Folder::with_loans().with("loans.toml", twice);
    folder.refuses(&CHECK, &["line 30, rule `income does not change`: says the same as"]);
}
