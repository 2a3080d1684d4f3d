//! `--reasons`: the principal reasons of a rejection, as users meet them.

use serde_json::Value;

use crate::support::{Folder, schema_with};

const TWO: [&str; 6] = ["explain", "--model", "gb", "--rejected", "2", "--reasons"];

fn with<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&TWO[..], more].concat()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

#[test]
fn every_plan_of_an_applicant_has_the_reasons() {
    let plans = Folder::new().answers(&with(&["--plans", "2", "--format", "json"])).json();
    assert_eq!(plans.len(), 4);
    assert_eq!(plans[0]["reasons"], plans[1]["reasons"]);
    for plan in &plans {
        let reasons = plan["reasons"].as_array().unwrap();
        assert!((1..=4).contains(&reasons.len()));
        let contributions: Vec<f64> =
            reasons.iter().map(|reason| number(&reason["contribution"])).collect();
        assert!(contributions.is_sorted() && contributions.iter().all(|&value| value < 0.0));
        let basis = &plan["reason_basis"];
        assert_eq!(
            (&basis["group"], &basis["method"]["kind"]),
            (&"near-cut".into(), &"exact".into())
        );
        assert!(number(&basis["mean_score"]) > 0.0);
        assert_eq!(basis["score"], plan["score_before"]);
    }
}

#[test]
fn without_the_flag_and_for_the_accepted_there_are_none() {
    let folder = Folder::new();
    let silent = folder.answers(&["explain", "--rejected", "1", "--format", "json"]).json();
    assert!(silent[0]["reasons"].is_null() && silent[0]["reason_basis"].is_null());
    // The first row is accepted.
    let accepted =
        folder.answers(&["explain", "--row", "1", "--reasons", "--format", "json"]).json();
    assert_eq!(accepted[0]["status"], "already-accepted");
    assert!(accepted[0]["reasons"].is_null());
}

#[test]
fn other_groups_and_numbers_of_reasons_can_be_chosen() {
    let folder = Folder::new();
    let chosen = |group: &str| {
        let more = ["--reason-group", group, "--max-reasons", "2", "--format", "json"];
        folder.answers(&with(&more)).json().remove(0)
    };
    for (group, members) in [("all", 750..=750), ("accepted", 400..=749), ("near-cut", 50..=74)] {
        let plan = chosen(group);
        assert_eq!(plan["reason_basis"]["group"], group);
        assert!(members.contains(&plan["reason_basis"]["members"].as_u64().unwrap()), "{plan}");
        assert_eq!(plan["reasons"].as_array().unwrap().len(), 2);
    }
}

#[test]
fn tables_have_them_in_one_cell() {
    let run = Folder::new().answers(&with(&["--format", "csv"]));
    let mut reader = csv::Reader::from_reader(run.out.as_bytes());
    let place = reader.headers().unwrap().iter().position(|name| name == "reasons").unwrap();
    for row in reader.records() {
        let cell = row.unwrap()[place].to_owned();
        assert!(cell.contains(", typical ") && cell.matches("; ").count() <= 3, "{cell}");
    }
}

#[test]
fn audits_count_people_whose_reasons_cannot_be_changed() {
    let folder = Folder::new();
    let args = ["audit", "--model", "lr", "--rejected", "8", "--reasons", "--by", "housing"];
    let report = folder.answers(&[&args[..], &["--format", "json"]].concat()).json().remove(0);
    let figures = &report["overall"]["principal_reasons"];
    assert_eq!(
        (&figures["none_actionable"]["of"], &figures["none_flips"]["of"]),
        (&8.into(), &8.into())
    );
    let features = figures["features"].as_array().unwrap();
    let people: u64 = features.iter().map(|one| one["people"]["count"].as_u64().unwrap()).sum();
    assert!((8..=32).contains(&people), "{people}");
    let age = features.iter().find(|one| one["feature"] == "age").unwrap();
    assert_eq!(age["actionable"]["count"], 0);
    let csv = folder.answers(&[&args[..], &["--format", "csv"]].concat()).out;
    assert!(csv.contains("\n,,no-reason-actionable,,") && csv.contains(",principal-reason,age,"));
    let silent = folder.answers(&["audit", "--rejected", "2", "--format", "json"]).json();
    assert!(silent[0]["overall"].get("principal_reasons").is_none());
}

/// Numbers can't be changed, and they are what most people are rejected for.
#[test]
fn an_audit_finds_people_who_can_do_nothing() {
    let schema =
        schema_with(
            |kind| if ["integer", "continuous"].contains(&kind) { "immutable" } else { "free" },
        );
    let folder = Folder::with_loans().with("loans.toml", schema);
    let args = ["--all-rows", "--reasons", "--max-reasons", "1", "--format", "json"];
    let report = folder.answers_on_loans("audit", &args).json().remove(0);
    let figures = &report["overall"]["principal_reasons"];
    let count = |share: &Value, name: &str| share[name].as_u64().unwrap();
    let stuck = |one: &&Value| count(&one["actionable"], "count") == 0;
    let numbers = figures["features"].as_array().unwrap().iter().filter(stuck);
    let people: u64 = numbers.map(|one| count(&one["people"], "count")).sum();
    // With one reason per applicant, they are those whose reason is a number.
    assert!(people > 0);
    assert_eq!(count(&figures["none_actionable"], "count"), people);
}

#[test]
fn a_journal_of_other_reasons_is_refused() {
    let folder = Folder::new();
    folder.answers(&with(&["--journal", "j.jsonl"]));
    folder.answers(&with(&["--journal", "j.jsonl"]));
    let run = folder.run(&with(&["--journal", "j.jsonl", "--max-reasons", "3"]));
    assert_ne!(run.code, Some(0));
    assert!(run.err.contains("principal reasons"), "{}", run.err);
}

/// Rules that leave a feature no other value make it one that can't be changed, wherever they come from.
#[test]
fn rules_freeze_features_as_the_schema_does() {
    let folder = Folder::new();
    let asked =
        ["explain", "--german-schema", "free", "--row", "60", "--reasons", "--format", "json"];
    for rules in [
        &["--rule", "housing stays"][..],
        &["--rule", "at most 0 of housing, purpose change"],
        &["--rule", "if housing changes then age changes", "--rule", "never housing changes"],
        // No rule forbids it alone: only together do they.
        &[
            "--rule",
            "if housing changes then job changes",
            "--rule",
            "if job changes then housing stays",
        ],
        &["--rule", "if housing changes then job changes", "--max-changes", "1"],
        &[
            "--rule",
            "if housing changes then credit_amount falls by at least 100",
            "--rule",
            "if credit_amount falls then duration rises",
            "--rule",
            "if duration rises then credit_amount rises",
        ],
    ] {
        let plan = folder.answers(&[&asked[..], rules].concat()).json().remove(0);
        let reasons = plan["reasons"].as_array().unwrap();
        let housing = reasons.iter().find(|reason| reason["feature"] == "housing").unwrap();
        assert_eq!(housing["actionable"], false, "{rules:?}: {housing}");
        assert!(housing["text"].as_str().unwrap().ends_with("can't be changed"), "{housing}");
        assert!(reasons.iter().any(|reason| reason["actionable"] == true), "{plan}");
    }
    // With one more change it is allowed, though never by itself.
    let rules = ["--rule", "if housing changes then job changes", "--max-changes", "2"];
    let plan = folder.answers(&[&asked[..], &rules].concat()).json().remove(0);
    let reasons = plan["reasons"].as_array().unwrap();
    let housing = reasons.iter().find(|reason| reason["feature"] == "housing").unwrap();
    assert_eq!(housing["actionable"], true, "{housing}");
    assert!(housing["text"].as_str().unwrap().ends_with("can't be changed by itself"), "{housing}");
}

#[test]
fn a_number_of_reasons_asks_for_them() {
    let args = ["explain", "--rejected", "1", "--max-reasons", "2", "--format", "json"];
    let plan = Folder::new().answers(&args).json().remove(0);
    assert_eq!(plan["reasons"].as_array().unwrap().len(), 2);
}

#[test]
fn bad_settings_are_refused() {
    let folder = Folder::with_loans();
    for (more, parts) in [
        (&["--reasons", "--max-reasons", "0"][..], &["--max-reasons: `0` must be at least 1"][..]),
        (
            &["--reasons", "--reason-group", "near"],
            &[
                "--reason-group: `near` is not a known reason group; use one of: near-cut, all, accepted",
            ],
        ),
        (
            &["--reasons", "--target-score", "1000"],
            &[
                "--reason-group: `near-cut` has no members: the model accepts none of the",
                "use all",
            ],
        ),
    ] {
        let args: Vec<&str> = ["-o", "plans.txt"].iter().chain(more).copied().collect();
        folder.refuses_on_loans("explain", &args, parts);
    }
}
