//! The covariance of the applicant's own class, made regular where the data leave it singular.

use std::ops::Range;

use nalgebra::DMatrix;

use super::rows::{check_rows, mean_offset, mean_offset_of};
use crate::{InputError, Result};

/// Where the smallest eigenvalue of the correlations is at most this share of the largest, the
/// columns are dependent: for exact dependence, rounding leaves about 1e-16.
const DEPENDENT: f64 = 1e-12;

/// What is added to every variance where columns are dependent, as in DACE's published code.
const RIDGE: f64 = 1e-6;

/// Where that is not enough, each variance grows by a share of itself: the first one tried is ten to this power.
const FIRST_SHARE_EXPONENT: i32 = -11;

/// The columns of a number that codes may stand in for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodedColumn {
    /// Holds the number, and 0 in rows with a code.
    pub number: usize,
    /// Each holds 1 in rows with its code, and 0 in all others.
    pub codes: Range<usize>,
}

/// A coded column, and the number that rows with a code are given instead of 0 while the covariance is computed.
#[derive(Debug, Clone, PartialEq)]
pub struct Imputed {
    /// The columns.
    pub column: CodedColumn,
    /// The number of the table that is nearest to the mean of the rows that have one.
    pub number: f64,
}

/// A regular covariance matrix.
#[derive(Debug, Clone, PartialEq)]
pub struct Covariance {
    /// Symmetric and positive definite, the ridge included. Columns of `imputed` hold the imputed number in
    /// rows with a code.
    pub matrix: DMatrix<f64>,
    /// What was added to the diagonal: 0 where the plain covariance is regular.
    pub ridge: f64,
    /// The share of its own that was added to each variance instead, where that is more than the ridge; 0 where the ridge is enough.
    pub relative_ridge: f64,
    /// What stands in for the numbers that codes leave out; [`super::factor`] takes it back out.
    pub(crate) imputed: Vec<Imputed>,
}

impl Covariance {
    /// The covariance (divisor n, as in DACE's experiments) of `rows`, the applicant's own (rejected) class.
    ///
    /// One-hot columns add up to 1 and levels that nobody has are constant, so the plain covariance
    /// is often singular. Then 1e-6 is added to the diagonal. Next to the variances of large amounts
    /// that is nothing: where it is not enough, each variance grows by the same share of itself
    /// instead, the least power of ten that makes the matrix regular, but by 1e-6 at least. One ridge
    /// large enough for amounts would bury columns of small numbers.
    /// Regular is judged on the *correlations*: an amount in cents beside an indicator is no dependence
    /// between the two, though it makes the condition number huge.
    pub fn fit(rows: &[Vec<f64>]) -> Result<Self> {
        Self::fit_coded(rows, &[])
    }

    /// The same where codes stand in for some of the numbers.
    ///
    /// Such a row holds 0 instead of its number. Where numbers are far from 0 (a date as 20260131), number and
    /// indicator are then all but dependent: rounding takes the spread of the numbers, and a ridge on the indicator
    /// buries it. The covariance is therefore that of imputed columns, `number + typical * indicator`. This is an
    /// invertible linear map, under which Mahalanobis distances are the same but for the ridge. The typical number is
    /// one of the table, so that differences to it are free of rounding wherever those between numbers are.
    pub(crate) fn fit_coded(rows: &[Vec<f64>], coded: &[CodedColumn]) -> Result<Self> {
        let width = check_rows(rows, "rejected")?;
        if rows.len() < 2 {
            return Err(InputError::new("one rejected row has no covariance")
                .remedy("give at least two rejected applicants, better several per column")
                .into());
        }
        let imputed: Vec<Imputed> = coded.iter().map(|column| Imputed::new(column, rows)).collect();
        let plain = plain_covariance(rows, width, &imputed);
        if !plain.iter().all(|entry| entry.is_finite()) {
            return Err(InputError::new("the covariance of the rejected rows overflows")
                .remedy("give values in larger units, below about 1e150")
                .into());
        }
        if is_regular(&plain) {
            return Ok(Self { matrix: plain, ridge: 0.0, relative_ridge: 0.0, imputed });
        }
        let shares = (FIRST_SHARE_EXPONENT..=0).map(|exponent| 10_f64.powi(exponent));
        let (relative_ridge, matrix) = [0.0]
            .into_iter()
            .chain(shares)
            .map(|share| (share, with_ridge(&plain, share)))
            .find(|(_, matrix)| is_regular(matrix))
            .ok_or_else(|| {
                InputError::new("no ridge makes the covariance of the rejected rows regular")
                    .remedy("give values in larger units")
            })?;
        Ok(Self { matrix, ridge: RIDGE, relative_ridge, imputed })
    }
}

impl CodedColumn {
    fn has_code(&self, row: &[f64]) -> bool {
        row[self.codes.clone()].iter().any(|&indicator| indicator != 0.0)
    }
}

impl Imputed {
    fn new(column: &CodedColumn, rows: &[Vec<f64>]) -> Self {
        let numbers: Vec<Vec<f64>> = rows
            .iter()
            .filter(|row| !column.has_code(row))
            .map(|row| vec![row[column.number]])
            .collect();
        let mean = mean_offset(&numbers);
        let from_mean = |number: f64| (number - numbers[0][0] - mean[0]).abs();
        let typical =
            numbers.iter().map(|row| row[0]).min_by(|&a, &b| from_mean(a).total_cmp(&from_mean(b)));
        Self { column: column.clone(), number: typical.unwrap_or(0.0) }
    }

    fn value(&self, row: &[f64]) -> f64 {
        let indicators: f64 = row[self.column.codes.clone()].iter().sum();
        row[self.column.number] + self.number * indicators
    }
}

/// Plain loops, not a library's matrix product: those pick instructions by machine, and round
/// differently on each.
fn plain_covariance(rows: &[Vec<f64>], width: usize, imputed: &[Imputed]) -> DMatrix<f64> {
    let of_column: Vec<Option<&Imputed>> = (0..width)
        .map(|column| imputed.iter().find(|imputed| imputed.column.number == column))
        .collect();
    let value = |row: &[f64], column: usize| {
        of_column[column].map_or(row[column], |imputed| imputed.value(row))
    };
    let first: Vec<f64> = (0..width).map(|column| value(&rows[0], column)).collect();
    let mean = mean_offset_of(rows, width, value);
    let mut matrix = DMatrix::zeros(width, width);
    let mut centred = vec![0.0; width];
    for row in rows {
        for (column, centred) in centred.iter_mut().enumerate() {
            *centred = value(row, column) - first[column] - mean[column];
        }
        for i in 0..width {
            for j in 0..=i {
                matrix[(i, j)] += centred[i] * centred[j];
            }
        }
    }
    for i in 0..width {
        for j in 0..=i {
            matrix[(i, j)] /= rows.len() as f64;
            matrix[(j, i)] = matrix[(i, j)];
        }
    }
    matrix
}

fn with_ridge(plain: &DMatrix<f64>, share: f64) -> DMatrix<f64> {
    let mut matrix = plain.clone();
    for column in 0..matrix.ncols() {
        matrix[(column, column)] += RIDGE.max(share * plain[(column, column)]);
    }
    matrix
}

fn is_regular(matrix: &DMatrix<f64>) -> bool {
    let deviation = matrix.diagonal().map(f64::sqrt);
    if !deviation.iter().all(|deviation| deviation.is_normal()) {
        return false;
    }
    let correlation = DMatrix::from_fn(matrix.nrows(), matrix.ncols(), |i, j| {
        matrix[(i, j)] / deviation[i] / deviation[j]
    });
    let eigenvalues = correlation.symmetric_eigenvalues();
    eigenvalues.min() > DEPENDENT * eigenvalues.max()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_regular_covariance_has_no_ridge() {
        let rows = [vec![1.0, 2.0], vec![2.0, 1.0], vec![4.0, 6.0]];
        let covariance = Covariance::fit(&rows).unwrap();
        assert_eq!(covariance.ridge, 0.0);
        let expected = [14.0 / 9.0, 7.0 / 3.0, 7.0 / 3.0, 14.0 / 3.0];
        for (found, expected) in covariance.matrix.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-14, "{found} is not {expected}");
        }
    }

    #[test]
    fn units_are_not_dependence() {
        let rows = [vec![1e9, 2e-3], vec![2e9, 1e-3], vec![4e9, 6e-3]];
        assert_eq!(Covariance::fit(&rows).unwrap().ridge, 0.0);
    }

    #[test]
    fn one_hot_columns_and_constant_ones_take_the_first_ridge() {
        let one_hot: Vec<_> = [0.0, 1.0, 1.0, 0.0].iter().map(|&a| vec![a, 1.0 - a]).collect();
        let covariance = Covariance::fit(&one_hot).unwrap();
        assert_eq!((covariance.ridge, covariance.relative_ridge), (1e-6, 0.0));
        let constant = [vec![1.0, 0.1], vec![2.0, 0.1], vec![4.0, 0.1]];
        assert_eq!(Covariance::fit(&constant).unwrap().ridge, 1e-6);
    }

    #[test]
    fn large_dependent_columns_leave_small_ones_as_they_are() {
        let rows: Vec<_> = [(1.0, 0.1), (2.0, 0.3), (4.0, 0.2), (8.0, 0.2)]
            .iter()
            .map(|&(a, share)| vec![a * 1e6, a * 1e6, share])
            .collect();
        let covariance = Covariance::fit(&rows).unwrap();
        assert_eq!((covariance.ridge, covariance.relative_ridge), (1e-6, 1e-11));
        // Variances: of 1, 2, 4 and 8 7.1875e12, which grows by 72; of the shares 0.005.
        assert!((covariance.matrix[(0, 0)] - 7.1875e12 - 71.875).abs() < 0.01);
        assert!((covariance.matrix[(2, 2)] - 0.005 - 1e-6).abs() < 1e-15);
    }

    #[test]
    fn too_few_rows_and_overflow_are_refused() {
        for (rows, problem) in [
            (vec![], "no rejected rows"),
            (vec![vec![]], "no rejected rows"),
            (vec![vec![1.0]], "one rejected row"),
            (vec![vec![-1e200], vec![1e200]], "overflows"),
        ] {
            let error = Covariance::fit(&rows).unwrap_err().to_string();
            assert!(error.contains(problem), "{error}");
        }
    }
}
