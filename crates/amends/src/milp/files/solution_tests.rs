use super::*;

fn read(text: &str) -> Result<SolutionFile, String> {
    read_solution(text, &["a".to_owned(), "b".to_owned(), "c".to_owned()])
}

fn solution(claim: Claim, values: [f64; 3]) -> SolutionFile {
    SolutionFile { claim, values: Some(values.to_vec()) }
}

fn without_values(claim: Claim) -> SolutionFile {
    SolutionFile { claim, values: None }
}

#[test]
fn cbc_leaves_zeros_out_and_marks_broken_values() {
    let text = "Optimal - objective value 96.54938275\n      0 a        3     -1.35\n**    2 c   -2.5e-1   0\n";
    assert_eq!(read(text).unwrap(), solution(Claim::Optimal, [3.0, 0.0, -0.25]));
}

#[test]
fn cbc_without_an_integer_solution_has_no_values() {
    let relaxed =
        "Stopped on time (no integer solution - continuous used) - objective value 4\n 0 a 0.5 0\n";
    assert_eq!(read(relaxed).unwrap(), without_values(Claim::Stopped));
    let none = "Stopped on time - objective value 1e+50\n";
    assert_eq!(read(none).unwrap(), without_values(Claim::Stopped));
    let infeasible = "Integer infeasible - objective value 3.0\n      0 a   1   0\n";
    assert_eq!(read(infeasible).unwrap(), without_values(Claim::Infeasible));
}

#[test]
fn cbc_within_a_gap_is_not_called_optimal() {
    let text = "Optimal (within gap tolerance) - objective value 4\n 1 b 4 0\n";
    assert_eq!(read(text).unwrap(), solution(Claim::OptimalWithinGap, [0.0, 4.0, 0.0]));
}

#[test]
fn highs_columns_are_read_and_rows_are_not() {
    let text = "Model status\nOptimal\n\n# Primal solution values\nFeasible\nObjective 96.5\n# Columns 3\n\
        a 3\nb 0\nc -2\n# Rows 1\na 77\n\n# Dual solution values\nNone\n";
    assert_eq!(read(text).unwrap(), solution(Claim::Optimal, [3.0, 0.0, -2.0]));
    let text = "Model status\nInfeasible\n\n# Primal solution values\nNone\n";
    assert_eq!(read(text).unwrap(), without_values(Claim::Infeasible));
    let text = "Model status\nTime limit reached\n\n# Primal solution values\nNone\n";
    assert_eq!(read(text).unwrap(), without_values(Claim::Stopped));
}

#[test]
fn scip_statuses_are_distinguished() {
    let text = "solution status: optimal solution found\nobjective value:    4\n\
        a            1 \t(obj:2)\nc            0.5 \t(obj:4)\n";
    assert_eq!(read(text).unwrap(), solution(Claim::Optimal, [1.0, 0.0, 0.5]));
    let text = "solution status: infeasible\nno solution available\n";
    assert_eq!(read(text).unwrap(), without_values(Claim::Infeasible));
    let text = "solution status: time limit reached\nobjective value:  4\nb  1  (obj:4)\n";
    assert_eq!(read(text).unwrap(), solution(Claim::Stopped, [0.0, 1.0, 0.0]));
}

#[test]
fn glpk_columns_go_by_number() {
    let text = "c Problem:    amends\nc\ns mip 1 3 o 4\ni 1 3\nj 1 1\nj 2 0\nj 3 2\ne o f\n";
    assert_eq!(read(text).unwrap(), solution(Claim::Optimal, [1.0, 0.0, 2.0]));
    let text = "s bas 1 3 f f 4\ni 1 l 3 0\nj 1 b 1.5 0\nj 2 l 0 1\nj 3 l 0 1\ne o f\n";
    assert_eq!(read(text).unwrap(), solution(Claim::Optimal, [1.5, 0.0, 0.0]));
    assert_eq!(
        read("s mip 1 3 n 0\ni 1 0\nj 1 0\nj 2 0\nj 3 0\n").unwrap(),
        without_values(Claim::Infeasible)
    );
}

#[test]
fn plain_lines_claim_nothing() {
    let text = "# Objective value = 4\na 1\n\nc 2e-3\n";
    assert_eq!(read(text).unwrap(), solution(Claim::Silent, [1.0, 0.0, 0.002]));
}

#[test]
fn what_is_not_a_solution_is_refused_with_its_line() {
    for (text, part) in [
        ("", "empty"),
        ("a one\n", "`a one`"),
        ("a NaN\n", "`a NaN`"),
        ("d 1\n", "`d 1`"),
        ("Optimal - objective value 4\n 0 a\n", "`0 a`"),
        ("Perhaps - objective value 4\n", "Perhaps"),
        ("s mip 1 3 o 4\nj 4 1\n", "`j 4 1`"),
        ("s mip 1 3 o 4\nj 0 1\n", "`j 0 1`"),
        ("Model status\nOptimal\n# Primal\nFeasible\n# Columns many\n", "# Columns many"),
        ("solution status: unknown\n", "`unknown`"),
    ] {
        let message = read(text).unwrap_err();
        assert!(message.contains(part), "{text:?} gave {message:?}");
    }
}
