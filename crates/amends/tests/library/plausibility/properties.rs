//! What must hold of covariance factors and outlier factors whatever the rows are.

use amends::plausibility::{
    Covariance, FactorKind, LocalOutlierFactor, Metric, factor, mahalanobis,
};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// Rows of an amount, a count and the levels of a one-hot feature: the plain covariance is singular.
fn credit_rows() -> impl Strategy<Value = Vec<Vec<f64>>> {
    let row = (100.0..20_000.0, 0u8..6, 0usize..3).prop_map(|(amount, count, level)| {
        let mut row = vec![amount, f64::from(count), 0.0, 0.0, 0.0];
        row[2 + level] = 1.0;
        row
    });
    prop::collection::vec(row, 2..40)
}

fn cloud(rows: std::ops::Range<usize>) -> impl Strategy<Value = Vec<Vec<f64>>> {
    prop::collection::vec(prop::collection::vec(-100.0..100.0, 3), rows)
}

proptest! {
    // A fixed seed: the same rows on every run.
    #![proptest_config(ProptestConfig {
        cases: 64,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(2020),
        ..ProptestConfig::default()
    })]

    #[test]
    fn the_squared_factor_inverts_the_covariance(rows in credit_rows()) {
        let covariance = Covariance::fit(&rows).unwrap();
        let width = covariance.matrix.nrows();
        for kind in [FactorKind::Cholesky, FactorKind::Eigen] {
            let u = factor(&covariance, kind).unwrap();
            // U C U' = I is the same as U'U C = I, and has no units: neither does its error.
            for i in 0..width {
                for j in 0..width {
                    let product: f64 = (0..width)
                        .flat_map(|p| (0..width).map(move |q| (p, q)))
                        .map(|(p, q)| u[i][p] * covariance.matrix[(p, q)] * u[j][q])
                        .sum();
                    let expected = f64::from(u8::from(i == j));
                    prop_assert!(
                        (product - expected).abs() < 1e-6,
                        "{}: ({i}, {j}) is {product}", kind.name()
                    );
                }
            }
        }
    }

    #[test]
    fn every_factor_has_the_same_mahalanobis_distance(
        rows in credit_rows(),
        amount in -5000.0..5000.0, count in -3.0..3.0, level in 0usize..3, unseen in -1.0..1.0,
    ) {
        let covariance = Covariance::fit(&rows).unwrap();
        let mut change = [amount, count, 0.0, 0.0, unseen];
        change[2 + level] += 1.0;
        let [cholesky, eigen] = [FactorKind::Cholesky, FactorKind::Eigen]
            .map(|kind| mahalanobis(&factor(&covariance, kind).unwrap(), &change));
        prop_assert!((cholesky - eigen).abs() <= 1e-6 * cholesky, "{cholesky} != {eigen}");
    }

    #[test]
    fn the_order_of_the_reference_does_not_matter(points in cloud(6..30), x in cloud(1..2), by in 1usize..5) {
        let mut turned = points.clone();
        turned.rotate_left(by);
        turned.reverse();
        for metric in [Metric::SquaredEuclidean, Metric::Euclidean, Metric::Manhattan] {
            let [one, other] = [&points, &turned].map(|points| {
                LocalOutlierFactor::fit(points.clone(), 5, metric, None).unwrap().score(&x[0])
            });
            prop_assert!((one - other).abs() <= 1e-12 * one, "{one} != {other}");
        }
    }

    #[test]
    fn outlier_factors_have_no_unit(points in cloud(6..30), x in cloud(1..2)) {
        // Powers of two scale without rounding; only the 1e-10 against infinite densities remains.
        let scale = Some(vec![0.25; 3]);
        let plain = LocalOutlierFactor::fit(points.clone(), 3, Metric::Euclidean, None).unwrap();
        let scaled = LocalOutlierFactor::fit(points, 3, Metric::Euclidean, scale).unwrap();
        let (plain, scaled) = (plain.score(&x[0]), scaled.score(&x[0]));
        prop_assert!((plain - scaled).abs() <= 1e-6 * plain, "{plain} != {scaled}");
    }
}
