//! Costs that 64 bits can't hold are refused: no plan of infinite cost is the cheapest.

use amends::instance::read_instances;
use amends::search::{Control, SearchSettings, search};

/// Two numbers, one point; a factor, a weight and a density to choose.
fn refusal(factor: &str, weight: &str, density: &str) -> Option<String> {
    let text = format!(
        r#"{{"version": 2, "x": [0, 0],
            "features": [
                {{"name": "a", "columns": [0], "ranges": [{{"first": [0], "last": [9], "step": 1}}]}},
                {{"name": "b", "columns": [1], "ranges": [{{"first": [0], "last": [9], "step": 1}}]}}],
            "max_changes": 2,
            "classifier": {{"kind": "linear", "weights": [1, 1], "intercept": -4}},
            "cost": {{"distance": {{"kind": "mahalanobis", "factor": [[{factor}, 0], [0, {factor}]]}},
                "outlier": {{"weight": {weight}, "metric": "euclidean", "points": [[0, 1], [5, 5]],
                    "k_distance": [1, 1], "density": [{density}, 1], "k": 1}}}}}}"#
    );
    let instance = read_instances(&text, "overflow").unwrap().remove(0);
    let report = search(&instance, &SearchSettings::default(), &Control::default());
    report.err().map(|error| error.to_string())
}

#[test]
fn costs_that_overflow_are_refused() {
    assert_eq!(refusal("1", "1", "1"), None);
    for (factor, weight, density) in
        [("1e160", "1", "1"), ("1", "1e308", "1e3"), ("1", "1", "1e308"), ("1e200", "1", "1")]
    {
        let said = refusal(factor, weight, density).unwrap_or_default();
        assert!(said.contains("too large to add up"), "{factor} {weight} {density}: {said}");
    }
}
