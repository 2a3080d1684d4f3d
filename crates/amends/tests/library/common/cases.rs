//! Instances made from real data, which the repository doesn't hold. Tests that need them are ignored unless asked for: `make test-data`.

use std::path::PathBuf;

use amends::instance::{Instance, read_instances};

/// A real instance and its known optimum.
pub struct Case {
    pub name: String,
    pub instance: Instance,
    pub objective: f64,
}

/// The folder of instances: `AMENDS_CASES`, or `../shared/cases` beside the repository.
fn folder() -> PathBuf {
    std::env::var_os("AMENDS_CASES").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/cases"),
        PathBuf::from,
    )
}

/// The cases whose names are wanted, at least one.
pub fn cases(wanted: impl Fn(&str) -> bool) -> Vec<Case> {
    let folder = folder();
    let list = folder.join("expected.csv");
    let table = std::fs::read_to_string(&list)
        .unwrap_or_else(|e| panic!("{}: {e}; set AMENDS_CASES to its folder", list.display()));
    let cases: Vec<Case> = table
        .lines()
        .skip(1)
        .filter_map(|line| line.split_once(','))
        .filter(|(name, _)| wanted(name))
        .map(|(name, objective)| {
            let text = std::fs::read_to_string(folder.join(name)).expect("a listed case exists");
            Case {
                name: name.to_owned(),
                instance: read_instances(&text, name).expect("a case is sound").remove(0),
                objective: objective.trim().parse().expect("an optimum is a number"),
            }
        })
        .collect();
    assert!(!cases.is_empty(), "no instance in {} has the wanted name", list.display());
    cases
}
