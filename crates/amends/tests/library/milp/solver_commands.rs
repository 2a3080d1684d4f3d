//! What happens when a solver's command misbehaves. Shell one-liners stand in for solvers.

use std::time::{Duration, Instant};

use amends::engine::{Engine, SolveSettings};
use amends::milp::{
    CommandSolver, Formulation, Outcome, Program, ProgramColumn, Solver, SolverSettings,
    SolverTask, solver_by_name,
};

fn program() -> Program {
    let mut program = Program::default();
    program.add_column(ProgramColumn {
        name: "x".into(),
        lower: 0.0,
        upper: 3.0,
        integer: true,
        cost: 2.0,
    });
    program
}

/// A solver that is a line of shell; `$0` is the model file and `$1` the solution file.
fn shell(script: &str) -> CommandSolver {
    CommandSolver::new(&format!("sh -c '{script}' {{model}} {{solution}}")).unwrap()
}

fn failure(solver: &CommandSolver) -> String {
    solver.solve(&SolverTask::new(&program(), &SolverSettings::default())).unwrap_err().to_string()
}

#[test]
fn a_program_that_is_not_there_is_named_with_a_remedy() {
    let solver = CommandSolver::new("no-such-solver {model} {solution}").unwrap();
    let message = failure(&solver);
    assert!(message.contains("can't run `no-such-solver`"), "{message}");
    assert!(message.contains("install it"), "{message}");
}

#[test]
fn an_exit_code_comes_with_the_last_lines() {
    let message = failure(&shell("echo first; echo licence expired >&2; exit 3"));
    assert!(message.contains("exit code 3"), "{message}");
    assert!(message.contains("licence expired"), "{message}");
}

#[test]
fn a_missing_solution_file_is_an_error() {
    let message = failure(&shell("echo done"));
    assert!(message.contains("left no solution file"), "{message}");
    assert!(message.contains("done"), "{message}");
}

#[test]
fn an_unreadable_solution_file_is_an_error_with_the_line() {
    let message = failure(&shell("echo x marks the spot > $1"));
    assert!(message.contains("`x marks the spot`"), "{message}");
}

#[test]
fn values_without_a_claim_are_not_called_optimal() {
    let answer = shell("echo x 0 > $1")
        .solve(&SolverTask::new(&program(), &SolverSettings::default()))
        .unwrap();
    assert_eq!((answer.outcome, answer.bound), (Outcome::TimeLimit, None));
    assert_eq!(answer.values.unwrap(), [0.0]);
    assert!(answer.note.unwrap().contains("does not say whether"));
}

#[test]
fn values_are_put_on_whole_numbers() {
    let solver = shell("echo Optimal - objective value 2 > $1; echo 0 x 0.9999999 0 >> $1");
    let answer = solver.solve(&SolverTask::new(&program(), &SolverSettings::default())).unwrap();
    assert_eq!((answer.values.unwrap(), answer.bound.unwrap()), (vec![1.0], 2.0));
}

#[test]
fn settings_reach_the_command() {
    let solver = CommandSolver::new(
        "sh -c 'test \"$1 $2 $3\" = \"2.5 4 1e-7\" && echo x 0 > $0' {solution} {time_limit} {threads} {gap} {model}",
    )
    .unwrap();
    let settings = SolverSettings::from(SolveSettings {
        time_limit: Some(Duration::from_millis(2500)),
        relative_gap: 1e-7,
        threads: 4,
    });
    assert!(solver.solve(&SolverTask::new(&program(), &settings)).is_ok());
}

#[test]
fn settings_that_the_solver_would_ignore_are_refused() {
    let usual = SolveSettings::default();
    let rough = SolveSettings { relative_gap: 0.01, ..usual.clone() };
    let engine = |command: &str| Engine::Milp {
        formulation: Formulation::Reduced,
        solver: Box::new(CommandSolver::new(command).unwrap()),
    };
    let deaf = engine("cbc {model} solve solution {solution}");
    assert!(deaf.check(&usual).is_ok());
    let refusal = deaf.check(&rough).unwrap_err().to_string();
    assert!(refusal.starts_with("gap: `0.01` would be ignored"), "{refusal}");
    assert!(refusal.contains("leave it at 1e-6, or use a solver that takes it"), "{refusal}");
    assert!(engine("cbc {model} ratio {gap} solve solution {solution}").check(&rough).is_ok());
    assert!(Engine::Search.check(&rough).is_ok());
    let threads = SolveSettings { threads: 2, ..usual.clone() };
    let refusal = deaf.check(&threads).unwrap_err().to_string();
    assert!(refusal.starts_with("threads: `2` would be ignored by the solver cbc"), "{refusal}");
    assert!(engine("cbc {model} threads {threads} solution {solution}").check(&threads).is_ok());
    let microlp = Engine::Milp {
        formulation: Formulation::Reduced,
        solver: solver_by_name("microlp").unwrap(),
    };
    assert!(microlp.check(&rough).is_ok());
    let refusal = microlp.check(&threads).unwrap_err().to_string();
    assert!(
        refusal.starts_with("threads: `2` would be ignored by the solver microlp"),
        "{refusal}"
    );
}

#[test]
fn a_solver_that_ignores_its_time_limit_is_ended() {
    let solver = shell("exec sleep 60").grace(Duration::from_millis(100));
    let settings = SolverSettings::from(SolveSettings {
        time_limit: Some(Duration::from_millis(100)),
        ..SolverSettings::default().solve
    });
    let started = Instant::now();
    let answer = solver.solve(&SolverTask::new(&program(), &settings)).unwrap();
    assert_eq!((answer.outcome, answer.values), (Outcome::TimeLimit, None));
    assert!(started.elapsed() < Duration::from_secs(20));
}
