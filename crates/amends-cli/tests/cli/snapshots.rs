//! What the program prints, word for word, in every format. After an intended change, `INSTA_UPDATE=always cargo test -p
//! amends-cli --test cli snapshots` writes the files again; review the diff.

use insta::{Settings, assert_snapshot};

use super::support::{Folder, INSTANCE, SCHEMA};

/// Times are left out, and digits that another machine's exponential may round otherwise.
fn redacted() -> Settings {
    let mut settings = Settings::new();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.add_filter(r"\d+\.\d+ s\b", "[time] s");
    settings.add_filter(r"(seconds +)\d+\.\d+ \(", "$1[time] (");
    settings.add_filter(r#""seconds":\{[^}]*\}"#, r#""seconds":"[times]""#);
    settings.add_filter(r#""seconds":[\d.e-]+"#, r#""seconds":"[time]""#);
    settings.add_filter(r",[\d.e-]+,(search|milp),", ",[time],$1,");
    settings.add_filter(r",seconds,(p\d+),[\d.e-]+", ",seconds,$1,[time]");
    settings.add_filter(r"(seconds to solve, with or without a plan)( +[\d.]+)+", "$1 [times]");
    settings.add_filter(r"(\d\.\d{6})\d+", "$1");
    settings.add_filter(r#""commit":"[^"]*""#, r#""commit":"[commit]""#);
    settings.add_filter(r#""model_sha256":"[0-9a-f]{64}""#, r#""model_sha256":"[hash]""#);
    settings
}

/// Compares standard output with the snapshot of this name.
fn prints(name: &str, args: &[&str]) {
    let rule = "\n[[rule]]\nrule = \"debt <= income\"\n";
    let folder = Folder::with_loans()
        .with("instance.json", INSTANCE)
        .with("rules.toml", format!("{SCHEMA}{rule}"));
    let run = folder.answers(args);
    redacted().bind(|| assert_snapshot!(name, run.out));
}

/// A command in every format that it has.
fn prints_in_formats(name: &str, args: &[&str]) {
    for format in ["text", "json", "csv"] {
        prints(&format!("{name}-{format}"), &[args, &["--format", format]].concat());
    }
}

#[test]
fn explain() {
    let args = ["explain", "--model", "lr", "--rejected", "2", "--threads", "1"];
    prints_in_formats("explain", &args);
}

#[test]
fn explain_several_plans() {
    let args = ["explain", "--model", "rf", "--trees", "10", "--row", "60", "--plans", "2"];
    prints_in_formats("explain-plans", &[&args[..], &["--threads", "1"]].concat());
}

#[test]
fn explain_where_there_is_no_plan() {
    let args = ["explain", "--model", "lr", "--row", "60", "--target-score", "50"];
    prints_in_formats("explain-none", &[&args[..], &["--threads", "1"]].concat());
}

#[test]
fn explain_with_reasons() {
    let args = ["explain", "--model", "lr", "--row", "60", "--reasons"];
    prints_in_formats("explain-reasons", &[&args[..], &["--threads", "1"]].concat());
}

#[test]
fn audit_with_reasons() {
    let args = ["audit", "--model", "lr", "--rejected", "12", "--threads", "1", "--by", "housing"];
    prints("audit-reasons-text", &[&args[..], &["--reasons"]].concat());
}

#[test]
fn audit() {
    let args = ["audit", "--model", "lr", "--rejected", "3", "--threads", "1", "--by", "housing"];
    prints_in_formats("audit", &args);
}

#[test]
fn evaluate() {
    prints_in_formats("evaluate", &["evaluate", "--models", "lr,svm", "--splits", "2"]);
}

#[test]
fn check_rules() {
    let args = ["check-rules", "--data", "loans.csv", "--schema", "rules.toml"];
    prints_in_formats("check-rules", &args);
}

#[test]
fn solve() {
    prints("solve", &["solve", "instance.json", "--threads", "1"]);
}

#[test]
fn export() {
    prints("export-lp", &["export", "instance.json", "--format", "lp"]);
    prints("export-mps", &["export", "instance.json", "--format", "mps"]);
}

#[test]
fn init() {
    prints("init", &["init", "loans.csv", "--target", "outcome", "--favourable", "paid"]);
}

#[test]
fn instance() {
    let args = ["instance", "--data", "loans.csv", "--schema", "loans.toml", "--model", "lr"];
    prints("instance", &[&args[..], &["--preset", "paper", "--rejected", "1"]].concat());
}
