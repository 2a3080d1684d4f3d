//! `amends audit`: summary statistics of many applicants.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;

use serde_json::Value;

use crate::support::{Folder, SCHEMA, loans, real_data, schema_with};

fn audit<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&["audit"], more].concat()
}

/// The report on German credit as JSON.
fn german(folder: &Folder, more: &[&str]) -> Value {
    folder.answers(&audit(&[&["--format", "json"], more].concat())).json().remove(0)
}

/// Loans with a column that the schema does not know.
fn loans_with_region() -> Folder {
    let mut table = String::new();
    for (row, line) in loans().lines().enumerate() {
        let region = if row == 0 { "region" } else { ["north", "south", "north"][row % 3] };
        let _ = writeln!(table, "{line},{region}");
    }
    Folder::new().with("loans.csv", table).with("loans.toml", SCHEMA)
}

/// The shares add up, and everybody is in one group of each column.
fn check(report: &Value) {
    let count = |figures: &Value, name: &str| figures[name]["count"].as_u64().unwrap();
    let mut all = vec![&report["overall"]];
    for column in report["by"].as_array().unwrap() {
        let groups = column["groups"].as_array().unwrap();
        let people = groups.iter().map(|group| group["figures"]["applicants"].as_u64().unwrap());
        assert_eq!(people.sum::<u64>(), report["overall"]["applicants"].as_u64().unwrap());
        all.extend(groups.iter().map(|group| &group["figures"]));
    }
    for figures in all {
        let people = figures["applicants"].as_u64().unwrap();
        assert_eq!(count(figures, "accepted") + count(figures, "rejected"), people);
        let plans = count(figures, "optimal") + count(figures, "feasible");
        assert_eq!(plans, count(figures, "with_plan"));
        let without = count(figures, "infeasible") + count(figures, "timeout");
        assert_eq!(plans + without, count(figures, "rejected"));
        for used in figures["features"].as_array().unwrap() {
            assert!(used["plans"]["count"].as_u64().unwrap() <= plans, "{used}");
        }
    }
}

#[test]
fn german_credit_is_summarised_overall_and_by_group() {
    let folder = Folder::new();
    let more =
        ["--by", "age:30,50", "--by", "housing", "--by", "credit_amount", "--rejected", "12"];
    let report = german(&folder, &more);
    check(&report);
    assert_eq!(report["overall"]["rejected"]["count"], 12);
    assert_eq!(report["complete"], true);
    assert_eq!(report["overall"]["costs"]["objective"]["count"], 12);
    let names = |column: usize| -> Vec<&str> {
        let groups = report["by"][column]["groups"].as_array().unwrap();
        groups.iter().map(|group| group["group"].as_str().unwrap()).collect()
    };
    assert_eq!(names(0), ["under 30", "30 to under 50", "50 and over"]);
    assert_eq!(names(1), ["for free", "own", "rent"], "the schema's order");
    assert_eq!(names(2).len(), 4, "quarters");
    let text = folder.answers(&audit(&more)).out;
    for part in [
        "the held-out rows of german, up to the first 12 who are rejected.",
        "Logistic regression. A plan costs its mahalanobis distance",
        "Of the rejected",
        "there is a plan that leads to approval        12  100.0 %",
        "Duration of the credit",
        "By Age (years)",
        "  30 to under 50",
        "95 % intervals: of shares Wilson's, of their differences Newcombe's",
    ] {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
    assert!(folder.files().is_empty(), "nothing is written unasked");
}

#[test]
fn figures_are_those_of_the_rows() {
    let folder = Folder::new();
    let report = german(&folder, &["--rejected", "9", "--by", "housing", "--rows", "rows.csv"]);
    let rows = folder.read("rows.csv");
    let mut reader = csv::Reader::from_reader(rows.as_bytes());
    let rows: Vec<BTreeMap<String, String>> =
        reader.deserialize().collect::<Result<_, _>>().unwrap();
    assert_eq!(rows.len() as u64, report["overall"]["applicants"].as_u64().unwrap());
    let mut costs: Vec<f64> = rows.iter().filter_map(|row| row["objective"].parse().ok()).collect();
    costs.sort_by(f64::total_cmp);
    assert_eq!(costs.len(), 9);
    let objective = &report["overall"]["costs"]["objective"];
    assert_eq!((&objective["p25"], &objective["p50"]), (&costs[2].into(), &costs[4].into()));
    for row in &rows {
        let changed = row["changed"].split("; ").filter(|name| !name.is_empty()).count();
        assert_eq!(row["changes"].parse().unwrap_or(0), changed, "{row:?}");
        assert_eq!(row["accepted_before"] == "true", row["status"] == "already-accepted");
    }
    let own = rows.iter().filter(|row| row["by_housing"] == "own").count();
    assert_eq!(report["by"][0]["groups"][1]["figures"]["applicants"], own);
    // The audit counted what explain answers for one of them.
    let one = rows.iter().find(|row| row["status"] == "optimal").unwrap();
    let explained = folder.answers(&["explain", "--row", &one["row"], "--format", "json"]).json();
    let objective = explained[0]["objective"].as_f64().unwrap();
    assert!((objective - one["objective"].parse::<f64>().unwrap()).abs() < 1e-6);
}

#[test]
fn csv_is_tidy() {
    let folder = Folder::new();
    let more = ["--format", "csv", "--rejected", "5", "--by", "housing", "-o", "audit.csv"];
    assert_eq!(folder.answers(&audit(&more)).out, "");
    let text = folder.read("audit.csv");
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("group_column,group,measure,item,value,low,high,count,of"));
    let all: Vec<&str> = lines.clone().filter(|line| line.starts_with(",,")).collect();
    let with_plan = all.iter().find(|line| line.starts_with(",,with-plan,,1,0.5655")).unwrap();
    assert!(with_plan.ends_with(",1,5,5"), "{with_plan}");
    assert!(all.iter().any(|line| line.starts_with(",,objective,p50,")), "{text}");
    assert!(lines.clone().any(|line| line.starts_with("housing,own,cost-ratio,,")), "{text}");
    assert!(lines.any(|line| line.starts_with("housing,own,feature,duration,")), "{text}");
}

#[test]
fn columns_that_are_no_features_make_groups_too() {
    let folder = loans_with_region();
    let more = ["--all-rows", "--by", "region", "--by", "outcome", "--format", "json"];
    let report = folder.answers_on_loans("audit", &more).json().remove(0);
    check(&report);
    assert_eq!(report["overall"]["applicants"], 60);
    let groups = report["by"][0]["groups"].as_array().unwrap();
    let sizes: Vec<(&str, u64)> = groups
        .iter()
        .map(|group| {
            (group["group"].as_str().unwrap(), group["figures"]["applicants"].as_u64().unwrap())
        })
        .collect();
    assert_eq!(sizes, [("north", 40), ("south", 20)], "the largest first");
    assert_eq!(report["by"][1]["column"], "outcome");
}

#[test]
fn small_groups_are_marked_and_not_hidden() {
    let folder = loans_with_region();
    let more = ["--all-rows", "--by", "region", "--small-group", "30"];
    let text = folder.answers_on_loans("audit", &more).out;
    assert!(text.contains("\n  south * "), "{text}");
    assert!(text.contains("* fewer than 30 people or plans"), "{text}");
}

#[test]
fn applicants_of_a_file_are_grouped_by_their_own_columns() {
    let new = "income,debt,housing,guarantor,age,branch\n80,0,own,yes,41,A\n20,23,rent,no,30,B\n";
    let folder = Folder::with_loans().with("new.csv", new);
    let more = ["--applicants", "new.csv", "--by", "branch", "--format", "json"];
    let report = folder.answers_on_loans("audit", &more).json().remove(0);
    check(&report);
    assert_eq!(report["who"], "the rows of new.csv");
    assert_eq!(report["by"][0]["groups"][0]["figures"]["accepted"]["count"], 1);
    assert_eq!(report["by"][0]["groups"][1]["figures"]["rejected"]["count"], 1);
}

#[test]
fn those_without_a_plan_are_counted_as_proven() {
    let schema = schema_with(|kind| if kind == "binary" { "free" } else { "immutable" });
    let folder = Folder::new().with("loans.csv", loans()).with("loans.toml", schema);
    let more = ["--all-rows", "--by", "guarantor", "--format", "json"];
    let report = folder.answers_on_loans("audit", &more).json().remove(0);
    check(&report);
    assert!(report["overall"]["infeasible"]["count"].as_u64().unwrap() > 3, "{report}");
    assert_eq!(report["overall"]["timeout"]["count"], 0);
    // Who has a guarantor already can do nothing.
    let with = &report["by"][0]["groups"][1];
    assert_eq!(
        (&with["group"], &with["figures"]["infeasible"]["share"]),
        (&"yes".into(), &1.0.into())
    );
    let difference = &with["infeasible_difference"];
    let [value, low, high] = ["value", "low", "high"].map(|key| difference[key].as_f64().unwrap());
    assert!(0.0 < value && low < value && value < high && high <= 1.0, "{difference}");
}

#[test]
fn rows_are_chosen_and_nobody_counts_twice() {
    let folder = Folder::with_loans();
    let more = ["--row", "3,17,3", "--format", "json"];
    let report = folder.answers_on_loans("audit", &more).json().remove(0);
    assert_eq!(report["overall"]["applicants"], 2);
    let nobody = ["--rejected", "0", "--by", "housing"];
    let text = folder.answers_on_loans("audit", &nobody).out;
    assert!(text.starts_with("Audit of 0 applicants"), "{text}");
}

#[test]
fn a_journal_that_was_cut_goes_on_to_the_identical_report() {
    let folder = Folder::new();
    let more = ["--rejected", "10", "--by", "housing", "--journal", "audit.jsonl"];
    let first = folder.answers(&audit(&more)).out;
    let journal = folder.read("audit.jsonl");
    let again = folder.answers(&audit(&more));
    assert_eq!((again.out.as_str(), again.err.as_str()), (first.as_str(), ""));
    assert_eq!(folder.read("audit.jsonl"), journal, "nothing was solved again");

    let kept: Vec<&str> = journal.lines().take(9).collect();
    let cut = kept.join("\n") + "\n" + &journal.lines().nth(9).unwrap()[..20];
    fs::write(folder.path().join("audit.jsonl"), cut).unwrap();
    let resumed = folder.answers(&audit(&more));
    assert!(resumed.err.contains("audit.jsonl was incomplete"), "{}", resumed.err);
    assert_eq!(folder.read("audit.jsonl").lines().count(), journal.lines().count());
    assert!(folder.read("audit.jsonl").starts_with(&(kept.join("\n") + "\n")));
    // Seconds differ from run to run, and nothing else does.
    let timeless = |text: &str| {
        let lines = text.lines().filter(|line| !line.contains("seconds to solve"));
        lines.map(str::to_owned).collect::<Vec<String>>()
    };
    assert_eq!(timeless(&resumed.out), timeless(&first));
    // Other groups and more people of the same kind go on with the same journal.
    let other = ["--rejected", "11", "--by", "age", "--journal", "audit.jsonl"];
    folder.answers(&audit(&other));
    assert!(folder.read("audit.jsonl").lines().count() > journal.lines().count());
}

#[test]
fn a_journal_of_other_settings_is_refused_with_what_differs() {
    let new = "income,debt,housing,guarantor,age\n20,23,rent,no,41\n";
    let folder = Folder::with_loans().with("new.csv", new).with("note.txt", "mine\n");
    let journal = ["--row", "3,17", "--journal", "audit.jsonl"];
    folder.answers_on_loans("audit", &journal);
    let before = folder.read("audit.jsonl");
    let refused = |more: &[&str], parts: &[&str]| {
        folder.refuses_on_loans("audit", &[&journal[..], more].concat(), parts);
        assert_eq!(folder.read("audit.jsonl"), before);
    };
    let other = "audit.jsonl: was measured under other conditions (";
    let remedy = "; repeat them, or name another file with --journal";
    refused(&["--seed", "1"], &[other, "seed 0 there, 1 now", remedy]);
    refused(&["--model", "svm"], &[other, "model lr ", " there, svm ", remedy]);
    refused(&["--lambda", "2"], &[other, "(lambda 1.0 there, 2.0 now)", remedy]);
    refused(&["--time-limit", "7"], &["(time limit 60 s there, 7 s now)"]);
    refused(&["--test-share", "0.3"], &["test share 0.25 there, 0.3 now"]);
    let file = ["--applicants", "new.csv", "--journal", "audit.jsonl"];
    folder.refuses_on_loans("audit", &file, &["(applicants rows of the table there, file "]);
    let note = ["--journal", "note.txt"];
    folder.refuses_on_loans(
        "audit",
        &note,
        &["note.txt, line 1: is not a line of a journal; remove"],
    );
    fs::write(folder.path().join("loans.toml"), SCHEMA.replace("immutable", "increase")).unwrap();
    refused(&[], &[other, "schema loans "]);
}

#[test]
fn bad_columns_and_places_are_refused() {
    let folder = loans_with_region();
    let refused = |more: &[&str], parts: &[&str]| folder.refuses_on_loans("audit", more, parts);
    let columns = "use one of: income, debt, housing, guarantor, age, outcome, region";
    let parts = ["loans.csv, --by: `sex` is not a column of the table; ", columns];
    refused(&["--by", "sex", "--journal", "audit.jsonl"], &parts);
    refused(&["--by", "sex:1,2"], &["--by: `sex:1,2` is not a column"]);
    refused(
        &["--by", "age:old"],
        &["--by: `age:old` has cut points that are not numbers; write age"],
    );
    refused(
        &["--by", "age:50,30"],
        &["--by, column `age`: its cut points are not in rising order; give"],
    );
    refused(&["--by", "region:3"], &["--by, column `region`: holds no numbers to cut; leave"]);
    refused(&["--by", "age", "--by", "age:30"], &["--by: `age:30` names a column for the second"]);
    refused(&["--rows", "a.csv", "-o", "a.csv"], &["--rows: `a.csv` is written to already; name"]);
    refused(&["--rows", "-"], &["--rows: `-` is written to already"]);
    refused(&["--journal", "none/a.jsonl"], &["the folder `none` does not exist; create it"]);
    refused(&["--row", "61"], &["--row: `61` is not a row of the table"]);
}

#[cfg(unix)]
#[test]
fn ctrl_c_keeps_the_journal_and_tells_what_is_known() {
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};
    let folder = Folder::new();
    let run = Command::new(env!("CARGO_BIN_EXE_amends"))
        .current_dir(folder.path())
        .args(audit(&["--all-rows", "--model", "rf", "--journal", "audit.jsonl"]))
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let path = folder.path().join("audit.jsonl");
    let lines = || fs::read_to_string(&path).map_or(0, |text| text.lines().count());
    let begin = Instant::now();
    while lines() < 3 {
        assert!(begin.elapsed() < Duration::from_secs(60), "nothing was done");
        std::thread::sleep(Duration::from_millis(20));
    }
    // While one run writes, another is sent away.
    let second = audit(&["--all-rows", "--model", "rf", "--journal", "audit.jsonl"]);
    folder.refuses(&second, &["audit.jsonl: another run is writing to it; wait for it, or name"]);
    let sent = Command::new("kill").args(["-INT", &run.id().to_string()]).status().unwrap();
    assert!(sent.success());
    let output = run.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let text = String::from_utf8(output.stdout).unwrap();
    let done = lines() - 1;
    assert!(text.contains(&format!("NOT COMPLETE: stopped after {done} of 1000")), "{text}");
}

#[test]
#[ignore = "needs the data sets: make test-data"]
fn heloc_has_groups_by_code() {
    let path = real_data("heloc_raw.csv");
    let data = path.to_str().unwrap();
    let heloc = ["--dataset", "heloc", "--data", data, "--heloc-codes", "state"];
    let more = ["--rejected", "8", "--by", "MSinceMostRecentDelq:12", "--by", "RiskPerformance"];
    let report = german(&Folder::new(), &[&heloc[..], &more].concat());
    check(&report);
    assert_eq!(report["overall"]["rejected"]["count"], 8);
    let groups = report["by"][0]["groups"].as_array().unwrap();
    let names: Vec<&str> = groups.iter().map(|group| group["group"].as_str().unwrap()).collect();
    assert_eq!(names, ["under 12", "12 and over", "never late"]);
    assert_eq!(report["by"][1]["groups"].as_array().unwrap().len(), 2, "Good and Bad");
}
