//! Covariance and factors against those of `numpy` (see scripts/golden/covariance.py).

use amends::plausibility::{Covariance, FactorKind, factor};
use serde::Deserialize;

#[derive(Deserialize)]
struct Golden {
    tables: Vec<Table>,
}

#[derive(Deserialize)]
struct Table {
    name: String,
    rows: Vec<Vec<f64>>,
    ridge: f64,
    covariance: Vec<Vec<f64>>,
    inverse: Vec<Vec<f64>>,
    cholesky: Vec<Vec<f64>>,
}

fn golden() -> Vec<Table> {
    let golden: Golden =
        serde_json::from_str(include_str!("../../golden/numpy_covariance.json")).unwrap();
    assert_eq!(golden.tables.len(), 3);
    golden.tables
}

/// Entry by entry, relative to `size(i, j)`, the size that an entry there can have.
fn assert_close(
    place: &str,
    tolerance: f64,
    expected: &[Vec<f64>],
    found: impl Fn(usize, usize) -> f64,
    size: impl Fn(usize, usize) -> f64,
) {
    for (i, row) in expected.iter().enumerate() {
        for (j, expected) in row.iter().enumerate() {
            let error = (found(i, j) - expected).abs() / size(i, j);
            assert!(error <= tolerance, "{place}, ({i}, {j}): {} != {expected}", found(i, j));
        }
    }
}

#[test]
fn covariance_and_ridge_are_those_of_numpy() {
    for Table { name, rows, ridge, covariance: expected, .. } in golden() {
        let covariance = Covariance::fit(&rows).unwrap();
        assert_eq!(covariance.ridge, ridge, "{name}");
        let size = |i: usize, j: usize| (expected[i][i] * expected[j][j]).sqrt();
        assert_close(&name, 1e-12, &expected, |i, j| covariance.matrix[(i, j)], size);
    }
}

#[test]
fn both_factors_square_to_the_inverse() {
    for Table { name, rows, inverse, .. } in golden() {
        let covariance = Covariance::fit(&rows).unwrap();
        let size = |i: usize, j: usize| (inverse[i][i] * inverse[j][j]).sqrt();
        for kind in [FactorKind::Cholesky, FactorKind::Eigen] {
            let u = factor(&covariance, kind).unwrap();
            let square = |i: usize, j: usize| u.iter().map(|row| row[i] * row[j]).sum();
            assert_close(&format!("{name}, {}", kind.name()), 1e-8, &inverse, square, size);
        }
    }
}

#[test]
fn the_cholesky_factor_is_the_transposed_lower_one_of_the_inverse() {
    for Table { name, rows, cholesky, .. } in golden() {
        let u = factor(&Covariance::fit(&rows).unwrap(), FactorKind::Cholesky).unwrap();
        let size = |_: usize, j: usize| cholesky.iter().map(|row| row[j].abs()).fold(0.0, f64::max);
        assert_close(&name, 1e-8, &cholesky, |i, j| u[i][j], size);
    }
}
