//! Tables that can't be used: messages with place, problem and remedy, and exit code 2.

use crate::support::{Folder, SCHEMA, loans, model_of_few_trees};

/// The loans with one text replaced, explained into a file.
fn refused_table(table: impl AsRef<[u8]>, parts: &[&str]) {
    let folder = Folder::new().with("loans.csv", table).with("loans.toml", SCHEMA);
    folder.refuses_on_loans("explain", &["-o", "plans.txt"], parts);
    folder.refuses_on_loans("train", &["--model", "lr", "-o", "model.json"], parts);
    folder.refuses_on_loans("evaluate", &["--splits", "1"], parts);
}

/// The loans with one cell of a data row, counted from 1, replaced.
fn with_cell(row: usize, column: usize, cell: &str) -> String {
    let mut lines: Vec<String> = loans().lines().map(str::to_owned).collect();
    let mut cells: Vec<&str> = lines[row].split(',').collect();
    cells[column] = cell;
    lines[row] = cells.join(",");
    lines.join("\n") + "\n"
}

/// The loans with a whole column replaced.
fn with_column(column: usize, cell: impl Fn(usize) -> String) -> String {
    let mut text = String::new();
    for (row, line) in loans().lines().enumerate() {
        let mut cells: Vec<String> = line.split(',').map(str::to_owned).collect();
        if row > 0 {
            cells[column] = cell(row);
        }
        text += &(cells.join(",") + "\n");
    }
    text
}

/// The header and the first rows.
fn first_rows(count: usize) -> String {
    let lines: Vec<String> = loans().lines().take(count + 1).map(str::to_owned).collect();
    lines.join("\n") + "\n"
}

#[test]
fn a_missing_table() {
    let folder = Folder::new().with("loans.toml", SCHEMA);
    folder.refuses_on_loans("explain", &["-o", "plans.txt"], &["loans.csv: there is no such file"]);
    folder.refuses(&["init", "loans.csv", "--target", "outcome"], &["loans.csv: there is no such"]);
}

#[test]
fn a_folder_given_as_a_table() {
    let folder = Folder::with_loans();
    let args = ["explain", "--data", ".", "--schema", "loans.toml"];
    folder.refuses(&args, &[".: is a folder; name a file"]);
    folder.refuses(&["solve", "."], &[".: is a folder; name a file"]);
}

#[test]
fn an_empty_table() {
    refused_table("", &["loans.csv: is empty; give a table"]);
}

#[test]
fn a_header_without_rows() {
    refused_table(first_rows(0), &["loans.csv: has a header but no rows; add one row"]);
}

#[test]
fn a_ragged_row() {
    let ragged = loans().replacen(",paid\n", ",paid,extra\n", 1);
    refused_table(
        ragged,
        &["loans.csv, row ", "has 7 cells, but the header has 6", "; give every"],
    );
}

#[test]
fn a_table_without_a_header() {
    let folder = Folder::new().with("raw.csv", "A11,4,4,1\nA12,2,2,2\n");
    let parts = ["raw.csv, header, column 3: `4`", "occurs twice", "add a header line"];
    folder.refuses(&["init", "raw.csv", "--target", "1"], &parts);
}

#[test]
fn another_encoding_is_read_and_its_levels_are_checked() {
    let mut bytes = loans().into_bytes();
    bytes.extend(b"30,1,M\xfcnchen,no,30,paid\n");
    // Windows-1252 is read, but not together with UTF-8.
    refused_table(bytes.clone(), &["loans.csv, row 61, column `housing`: `M\u{fc}nchen` is not"]);
    bytes.extend("30,1,K\u{f6}ln,no,30,paid\n".bytes());
    refused_table(bytes, &["loans.csv, line 62: is not UTF-8 text; save the table"]);
}

#[test]
fn a_feature_that_the_table_lacks() {
    let renamed = loans().replacen("debt", "debts", 1);
    let parts = ["loans.csv, column `debt`: is in the schema but not in", "`debts`"];
    refused_table(renamed, &parts);
}

#[test]
fn a_table_without_the_target() {
    let renamed = loans().replacen("outcome", "result", 1);
    refused_table(renamed, &["loans.csv, column `outcome`: is in the schema but not in"]);
}

#[test]
fn an_unknown_level() {
    let parts =
        ["loans.csv, row 7, column `housing`: `castle` is not a level", "`own`, `rent`, `free`"];
    refused_table(with_cell(7, 2, "castle"), &parts);
}

#[test]
fn not_a_number_and_infinity() {
    let parts =
        ["loans.csv, row 3, column `debt`: `NaN` stands for a missing value", "; fill it in"];
    refused_table(with_cell(3, 1, "NaN"), &parts);
    let parts = ["loans.csv, row 3, column `debt`: `inf` is not a finite number; write a finite"];
    refused_table(with_cell(3, 1, "inf"), &parts);
    refused_table(with_cell(3, 1, ""), &["row 3, column `debt`: the cell is empty; fill it in"]);
}

#[test]
fn a_number_too_large_to_compute_with() {
    for number in ["1e300", "-1e300", "1e99", "2e15"] {
        let value = format!("loans.csv, row 3, column `debt`: `{number}` is too large to compute");
        refused_table(with_cell(3, 1, number), &[&value, "; correct it"]);
    }
}

#[test]
fn text_in_a_number() {
    let parts = ["loans.csv, row 5, column `income`: `forty` is not a number; write digits"];
    refused_table(with_cell(5, 0, "forty"), &parts);
    let parts = ["loans.csv, row 5, column `income`: `40.5` is not a whole number; round it"];
    refused_table(with_cell(5, 0, "40.5"), &parts);
}

#[test]
fn one_class_only() {
    let parts = ["loans.csv, column `outcome`: `paid` is the outcome of every row; add rows"];
    refused_table(with_column(5, |_| "paid".into()), &parts);
}

#[test]
fn one_class_among_the_training_rows() {
    // Which rows are held out depends on the seed, so the lonely row goes round.
    let mut refused = 0;
    for lonely in 1..=4 {
        let lines: Vec<String> = (1..=4)
            .map(|row| {
                format!(
                    "{},{row},own,no,{},{}",
                    20 + row,
                    30 + row,
                    ["lost", "paid"][usize::from(row == lonely)]
                )
            })
            .chain(["9,9,rent,yes,50,lost".into(), "8,8,free,yes,51,lost".into()])
            .collect();
        let table = format!("income,debt,housing,guarantor,age,outcome\n{}\n", lines.join("\n"));
        let folder = Folder::new().with("loans.csv", table).with("loans.toml", SCHEMA);
        let run = folder.run(&[
            "train",
            "--data",
            "loans.csv",
            "--schema",
            "loans.toml",
            "--model",
            "lr",
            "-o",
            "model.json",
            "--test-share",
            "0.5",
        ]);
        if run.code == Some(2) {
            refused += 1;
            assert!(
                run.err.contains(
                    "none of the 3 rows that are left to train on has the outcome `paid`"
                ),
                "{}",
                run.err
            );
            assert!(run.err.contains("--test-share") && !folder.files().contains("model.json"));
        } else {
            assert_eq!(run.code, Some(0), "{}", run.err);
        }
    }
    assert!((1..4).contains(&refused), "{refused} of 4 splits were refused");
}

#[test]
fn a_constant_column() {
    let parts = ["loans.csv, column `debt`: `2.5` is the value of every row; remove the feature"];
    refused_table(with_column(1, |_| "2.5".into()), &parts);
}

#[test]
fn a_target_with_three_values() {
    let parts = ["loans.csv, row 2, column `outcome`: `late` is neither `paid`", "`lost`"];
    refused_table(with_cell(2, 5, "late"), &parts);
    let folder = Folder::new().with("loans.csv", with_cell(2, 5, "late"));
    let parts = ["loans.csv, column `outcome`: has 3 different outcomes", "`late`", "exactly 2"];
    folder.refuses(&["init", "loans.csv", "--target", "outcome", "-o", "loans.toml"], &parts);
}

#[test]
fn fewer_reference_rows_than_neighbours() {
    let folder = Folder::with_loans();
    let parts = ["loans.csv", "`50` neighbours", "accepted rows; lower it to at most"];
    folder.refuses_on_loans("explain", &["--k", "50", "-o", "plans.txt"], &parts);
}

#[test]
fn tables_of_a_few_rows_end_in_an_answer_or_a_message() {
    for rows in 1..12 {
        let folder = Folder::new().with("loans.csv", first_rows(rows)).with("loans.toml", SCHEMA);
        for more in [
            vec![],
            vec!["--k", "1"],
            vec!["--outlier", "none"],
            vec!["--preset", "paper", "--k", "1"],
        ] {
            for model in ["lr", "svm", "rf", "gb"] {
                let mut args = vec!["explain", "--data", "loans.csv", "--schema", "loans.toml"];
                args.extend(model_of_few_trees(model));
                args.extend(&more);
                let run = folder.run(&args);
                let reported = matches!(run.code, Some(0 | 3))
                    || (run.code == Some(2) && run.err.contains("; "));
                assert!(reported, "{rows} rows, {args:?}: {:?} {}", run.code, run.err);
            }
        }
    }
}

#[test]
fn duplicated_rows_are_fine() {
    let doubled: String = loans()
        .lines()
        .enumerate()
        .map(|(row, line)| format!("{line}\n").repeat(if row == 0 { 1 } else { 12 }))
        .collect();
    let folder = Folder::new().with("loans.csv", doubled).with("loans.toml", SCHEMA);
    for run in [
        folder.answers_on_loans("explain", &["--format", "json"]),
        folder.answers_on_loans("explain", &["--format", "json", "--preset", "paper"]),
    ] {
        let plans = run.json();
        assert!(!plans.is_empty());
        for plan in plans {
            assert!(plan["lof"].as_f64().is_some_and(f64::is_finite), "{plan}");
            assert!(plan["objective"].as_f64().is_some_and(f64::is_finite), "{plan}");
        }
    }
}
