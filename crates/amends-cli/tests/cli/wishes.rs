//! Rules between features, an applicant's own rules, targets, margins and reasons, as users meet them.

use serde_json::Value;

use crate::support::{Folder, SCHEMA, loans};

fn loans_with(rules: &str) -> Folder {
    Folder::new().with("loans.csv", loans()).with("loans.toml", format!("{SCHEMA}\n{rules}"))
}

fn explained(folder: &Folder, more: &[&str]) -> Vec<Value> {
    let args = [&["--rejected", "5", "--format", "json"], more].concat();
    folder.answers_on_loans("explain", &args).json()
}

fn changed(answer: &Value) -> Vec<&str> {
    let changes = answer["changes"].as_array().unwrap().iter();
    changes.map(|change| change["feature"].as_str().unwrap()).collect()
}

#[test]
fn rules_of_the_schema_bind_plans() {
    let free = explained(&Folder::with_loans(), &[]);
    assert!(free.iter().any(|answer| changed(answer).contains(&"income")), "{free:?}");
    let rule = "[[rule]]\nname = \"pay stays\"\nrule = \"income stays\"\n";
    for answer in explained(&loans_with(rule), &[]) {
        assert!(!changed(&answer).contains(&"income"), "{answer}");
    }
    // The same for everybody, from the command line.
    for answer in explained(&Folder::with_loans(), &["--rule", "income stays"]) {
        assert!(!changed(&answer).contains(&"income"), "{answer}");
    }
    for answer in explained(&Folder::with_loans(), &["--rule", "income.change = \"immutable\""]) {
        assert!(!changed(&answer).contains(&"income"), "{answer}");
    }
}

#[test]
fn every_applicant_has_rules_of_their_own() {
    let header = loans().lines().next().unwrap().to_owned();
    let row = |n: usize| loans().lines().nth(n).unwrap().to_owned();
    let rejected = explained(&Folder::with_loans(), &[]);
    let first = rejected[0]["row"].as_u64().unwrap() as usize;
    let people = format!(
        "{header},own\n{0},income stays\n{0},\n{0},\"income stays; age.change = \"\"immutable\"\"\"\n",
        row(first)
    );
    let folder = Folder::with_loans().with("people.csv", &people);
    let asked = ["--applicants", "people.csv", "--rules-column", "own", "--format", "json"];
    let answers = folder.answers_on_loans("explain", &asked).json();
    assert_eq!(answers.len(), 3);
    assert!(!changed(&answers[0]).contains(&"income"));
    assert_eq!(changed(&answers[1]), changed(&rejected[0]));
    assert!(!changed(&answers[2]).contains(&"income") && !changed(&answers[2]).contains(&"age"));

    let missing = ["--applicants", "people.csv", "--rules-column", "wishes"];
    folder.refuses_on_loans(
        "explain",
        &missing,
        &["--rules-column: `wishes` is not a column", "own"],
    );
    let wrong = people.replace("{0},\n", "").replacen("income stays", "incomes stay", 1);
    let folder = Folder::with_loans().with("people.csv", wrong);
    let parts = ["people.csv, row 1, column `own`", "`incomes`"];
    folder.refuses_on_loans("explain", &[&asked[..], &["--strict"]].concat(), &parts);
}

#[test]
fn wishes_that_can_not_be_are_refused() {
    let folder = Folder::with_loans();
    for (rule, part) in [
        ("if income rises", "then"),
        ("salary stays", "`salary`"),
        ("housing is castle", "`castle`"),
        ("income.max_change = -1", "is not a size of a change"),
        ("income.max_change = \"a lot\"", "`a lot` is a text, not a number; write the value as"),
        ("-2 * incme + debt <= 3", "`incme` is not a feature; did you mean `income`?"),
    ] {
        folder.refuses_on_loans("explain", &["--rule", rule], &["--rule", part]);
    }
    // A key is not a line of a file.
    let run = folder.run(&[
        "explain",
        "--data",
        "loans.csv",
        "--schema",
        "loans.toml",
        "--rule",
        "income.range = 3",
    ]);
    assert!(!run.err.contains("line "), "{}", run.err);
    let long = "income rises by at least 2 and debt falls by at least 1 and housing changes and salary stays";
    let cut = "rule `income rises by at least 2 and debt falls by at least 1 and ...`";
    folder.refuses_on_loans("explain", &["--rule", long], &[cut, "`salary` is not a feature"]);
    for (option, value, part) in [
        ("--target-probability", "1.5", "is not a probability"),
        ("--target-score", "nan", "is not a finite number"),
        ("--margin", "-1", "is negative or not a number"),
    ] {
        folder.refuses_on_loans("explain", &[option, value], &[part]);
    }
    let svm = ["--model", "svm", "--target-probability", "0.7"];
    folder.refuses_on_loans("explain", &svm, &["not probabilities", "--target-score"]);
}

#[test]
fn plans_reach_the_target_with_their_margin() {
    let folder = Folder::with_loans();
    for answer in explained(&folder, &["--target-probability", "0.8"]) {
        assert!(answer["probability_before"].as_f64().unwrap() < 0.8);
        if let Some(after) = answer["probability_after"].as_f64() {
            assert!(after >= 0.8, "{answer}");
        }
    }
    let plain = explained(&folder, &[]);
    let spare = explained(&folder, &["--margin", "0.4", "--margin-step"]);
    for (plain, spare) in plain.iter().zip(&spare) {
        assert_eq!(plain["row"], spare["row"]);
        if let Some(score) = spare["score_after"].as_f64() {
            assert!(score >= 0.4);
            assert!(spare["objective"].as_f64() >= plain["objective"].as_f64());
        }
    }
}

#[test]
fn where_there_is_no_plan_the_rules_in_the_way_are_named() {
    let rules = "[[rule]]\nname = \"nothing moves\"\nrule = \"at most 0 of income, debt, housing, guarantor change\"\n";
    let folder = loans_with(rules);
    let answers = explained(&folder, &[]);
    let none: Vec<&Value> = answers.iter().filter(|one| one["status"] == "infeasible").collect();
    assert!(!none.is_empty());
    for answer in none {
        let why = &answer["why_none"];
        assert_eq!((&why["settled"], &why["at_least"]), (&true.into(), &1.into()));
        let way = &why["ways"][0];
        assert_eq!(way["text"], "without the rule `nothing moves`");
        assert_eq!(way["status"], "optimal");
        assert!(way["score_after"].as_f64().unwrap() >= 0.0);
        assert!(!way["changes"].as_array().unwrap().is_empty());
    }
    let text = folder.answers_on_loans("explain", &["--rejected", "5"]).out;
    assert!(text.contains("Why: one rule would have to give way, no fewer (proven"), "{text}");
    assert!(text.contains("- without the rule `nothing moves`:"), "{text}");
    let silent = explained(&folder, &["--no-why-none"]);
    assert!(silent.iter().all(|answer| answer["why_none"].is_null()));
}

#[test]
fn an_applicant_who_breaks_a_rule_gets_a_note() {
    let answers = explained(&Folder::with_loans(), &["--rule", "income >= 100000"]);
    let note = "the application as it is breaks the rule `income >= 100000`: it may stay so";
    for answer in &answers {
        assert!(answer["notes"][0].as_str().unwrap().starts_with(note), "{answer}");
    }
}

#[test]
fn several_plans_change_different_sets_in_rising_cost() {
    let folder = Folder::with_loans();
    let first = explained(&folder, &[])[0]["row"].to_string();
    let ask = |more: &[&str]| {
        let args = [&["--row", first.as_str(), "--format", "json"], more].concat();
        folder.answers_on_loans("explain", &args).json()
    };
    let plans = ask(&["--plans", "3"]);
    assert!(plans.len() > 1);
    for (place, pair) in plans.windows(2).enumerate() {
        assert_eq!(pair[0]["plan"], place + 1);
        let more = changed(&pair[1]);
        assert!(!changed(&pair[0]).iter().all(|feature| more.contains(feature)));
        assert!(pair[0]["objective"].as_f64() <= pair[1]["objective"].as_f64());
    }
    // Five features, one of them fixed: there are few sets, and that there are no more is proven.
    let all = ask(&["--plans", "99", "--supersets"]);
    assert!(all.len() < 16 && all.len() > 3);
    assert_eq!(all[0]["end"], "no further plan differs enough from these, proven");
    // Without supersets, these are the plans that contain no better one.
    let contains = |a: &Value, b: &Value| changed(b).iter().all(|f| changed(a).contains(f));
    let alternatives = ask(&["--plans", "99"]);
    let minimal: Vec<_> = (0..all.len())
        .filter(|&later| !(0..later).any(|better| contains(&all[later], &all[better])))
        .map(|plan| changed(&all[plan]))
        .collect();
    assert!(minimal.len() < all.len());
    assert_eq!(alternatives.iter().map(changed).collect::<Vec<_>>(), minimal);
    let apart = ask(&["--plans", "9", "--apart", "3"]);
    for (a, b) in apart.iter().zip(&apart[1..]) {
        let (a, b) = (changed(a), changed(b));
        let differ = a.iter().filter(|f| !b.contains(f)).chain(b.iter().filter(|f| !a.contains(f)));
        assert!(differ.count() >= 3, "{a:?} {b:?}");
    }
    let row = ["--row", first.as_str()];
    folder.refuses_on_loans(
        "explain",
        &[&row[..], &["--plans", "0"]].concat(),
        &["plans: `0` must be at least 1"],
    );
}

#[test]
fn the_trade_off_rises_in_distance_and_falls_in_the_outlier_term() {
    let folder = Folder::with_loans();
    let first = explained(&folder, &[])[0]["row"].to_string();
    let args = ["--row", first.as_str(), "--pareto", "--format", "json"];
    let points = folder.answers_on_loans("explain", &args).json();
    assert!(points[0]["end"].as_str().unwrap().ends_with("by more than 1 %, proven"));
    for pair in points.windows(2) {
        let of = |name: &str| (pair[0][name].as_f64().unwrap(), pair[1][name].as_f64().unwrap());
        let (distances, outliers) = (of("distance"), of("outlier"));
        assert!(distances.0 < distances.1 && outliers.0 > outliers.1);
    }
}
