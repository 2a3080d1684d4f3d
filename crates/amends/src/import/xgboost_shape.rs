//! The shape of the parts of XGBoost's JSON that are read. All others are ignored.

use crate::shape::{Shape, nullable, optional, required};

const NUMBERS: Shape = Shape::List(&Shape::Number);
const COUNTS: Shape = Shape::List(&Shape::Count);
const WHOLE_NUMBERS: Shape = Shape::List(&Shape::Whole);
const TEXTS: Shape = Shape::List(&Shape::Text);

/// A model file.
pub(super) const XGBOOST: Shape = Shape::Open(&[required("learner", &LEARNER)]);

const LEARNER: Shape = Shape::Open(&[
    required("gradient_booster", &BOOSTER),
    required("learner_model_param", &PARAM),
    required("objective", &Shape::Open(&[required("name", &Shape::Text)])),
    optional("attributes", &Shape::Map(&Shape::Text)),
    optional("feature_names", &TEXTS),
    optional("feature_types", &TEXTS),
]);

const PARAM: Shape = Shape::Open(&[
    required("base_score", &Shape::Text),
    optional("num_class", &Shape::Text),
    optional("num_target", &Shape::Text),
    required("num_feature", &Shape::Text),
]);

const BOOSTER: Shape = Shape::Open(&[
    required("name", &Shape::Text),
    nullable("model", &MODEL),
    nullable("gbtree", &Shape::Open(&[required("model", &MODEL)])),
    nullable("weight_drop", &NUMBERS),
]);

const MODEL: Shape = Shape::Open(&[
    optional("cats", &Shape::Open(&[optional("enc", &Shape::List(&CATEGORY))])),
    optional("gbtree_model_param", &Shape::Open(&[optional("num_parallel_tree", &Shape::Text)])),
    required("trees", &Shape::List(&TREE)),
]);

const CATEGORY: Shape = Shape::Open(&[nullable("offsets", &COUNTS), required("values", &NUMBERS)]);

const TREE: Shape = Shape::Open(&[
    required("left_children", &WHOLE_NUMBERS),
    required("right_children", &WHOLE_NUMBERS),
    required("split_indices", &WHOLE_NUMBERS),
    required("split_conditions", &Shape::List(&CONDITION)),
    required("default_left", &Shape::List(&SIDE)),
    optional("split_type", &WHOLE_NUMBERS),
    optional("categories", &COUNTS),
    optional("categories_nodes", &COUNTS),
    optional("categories_segments", &COUNTS),
    optional("categories_sizes", &COUNTS),
    optional("tree_param", &Shape::Open(&[optional("size_leaf_vector", &Shape::Text)])),
]);

const CONDITION: Shape = Shape::Either(&Shape::Number, &Shape::Null, "a number");
const SIDE: Shape = Shape::Either(&Shape::Flag, &Shape::Count, "true, false, 0 or 1");
