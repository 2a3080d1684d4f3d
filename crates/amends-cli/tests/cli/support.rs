//! A folder of its own for every test, and the program run in it.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use serde_json::Value;
use tempfile::TempDir;

/// The schema of [`loans`].
pub const SCHEMA: &str = r#"version = 1
name = "loans"
[target]
column = "outcome"
favourable = "paid"
unfavourable = "lost"
[[feature]]
name = "income"
kind = "integer"
label = "Monthly income"
unit = "EUR"
[[feature]]
name = "debt"
kind = "continuous"
[[feature]]
name = "housing"
kind = "categorical"
levels = ["own", "rent", "free"]
[[feature]]
name = "guarantor"
kind = "binary"
levels = ["no", "yes"]
[[feature]]
name = "age"
kind = "integer"
change = "immutable"
"#;

/// A kind of model, with few trees where it has any.
pub fn model_of_few_trees(kind: &str) -> Vec<&str> {
    let trees = ["--trees", "5"].into_iter().filter(|_| ["rf", "gb"].contains(&kind));
    ["--model", kind].into_iter().chain(trees).collect()
}

/// Options that make plans provable with the built-in solver in milliseconds.
pub const PROVEN: [&str; 6] = ["--preset", "dace", "--engine", "milp", "--formulation", "compact"];

/// Sixty made-up loans; income and a guarantor speak for an applicant, debt against.
pub fn loans() -> String {
    let mut text = String::from("income,debt,housing,guarantor,age,outcome\n");
    for row in 0..60_i32 {
        let (income, half_debt, age) = (20 + row * 37 % 61, row * 53 % 47, 20 + row * 17 % 45);
        let housing = ["own", "rent", "free"][row as usize % 3];
        let guaranteed = row / 2 % 2;
        let standing = income - half_debt + 6 * i32::from(housing == "own") + 8 * guaranteed - 30;
        // Some loans end against all expectation.
        let paid = (standing > 0) != (row % 9 == 4);
        let _ = writeln!(
            text,
            "{income},{},{housing},{},{age},{}",
            f64::from(half_debt) / 2.0,
            ["no", "yes"][guaranteed as usize],
            if paid { "paid" } else { "lost" }
        );
    }
    text
}

/// The schema with other rules: what `change` says for every kind of feature.
pub fn schema_with(change: impl Fn(&str) -> &'static str) -> String {
    let mut schema = String::new();
    for line in SCHEMA.lines().filter(|line| !line.starts_with("change")) {
        let _ = writeln!(schema, "{line}");
        if let Some(kind) = line.strip_prefix("kind = \"").and_then(|rest| rest.strip_suffix('"')) {
            let _ = writeln!(schema, "change = \"{}\"", change(kind));
        }
    }
    schema
}

/// An instance with one number and one choice, which raising `a` by 2 solves.
pub const INSTANCE: &str = r#"{"version": 1, "x": [1, 1, 0],
 "features": [
   {"name": "a", "columns": [0], "options": [[0], [1], [2], [3]]},
   {"name": "b", "columns": [1, 2], "options": [[0, 0], [-1, 1]]}],
 "max_changes": 2,
 "classifier": {"kind": "linear", "weights": [1, 0, 0.5], "intercept": -3},
 "cost": {
   "distance": {"kind": "l1-mahalanobis", "factor": [[1, 0, 0], [0, 2, 0], [0, 0, 2]]},
   "outlier": {"weight": 0.5, "metric": "squared-euclidean", "points": [[3, 1, 0], [4, 0, 1]],
               "k_distance": [1, 2], "density": [0.5, 0.25]}}}"#;

/// The same decided by a tree: accepted where `a` is above 2.5.
pub const TREE_INSTANCE: &str = r#"{"version": 1, "x": [1, 1, 0],
 "features": [{"name": "a", "columns": [0], "options": [[0], [1], [2], [3]]}],
 "max_changes": 1,
 "classifier": {"kind": "trees", "threshold": 0.5, "trees": [
   {"feature": [0, -1, -1], "threshold": [2.5, 0, 0], "left": [1, -1, -1], "right": [2, -1, -1],
    "value": [0, 0, 1]}]},
 "cost": {"distance": {"kind": "l1-mahalanobis", "factor": [[1, 0, 0], [0, 1, 0], [0, 0, 1]]}}}"#;

/// A table that the repository doesn't hold, from `$AMENDS_DATA`, or from the folder `shared/data` beside the repository. Tests that need it
/// are ignored unless asked for: `make test-data`.
pub fn real_data(name: &str) -> PathBuf {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let path = std::env::var_os("AMENDS_DATA").map_or(beside, PathBuf::from).join(name);
    assert!(path.exists(), "there is no {}: set AMENDS_DATA to its folder", path.display());
    path
}

/// The date of everything that the program writes: 2026-11-18, 12:00 UTC.
pub const NOON: &str = "1795003200";

/// What the program did.
pub struct Run {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl Run {
    /// Standard output as one JSON value per line.
    pub fn json(&self) -> Vec<Value> {
        self.out.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect()
    }
}

/// A folder for one test.
pub struct Folder(TempDir);

impl Folder {
    pub fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// A folder with `loans.csv` and `loans.toml`.
    pub fn with_loans() -> Self {
        Self::new().with("loans.csv", loans()).with("loans.toml", SCHEMA)
    }

    /// The same with one more file.
    pub fn with(self, name: &str, contents: impl AsRef<[u8]>) -> Self {
        fs::write(self.0.path().join(name), contents).unwrap();
        self
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.path().join(name)).unwrap()
    }

    /// Runs the program here, with `input` on standard input.
    pub fn run_with_input(&self, args: &[&str], input: &str) -> Run {
        let mut command = Command::new(env!("CARGO_BIN_EXE_amends"));
        command.current_dir(self.0.path()).args(args).write_stdin(input);
        command.env("SOURCE_DATE_EPOCH", NOON);
        let output = command.output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        let run =
            Run { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) };
        assert!(!run.err.contains("panicked") && run.code.is_some(), "{args:?}: {}", run.err);
        run
    }

    pub fn run(&self, args: &[&str]) -> Run {
        self.run_with_input(args, "")
    }

    /// Runs the program and expects it to answer.
    pub fn answers(&self, args: &[&str]) -> Run {
        let run = self.run(args);
        assert_eq!(run.code, Some(0), "{args:?}: {}{}", run.out, run.err);
        run
    }

    /// Runs a command on `loans.csv` and expects it to answer.
    pub fn answers_on_loans(&self, command: &str, more: &[&str]) -> Run {
        self.answers(&on_loans(command, more))
    }

    /// Runs the program and expects one message that contains all of `parts`, exit code 2, and nothing written.
    pub fn refuses(&self, args: &[&str], parts: &[&str]) {
        let before = self.files();
        let run = self.run(args);
        assert_eq!(run.code, Some(2), "{args:?}: {}{}", run.out, run.err);
        assert_eq!(run.out, "", "{args:?}");
        for part in parts {
            assert!(run.err.contains(part), "{part:?} is not in {:?}", run.err);
        }
        assert!(run.err.starts_with("error: "), "{}", run.err);
        assert_eq!(run.err.trim_end().lines().count(), 1, "{}", run.err);
        assert!(run.err.contains("; "), "no remedy in {:?}", run.err);
        assert_eq!(self.files(), before, "{args:?} left files behind");
    }

    /// Runs a command on `loans.csv` and expects a message as [`Folder::refuses`] does.
    pub fn refuses_on_loans(&self, command: &str, more: &[&str], parts: &[&str]) {
        self.refuses(&on_loans(command, more), parts);
    }

    pub fn files(&self) -> BTreeSet<String> {
        let entries = fs::read_dir(self.0.path()).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }
}

fn on_loans<'a>(command: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let data = [command, "--data", "loans.csv", "--schema", "loans.toml"];
    data.iter().chain(more).copied().collect()
}
