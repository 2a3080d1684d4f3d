//! Tells the program the commit it is built from, so that measurements can name it.

use std::process::Command;

fn main() {
    let git = |args: &[&str]| {
        let output = Command::new("git").args(args).output().ok().filter(|o| o.status.success())?;
        Some(String::from_utf8(output.stdout).ok()?.trim().to_owned())
    };
    // A tree with changes that are not committed is marked: its figures are not that commit's.
    let commit = git(&["describe", "--always", "--exclude=*", "--abbrev=10", "--dirty=, changed"]);
    println!("cargo::rustc-env=AMENDS_COMMIT={}", commit.unwrap_or_else(|| "unknown".to_owned()));
    // The sources of every crate, and every commit.
    println!("cargo::rerun-if-changed=..");
    if let Some(log) = git(&["rev-parse", "--git-path", "logs/HEAD"]) {
        println!("cargo::rerun-if-changed={log}");
    }
}
