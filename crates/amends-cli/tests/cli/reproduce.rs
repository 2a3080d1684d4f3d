//! A tiny part of the papers' evaluation.

use std::fs;

use serde_json::Value;

use crate::support::Folder;

/// One applicant of German credit by the search, a second in all.
const TINY: [&str; 14] = [
    "reproduce",
    "--datasets",
    "german",
    "--models",
    "lr",
    "--methods",
    "search",
    "--points",
    "20",
    "--applicants",
    "1",
    "--splits",
    "1",
    "--quick",
];

fn tiny<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&TINY, more].concat()
}

fn results(folder: &Folder) -> Vec<Value> {
    let text = folder.read("reproduction/results.jsonl");
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_tiny_study_leaves_a_report_and_a_second_start_solves_nothing() {
    let folder = Folder::new();
    let first = folder.answers(&tiny(&[]));
    assert!(first.out.contains("Report: reproduction/report.html"), "{}", first.out);
    assert!(first.err.contains("without HELOC"), "{}", first.err);
    let lines = results(&folder);
    let solves: Vec<&Value> = lines.iter().filter(|line| line["kind"] == "solve").collect();
    // The surrogate with 4 weights, the true objective, TLPS, MAD and PCC.
    assert_eq!(solves.len(), 8);
    for solve in solves {
        assert_eq!(solve["status"], "optimal", "{solve}");
        assert_eq!(solve["failed"], false, "{solve}");
        assert!(solve["md"].as_f64().unwrap() > 0.0, "{solve}");
    }
    let html = folder.read("reproduction/report.html");
    assert!(html.contains("<svg") && html.contains("not available") && html.contains("1.90"));
    for foreign in ["http://", "https://", "<script", "<link", "src="] {
        let own = html.replace("http://www.w3.org/2000/svg", "");
        assert!(!own.contains(foreign), "the report needs {foreign}");
    }
    let markdown = folder.read("reproduction/report.md");
    assert!(markdown.contains("(time-german-lr.svg)"));
    assert!(folder.read("reproduction/time-german-lr.svg").starts_with("<svg"));
    assert_eq!(folder.read("reproduction/solves.csv").lines().count(), 9);
    assert_eq!(folder.read("reproduction/quality.csv").lines().count(), 2);

    let again = folder.answers(&tiny(&[]));
    assert!(again.out.starts_with("0 tasks done now, 9 before"), "{}", again.out);
    assert_eq!(results(&folder), lines);
    assert_eq!(folder.read("reproduction/report.html"), html);
}

#[test]
fn a_run_that_was_killed_goes_on_where_it_stopped() {
    let folder = Folder::new();
    folder.answers(&tiny(&[]));
    let before = results(&folder);
    let path = folder.path().join("reproduction/results.jsonl");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, &text[..text.len() - 40]).unwrap();
    let again = folder.answers(&tiny(&[]));
    assert!(again.err.contains("was incomplete"), "{}", again.err);
    assert!(again.out.starts_with("1 tasks done now, 8 before"), "{}", again.out);
    let without_time = |lines: Vec<Value>| {
        let strip = |mut line: Value| {
            line.as_object_mut().unwrap().remove("seconds");
            line
        };
        lines.into_iter().map(strip).collect::<Vec<Value>>()
    };
    assert_eq!(without_time(results(&folder)), without_time(before));
    // More of the same goes into the same file.
    let two: Vec<&str> = TINY.iter().map(|&word| if word == "1" { "2" } else { word }).collect();
    let more = folder.answers(&two);
    assert!(more.out.starts_with("9 tasks done now, 9 before"), "{}", more.out);
}

#[test]
fn other_conditions_and_other_folders_are_refused() {
    let folder = Folder::new().with("note.txt", "mine");
    folder.answers(&tiny(&[]));
    let parts = ["results.jsonl: was measured under other conditions (seed 0 there, 1 now)"];
    folder.refuses(&tiny(&["--seed", "1"]), &parts);
    let parts = ["time limit 3 s there, 9 s now"];
    folder.refuses(&tiny(&["--time-limit", "9"]), &parts);
    folder.refuses(
        &tiny(&["-o", "."]),
        &["holds other files", "; choose an empty or new output folder"],
    );
    folder.refuses(
        &tiny(&["-o", "note.txt"]),
        &["is a file, not a folder; choose another output folder"],
    );
    folder.refuses(
        &tiny(&["-o", "note.txt/in"]),
        &["can't be created", "; choose another output folder"],
    );
}

#[test]
fn what_nobody_knows_is_refused() {
    let folder = Folder::new();
    let refused = |more: &[&str], parts: &[&str]| {
        folder.refuses(&[&["reproduce", "--quick"], more].concat(), parts);
    };
    refused(
        &["--methods", "reduced,magic"],
        &["--methods: `magic` is not a known method", "pairwise"],
    );
    refused(
        &["--datasets", "adult"],
        &["--datasets: `adult` is not a known data set", "german, heloc"],
    );
    refused(&["--models", "xgb"], &["--models: `xgb`", "; use one of: lr"]);
    refused(&["--points", "20,few"], &["--points: `few` is not a number", "20,50,100,200,all"]);
    refused(&["--points", "0"], &["--points: `0` is not a number"]);
    refused(&["--preset", "standard"], &["--preset: `standard` is not a setting of the papers"]);
    refused(&["--time-limit", "0"], &["--time-limit: `0` is not a positive number"]);
    refused(&["--threads", "0"], &["threads: `0` must be at least 1"]);
    refused(&["--datasets", "heloc"], &["needs FICO's file", "; give your own copy with --heloc"]);
    refused(&["--heloc", "absent.csv"], &["absent.csv: there is no such file"]);
}

#[cfg(unix)]
#[test]
fn ctrl_c_leaves_a_valid_file_and_a_partial_report() {
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};
    let folder = Folder::new();
    let many = ["reproduce", "--models", "lr", "--methods", "search", "--time-limit", "60"];
    let mut run = Command::new(env!("CARGO_BIN_EXE_amends"))
        .current_dir(folder.path())
        .args(many)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let path = folder.path().join("reproduction/results.jsonl");
    let begin = Instant::now();
    // The handler is there before the first task is done.
    while fs::read_to_string(&path).map_or(0, |text| text.lines().count()) < 3 {
        assert!(begin.elapsed() < Duration::from_secs(60), "nothing was done");
        std::thread::sleep(Duration::from_millis(20));
    }
    let sent = Command::new("kill").args(["-INT", &run.id().to_string()]).status().unwrap();
    assert!(sent.success());
    assert_eq!(run.wait().unwrap().code(), Some(130));
    assert!(results(&folder).len() >= 3);
    assert!(folder.read("reproduction/report.html").contains("A partial report"));
}
