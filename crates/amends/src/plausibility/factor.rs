//! The matrix U with U'U = inverse covariance: what turns a change into a Mahalanobis distance.

use nalgebra::DMatrix;
use serde::{Deserialize, Serialize};

use super::covariance::{Covariance, Imputed};
use super::jacobi::{dot, orthogonalise};
use crate::names::named;
use crate::{InputError, Result};

/// Eigenvalues within this share of the ridge belong to directions in which the data do not vary.
const AT_RIDGE: f64 = 1e-6;

/// Entries below this share of a row's largest are rounding, and don't decide its sign.
const NEGLIGIBLE: f64 = 1e-9;

/// Which of the many matrices U with U'U = inverse covariance. The 2-norm of U a is the same for all
/// of them, the 1-norm is not, so a result has to say which it used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FactorKind {
    /// The upper triangular one with positive diagonal (the constraint-reduced paper).
    Cholesky,
    /// One row per principal axis of the covariance (DACE's published code).
    Eigen,
}

named!(FactorKind, "factor of the inverse covariance", { Cholesky => "cholesky", Eigen => "eigen" });

/// The rows of U with U'U = inverse covariance.
///
/// - Cholesky: inverse = L L' with L lower triangular, U = L'.
/// - Eigen: covariance = P diag(l) P', U = diag(1 / sqrt l) P', widest axis (largest l) first, the
///   first entry of each row that isn't negligible positive. Directions in which the data do not vary
///   at all share l = ridge, and any basis of them would do; taken is the one that makes a row of
///   each level that nobody has and a row of each one-hot group. Thus U depends neither on the
///   machine nor, but for rounding, on the order of the rows.
///
/// Both are taken of imputed columns where there are any, and then written over the columns as they are encoded. The
/// indicators come behind their number, so the Cholesky factor is the same either way; principal axes are those of the
/// imputed columns, since a 0 in place of a missing number would turn them.
pub fn factor(covariance: &Covariance, kind: FactorKind) -> Result<Vec<Vec<f64>>> {
    let root = upper_root(&covariance.matrix)?;
    let mut factor = match kind {
        FactorKind::Cholesky => inverse_of_upper(&root),
        FactorKind::Eigen => eigen_rows(root, covariance.ridge),
    };
    for Imputed { column, number } in &covariance.imputed {
        for row in &mut factor {
            // U (number + typical * indicator): the indicator's column gains typical times the number's.
            let shift = number * row[column.number];
            for code in column.codes.clone() {
                row[code] += shift;
            }
        }
    }
    Ok(factor)
}

/// The Mahalanobis distance of a change: the 2-norm of U a, for any factor U.
pub fn mahalanobis(factor: &[Vec<f64>], change: &[f64]) -> f64 {
    factor.iter().map(|row| dot(row, change).powi(2)).sum::<f64>().sqrt()
}

/// The columns of the upper triangular V with V V' = matrix. As inverse = L L' means
/// matrix = (1/L)' (1/L), V is (1/L)' and U = L' is its inverse: the inverse covariance, which
/// would cost digits, is never formed.
fn upper_root(matrix: &DMatrix<f64>) -> Result<Vec<Vec<f64>>> {
    let width = matrix.nrows();
    let mut columns = vec![vec![0.0; width]; width];
    for j in (0..width).rev() {
        for i in (0..=j).rev() {
            let explained: f64 = columns[j + 1..].iter().map(|column| column[i] * column[j]).sum();
            let rest = matrix[(i, j)] - explained;
            if i < j {
                columns[j][i] = rest / columns[j][j];
            } else if rest.is_normal() && rest > 0.0 {
                columns[j][j] = rest.sqrt();
            } else {
                return Err(InputError::new("the covariance is not positive definite")
                    .column(j + 1)
                    .remedy("add a ridge to its diagonal")
                    .into());
            }
        }
    }
    Ok(columns)
}

/// The rows of the inverse of an upper triangular matrix given by its columns.
fn inverse_of_upper(columns: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let width = columns.len();
    let mut inverse = vec![vec![0.0; width]; width];
    for (i, row) in inverse.iter_mut().enumerate() {
        row[i] = 1.0 / columns[i][i];
        for j in i + 1..width {
            row[j] = -dot(&row[i..j], &columns[j][i..j]) / columns[j][j];
        }
    }
    inverse
}

fn eigen_rows(root: Vec<Vec<f64>>, ridge: f64) -> Vec<Vec<f64>> {
    let mut axes = root;
    orthogonalise(&mut axes);
    let mut axes: Vec<_> = axes.into_iter().map(|axis| (dot(&axis, &axis), axis)).collect();
    axes.sort_by(|a, b| b.0.total_cmp(&a.0));
    let varying = axes.partition_point(|axis| axis.0 > ridge * (1.0 + AT_RIDGE));
    let unvarying: Vec<_> = axes.split_off(varying);

    // An axis is as long as sqrt l, so 1 / l scales it to 1 / sqrt l.
    let rows = axes.into_iter().map(|(eigenvalue, axis)| scaled(&axis, 1.0 / eigenvalue));
    let unit: Vec<_> = unvarying.iter().map(|(l, axis)| scaled(axis, 1.0 / l.sqrt())).collect();
    let flat = canonical_basis(unit).into_iter().map(|axis| scaled(&axis, 1.0 / ridge.sqrt()));
    rows.chain(flat).map(with_fixed_sign).collect()
}

/// The orthonormal basis of the space spanned by the orthonormal `basis` that does not depend on
/// which basis that was: project the unit vector that lies closest to the space (the lowest column
/// of those that tie), split its direction off, repeat.
fn canonical_basis(mut basis: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let mut canonical = Vec::with_capacity(basis.len());
    while let Some(width) = basis.first().map(Vec::len) {
        // A unit vector's coordinates in the basis are as long as its projection.
        let share = |column: usize| basis.iter().map(|axis| axis[column].powi(2)).sum::<f64>();
        let shares: Vec<f64> = (0..width).map(share).collect();
        let largest = shares.iter().copied().fold(0.0, f64::max);
        let pivot = shares.iter().position(|&s| s >= largest * (1.0 - NEGLIGIBLE)).unwrap_or(0);
        canonical.push(split_off_projection(&mut basis, pivot));
    }
    canonical
}

/// Turns `basis` so that a single axis has an entry at `pivot`, and takes that axis out: it is the
/// direction of the unit vector's projection, and the others remain a basis of the rest.
fn split_off_projection(basis: &mut Vec<Vec<f64>>, pivot: usize) -> Vec<f64> {
    let Some(mut gathered) = basis.pop() else { return Vec::new() };
    for axis in basis {
        let length = (gathered[pivot].powi(2) + axis[pivot].powi(2)).sqrt();
        if length == 0.0 {
            continue;
        }
        let (cosine, sine) = (gathered[pivot] / length, axis[pivot] / length);
        for (g, a) in gathered.iter_mut().zip(axis) {
            (*g, *a) = (cosine * *g + sine * *a, cosine * *a - sine * *g);
        }
    }
    gathered
}

fn scaled(row: &[f64], by: f64) -> Vec<f64> {
    row.iter().map(|entry| entry * by).collect()
}

fn with_fixed_sign(row: Vec<f64>) -> Vec<f64> {
    let largest = row.iter().fold(0.0, |largest: f64, entry| largest.max(entry.abs()));
    let first = row.iter().find(|entry| entry.abs() > NEGLIGIBLE * largest);
    if first.is_some_and(|&entry| entry < 0.0) { scaled(&row, -1.0) } else { row }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn two_by_two(entries: [f64; 4]) -> Covariance {
        let matrix = DMatrix::from_row_slice(2, 2, &entries);
        Covariance { matrix, ridge: 0.0, relative_ridge: 0.0, imputed: Vec::new() }
    }

    fn covariance(rows: &[Vec<f64>]) -> Covariance {
        Covariance::fit(rows).unwrap()
    }

    /// An amount, a one-hot group of three levels of which nobody has the last, and one of two.
    fn credit_like() -> Vec<Vec<f64>> {
        let amounts = [900.0, 5100.0, 2300.0, 12_000.0, 400.0, 7700.0, 3100.0];
        let row = |(i, amount): (usize, f64)| {
            let (first, second) = (f64::from(u8::from(i % 2 == 0)), f64::from(u8::from(i < 3)));
            vec![amount, first, 1.0 - first, 0.0, second, 1.0 - second]
        };
        amounts.into_iter().enumerate().map(row).collect()
    }

    fn assert_close(found: &[f64], expected: &[f64], tolerance: f64) {
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() <= tolerance, "{found} is not {expected}");
        }
    }

    #[test]
    fn cholesky_of_a_known_matrix() {
        // [[2, 1], [1, 1]] is the inverse of [[1, -1], [-1, 2]] = L L' with L = [[1, 0], [-1, 1]].
        let known = two_by_two([2.0, 1.0, 1.0, 1.0]);
        let u = factor(&known, FactorKind::Cholesky).unwrap();
        assert_close(&u[0], &[1.0, -1.0], 1e-15);
        assert_close(&u[1], &[0.0, 1.0], 1e-15);
    }

    #[test]
    fn eigen_rows_of_a_known_matrix_have_their_order_and_sign() {
        let known = two_by_two([2.5, -1.5, -1.5, 2.5]);
        let u = factor(&known, FactorKind::Eigen).unwrap();
        let (wide, narrow) = (0.5 / 2f64.sqrt(), 1.0 / 2f64.sqrt());
        assert_close(&u[0], &[wide, -wide], 1e-15);
        assert_close(&u[1], &[narrow, narrow], 1e-15);
    }

    #[test]
    fn directions_without_variation_get_one_row_per_unseen_level_and_one_hot_group() {
        let covariance = covariance(&credit_like());
        assert_eq!(covariance.ridge, 1e-6);
        let u = factor(&covariance, FactorKind::Eigen).unwrap();
        let half = 1e3 / 2f64.sqrt();
        assert_close(&u[3], &[0.0, 0.0, 0.0, 1e3, 0.0, 0.0], 1e-5);
        assert_close(&u[4], &[0.0, half, half, 0.0, 0.0, 0.0], 1e-5);
        assert_close(&u[5], &[0.0, 0.0, 0.0, 0.0, half, half], 1e-5);
    }

    #[test]
    fn the_order_of_the_rows_changes_nothing() {
        let mut rows = credit_like();
        let forwards = factor(&covariance(&rows), FactorKind::Eigen).unwrap();
        rows.reverse();
        let backwards = factor(&covariance(&rows), FactorKind::Eigen).unwrap();
        for (a, b) in forwards.iter().zip(&backwards) {
            assert_close(a, b, 1e-5);
        }
    }

    #[test]
    fn a_matrix_that_is_no_covariance_is_refused() {
        for entries in [[1.0, 2.0, 2.0, 1.0], [f64::NAN; 4], [0.0; 4]] {
            let error = factor(&two_by_two(entries), FactorKind::Eigen).unwrap_err();
            assert!(error.to_string().contains("not positive definite"), "{error}");
        }
    }

    #[test]
    fn kinds_are_read_by_the_name_they_are_written_with() {
        for kind in [FactorKind::Cholesky, FactorKind::Eigen] {
            assert_eq!(kind.name().parse::<FactorKind>().unwrap(), kind);
            assert_eq!(serde_json::to_string(&kind).unwrap(), format!("\"{}\"", kind.name()));
        }
        let error = "qr".parse::<FactorKind>().unwrap_err().to_string();
        assert_eq!(
            error,
            "`qr` is not a known factor of the inverse covariance; use one of: cholesky, eigen"
        );
    }
}
