//! Codes beside numbers and rules of single features, as users write and meet them.

use crate::support::{Folder, SCHEMA, loans};

/// The schema with other lines in place of the income's unit, which stands in line 11.
fn with_rule(rule: &str) -> String {
    SCHEMA.replacen("unit = \"EUR\"", rule, 1)
}

/// A rule of the income that is refused, with its line and name.
fn refused(rule: &str, parts: &[&str]) {
    let folder = Folder::new().with("loans.csv", loans()).with("loans.toml", with_rule(rule));
    folder.refuses_on_loans("explain", &["-o", "plans.txt"], parts);
    folder.refuses_on_loans("train", &["--model", "lr", "-o", "model.json"], parts);
}

/// The same with one more line.
fn refused_pair(rule: &str, parts: &[&str]) {
    let line = "loans.toml, line 12, feature `income`";
    refused(rule, &[&[line], parts].concat());
}

#[test]
fn a_range_that_is_none() {
    let line = "loans.toml, line 11, feature `income`, range: ";
    refused("range = [90, 10]", &[line, "`[90, 10]` runs from high to low"]);
    refused("range = [nan, 10]", &[line, "`[NaN, 10]` is not a range"]);
    refused("range = [10.2, 10.8]", &[line, "`[10.2, 10.8]` holds no whole number"]);
    refused("range = [10]", &["loans.toml, line 11: a range has two ends", "1 numbers"]);
    refused(
        "range = 10",
        &["loans.toml, line 11, feature[0].range: `10` is not a list", "; correct"],
    );
}

#[test]
fn a_relative_range_that_is_none() {
    let line = "loans.toml, line 11, feature `income`, relative_range: ";
    refused("relative_range = [5, -5]", &[line, "runs from high to low"]);
    refused("relative_range = [1, 5]", &[line, "`[1, 5]` does not hold 0"]);
    refused("relative_range = [0, 0]", &[line, "`[0, 0]` leaves no move"]);
}

#[test]
fn sizes_that_are_none() {
    for (rule, value) in [("max_change = 0", "`0`"), ("least_change = -3", "`-3`")] {
        let key = rule.split(' ').next().unwrap();
        let place = format!("loans.toml, line 11, feature `income`, {key}: {value} is not a size");
        refused(rule, &[&place, "; give a finite number above 0"]);
    }
    refused("effort = 0", &["line 11, feature `income`, effort: `0` must be between"]);
    refused("effort = 1e9", &["effort: `1000000000` must be between 0.001 and 1000"]);
}

#[test]
fn rules_that_leave_no_move_together() {
    refused_pair(
        "change = \"increase\"\nrelative_range = [-10, 0]",
        &["relative_range: `[-10, 0]` leaves no move", "change = \"increase\""],
    );
    refused_pair(
        "max_change = 3\nleast_change = 5",
        &["least_change: `5` leaves no move", "max_change = 3"],
    );
    refused_pair(
        "change = \"immutable\"\nmax_change = 3",
        &["max_change: bounds a change that change = \"immutable\" forbids"],
    );
    refused_pair(
        "step = 50\nrange = [60, 90]",
        &["range: `[60, 90]` holds no multiple of step = 50"],
    );
}

#[test]
fn rules_of_another_kind() {
    let housing = |rule: &str, parts: &[&str]| {
        let schema = SCHEMA.replacen(
            "kind = \"categorical\"",
            &format!("kind = \"categorical\"\n{rule}"),
            1,
        );
        let folder = Folder::new().with("loans.csv", loans()).with("loans.toml", schema);
        let place = ["loans.toml, line 18, feature `housing`"];
        folder.refuses_on_loans("explain", &[], &[&place, parts].concat());
    };
    let kind = "kind categorical";
    housing("range = [0, 1]", &["range: does not fit", kind, "; only integer and continuous"]);
    housing("max_change = 1", &["max_change: does not fit", kind]);
    housing("one_step = true", &["one_step: does not fit", kind, "ordinal"]);
    let taken = "codes = [{ value = \"own\", label = \"unknown\" }]";
    housing(
        taken,
        &["codes: `own` is a level of this feature, too", "a text and words of its own"],
    );
}

#[test]
fn codes_that_are_none() {
    let line = "loans.toml, line 11, feature `income`, codes: ";
    let never = "{ value = -7, label = \"never\" }";
    refused(&format!("codes = [{never}, {never}]"), &[line, "`-7` is listed twice"]);
    refused("codes = [{ value = -7, label = \"\" }]", &[line, "`-7` has no label"]);
    let same = format!("codes = [{never}, {{ value = -8, label = \"never\" }}]");
    refused(&same, &[line, "`never` is the label of two codes"]);
    refused("codes = [{ value = -7 }]", &["line 11, feature[0].codes[0]: has no `label`"]);
    refused(
        "codes = [{ value = -7, label = \"never\", leaves = true }]",
        &["codes[0]: `leaves` is not a known key; did you mean `leave`?"],
    );
    refused(
        "codes = [{ value = [true], label = \"never\" }]",
        &["codes[0].value[0]: `true` is not a number, or a text in quotes"],
    );
    refused_pair(
        "change = \"immutable\"\ncodes = [{ value = -7, label = \"never\", leave = true }]",
        &["codes: allow a change that change = \"immutable\" forbids"],
    );
}

/// The loans with a code in every fourth row's income, and a missing one in every fourth.
fn coded_loans() -> String {
    let coded = |(row, line): (usize, &str)| match (row % 4, line.split_once(',')) {
        (1, Some((_, rest))) => format!("-7,{rest}\n"),
        (3, Some((_, rest))) => format!(",{rest}\n"),
        _ => format!("{line}\n"),
    };
    let table = loans();
    let header = table.lines().take(1).map(|line| format!("{line}\n"));
    header.chain(table.lines().enumerate().skip(1).map(coded)).collect()
}

const CODES: &str = "codes = [{ value = -7, label = \"self-employed\", leave = true }, \
                     { value = \"\", label = \"not stated\", leave = true }]";

#[test]
fn missing_values_need_a_code() {
    let folder = Folder::new().with("loans.csv", coded_loans()).with("loans.toml", SCHEMA);
    let parts = ["loans.csv, row 3, column `income`: the cell is empty", "declare a code"];
    folder.refuses_on_loans("explain", &[], &parts);
    let folder = folder.with("loans.toml", with_rule(CODES));
    folder.answers_on_loans("explain", &[]);
}

#[test]
fn plans_speak_of_codes_in_words_and_tables_in_their_own_text() {
    let schema = with_rule(CODES)
        .replace("kind = \"continuous\"", "kind = \"continuous\"\nchange = \"immutable\"");
    let schema = schema.replace("kind = \"binary\"", "kind = \"binary\"\nchange = \"immutable\"");
    let folder = Folder::new().with("loans.csv", coded_loans()).with("loans.toml", schema);
    let all = ["--rejected", "99", "--format", "json"];
    let answers = folder.answers_on_loans("explain", &all).json();
    let changes = answers.iter().flat_map(|answer| answer["changes"].as_array().unwrap());
    let left: Vec<_> = changes.filter(|change| change["feature"] == "income").collect();
    assert!(left.iter().any(|change| change["before"] == "self-employed"), "{left:?}");
    assert!(left.iter().all(|change| change["after"].is_u64()), "{left:?}");
    let incomes = answers.iter().map(|answer| &answer["application"]["income"]);
    assert!(incomes.clone().all(|income| income.is_null() || income.is_i64() || *income == ""));
    let text = folder.answers_on_loans("explain", &["--rejected", "99"]).out;
    assert!(text.contains("self-employed -> "), "{text}");
}

#[test]
fn an_applicant_outside_the_range_is_noted() {
    let schema = with_rule("range = [0, 60]\nmax_change = 1");
    let folder = Folder::with_loans()
        .with("loans.toml", schema)
        .with("new.csv", "income,debt,housing,guarantor,age\n75,900,rent,no,40\n");
    let more = ["--applicants", "new.csv"];
    let text = folder.answers_on_loans("explain", &more).out;
    assert!(
        text.contains("Note: Monthly income is 75, outside the schema's range of 0 to 60"),
        "{text}"
    );
    let json =
        folder.answers_on_loans("explain", &[&more[..], &["--format", "json"]].concat()).json();
    assert_eq!(json[0]["notes"].as_array().map(Vec::len), Some(1));
}
