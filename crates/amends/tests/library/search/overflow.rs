//! Costs that 64 bits can't hold are refused: no plan of infinite cost is the cheapest.

use amends::engine::Control;
use amends::instance::read_instances;
use amends::search::{SearchSettings, search};

/// Two numbers and two points, with some of the numbers to choose.
struct Numbers {
    distance: &'static str,
    factor: &'static str,
    metric: &'static str,
    weight: &'static str,
    point: &'static str,
    k_distance: &'static str,
    density: &'static str,
    scale: &'static str,
}

const ORDINARY: Numbers = Numbers {
    distance: "mahalanobis",
    factor: "1",
    metric: "euclidean",
    weight: "1",
    point: "5",
    k_distance: "1",
    density: "1",
    scale: "1",
};

/// What is said of an instance with these numbers; `None` where it is solved.
fn refusal(numbers: &Numbers) -> Option<String> {
    let Numbers { distance, factor, metric, weight, point, k_distance, density, scale } = numbers;
    let text = format!(
        r#"{{"version": 2, "x": [0, 0],
            "features": [
                {{"name": "a", "columns": [0], "ranges": [{{"first": [0], "last": [9], "step": 1}}]}},
                {{"name": "b", "columns": [1], "ranges": [{{"first": [0], "last": [9], "step": 1}}]}}],
            "max_changes": 2,
            "classifier": {{"kind": "linear", "weights": [1, 1], "intercept": -4}},
            "cost": {{"distance": {{"kind": "{distance}", "factor": [[{factor}, 0], [0, {factor}]]}},
                "outlier": {{"weight": {weight}, "metric": "{metric}", "points": [[0, 1], [5, {point}]],
                    "k_distance": [{k_distance}, 1], "density": [{density}, 1], "k": 2, "scale": [1, {scale}]}}}}}}"#
    );
    let solved = read_instances(&text, "overflow").and_then(|mut instances| {
        search(&instances.remove(0), &SearchSettings::default(), &Control::default())
    });
    solved.err().map(|error| error.to_string())
}

#[test]
fn costs_that_overflow_are_refused_with_the_number_to_blame() {
    assert_eq!(refusal(&ORDINARY), None);
    let weightless = Numbers { weight: "0", ..ORDINARY };
    for (numbers, place) in [
        (Numbers { factor: "1e160", ..ORDINARY }, "factor[0][0]: `1e160` "),
        (
            Numbers { factor: "1e80", distance: "squared-mahalanobis", ..ORDINARY },
            "factor[0][0]: `1e80` ",
        ),
        (Numbers { point: "1e200", ..ORDINARY }, "points[1][1]: `1e200` "),
        // Without a weight the outlier term is still reported, and 0 times infinity is not a number.
        (Numbers { point: "1e200", ..weightless }, "points[1][1]: `1e200` "),
        (Numbers { scale: "1e-310", ..ORDINARY }, "scale[1]: `1e-310` "),
        (Numbers { scale: "1e-160", ..weightless }, "scale[1]: `1e-160` "),
        (
            Numbers { scale: "1e-160", metric: "squared-euclidean", ..ORDINARY },
            "scale[1]: `1e-160` ",
        ),
        (Numbers { k_distance: "1e200", ..ORDINARY }, "k_distance: `1e200` "),
        (Numbers { density: "1e300", ..ORDINARY }, "density: `1e300` "),
        (Numbers { weight: "1e308", ..ORDINARY }, "weight: `1e308` "),
    ] {
        let said = refusal(&numbers).unwrap_or_default();
        assert!(said.contains(place) && said.contains("beyond 1e150"), "{place}: {said}");
    }
}

#[test]
fn values_are_to_blame_where_they_are_what_is_large() {
    let text = r#"{"version": 2, "x": [1e200, 0],
        "features": [{"name": "a", "columns": [1], "options": [[0], [1]]}], "max_changes": 1,
        "classifier": {"kind": "linear", "weights": [0, 1], "intercept": -1},
        "cost": {"distance": {"kind": "table", "costs": [[0, 1]]},
            "outlier": {"weight": 1, "metric": "euclidean", "points": [[0, 0]], "k_distance": [1], "density": [1]}}}"#;
    let said = read_instances(text, "overflow").unwrap_err().to_string();
    assert!(said.contains("x[0], and the options of its feature: `1e200` "), "{said}");
    let costs = text.replace("1e200", "1").replace("[[0, 1]]", "[[0, 1e200]]");
    let said = read_instances(&costs, "overflow").unwrap_err().to_string();
    assert!(said.contains("cost.distance.costs[0]: `1e200` "), "{said}");
}
