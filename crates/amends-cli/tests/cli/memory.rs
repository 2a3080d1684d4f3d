//! Tables that don't fit into memory. Limits are set by the shell, as on Linux.
#![cfg(target_os = "linux")]

use std::fmt::Write as _;
use std::process::Command;

use tempfile::TempDir;

const SCHEMA: &str = r#"version = 1
name = "loans"
[target]
column = "outcome"
favourable = "paid"
unfavourable = "lost"
[[feature]]
name = "income"
kind = "integer"
[[feature]]
name = "debt"
kind = "integer"
[[feature]]
name = "years"
kind = "integer"
"#;

fn write_loans(folder: &TempDir, rows: u64) {
    let mut text = String::from("income,debt,years,outcome\n");
    let mut state: u64 = 1;
    let mut random = |below: u64| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    for _ in 0..rows {
        let (income, debt, years) = (random(9000), random(7000), random(40));
        let outcome = if income + random(3000) > debt { "paid" } else { "lost" };
        writeln!(text, "{income},{debt},{years},{outcome}").unwrap();
    }
    std::fs::write(folder.path().join("loans.csv"), text).unwrap();
    std::fs::write(folder.path().join("loans.toml"), SCHEMA).unwrap();
}

/// Exit code, if there is one, and standard error.
fn explain_within(folder: &TempDir, kilobytes: u64) -> (Option<i32>, String) {
    let loans = ["explain", "--data", "loans.csv", "--schema", "loans.toml", "--rejected", "1"];
    let more = ["--time-limit", "5", "--no-why-none"];
    run_within(folder, kilobytes, &[&loans[..], &more].concat())
}

fn run_within(folder: &TempDir, kilobytes: u64, args: &[&str]) -> (Option<i32>, String) {
    let limited = format!("ulimit -v {kilobytes}; exec \"$0\" \"$@\"");
    let output = Command::new("sh")
        .current_dir(folder.path())
        .env("RAYON_NUM_THREADS", "2")
        .args(["-c", &limited, env!("CARGO_BIN_EXE_amends")])
        .args(args)
        .output()
        .unwrap();
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

/// Whatever the limit: an answer, or an error that says what to do, and never a process that is aborted.
#[test]
fn too_little_memory_is_an_error_with_a_remedy() {
    let folder = TempDir::new().unwrap();
    write_loans(&folder, 40_000);
    let mut refused = 0;
    for megabytes in [100, 200, 300, 500] {
        let (code, errors) = explain_within(&folder, megabytes * 1024);
        match code {
            // A plan, or no proof in time.
            Some(0 | 3) => {}
            Some(1) => {
                assert!(errors.contains("MB of memory"), "{megabytes} MB: {errors}");
                assert!(errors.contains("smaller table"), "{megabytes} MB: {errors}");
                refused += 1;
            }
            other => panic!("{megabytes} MB: {other:?}: {errors}"),
        }
    }
    assert!(refused > 0, "no limit was too low");
}

/// The same for searches, which run in parallel: an applicant who can't be answered has that error in their row.
#[test]
fn too_little_memory_for_a_search_is_never_the_end_of_the_process() {
    let folder = TempDir::new().unwrap();
    write_loans(&folder, 1500);
    let forest = ["explain", "--data", "loans.csv", "--schema", "loans.toml", "--model", "rf"];
    let forest =
        [&forest[..], &["--rejected", "3", "--time-limit", "2", "--threads", "2"]].concat();
    let mut answered = 0;
    for megabytes in [60, 110, 140, 170, 230, 300, 1500] {
        let (code, errors) = run_within(&folder, megabytes * 1024, &forest);
        match code {
            Some(0 | 3) => answered += 1,
            // Where even a thread is too much, that is said.
            Some(1 | 4) => {
                let said = ["MB of memory", "no thread can be started"];
                assert!(said.iter().any(|said| errors.contains(said)), "{megabytes} MB: {errors}");
            }
            other => panic!("{megabytes} MB: {other:?}: {errors}"),
        }
    }
    assert!(answered > 0, "no limit was high enough");
}

/// Files of instances and of models are measured before they are read.
#[test]
fn instances_and_models_larger_than_memory_are_refused() {
    let folder = TempDir::new().unwrap();
    write_loans(&folder, 200);
    let small = include_str!("../../../../docs/examples/small.json");
    let small: serde_json::Value = serde_json::from_str(small).unwrap();
    let line = format!("{small}\n");
    let at_least = 40_000_000;
    let lines = line.repeat(at_least / line.len() + 1);
    std::fs::write(folder.path().join("many.jsonl"), &lines).unwrap();
    std::fs::write(folder.path().join("model.json"), &lines).unwrap();
    // A single instance: the same bytes between its braces.
    let blanks = format!("{{{}{}", " ".repeat(at_least), &line[1..]);
    std::fs::write(folder.path().join("one.json"), blanks).unwrap();
    let model =
        ["explain", "--data", "loans.csv", "--schema", "loans.toml", "--model", "model.json"];
    for megabytes in [60, 120, 250, 330] {
        for (args, remedy) in [
            (&["solve", "many.jsonl"][..], "give fewer instances at a time"),
            (&["solve", "one.json"], "give fewer instances at a time"),
            (&["export", "one.json"], "give fewer instances at a time"),
            (&model, "fit fewer or less deep trees"),
        ] {
            let (code, errors) = run_within(&folder, megabytes * 1024, args);
            assert_eq!(code, Some(1), "{megabytes} MB, {args:?}: {errors}");
            assert!(errors.contains("MB of memory, which is more than there is"), "{errors}");
            assert!(errors.contains(remedy), "{args:?}: {errors}");
        }
    }
}
