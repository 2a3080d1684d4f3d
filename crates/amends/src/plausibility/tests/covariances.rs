//! Covariance and factors on real credit data.

use crate::plausibility::{Covariance, FactorKind, factor, mahalanobis};
use crate::real_data::real_data;
use nalgebra::DMatrix;

/// The rows of `german_onehot.csv` whose last column says that the loan went bad.
fn rejected_german() -> Vec<Vec<f64>> {
    let text = std::fs::read_to_string(real_data("german_onehot.csv")).unwrap();
    let row = |line: &str| -> Vec<f64> { line.split(',').map(|v| v.parse().unwrap()).collect() };
    let rows = text.lines().skip(1).map(row).filter(|row| row.last() == Some(&1.0));
    rows.map(|row| row[..row.len() - 1].to_vec()).collect()
}

fn factor_of_instance(name: &str) -> Vec<Vec<f64>> {
    let text = std::fs::read_to_string(real_data(&format!("../cases/{name}"))).unwrap();
    let instance: serde_json::Value = serde_json::from_str(&text).unwrap();
    serde_json::from_value(instance["cost"]["distance"]["factor"].clone()).unwrap()
}

#[test]
#[ignore = "needs the data sets: make test-data"]
fn german_one_hot_columns_take_the_ridge_of_dace_and_both_factors_agree() {
    let rows = rejected_german();
    assert_eq!(rows.len(), 300);
    let covariance = Covariance::fit(&rows).unwrap();
    assert_eq!(covariance.ridge, 1e-6);
    let [cholesky, eigen] =
        [FactorKind::Cholesky, FactorKind::Eigen].map(|kind| factor(&covariance, kind).unwrap());
    for pair in rows.windows(2) {
        let change: Vec<f64> = pair[0].iter().zip(&pair[1]).map(|(a, b)| a - b).collect();
        let [one, other] = [&cholesky, &eigen].map(|u| mahalanobis(u, &change));
        assert!((one - other).abs() <= 1e-9 * one, "{one} != {other}");
    }
}

#[test]
#[ignore = "needs the data sets: make test-data"]
fn factors_of_instances_come_back_from_their_covariance() {
    for name in ["german-lr-N20-cholesky-s0-0.json", "heloc-lr-N20-cholesky-s0-0.json"] {
        let expected = factor_of_instance(name);
        let width = expected.len();
        let u = DMatrix::from_fn(width, width, |i, j| expected[i][j]);
        let root = u.try_inverse().unwrap();
        let matrix = &root * root.transpose();
        let covariance =
            Covariance { matrix, ridge: 0.0, relative_ridge: 0.0, imputed: Vec::new() };
        let found = factor(&covariance, FactorKind::Cholesky).unwrap();
        for (i, (found, expected)) in found.iter().zip(&expected).enumerate() {
            for (j, (found, expected)) in found.iter().zip(expected).enumerate() {
                // Times the column's deviation an entry has no unit; the largest are about 343, and
                // the files carry rounding of about 3e-9 from inverting a matrix close to singular.
                let error = (found - expected).abs() * covariance.matrix[(j, j)].sqrt();
                assert!(error <= 1e-7, "{name}, ({i}, {j}): {found} != {expected}");
            }
        }
    }
}
