//! `amends solve`: instances in, checked answers out.

use serde_json::Value;

use crate::support::{Folder, INSTANCE, PROVEN, TREE_INSTANCE};

const FORMULATIONS: [&str; 3] = ["pairwise", "reduced", "compact"];

/// An instance as one line of a JSON lines file.
fn line(instance: &str) -> String {
    instance.replace('\n', " ") + "\n"
}

fn close(value: &Value, expected: f64) -> bool {
    value.as_f64().is_some_and(|value| (value - expected).abs() < 1e-9)
}

/// The answer that arithmetic by hand gives for [`INSTANCE`].
fn is_right(answer: &Value) {
    assert_eq!(answer["status"], "optimal", "{answer}");
    for (field, expected) in
        [("objective", 2.25), ("bound", 2.25), ("distance", 2.0), ("outlier", 0.5), ("score", 0.0)]
    {
        assert!(close(&answer[field], expected), "{field} of {answer}");
    }
    assert_eq!(answer["nearest"], 0);
    let changes = r#"[{"name":"a","option":2,"value":[3.0],"change":[2.0]}]"#;
    assert_eq!(answer["changes"].to_string(), changes);
}

#[test]
fn every_formulation_finds_the_answer_worked_by_hand() {
    let folder = Folder::new().with("small.json", INSTANCE);
    for formulation in FORMULATIONS {
        let args =
            ["solve", "small.json", "--engine", "milp", "--formulation", formulation, "--json"];
        let answer = folder.answers(&args).json().remove(0);
        is_right(&answer);
        assert_eq!(
            (answer["engine"].as_str(), answer["formulation"].as_str()),
            (Some("milp"), Some(formulation))
        );
    }
}

#[test]
fn the_search_engine_finds_the_same_answers() {
    let hopeless = INSTANCE.replace("\"intercept\": -3", "\"intercept\": -30");
    let text = [INSTANCE, TREE_INSTANCE, &hopeless].map(line).concat();
    let folder = Folder::new().with("many.jsonl", text);
    let answers = folder.answers(&["solve", "many.jsonl", "--gap", "1e-9", "--json"]).json();
    is_right(&answers[0]);
    assert_eq!(
        (&answers[1]["status"], &answers[2]["status"]),
        (&"optimal".into(), &"infeasible".into())
    );
    assert!(close(&answers[1]["objective"], 2.0), "{}", answers[1]);
}

/// One change for 0.75 on top of the 2.25: still the cheapest by far.
#[test]
fn every_engine_counts_what_a_change_costs() {
    let priced = INSTANCE.replacen("\"cost\": {", "\"cost\": {\"change_cost\": 0.75, ", 1);
    let folder = Folder::new().with("priced.json", &priced);
    let search = vec!["solve", "priced.json", "--engine", "search", "--json"];
    let milp = |formulation| {
        vec!["solve", "priced.json", "--engine", "milp", "--formulation", formulation, "--json"]
    };
    for args in FORMULATIONS.iter().map(|formulation| milp(formulation)).chain([search]) {
        let answer = folder.answers(&args).json().remove(0);
        for (field, expected) in [("objective", 3.0), ("change_cost", 0.75), ("distance", 2.0)] {
            assert!(close(&answer[field], expected), "{field} of {answer}");
        }
    }
}

#[test]
fn an_answer_has_the_documented_fields() {
    const FIELDS: [&str; 12] = [
        "status",
        "objective",
        "bound",
        "gap",
        "distance",
        "outlier",
        "change_cost",
        "nearest",
        "score",
        "changes",
        "seconds",
        "engine",
    ];
    let folder = Folder::new().with("small.json", INSTANCE);
    let milp = folder.answers(&["solve", "small.json", "--engine", "milp", "--json"]);
    let search = folder.answers(&["solve", "small.json", "--engine", "search", "--json"]);
    let sizes = ["rows", "columns", "nonzeros"];
    for (run, fields) in [(milp, [&FIELDS[..], &sizes].concat()), (search, FIELDS.to_vec())] {
        let answer = run.json().remove(0);
        let object = answer.as_object().unwrap();
        for field in fields {
            assert!(object.contains_key(field), "{field} is not in {answer}");
        }
        assert!(answer["score"].as_f64().unwrap() >= 0.0);
        assert!(answer["objective"].as_f64().unwrap() >= 2.25 - 1e-9);
    }
}

/// The same question with every hundredth up to 400 for `a`.
const HUNDREDTHS: [(&str, &str); 3] = [
    ("\"version\": 1", "\"version\": 2"),
    (
        "\"options\": [[0], [1], [2], [3]]",
        "\"ranges\": [{\"first\": [1], \"last\": [400], \"step\": 0.01}]",
    ),
    ("[[0, 0], [-1, 1]]", "[[1, 0], [0, 1]]"),
];

fn hundredths() -> String {
    HUNDREDTHS.iter().fold(INSTANCE.to_owned(), |text, (from, to)| text.replacen(from, to, 1))
}

#[test]
fn long_ranges_are_solved_by_the_search_and_by_the_compact_program() {
    let text = hundredths().replace("\"intercept\": -3", "\"intercept\": -3.255");
    let folder = Folder::new().with("long.json", text);
    let compact = ["--engine", "milp", "--formulation", "compact"];
    for engine in [&["--engine", "search"][..], &compact] {
        let answer = folder.answers(&[&["solve", "long.json", "--json"], engine].concat());
        let answer = answer.json().remove(0);
        let changes = r#"[{"name":"a","option":226,"value":[3.26],"change":[2.26]}]"#;
        assert_eq!(answer["changes"].to_string(), changes, "{answer}");
        assert_eq!(answer["status"], "optimal");
    }
}

#[test]
fn long_ranges_are_refused_where_every_value_needs_a_variable() {
    let folder = Folder::new().with("long.json", hundredths());
    let parts = [
        "features[0] `a`: has 39901 values in ranges",
        "(--engine search, --options N, --formulation compact)",
    ];
    for formulation in ["pairwise", "reduced"] {
        let args = ["--formulation", formulation];
        folder.refuses(&[&["solve", "long.json", "--engine", "milp"], &args[..]].concat(), &parts);
        folder.refuses(&[&["export", "long.json"], &args[..]].concat(), &parts);
    }
    let lp = folder.answers(&["export", "long.json", "--formulation", "compact", "--format", "lp"]);
    assert!(lp.out.lines().count() < 300, "{}", lp.out);
}

#[test]
fn trees_are_solved_too() {
    let folder = Folder::new().with("tree.json", TREE_INSTANCE);
    for formulation in FORMULATIONS {
        let args =
            ["solve", "tree.json", "--engine", "milp", "--formulation", formulation, "--json"];
        let answer = folder.answers(&args).json().remove(0);
        assert_eq!(answer["status"], "optimal", "{answer}");
        assert!(close(&answer["objective"], 2.0) && close(&answer["score"], 0.5), "{answer}");
    }
}

#[test]
fn lines_in_lines_out() {
    let accepted = INSTANCE.replace("\"intercept\": -3", "\"intercept\": 3");
    let hopeless = INSTANCE.replace("\"intercept\": -3", "\"intercept\": -30");
    let text = [INSTANCE, &accepted, &hopeless].map(line).concat();
    let folder = Folder::new().with("many.jsonl", &text);
    let from_file = folder.answers(&["solve", "many.jsonl", "--engine", "milp", "--json"]);
    let args = ["solve", "-", "--engine", "milp", "--json"];
    let from_input = folder.run_with_input(&args, &text);
    assert_eq!(from_input.code, Some(0), "{}", from_input.err);
    for run in [from_file, from_input] {
        let answers = run.json();
        assert_eq!(answers.len(), 3);
        is_right(&answers[0]);
        assert_eq!(answers[1]["status"], "already-accepted");
        assert!(answers[1]["objective"].is_null() && close(&answers[1]["score"], 4.0));
        assert_eq!(answers[2]["status"], "infeasible");
        assert!(answers[2]["objective"].is_null() && close(&answers[2]["score"], -29.0));
    }
}

#[test]
fn bad_standard_input_is_named() {
    let run = Folder::new().run_with_input(&["solve", "-"], "{}");
    assert_eq!(run.code, Some(2));
    assert!(run.err.starts_with("error: standard input: has no `version`"), "{}", run.err);
}

#[test]
fn text_names_status_costs_and_changes() {
    let folder = Folder::new().with("small.json", INSTANCE);
    let out = folder.answers(&["solve", "small.json", "--engine", "milp"]).out;
    for part in
        ["status     optimal\n", "objective  2.25\n", "change     a to [3.0], by [2.0]\n", "(milp)"]
    {
        assert!(out.contains(part), "{part} is not in\n{out}");
    }
}

#[test]
fn an_instance_written_from_a_table_has_the_explanation_s_optimum() {
    let folder = Folder::with_loans();
    let cost = &PROVEN[..2];
    let write = [&["--row", "13,18,30", "-o", "problems.jsonl"], cost].concat();
    folder.answers_on_loans("instance", &write);
    let solve = [&["solve", "problems.jsonl", "--json"], &PROVEN[2..]].concat();
    let answers = folder.answers(&solve).json();
    let explain = [&["--row", "13,18,30", "--format", "json"], &PROVEN[..]].concat();
    let plans = folder.answers_on_loans("explain", &explain).json();
    assert_eq!((answers.len(), plans.len()), (3, 3));
    for (answer, plan) in answers.iter().zip(&plans) {
        assert_eq!((&answer["status"], &plan["status"]), (&"optimal".into(), &"optimal".into()));
        assert_eq!(
            (&answer["objective"], &answer["score"]),
            (&plan["objective"], &plan["score_after"])
        );
    }
}

#[test]
fn what_the_engine_would_ignore_is_refused() {
    let folder = Folder::new().with("small.json", INSTANCE);
    let solver = ["solve", "small.json", "--solver", "microlp"];
    folder.refuses(&solver, &["--solver: `microlp` is for --engine milp only", "leave it out"]);
    let threads = ["--engine", "milp", "--solver", "microlp", "--threads", "2"];
    let part = "threads: `2` would be ignored by the solver microlp; leave it at 1";
    folder.refuses(&[&["solve", "small.json"], &threads[..]].concat(), &[part]);
    let one = ["solve", "small.json", "--engine", "milp", "--solver", "microlp", "--threads", "1"];
    folder.answers(&one);
}

#[test]
#[ignore = "needs the solver CBC: make test-cbc"]
fn the_program_cbc_agrees_through_files() {
    let folder = Folder::new().with("small.json", INSTANCE);
    for formulation in FORMULATIONS {
        let command = "cbc {model} solve solution {solution}";
        let args = [
            "solve",
            "small.json",
            "--engine",
            "milp",
            "--formulation",
            formulation,
            "--solver-command",
            command,
            "--json",
        ];
        is_right(&folder.answers(&args).json()[0]);
    }
    assert_eq!(folder.files().len(), 1, "{:?}", folder.files());
}

#[test]
fn a_solver_that_breaks_down_costs_nobody_else_the_answer() {
    let instances = format!("{0}\n{0}\n", INSTANCE.replace('\n', " "));
    let folder = Folder::with_loans().with("two.jsonl", instances);
    let command = "sh -c 'exit 3' {model} {solution}";
    let fails = ["--engine", "milp", "--solver-command", command];
    let failed = |args: &[&str], answers: usize| {
        let run = folder.run(&[args, &fails[..]].concat());
        assert_eq!(run.code, Some(1), "{}{}", run.out, run.err);
        let message = format!("error: the solver failed for {answers} of the applicants");
        assert!(run.err.contains(&message), "{}", run.err);
        run.out
    };
    let answers = |out: &str| -> Vec<serde_json::Value> {
        out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    for answer in answers(&failed(&["solve", "two.jsonl", "--json"], 2)) {
        assert_eq!(answer["status"], "feasible");
        assert!(answer["remark"].as_str().unwrap().contains("exit code 3"), "{answer}");
        assert!(answer["objective"].is_number() && answer["bound"].is_null());
    }
    let loans = ["--data", "loans.csv", "--schema", "loans.toml", "--preset", "dace"];
    let explain = [&["explain", "--rejected", "2"], &loans[..]].concat();
    let records = answers(&failed(&[&explain[..], &["--format", "json"]].concat(), 2));
    assert_eq!(records.len(), 2);
    for answer in records {
        assert!(answer["remark"].as_str().unwrap().contains("exit code 3"), "{answer}");
        assert_eq!(answer["status"], "feasible");
    }
    let several =
        answers(&failed(&[&explain[..], &["--format", "json", "--plans", "2"]].concat(), 2));
    assert_eq!(several[0]["end"], "the solver failed before the next plan was proven");
    let text = failed(&explain, 2);
    assert_eq!(text.matches("exit code 3").count(), 2, "{text}");
    failed(&[&["audit", "--rejected", "2"], &loans[..]].concat(), 2);
}

#[test]
fn a_solver_command_that_fails_is_no_bad_input() {
    let folder = Folder::new().with("small.json", INSTANCE);
    let command = "no-such-solver {model} {solution}";
    let run = folder.run(&["solve", "small.json", "--engine", "milp", "--solver-command", command]);
    assert_eq!(run.code, Some(1), "{}", run.err);
    assert!(run.err.contains("can't run `no-such-solver`"), "{}", run.err);
}
