//! The local outlier factor is scikit-learn's, to nine digits (see scripts/golden/lof.py).

use amends::plausibility::{LocalOutlierFactor, Metric};
use serde::Deserialize;

#[derive(Deserialize)]
struct Golden {
    tables: Vec<Table>,
}

#[derive(Deserialize)]
struct Table {
    name: String,
    points: Vec<Vec<f64>>,
    new: Vec<Vec<f64>>,
    fits: Vec<Fit>,
}

#[derive(Deserialize)]
struct Fit {
    metric: Metric,
    k: usize,
    k_distance: Vec<f64>,
    density: Vec<f64>,
    score: Vec<f64>,
}

fn assert_close(found: &[f64], expected: &[f64], place: &str) {
    assert_eq!(found.len(), expected.len(), "{place}");
    for (row, (found, expected)) in found.iter().zip(expected).enumerate() {
        let tolerance = 1e-9 * expected.abs();
        assert!((found - expected).abs() <= tolerance, "{place}, row {row}: {found} != {expected}");
    }
}

#[test]
fn distances_densities_and_scores_are_those_of_scikit_learn() {
    let golden: Golden =
        serde_json::from_str(include_str!("../../golden/sklearn_lof.json")).unwrap();
    let mut fits = 0;
    for Table { name, points, new, fits: expected } in golden.tables {
        for fit in expected {
            let place = format!("{name}, {}, k = {}", fit.metric.name(), fit.k);
            let lof = LocalOutlierFactor::fit(points.clone(), fit.k, fit.metric, None).unwrap();
            let scores: Vec<f64> = new.iter().map(|x| lof.score(x)).collect();
            assert_close(lof.k_distance(), &fit.k_distance, &format!("{place}, k-distance"));
            assert_close(lof.density(), &fit.density, &format!("{place}, density"));
            assert_close(&scores, &fit.score, &format!("{place}, score"));
            fits += 1;
        }
    }
    assert_eq!(fits, 27);
}
