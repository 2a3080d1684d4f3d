//! Many applicants: written in order as they come, in every format, and continued where a run was stopped.

use std::fmt::Write as _;
use std::fs::{self, File};

use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;

use crate::support::{Folder, schema_with};

/// Twenty-four applicants, some of them accepted.
fn people() -> String {
    let mut text = String::from("id,income,debt,housing,guarantor,age\n");
    for row in 0..24_i32 {
        let housing = ["own", "rent", "free"][row as usize % 3];
        let guarantor = ["no", "yes"][row as usize / 3 % 2];
        let (income, debt) = (20 + row * 29 % 61, f64::from(row * 31 % 47) / 2.0);
        let _ = writeln!(text, "p{row},{income},{debt},{housing},{guarantor},{}", 25 + row);
    }
    text
}

fn folder() -> Folder {
    Folder::with_loans().with("people.csv", people())
}

/// The cells of a Parquet file as CSV writes them, with the header.
fn parquet_rows(folder: &Folder, name: &str) -> Vec<Vec<String>> {
    let file = File::open(folder.path().join(name)).unwrap();
    let reader = SerializedFileReader::new(file).unwrap();
    let schema = reader.metadata().file_metadata().schema().clone();
    let header = schema.get_fields().iter().map(|field| field.name().to_owned()).collect();
    let cell = |field: &Field| match field {
        Field::Null => String::new(),
        Field::Long(number) => number.to_string(),
        Field::Double(number) => number.to_string(),
        Field::Str(text) => text.clone(),
        Field::Bool(flag) => flag.to_string(),
        other => panic!("{other:?}"),
    };
    let rows = reader.get_row_iter(None).unwrap().map(|row| {
        let row = row.unwrap();
        row.get_column_iter().map(|(_, field)| cell(field)).collect()
    });
    std::iter::once(header).chain(rows).collect()
}

fn csv_rows(folder: &Folder, name: &str) -> Vec<Vec<String>> {
    let text = folder.read(name);
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(text.as_bytes());
    let rows = reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect());
    rows.collect()
}

/// Rows without the time that it took.
fn timeless(mut rows: Vec<Vec<String>>) -> Vec<Vec<String>> {
    let seconds = rows[0].iter().position(|name| name == "seconds").unwrap();
    for row in &mut rows {
        row.remove(seconds);
    }
    rows
}

/// Keeps the header of a journal, the lines of some applicants, and half a line.
fn cut(folder: &Folder, name: &str, kept: usize) {
    let journal = folder.read(name);
    let lines: Vec<&str> = journal.lines().collect();
    let half = &lines[kept + 1][..lines[kept + 1].len() / 2];
    fs::write(folder.path().join(name), lines[..=kept].join("\n") + "\n" + half).unwrap();
}

#[test]
fn parquet_holds_what_csv_holds() {
    let schema = schema_with(|kind| if kind == "integer" { "immutable" } else { "free" });
    let folder = folder().with("loans.toml", schema);
    let more = ["--applicants", "people.csv", "--journal", "run.jsonl"];
    for output in ["plans.csv", "plans.parquet"] {
        folder.answers_on_loans("explain", &[&more[..], &["-o", output]].concat());
    }
    let rows = csv_rows(&folder, "plans.csv");
    assert_eq!(rows, parquet_rows(&folder, "plans.parquet"));
    assert_eq!(rows.len(), 25);
    let statuses: Vec<&str> = rows[1..].iter().map(|row| row[3].as_str()).collect();
    for status in ["optimal", "already-accepted"] {
        assert!(statuses.contains(&status), "{statuses:?}");
    }
    let schema =
        SerializedFileReader::new(File::open(folder.path().join("plans.parquet")).unwrap())
            .map(|reader| format!("{:?}", reader.metadata().file_metadata().schema()))
            .unwrap();
    for (name, kind) in
        [("row", "INT64"), ("bound", "DOUBLE"), ("income", "INT64"), ("debt", "DOUBLE")]
    {
        let found = schema.find(&format!("name: \"{name}\"")).unwrap();
        assert!(
            schema[found..].split("physical_type: ").nth(1).unwrap().starts_with(kind),
            "{name}"
        );
    }
}

#[test]
fn several_threads_write_in_the_order_of_the_input() {
    let folder = folder();
    let more = ["--applicants", "people.csv", "--threads", "4", "--format", "csv", "-o", "a.txt"];
    folder.answers_on_loans("explain", &more);
    let rows = csv_rows(&folder, "a.txt");
    let order: Vec<usize> = rows[1..].iter().map(|row| row[0].parse().unwrap()).collect();
    assert_eq!(order, (1..=24).collect::<Vec<usize>>());
}

#[test]
fn formats_follow_the_name_of_the_output() {
    let folder = folder();
    let run = |more: &[&str]| {
        let applicants = ["--applicants", "people.csv", "--journal", "run.jsonl"];
        folder.answers_on_loans("explain", &[&applicants[..], more].concat()).out
    };
    run(&["-o", "named.csv"]);
    assert_eq!(run(&["--format", "csv"]), folder.read("named.csv"));
    fs::remove_file(folder.path().join("run.jsonl")).unwrap();
    run(&["-o", "named.jsonl"]);
    assert_eq!(run(&["--format", "json"]), folder.read("named.jsonl"));
    assert_eq!(run(&["--format", "json-lines"]), folder.read("named.jsonl"));
    fs::remove_file(folder.path().join("run.jsonl")).unwrap();
    run(&["-o", "named"]);
    assert_eq!(run(&[]), folder.read("named"));
    assert!(folder.read("named").starts_with("Logistic regression."));
}

#[test]
fn a_run_that_was_stopped_continues_to_the_same_output() {
    for name in ["plans.csv", "plans.parquet", "plans.jsonl", "plans.txt"] {
        let folder = folder();
        let more = ["--applicants", "people.csv", "--journal", "run.jsonl", "-o", name];
        let run = || folder.answers_on_loans("explain", &more).err;
        run();
        let bytes = || fs::read(folder.path().join(name)).unwrap();
        let (whole, journal) = (bytes(), folder.read("run.jsonl"));
        assert_eq!(journal.lines().count(), 25);

        // Answers are found by their row, whatever their order in the journal.
        let mut lines: Vec<&str> = journal.lines().collect();
        lines[1..].reverse();
        fs::write(folder.path().join("run.jsonl"), lines.join("\n") + "\n").unwrap();
        assert_eq!(run(), "");
        assert!(bytes() == whole, "{name}: the same answers in another order");

        fs::remove_file(folder.path().join(name)).unwrap();
        cut(&folder, "run.jsonl", 9);
        let notes = run();
        assert!(notes.contains("the last line of run.jsonl was incomplete"), "{notes}");
        assert_eq!(folder.read("run.jsonl").lines().count(), 25);
        let rows = |rows: Vec<u8>| match name {
            "plans.csv" => csv_rows(&Folder::new().with("a", rows), "a"),
            "plans.parquet" => parquet_rows(&Folder::new().with("a", rows), "a"),
            _ => Vec::new(),
        };
        let (before, after) = (rows(whole), rows(bytes()));
        if !before.is_empty() {
            assert_eq!(timeless(before), timeless(after));
        }
    }
}

#[test]
fn a_journal_line_that_lacks_cells_is_refused_by_its_number() {
    let folder = folder();
    let more = ["--applicants", "people.csv", "--journal", "run.jsonl", "-o", "plans.csv"];
    folder.answers_on_loans("explain", &more);
    let journal = folder.read("run.jsonl");
    let mut lines: Vec<String> = journal.lines().map(str::to_owned).collect();
    let mut line: serde_json::Value = serde_json::from_str(&lines[2]).unwrap();
    line["plans"]["rows"][0].as_array_mut().unwrap().pop();
    lines[2] = line.to_string();
    fs::write(folder.path().join("run.jsonl"), lines.join("\n") + "\n").unwrap();
    let parts = ["run.jsonl, line 3: is not a line of a journal; remove the file to start again"];
    folder.refuses_on_loans("explain", &more, &parts);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_reported_with_the_name_of_the_file() {
    let folder = folder();
    for format in ["csv", "json", "text"] {
        let on_loans = ["explain", "--data", "loans.csv", "--schema", "loans.toml"];
        let more = ["--applicants", "people.csv", "--format", format, "-o", "/dev/full"];
        let run = folder.run(&[&on_loans[..], &more].concat());
        assert_eq!(run.code, Some(1), "{format}: {}", run.err);
        assert!(
            run.err.contains("/dev/full: the disk is full; make room"),
            "{format}: {}",
            run.err
        );
    }
}

#[cfg(unix)]
#[test]
fn a_journal_that_is_no_file_is_refused() {
    let folder = folder();
    let more = ["--applicants", "people.csv", "--journal", "/dev/zero"];
    for command in ["explain", "audit"] {
        folder.refuses_on_loans(command, &more, &["/dev/zero: is not a file", "--journal"]);
    }
}

#[test]
fn a_journal_is_for_one_kind_of_answer() {
    let folder = folder();
    let more = ["--applicants", "people.csv", "--journal", "run.jsonl"];
    folder.answers_on_loans("explain", &[&more[..], &["--format", "csv"]].concat());
    let refused = |command: &str, own: &[&str], part: &str| {
        let parts = ["run.jsonl: was measured under other conditions (", part];
        folder.refuses_on_loans(command, &[&more[..], own].concat(), &parts);
    };
    let there = "answers the best plan as rows there, ";
    refused("explain", &["--format", "json"], &format!("{there}the best plan as json now"));
    refused(
        "explain",
        &["--format", "csv", "--plans", "2"],
        &format!("{there}2 plans, 1 or more changes apart as rows now"),
    );
    refused("audit", &[], &format!("{there}figures of an audit now"));
    let same = [&more[..], &["-o", "run.jsonl"]].concat();
    folder.refuses_on_loans("explain", &same, &["--journal: `run.jsonl` is written to already"]);
}

/// Twenty-four good rows with five bad ones between them, and where those stand.
const BAD: [(usize, &str, &str); 5] = [
    (
        3,
        "p,30,1.5,flat,no,40",
        "column `housing`: `flat` is not a level of this feature; use one of",
    ),
    (9, "p,many,1.5,own,no,40", "column `income`: `many` is not a number"),
    (10, "p,30,1.5", "has 3 cells, but the header has 6"),
    (17, "p,30.5,1.5,own,no,40", "column `income`: `30.5` is not a whole number"),
    (29, "p,30,,own,no,40", "column `debt`: the cell is empty"),
];

fn people_with_bad_rows() -> String {
    let good = people();
    let mut lines: Vec<&str> = good.lines().collect();
    for (row, line, _) in BAD {
        lines.insert(row, line);
    }
    lines.join("\n") + "\n"
}

const BAD_ROWS: i32 = 4;

#[test]
fn bad_rows_are_answered_in_their_place_and_the_run_goes_on() {
    let folder = folder().with("bad.csv", people_with_bad_rows());
    folder.answers_on_loans("explain", &["--applicants", "people.csv", "-o", "good.csv"]);
    let on_loans = ["explain", "--data", "loans.csv", "--schema", "loans.toml"];
    let run = |more: &[&str]| {
        let run = folder.run(&[&on_loans[..], &["--applicants", "bad.csv"], more].concat());
        assert_eq!(run.code, Some(BAD_ROWS), "{}", run.err);
        run
    };
    let messages = run(&["-o", "all.csv", "--journal", "run.jsonl"]).err;
    assert!(
        messages.starts_with("note: 5 of 29 rows can't be read and will have the status"),
        "{messages}"
    );
    assert!(messages.contains("error: 5 of 29 rows could not be read"), "{messages}");

    let rows = csv_rows(&folder, "all.csv");
    let column = |name: &str| rows[0].iter().position(|column| column == name).unwrap();
    let [status, message] = ["status", "message"].map(column);
    for (row, _, part) in BAD {
        assert_eq!(
            (rows[row][0].as_str(), rows[row][status].as_str()),
            (&*row.to_string(), "error")
        );
        assert!(rows[row][message].starts_with(part), "{:?}", rows[row]);
        assert!(
            messages.contains(&format!("  row {row} (line {}): {part}", row + 1)),
            "{messages}"
        );
    }
    // Everybody else is answered as without the bad rows.
    let is_bad = |row: usize| BAD.iter().any(|bad| bad.0 == row);
    let others = rows.iter().enumerate().filter(|(row, _)| !is_bad(*row));
    let unnumbered = |rows: Vec<Vec<String>>| -> Vec<Vec<String>> {
        timeless(rows).into_iter().map(|row| row[1..].to_vec()).collect()
    };
    let others: Vec<Vec<String>> = others.map(|(_, row)| row.clone()).collect();
    assert_eq!(unnumbered(others), unnumbered(csv_rows(&folder, "good.csv")));

    // The same from the journal, and as Parquet.
    run(&["-o", "again.csv", "--journal", "run.jsonl"]);
    assert_eq!(folder.read("again.csv"), folder.read("all.csv"));
    run(&["-o", "all.parquet", "--journal", "run.jsonl"]);
    assert_eq!(parquet_rows(&folder, "all.parquet"), rows);

    // Objects of bad rows have the keys of the others.
    let objects = run(&["--format", "json"]).json();
    let keys = |object: &serde_json::Value| -> Vec<String> {
        let mut keys: Vec<String> = object.as_object().unwrap().keys().cloned().collect();
        keys.sort();
        keys
    };
    assert!(objects.len() == 29 && objects.iter().all(|one| keys(one) == keys(&objects[0])));
    assert_eq!(
        (objects[2]["status"].as_str(), objects[2]["row"].as_u64()),
        (Some("error"), Some(3))
    );
    let text = run(&[]).out;
    assert!(text.contains("\nApplicant in row 3 (line 4): could not be read.\n  column `housing`"));
}

#[test]
fn audits_leave_bad_rows_out_of_every_figure() {
    let folder = folder().with("bad.csv", people_with_bad_rows());
    let on_loans = ["--data", "loans.csv", "--schema", "loans.toml", "--by", "age", "--by", "id"];
    let audit = |more: &[&str]| folder.run(&[&["audit"], &on_loans[..], more].concat());
    let good = audit(&["--applicants", "people.csv", "--rows", "good.csv", "--format", "json"]);
    let more = ["--applicants", "bad.csv", "--rows", "all.csv", "--format", "json"];
    let all = audit(&[&more[..], &["--journal", "run.jsonl"]].concat());
    assert_eq!((good.code, all.code), (Some(0), Some(BAD_ROWS)), "{}", all.err);
    assert!(all.err.contains("row 3 (line 4): column `housing`"), "{}", all.err);
    let (good, all) = (&good.json()[0], &all.json()[0]);
    assert_eq!(
        (&all["errors"], &all["asked"], &all["complete"]),
        (&5.into(), &29.into(), &true.into())
    );
    assert_eq!((&good["errors"], &good["asked"]), (&0.into(), &24.into()));
    let timeless = |report: &serde_json::Value| {
        let mut overall = report["overall"].clone();
        overall["costs"]["seconds"] = serde_json::Value::Null;
        overall
    };
    assert_eq!(timeless(good), timeless(all));
    // Groups stay with their people.
    let groups = |name: &str| -> Vec<Vec<String>> {
        let rows = csv_rows(&folder, name).into_iter();
        rows.filter(|row| row[3] != "error").map(|row| row[1..3].to_vec()).collect()
    };
    assert_eq!(groups("all.csv"), groups("good.csv"));
    let rows = csv_rows(&folder, "all.csv");
    assert_eq!((rows.len(), rows[3][3].as_str()), (30, "error"));
    assert!(rows[3].last().unwrap().starts_with("column `housing`"), "{:?}", rows[3]);
    let text = audit(&["--applicants", "bad.csv", "--journal", "run.jsonl"]).out;
    assert!(text.contains("5 of 29 rows could not be read; they are in no figure."), "{text}");
}

#[test]
fn strict_runs_refuse_a_bad_row_before_anything_is_solved() {
    let mut table = people();
    table.push_str("p24,30,1.5,flat,no,40\n");
    let folder = folder().with("people.csv", table);
    for command in ["explain", "audit"] {
        let more =
            ["--applicants", "people.csv", "--strict", "--journal", "run.jsonl", "-o", "out.csv"];
        let parts = ["people.csv, row 25, column `housing`: `flat` is not a level", "; use one of"];
        folder.refuses_on_loans(command, &more, &parts);
    }
    let folder = folder.with("people.csv", people() + "p24,30,1.5\n");
    let more = ["--applicants", "people.csv", "--strict"];
    folder.refuses_on_loans("explain", &more, &["people.csv, row 25: has 3 cells, but the header"]);
    folder.refuses_on_loans("instance", &more[..2], &["people.csv, row 25: has 3 cells, but the"]);
}

#[test]
fn rows_of_an_audit_have_one_set_of_columns_in_every_format() {
    let folder = folder();
    let more = ["--applicants", "people.csv", "--journal", "run.jsonl", "--by", "housing"];
    let mut reports = Vec::new();
    for rows in ["rows.csv", "rows.parquet", "rows.jsonl"] {
        let run = folder.answers_on_loans("audit", &[&more[..], &["--rows", rows]].concat());
        reports.push(run.out);
    }
    assert!(reports.iter().all(|report| *report == reports[0]));
    let rows = csv_rows(&folder, "rows.csv");
    assert_eq!(rows, parquet_rows(&folder, "rows.parquet"));
    let lines = folder.read("rows.jsonl");
    assert_eq!(lines.lines().count(), 24);
    for (line, row) in lines.lines().zip(&rows[1..]) {
        let object: serde_json::Value = serde_json::from_str(line).unwrap();
        for (name, cell) in rows[0].iter().zip(row) {
            let expected = match &object[name] {
                serde_json::Value::Null => String::new(),
                serde_json::Value::String(text) => text.clone(),
                other => other.to_string(),
            };
            let numbers = expected.parse::<f64>().ok().zip(cell.parse::<f64>().ok());
            assert!(
                expected == *cell || numbers.is_some_and(|(a, b)| a == b),
                "{name}: {expected} {cell}"
            );
        }
    }
    // An audit's own output is inferred, too.
    folder.answers_on_loans("audit", &[&more[..], &["-o", "audit.json"]].concat());
    assert!(folder.read("audit.json").starts_with('{'));
}

#[cfg(unix)]
mod stopped {
    use std::path::Path;
    use std::process::{Child, Command, Stdio};
    use std::time::{Duration, Instant};

    use super::{csv_rows, timeless};
    use crate::support::Folder;

    const EXPLAIN: [&str; 7] =
        ["explain", "--rejected", "40", "--journal", "run.jsonl", "-o", "plans.csv"];

    /// A run that has some answers in its journal.
    fn begun(folder: &Folder, args: &[&str]) -> Child {
        let mut run = Command::new(env!("CARGO_BIN_EXE_amends"))
            .current_dir(folder.path())
            .args(args)
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let journal = folder.path().join("run.jsonl");
        let begin = Instant::now();
        while lines(&journal) < 4 && run.try_wait().unwrap().is_none() {
            assert!(begin.elapsed() < Duration::from_secs(60), "nothing was done");
            std::thread::sleep(Duration::from_millis(2));
        }
        run
    }

    fn lines(path: &Path) -> usize {
        std::fs::read_to_string(path).map_or(0, |text| text.lines().count())
    }

    #[test]
    fn a_run_that_was_killed_continues_to_the_same_output() {
        let whole = Folder::new();
        whole.answers(&["explain", "--rejected", "40", "-o", "plans.csv"]);
        let folder = Folder::new();
        let mut run = begun(&folder, &EXPLAIN);
        run.kill().unwrap();
        run.wait().unwrap();
        folder.answers(&EXPLAIN);
        let [whole, continued] =
            [&whole, &folder].map(|folder| timeless(csv_rows(folder, "plans.csv")));
        assert_eq!(whole, continued);
    }

    #[test]
    fn ctrl_c_writes_what_is_known_and_says_how_to_continue() {
        let folder = Folder::new();
        let forest = [&EXPLAIN[..], &["--model", "rf", "--trees", "30"]].concat();
        let run = begun(&folder, &forest);
        let sent = Command::new("kill").args(["-INT", &run.id().to_string()]).status().unwrap();
        assert!(sent.success());
        let output = run.wait_with_output().unwrap();
        let notes = String::from_utf8(output.stderr).unwrap();
        if output.status.code() == Some(0) {
            // It was quicker than the signal.
            return;
        }
        assert_eq!(output.status.code(), Some(130), "{notes}");
        let answered = lines(&folder.path().join("run.jsonl")) - 1;
        let expected = format!("stopped after {answered} of ");
        assert!(notes.contains("which were written; the same command continues"), "{notes}");
        assert!(notes.contains(&expected), "{notes}");
        assert_eq!(csv_rows(&folder, "plans.csv").len(), answered + 1);
    }
}
