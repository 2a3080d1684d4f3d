//! The shape of classifiers and of the model file.

use crate::shape::{Field, Shape, nullable, optional, required};

const NUMBERS: Shape = Shape::List(&Shape::Number);
const WHOLE_NUMBERS: Shape = Shape::List(&Shape::Whole);

/// A classifier, as instance files and model files hold it.
pub(crate) const CLASSIFIER: Shape =
    Shape::Kinds(&[("linear", LINEAR), ("trees", TREES), ("mlp", MLP), ("combined", COMBINED)]);

const COMBINED: &[Field] = &[
    required("members", &Shape::List(&MEMBER)),
    required(
        "combine",
        &Shape::Either(
            &Shape::OneOf(&["sum", "minimum"]),
            &Shape::Object(&[required("kth-largest", &Shape::Count)]),
            "`sum`, `minimum`, or `{\"kth-largest\": k}`",
        ),
    ),
    optional("intercept", &Shape::Number),
];

const MEMBER: Shape = Shape::Object(&[
    // A classifier may have classifiers in it.
    required("classifier", &Shape::Inner(|| &CLASSIFIER)),
    optional("transform", &TRANSFORM),
    optional("weight", &Shape::Number),
]);

const TRANSFORM: Shape = Shape::Kinds(&[
    ("identity", &[]),
    ("logistic", &[required("slope", &Shape::Number), required("offset", &Shape::Number)]),
    ("isotonic", &[required("scores", &NUMBERS), required("values", &NUMBERS)]),
    ("vote", &[optional("cut", &Shape::Number)]),
]);

const LINEAR: &[Field] = &[required("weights", &NUMBERS), required("intercept", &Shape::Number)];

const TREES: &[Field] = &[
    required("threshold", &Shape::Number),
    optional("sums", &Shape::OneOf(&["double", "single"])),
    required("trees", &Shape::List(&TREE)),
];

const TREE: Shape = Shape::Object(&[
    required("feature", &WHOLE_NUMBERS),
    required("threshold", &NUMBERS),
    required("left", &WHOLE_NUMBERS),
    required("right", &WHOLE_NUMBERS),
    required("value", &NUMBERS),
]);

const MLP: &[Field] = &[required("layers", &Shape::List(&LAYER))];

const LAYER: Shape =
    Shape::Object(&[required("weights", &Shape::List(&NUMBERS)), required("bias", &NUMBERS)]);

/// A model file.
pub(super) const MODEL: Shape = Shape::Object(&[
    required("format", &Shape::Text),
    required("version", &Shape::Count),
    nullable("kind", &Shape::OneOf(KINDS)),
    nullable("settings", &SETTINGS),
    nullable("library", &Shape::OneOf(LIBRARIES)),
    nullable("link", &Shape::OneOf(LINKS)),
    required("schema_name", &Shape::Text),
    required("schema_fingerprint", &Shape::Text),
    required("columns", &Shape::List(&Shape::Text)),
    nullable("quality", &QUALITY),
    required("classifier", &CLASSIFIER),
]);

const KINDS: &[&str] = &["logistic-regression", "linear-svm", "random-forest", "gradient-boosting"];
const LIBRARIES: &[&str] = &["xgboost", "lightgbm", "scikit-learn"];
const LINKS: &[&str] = &["log-odds", "share", "none"];

const SETTINGS: Shape = Shape::Object(&[
    required("seed", &Shape::Count),
    required("c", &Shape::Number),
    required("svm_loss", &Shape::OneOf(&["squared-hinge", "hinge"])),
    required("trees", &Shape::Count),
    nullable("depth", &Shape::Count),
    optional("learning_rate", &Shape::Number),
]);

const QUALITY: Shape = Shape::Object(&[
    required("accuracy", &Shape::Number),
    nullable("precision", &Shape::Number),
    nullable("recall", &Shape::Number),
    nullable("f1", &Shape::Number),
]);
