//! The shape of the parts of CatBoost's JSON that are read. All others are ignored.

use crate::shape::{Shape, nullable, optional, required};

const NUMBERS: Shape = Shape::List(&Shape::Number);
const WHOLE_NUMBERS: Shape = Shape::List(&Shape::Whole);

/// A model file.
pub(super) const CATBOOST: Shape = Shape::Open(&[
    required("features_info", &FEATURES),
    nullable("oblivious_trees", &Shape::List(&SYMMETRIC)),
    nullable("trees", &Shape::List(&NODE)),
    nullable("ctr_data", &Shape::Map(&TABLE)),
]);

const FEATURES: Shape = Shape::Open(&[
    nullable("float_features", &Shape::List(&FLOAT)),
    nullable("categorical_features", &Shape::List(&CATEGORICAL)),
    nullable("ctrs", &Shape::List(&CTR)),
]);

const FLOAT: Shape = Shape::Open(&[
    optional("feature_id", &Shape::Text),
    required("feature_index", &Shape::Count),
    required("flat_feature_index", &Shape::Count),
    optional("has_nans", &Shape::Flag),
    optional("nan_value_treatment", &Shape::Text),
    nullable("borders", &NUMBERS),
]);

const CATEGORICAL: Shape = Shape::Open(&[
    optional("feature_id", &Shape::Text),
    required("feature_index", &Shape::Count),
    required("flat_feature_index", &Shape::Count),
    nullable("values", &WHOLE_NUMBERS),
]);

const CTR: Shape = Shape::Open(&[
    required("identifier", &Shape::Text),
    required("ctr_type", &Shape::Text),
    required("elements", &Shape::List(&ELEMENT)),
    required("prior_numerator", &Shape::Number),
    required("shift", &Shape::Number),
    required("scale", &Shape::Number),
    optional("target_border_idx", &Shape::Count),
    nullable("borders", &NUMBERS),
]);

const ELEMENT: Shape = Shape::Open(&[
    required(
        "combination_element",
        &Shape::OneOf(&["cat_feature_value", "float_feature", "cat_feature_exact_value"]),
    ),
    optional("cat_feature_index", &Shape::Count),
    optional("float_feature_index", &Shape::Count),
    optional("border", &Shape::Number),
    optional("value", &Shape::Whole),
]);

const TABLE: Shape = Shape::Open(&[
    optional("counter_denominator", &Shape::Whole),
    required("hash_map", &Shape::List(&CELL)),
    required("hash_stride", &Shape::Count),
]);

const CELL: Shape = Shape::Either(&Shape::Text, &Shape::Number, "a hash or a number");

const SYMMETRIC: Shape =
    Shape::Open(&[required("leaf_values", &NUMBERS), nullable("splits", &Shape::List(&SPLIT))]);

const SPLIT: Shape = Shape::Open(&[
    required("split_type", &Shape::OneOf(&["FloatFeature", "OneHotFeature", "OnlineCtr"])),
    optional("float_feature_index", &Shape::Count),
    optional("cat_feature_index", &Shape::Count),
    optional("split_index", &Shape::Count),
    optional("border", &Shape::Number),
    optional("value", &Shape::Whole),
]);

/// Branches within a branch are not looked into.
const NODE: Shape = Shape::Open(&[
    optional("split", &SPLIT),
    optional("value", &Shape::Either(&Shape::Number, &NUMBERS, "a number")),
    optional("left", &Shape::Open(&[])),
    optional("right", &Shape::Open(&[])),
]);
