//! `--needed`: of a plan, no part is a plan.

use std::fmt::Write as _;

use serde_json::Value;

use super::support::Folder;

const TABLE: &str = include_str!("../../../amends/src/data/german/german.csv");

const MODEL: [&str; 4] = ["--model", "gb", "--trees", "30"];

fn explained(folder: &Folder, more: &[&str]) -> Vec<Value> {
    let args = [&["explain"], &MODEL[..], more, &["--no-why-none", "--format", "json"]].concat();
    folder.answers(&args).json()
}

/// The table's row with some of a plan's changes, as a line of CSV.
fn with_changes<'a>(row: &Value, changes: impl Iterator<Item = &'a Value>) -> String {
    let mut lines = TABLE.lines();
    let header: Vec<&str> = lines.next().unwrap().split(',').collect();
    let row = usize::try_from(row.as_u64().unwrap()).unwrap();
    let mut cells: Vec<String> =
        lines.nth(row - 1).unwrap().split(',').map(str::to_owned).collect();
    for change in changes {
        let column = header.iter().position(|name| *name == change["feature"]).unwrap();
        change["after_text"].as_str().unwrap().clone_into(&mut cells[column]);
    }
    cells.join(",")
}

/// Whether the model accepts each of these lines.
fn accepted(folder: &Folder, lines: &[String]) -> Vec<bool> {
    let mut table = TABLE.lines().next().unwrap().to_owned() + "\n";
    for line in lines {
        let _ = writeln!(table, "{line}");
    }
    std::fs::write(folder.path().join("parts.csv"), table).unwrap();
    let answers = explained(folder, &["--applicants", "parts.csv", "--time-limit", "0.01"]);
    answers.iter().map(|answer| answer["status"] == "already-accepted").collect()
}

#[test]
fn no_part_of_a_plan_is_a_plan() {
    let folder = Folder::new();
    let people = ["--rejected", "25"];
    let free = explained(&folder, &people);
    let needed = explained(&folder, &[&people[..], &["--needed"]].concat());
    let (mut others, mut parts, mut rests) = (0, Vec::new(), Vec::new());
    for (free, needed) in free.iter().zip(&needed) {
        assert_eq!(free["status"], needed["status"]);
        let Some(changes) = needed["changes"].as_array().filter(|changes| !changes.is_empty())
        else {
            continue;
        };
        let cost = |answer: &Value| answer["objective"].as_f64().unwrap();
        assert!(cost(free) <= cost(needed) * (1.0 + 1e-6));
        assert_eq!(needed["not_needed"].as_array().unwrap().len(), 0, "{needed}");
        let idle = free["not_needed"].as_array().unwrap();
        if idle.is_empty() {
            assert_eq!(free["changes"], needed["changes"], "the plan was one already");
        } else {
            others += 1;
            let kept = free["changes"].as_array().unwrap().iter();
            let kept = kept.filter(|change| !idle.contains(&change["feature"]));
            rests.push(with_changes(&free["row"], kept));
            let notes = free["notes"].to_string();
            assert!(notes.contains("would accept this plan without"), "{notes}");
        }
        for part in 1..(1_usize << changes.len()) - 1 {
            let chosen = changes.iter().enumerate().filter(|(at, _)| part & (1 << at) != 0);
            parts.push(with_changes(&needed["row"], chosen.map(|(_, change)| change)));
        }
    }
    assert!(others > 0, "some plan should have a change that it could do without");
    assert!(parts.len() > 10);
    assert!(accepted(&folder, &parts).iter().all(|&accepted| !accepted));
    assert!(accepted(&folder, &rests).iter().all(|&accepted| accepted));
}
