//! The Mahalanobis distance of numbers that codes may stand in for does not depend on where the numbers lie.

use crate::plausibility::{CodedColumn, Covariance, FactorKind, factor, mahalanobis};

/// A number from `origin` on (0 with a code), one indicator per code, a count, and the levels of a one-hot feature.
fn rows(origin: f64, one_hot: bool) -> Vec<Vec<f64>> {
    let row = |i: u32| {
        let code = [3, 7].iter().position(|&rest| i % 11 == rest);
        let mut row = vec![0.0; if one_hot { 6 } else { 4 }];
        match code {
            Some(code) => row[1 + code] = 1.0,
            None => row[0] = origin + f64::from(i * 17 % 31),
        }
        row[3] = f64::from(i * 13 % 23 + i * 17 % 31 / 4);
        if one_hot {
            row[4 + (i % 2) as usize] = 1.0;
        }
        row
    };
    (0..120).map(row).collect()
}

fn fitted(origin: f64, one_hot: bool) -> Covariance {
    let coded = [CodedColumn { number: 0, codes: 1..3 }];
    Covariance::fit_coded(&rows(origin, one_hot), &coded).unwrap()
}

#[test]
fn where_numbers_lie_makes_no_difference() {
    for one_hot in [false, true] {
        for kind in [FactorKind::Cholesky, FactorKind::Eigen] {
            let distances = |origin: f64| {
                let covariance = fitted(origin, one_hot);
                let factor = factor(&covariance, kind).unwrap();
                let change = |number: f64, code: f64, count: f64| {
                    let mut change = vec![number, code, 0.0, count];
                    change.resize(factor.len(), 0.0);
                    mahalanobis(&factor, &change)
                };
                let within = [change(1.0, 0.0, 0.0), change(-9.0, 0.0, 4.0)];
                (covariance.ridge, within, change(origin + 9.0, -1.0, 0.0))
            };
            let (ridge, within, leaving) = distances(0.0);
            assert_eq!(ridge, if one_hot { 1e-6 } else { 0.0 });
            // Years, dates, and account numbers.
            for origin in [2000.0, 20_260_101.0, 1e9, 1e11] {
                let (same_ridge, same_within, same_leaving) = distances(origin);
                assert_eq!((same_ridge, same_within), (ridge, within), "from {origin}");
                // Leaving a code takes the number's distance from 0 back out of what the indicator says.
                let error = (same_leaving / leaving - 1.0).abs();
                assert!(error <= 1e-15 * origin, "from {origin}: {same_leaving}, not {leaving}");
            }
        }
    }
}

#[test]
fn the_cholesky_factor_is_that_of_the_columns_as_encoded() {
    let rows = rows(0.0, false);
    let [plain, imputed] =
        [Covariance::fit(&rows).unwrap(), fitted(0.0, false)].map(|covariance| {
            assert_eq!(covariance.ridge, 0.0);
            factor(&covariance, FactorKind::Cholesky).unwrap()
        });
    for (plain, imputed) in plain.iter().flatten().zip(imputed.iter().flatten()) {
        assert!((plain - imputed).abs() < 1e-12, "{imputed} is not {plain}");
    }
}

#[test]
fn an_offset_without_codes_costs_no_digits() {
    let coded = |origin: f64| -> Vec<Vec<f64>> {
        let rows = rows(origin, false).into_iter().filter(|row| row[1] + row[2] == 0.0);
        rows.map(|row| vec![row[0], row[3]]).collect()
    };
    let near = Covariance::fit(&coded(0.0)).unwrap();
    for origin in [20_260_101.0, 1e11, 1e15] {
        assert_eq!(Covariance::fit(&coded(origin)).unwrap(), near, "from {origin}");
    }
}

#[test]
fn a_column_in_which_every_row_has_a_code_is_constant() {
    let coded = [CodedColumn { number: 0, codes: 1..2 }];
    let rows = [vec![0.0, 1.0, 1.0], vec![0.0, 1.0, 2.0], vec![0.0, 1.0, 4.0]];
    let covariance = Covariance::fit_coded(&rows, &coded).unwrap();
    assert_eq!((covariance.ridge, covariance.imputed[0].number), (1e-6, 0.0));
}
