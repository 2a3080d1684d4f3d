//! The shape of the instance file.

use crate::model::CLASSIFIER;
use crate::shape::{Field, Shape, nullable, optional, required};

const NUMBERS: Shape = Shape::List(&Shape::Number);
const ROWS: Shape = Shape::List(&NUMBERS);
const COUNTS: Shape = Shape::List(&Shape::Count);

/// An instance.
pub(super) const INSTANCE: Shape = Shape::Object(&[
    required("version", &Shape::Count),
    required("x", &NUMBERS),
    required("features", &Shape::List(&FEATURE)),
    required("max_changes", &Shape::Count),
    optional("rules", &Shape::List(&RULE)),
    required("classifier", &CLASSIFIER),
    required("cost", &COST),
]);

const FEATURE: Shape = Shape::Object(&[
    required("name", &Shape::Text),
    required("columns", &COUNTS),
    optional("ranges", &Shape::List(&RANGE)),
    optional("options", &ROWS),
]);

const RANGE: Shape = Shape::Object(&[
    required("first", &NUMBERS),
    required("last", &NUMBERS),
    required("step", &Shape::Number),
]);

const RULE: Shape = Shape::Object(&[
    required("name", &Shape::Text),
    nullable("any_of", &Shape::List(&LITERAL)),
    nullable("at_most", &SUM),
]);

const LITERAL: Shape = Shape::Object(&[
    required("feature", &Shape::Count),
    required("options", &Shape::List(&OPTIONS)),
]);

const OPTIONS: Shape = Shape::Either(
    &Shape::Count,
    &Shape::Interval,
    "an option (a whole number of 0 or more) or an interval [first, last] of options",
);

const SUM: Shape =
    Shape::Object(&[required("terms", &Shape::List(&TERM)), required("most", &Shape::Number)]);

const TERM: Shape =
    Shape::Object(&[required("feature", &Shape::Count), required("coefficients", &COEFFICIENTS)]);

const COEFFICIENTS: Shape = Shape::List(&Shape::Either(
    &Shape::Number,
    &RUN,
    "a number or a run {\"first\": ..., \"step\": ..., \"count\": ...}",
));

const RUN: Shape = Shape::Object(&[
    required("first", &Shape::Number),
    required("step", &Shape::Number),
    required("count", &Shape::Count),
]);

const COST: Shape = Shape::Object(&[
    required("distance", &DISTANCE),
    nullable("outlier", &OUTLIER),
    optional("change_cost", &Shape::Number),
    optional("most", &LIMITS),
]);

const FACTOR: &[Field] = &[required("factor", &ROWS)];

const DISTANCE: Shape = Shape::Kinds(&[
    ("l1-mahalanobis", FACTOR),
    ("mahalanobis", FACTOR),
    ("squared-mahalanobis", FACTOR),
    ("table", &[required("costs", &Shape::List(&COEFFICIENTS))]),
]);

const OUTLIER: Shape = Shape::Object(&[
    required("weight", &Shape::Number),
    required("metric", &Shape::OneOf(&["squared-euclidean", "euclidean", "manhattan"])),
    required("points", &ROWS),
    required("k_distance", &NUMBERS),
    required("density", &NUMBERS),
    nullable("k", &Shape::Count),
    nullable("scale", &NUMBERS),
]);

const LIMITS: Shape =
    Shape::Object(&[nullable("distance", &Shape::Number), nullable("outlier", &Shape::Number)]);
