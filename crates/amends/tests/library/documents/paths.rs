//! Every path that the documents for developers name exists.

use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// All files and folders of the repository, as parts of their paths; what builds and tools leave behind is no part of it.
fn repository() -> Vec<Vec<String>> {
    fn walk(folder: &Path, parts: &[String], all: &mut Vec<Vec<String>>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let entry = entry.unwrap();
            let name = entry.file_name().to_string_lossy().into_owned();
            if name.starts_with('.') || ["target", "__pycache__", "node_modules"].contains(&&*name)
            {
                continue;
            }
            let path = [parts, &[name]].concat();
            if entry.file_type().unwrap().is_dir() {
                walk(&entry.path(), &path, all);
            }
            all.push(path);
        }
    }
    let mut all = Vec::new();
    walk(&root(), &[], &mut all);
    all
}

/// The paths between backticks: names with an ending of the repository's files, and folders.
fn paths(text: &str) -> Vec<&str> {
    const ENDINGS: [&str; 8] = [".rs", ".py", ".md", ".toml", ".json", ".sh", ".css", "/"];
    let quoted = text.split('`').skip(1).step_by(2);
    let is_path = |token: &&str| {
        let plain = token.chars().all(|c| c.is_ascii_alphanumeric() || "_-./*<>".contains(c));
        plain
            && (token.starts_with("crates/")
                || ENDINGS.iter().any(|ending| token.ends_with(ending)))
            && !token.starts_with("target/")
    };
    quoted.filter(is_path).collect()
}

/// Whether a name is that of a part of a path; `*`, `NAME` and `<verb>` stand for anything.
fn fits(pattern: &str, name: &str) -> bool {
    let pattern = pattern.replace("NAME", "*").replace("<verb>", "*");
    match pattern.split_once('*') {
        None => pattern == name,
        Some((start, end)) => {
            name.len() >= start.len() + end.len() && name.starts_with(start) && name.ends_with(end)
        }
    }
}

/// Whether a path ends something in the repository, below a folder.
fn exists(all: &[Vec<String>], folder: &[&str], path: &str) -> bool {
    let wanted: Vec<&str> = path.trim_end_matches('/').split('/').collect();
    all.iter().any(|parts| {
        let below = parts.len() >= folder.len() && folder.iter().zip(parts).all(|(a, b)| a == b);
        below
            && parts.len() >= wanted.len()
            && wanted.iter().zip(&parts[parts.len() - wanted.len()..]).all(|(a, b)| fits(a, b))
    })
}

#[test]
fn every_path_in_the_table_of_the_architecture_exists() {
    let all = repository();
    let page = std::fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let table = page.split("## What lives where").nth(1).unwrap();
    let table = table.split("\n## ").next().unwrap();
    let mut checked = 0;
    for row in table.lines().filter(|line| line.starts_with("| `")) {
        let mut cells = row.split(" | ");
        let (named, contents) = (paths(cells.next().unwrap()), paths(cells.next().unwrap()));
        let first = named.first().unwrap_or_else(|| panic!("no path in {row}"));
        let in_library = first.starts_with("src/") || first.starts_with('*');
        let mut folder = if in_library { vec!["crates", "amends"] } else { Vec::new() };
        for path in &named {
            assert!(exists(&all, &folder, path), "{path} of {row}");
        }
        folder.extend(first.trim_end_matches('/').split('/'));
        if !first.ends_with('/') && !first.starts_with("crates/") {
            folder.pop();
        }
        for path in contents {
            // Other parts of the library are named by their folder.
            let folder =
                if path.starts_with("search/") { &["crates", "amends"] } else { &folder[..] };
            assert!(exists(&all, folder, path), "{path} of {row}");
            checked += 1;
        }
    }
    assert!(checked > 100, "{checked} paths found");
}

#[test]
fn every_path_that_contributors_are_sent_to_exists() {
    let all = repository();
    let page = std::fs::read_to_string(root().join("CONTRIBUTING.md")).unwrap();
    let named = paths(&page);
    assert!(named.len() > 50, "{} paths found", named.len());
    for path in named {
        assert!(exists(&all, &[], path), "{path}");
    }
}

#[test]
fn a_path_that_is_gone_is_noticed() {
    let all = repository();
    assert!(exists(&all, &["crates", "amends"], "src/data/guess/"));
    assert!(exists(&all, &[], "model/NAME.rs") && exists(&all, &[], "commands/<verb>/"));
    for gone in ["src/data/guessing/", "model/NAME.py", "evaluator.rs"] {
        assert!(!exists(&all, &[], gone), "{gone}");
    }
}
