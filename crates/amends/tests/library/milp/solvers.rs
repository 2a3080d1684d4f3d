//! One suite for every built-in solver, and for CBC where `make test-cbc` asks for it: what one of them gets right, all must.

use std::process::Command;
use std::time::{Duration, Instant};

use amends::engine::SolveSettings;
use amends::milp::{
    BUILT_IN_SOLVERS, CommandSolver, Outcome, Program, ProgramColumn, Solver, SolverAnswer,
    SolverSettings, SolverTask, solver_by_name, write_lp, write_mps,
};

const CBC: &str = "cbc {model} ratio {gap} allow 0 integerT 1e-9 primalT 1e-9 dualT 1e-9 \
                   timeMode elapsed sec {time_limit} solve solution {solution}";
const INFINITY: f64 = f64::INFINITY;

/// Runs a test for every solver that is here, and says which one it was when it fails.
fn for_each_solver(test: impl Fn(&dyn Solver)) {
    for name in BUILT_IN_SOLVERS {
        println!("solver: {name}");
        test(&*solver_by_name(name).unwrap());
    }
    if std::env::var_os("AMENDS_TEST_CBC").is_some() {
        println!("solver: cbc");
        test(&CommandSolver::new(CBC).unwrap());
    }
}

fn column(name: &str, lower: f64, upper: f64, integer: bool, cost: f64) -> ProgramColumn {
    ProgramColumn { name: name.to_owned(), lower, upper, integer, cost }
}

fn solve(solver: &dyn Solver, program: &Program) -> SolverAnswer {
    solver.solve(&SolverTask::new(program, &SolverSettings::default())).unwrap()
}

/// Checks a claim of optimality: the values, the objective and the bound.
fn assert_optimal(solver: &dyn Solver, program: &Program, expected: &[f64], objective: f64) {
    let answer = solve(solver, program);
    assert_eq!(answer.outcome, Outcome::Optimal);
    let values = answer.values.unwrap();
    for ((value, expected), column) in values.iter().zip(expected).zip(&program.columns) {
        assert!((value - expected).abs() < 1e-6, "{} is {value}, not {expected}", column.name);
        assert!(!column.integer || value.fract() == 0.0, "{} is not whole: {value}", column.name);
    }
    assert!((program.objective(&values) - objective).abs() < 1e-6);
    let bound = answer.bound.unwrap();
    assert!((bound - objective).abs() < 1e-6, "bound {bound}, optimum {objective}");
}

fn knapsack() -> Program {
    let mut program = Program::default();
    let items = [("gold", 60.0, 10.0), ("silver", 100.0, 20.0), ("copper", 120.0, 30.0)];
    let weights: Vec<(usize, f64)> = items
        .iter()
        .map(|&(name, worth, weight)| {
            (program.add_column(column(name, 0.0, 1.0, true, -worth)), weight)
        })
        .collect();
    program.add_row("weight".into(), -INFINITY, 50.0, weights);
    program
}

/// Choose so that four sums come out at half: small, but next to impossible for branch and bound. Slack makes every
/// choice feasible; `exact` then plants a choice that needs none.
fn market_split(exact: bool) -> (Program, Vec<f64>) {
    const CUSTOMERS: usize = 34;
    let mut state = 2_463_534_242_u64;
    let mut random = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % 100) as f64
    };
    let mut program = Program::default();
    let chosen: Vec<f64> = (0..CUSTOMERS).map(|_| f64::from(random() < 50.0)).collect();
    for customer in 0..CUSTOMERS {
        program.add_binary(format!("customer_{customer}"));
    }
    let mut start = chosen.clone();
    for product in 0..5 {
        let demand: Vec<f64> = (0..CUSTOMERS).map(|_| random()).collect();
        let planted: f64 = demand.iter().zip(&chosen).map(|(d, c)| d * c).sum();
        let target = if exact { planted } else { (demand.iter().sum::<f64>() / 2.0).floor() };
        let over = program.add_column(column(&format!("over_{product}"), 0.0, 1e4, false, 1.0));
        let under = program.add_column(column(&format!("under_{product}"), 0.0, 1e4, false, 1.0));
        start.extend([(planted - target).max(0.0), (target - planted).max(0.0)]);
        let terms =
            demand.into_iter().enumerate().chain([(over, -1.0), (under, 1.0)]).collect::<Vec<_>>();
        program.add_row(format!("product_{product}"), target, target, terms);
    }
    (program, start)
}

fn briefly(seconds: f64) -> SolverSettings {
    SolverSettings::from(SolveSettings {
        time_limit: Some(Duration::from_secs_f64(seconds)),
        ..SolverSettings::default().solve
    })
}

#[test]
fn a_knapsack_is_packed_best() {
    for_each_solver(|solver| assert_optimal(solver, &knapsack(), &[0.0, 1.0, 1.0], -220.0));
}

#[test]
fn the_offset_counts_in_the_bound() {
    let program = Program { offset: 1000.25, ..knapsack() };
    for_each_solver(|solver| assert_optimal(solver, &program, &[0.0, 1.0, 1.0], 780.25));
}

#[test]
fn a_linear_program_without_integers_is_solved() {
    let mut program = Program::default();
    let x = program.add_column(column("x", 0.0, INFINITY, false, -1.0));
    let y = program.add_column(column("y", 0.0, INFINITY, false, -2.0));
    program.add_row("first".into(), -INFINITY, 6.0, [(x, 3.0), (y, 1.0)]);
    program.add_row("second".into(), -INFINITY, 5.0, [(x, 1.0), (y, 1.0)]);
    for_each_solver(|solver| assert_optimal(solver, &program, &[0.0, 5.0], -10.0));
}

#[test]
fn equations_ranges_and_negative_integers_are_understood() {
    let mut program = Program::default();
    let whole = program.add_column(column("whole", -7.5, -1.2, true, 1.0));
    let free = program.add_column(column("free variable", -INFINITY, INFINITY, false, 0.5));
    let below = program.add_column(column("below", -INFINITY, -0.5, false, -0.25));
    program.add_row("range".into(), -9.5, 4.0, [(whole, 2.0), (free, 1.0)]);
    program.add_row("equation".into(), -3.0, -3.0, [(free, 1.0), (below, 1.0)]);
    program.add_row("sideless".into(), -INFINITY, INFINITY, [(free, 1.0)]);
    // free = -3 - below, so the cost is whole - 1.5 - 0.75 below, and the range asks for below <= 6.5 + 2 whole:
    // whole = -3 gives -4.125 (below = -0.5 at its bound), -4 gives -4.375 (below = -1.5), -5 only -3.875.
    for_each_solver(|solver| assert_optimal(solver, &program, &[-4.0, -1.5, -1.5], -4.375));
}

#[test]
fn an_infeasible_program_is_recognised() {
    let mut program = knapsack();
    program.add_row("too much".into(), 55.0, INFINITY, program.rows[0].terms.clone());
    for_each_solver(|solver| {
        let answer = solve(solver, &program);
        assert_eq!((answer.outcome, answer.values), (Outcome::Infeasible, None));
    });
}

#[test]
fn infeasibility_that_only_whole_numbers_cause_is_recognised() {
    let mut program = Program::default();
    let x = program.add_column(column("x", 0.0, 10.0, true, 1.0));
    let y = program.add_column(column("y", 0.0, 10.0, true, 0.0));
    program.add_row("odd".into(), 7.0, 7.0, [(x, 2.0), (y, 4.0)]);
    for_each_solver(|solver| assert_eq!(solve(solver, &program).outcome, Outcome::Infeasible));
}

#[test]
fn an_unbounded_program_is_an_error_with_a_remedy() {
    let mut program = Program::default();
    let x = program.add_column(column("x", 0.0, INFINITY, false, -1.0));
    let y = program.add_binary("y".into());
    program.add_row("ray".into(), -INFINITY, 5.0, [(x, -1.0), (y, 1.0)]);
    for_each_solver(|solver| {
        let error =
            solver.solve(&SolverTask::new(&program, &SolverSettings::default())).unwrap_err();
        assert!(error.to_string().contains("give every column with a cost a bound"), "{error}");
    });
}

#[test]
fn the_time_limit_holds() {
    let (program, _) = market_split(false);
    for_each_solver(|solver| {
        let started = Instant::now();
        let answer = solver.solve(&SolverTask::new(&program, &briefly(0.2))).unwrap();
        assert_eq!(answer.outcome, Outcome::TimeLimit);
        assert!(started.elapsed() < Duration::from_secs(5), "took {:?}", started.elapsed());
        if let (Some(bound), Some(values)) = (answer.bound, &answer.values) {
            assert!(bound <= program.objective(values) + 1e-6);
        }
    });
}

#[test]
fn a_start_is_used() {
    let (program, start) = market_split(true);
    for name in BUILT_IN_SOLVERS {
        let solver = solver_by_name(name).unwrap();
        let alone = solver.solve(&SolverTask::new(&program, &briefly(0.3))).unwrap();
        assert_eq!(
            alone.outcome,
            Outcome::TimeLimit,
            "{name} needs no start: a harder test is due"
        );
        let helped = solver
            .solve(&SolverTask { program: &program, settings: &briefly(20.0), start: Some(&start) })
            .unwrap();
        assert_eq!(helped.outcome, Outcome::Optimal, "{name}");
        assert!(program.objective(&helped.values.unwrap()).abs() < 1e-6, "{name}");
    }
}

#[test]
fn a_start_is_used_with_an_offset_too() {
    let (mut program, start) = market_split(true);
    program.offset = 3.0;
    for name in BUILT_IN_SOLVERS {
        let solver = solver_by_name(name).unwrap();
        let answer = solver
            .solve(&SolverTask { program: &program, settings: &briefly(20.0), start: Some(&start) })
            .unwrap();
        assert_eq!(answer.outcome, Outcome::Optimal, "{name}");
        assert!((answer.bound.unwrap() - 3.0).abs() < 1e-6, "{name}");
    }
}

#[test]
fn a_start_that_is_not_feasible_does_no_harm() {
    for_each_solver(|solver| {
        let answer = solver
            .solve(&SolverTask {
                program: &knapsack(),
                settings: &SolverSettings::default(),
                start: Some(&[1.0, 1.0, 1.0]),
            })
            .unwrap();
        assert_eq!(answer.outcome, Outcome::Optimal);
        assert_eq!(answer.values.unwrap(), [0.0, 1.0, 1.0]);
    });
}

#[test]
fn the_number_of_threads_may_change_from_solve_to_solve() {
    for_each_solver(|solver| {
        for threads in [1, 2, 1] {
            let settings =
                SolverSettings::from(SolveSettings { threads, ..SolverSettings::default().solve });
            assert_eq!(
                solver.solve(&SolverTask::new(&knapsack(), &settings)).unwrap().outcome,
                Outcome::Optimal
            );
        }
    });
}

#[test]
fn a_tiny_coefficient_is_not_dropped() {
    // Without the coefficient of 1e-10, y would have to be 0.5 for the row to hold.
    let mut program = Program::default();
    let x = program.add_column(column("x", 0.0, 1e6, false, 0.0));
    let y = program.add_column(column("y", 0.0, 1.0, false, 1.0));
    program.add_row("row".into(), 5e-5, INFINITY, [(x, 1e-10), (y, 1e-4)]);
    for name in BUILT_IN_SOLVERS {
        let answer = solve(&*solver_by_name(name).unwrap(), &program);
        assert_eq!(answer.outcome, Outcome::Optimal, "{name}");
        assert!(answer.values.unwrap()[y] < 1e-3, "{name}");
    }
}

#[test]
#[ignore = "needs the solver CBC: make test-cbc"]
fn model_files_mean_the_same_to_the_program_cbc() {
    let mut program = knapsack();
    program.offset = -3.5;
    let spare = program.add_column(column("spare", -4.0, 9.0, true, 0.25));
    program.add_column(column("unused", 2.0, 2.0, false, 1.0));
    program.add_row("band".into(), -2.5, 40.5, [(spare, 1.0), (0, 1.0)]);
    let ours = solve(&*solver_by_name("microlp").unwrap(), &program);
    let optimum = program.objective(&ours.values.unwrap());

    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [("model.mps", mps(&program)), ("model.lp", lp(&program))] {
        let model = folder.path().join(name);
        std::fs::write(&model, text).unwrap();
        let solution = folder.path().join("solution.txt");
        let run = Command::new("cbc")
            .arg(&model)
            .args(["solve", "solution"])
            .arg(&solution)
            .output()
            .unwrap();
        assert!(run.status.success());
        let said = std::fs::read_to_string(&solution).unwrap();
        let first = said.lines().next().unwrap();
        let objective: f64 =
            first.strip_prefix("Optimal - objective value ").unwrap().parse().unwrap();
        assert!((objective - optimum).abs() < 1e-6, "{name}: {objective}, ours {optimum}");
    }
}

fn mps(program: &Program) -> Vec<u8> {
    let mut file = Vec::new();
    write_mps(program, &mut file).unwrap();
    file
}

fn lp(program: &Program) -> Vec<u8> {
    let mut file = Vec::new();
    write_lp(program, &mut file).unwrap();
    file
}
