//! The parts of XGBoost's JSON that decide, and the refusal of anything but classifiers made of trees.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::raw::SAVE_AGAIN;
use super::xgboost::Objective;
use super::xgboost_shape::XGBOOST;
use crate::{InputError, Result};

/// Reads one view of a file. Numbers of 32 bits are read as such, straight from the text.
pub(super) fn read<T: DeserializeOwned>(text: &str) -> Result<T> {
    #[derive(Deserialize)]
    struct File<T> {
        learner: T,
    }
    let file: File<T> = serde_json::from_str(text).map_err(|error| {
        XGBOOST
            .explain(text, &error)
            .inside("XGBoost model")
            .remedy("save it again with booster.save_model(\"model.json\")")
    })?;
    Ok(file.learner)
}

/// The text as JSON: XGBoost 2.0 writes `NaN`, which JSON does not have, where a split by categories has no threshold.
pub(super) fn as_json(text: &str) -> Cow<'_, str> {
    const WORD: &str = "NaN";
    let is_json = text.trim_start_matches('\u{feff}').trim_start().starts_with('{');
    if !is_json || !text.contains(WORD) {
        return Cow::Borrowed(text);
    }
    let mut json = String::with_capacity(text.len() + 64);
    let (mut in_string, mut escaped) = (false, false);
    let mut rest = text;
    while let Some(next) = rest.chars().next() {
        if !in_string && rest.starts_with(WORD) {
            json.push_str("null");
            rest = &rest[WORD.len()..];
            continue;
        }
        in_string ^= next == '"' && !escaped;
        escaped = in_string && next == '\\' && !escaped;
        json.push(next);
        rest = &rest[next.len_utf8()..];
    }
    Cow::Owned(json)
}

/// The part that is read first: whether it is a model of the right kind.
#[derive(Deserialize)]
pub(super) struct Head {
    gradient_booster: Named,
    learner_model_param: Param,
    objective: Named,
}

#[derive(Deserialize)]
struct Named {
    name: String,
}

/// XGBoost writes these numbers as texts.
#[derive(Deserialize)]
struct Param {
    base_score: String,
    #[serde(default)]
    num_class: String,
    #[serde(default)]
    num_target: String,
    num_feature: String,
}

impl Head {
    /// Refuses other boosters, objectives, and more than two classes.
    pub(super) fn check(&self) -> Result<Objective> {
        let refused = |key: &str, value: &str, problem: &str, remedy: &str| {
            Err(InputError::new(problem).at(key).value(value).remedy(remedy).into())
        };
        let booster = &self.gradient_booster.name;
        if booster != "gbtree" && booster != "dart" {
            return refused("booster", booster, "is not a booster of trees", "use gbtree or dart");
        }
        let objective = match self.objective.name.as_str() {
            "binary:logistic" => Objective::Logistic,
            "binary:logitraw" => Objective::LogitRaw,
            other => {
                return refused(
                    "objective",
                    other,
                    "does not decide between two classes by log-odds",
                    "use binary:logistic or binary:logitraw",
                );
            }
        };
        let Param { num_class, num_target, .. } = &self.learner_model_param;
        if !["", "0", "1"].contains(&num_class.as_str()) {
            return refused("num_class", num_class, "is too many classes", "fit two classes");
        }
        if !["", "0", "1"].contains(&num_target.as_str()) {
            return refused("num_target", num_target, "is too many targets", "fit one target");
        }
        Ok(objective)
    }

    /// How many columns the model was fitted on.
    pub(super) fn width(&self) -> Result<usize> {
        let text = &self.learner_model_param.num_feature;
        text.parse().map_err(|_| {
            InputError::new("is not a number of columns")
                .at("num_feature")
                .value(text)
                .remedy(SAVE_AGAIN)
                .into()
        })
    }

    /// The base score: `5E-1`, or `[5E-1]` since version 3.1.
    pub(super) fn base_score(&self) -> Result<f32> {
        let text = &self.learner_model_param.base_score;
        let inner = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(text);
        inner.trim().parse().map_err(|_| {
            InputError::new("is not a base score")
                .at("base_score")
                .value(text)
                .remedy(SAVE_AGAIN)
                .into()
        })
    }
}

#[derive(Deserialize)]
pub(super) struct Learner {
    #[serde(default)]
    pub(super) attributes: BTreeMap<String, String>,
    #[serde(default)]
    pub(super) feature_names: Vec<String>,
    #[serde(default)]
    pub(super) feature_types: Vec<String>,
    pub(super) gradient_booster: Booster,
}

/// `gbtree` has a model; `dart` has one inside, and a weight per tree.
#[derive(Deserialize)]
pub(super) struct Booster {
    pub(super) model: Option<Model>,
    pub(super) gbtree: Option<Inner>,
    pub(super) weight_drop: Option<Vec<f32>>,
}

#[derive(Deserialize)]
pub(super) struct Inner {
    pub(super) model: Model,
}

#[derive(Deserialize)]
pub(super) struct Model {
    #[serde(default)]
    pub(super) cats: Categories,
    #[serde(default)]
    pub(super) gbtree_model_param: ModelParam,
    pub(super) trees: Vec<Trees>,
}

#[derive(Deserialize, Default)]
pub(super) struct ModelParam {
    #[serde(default)]
    pub(super) num_parallel_tree: String,
}

#[derive(Deserialize, Default)]
pub(super) struct Categories {
    #[serde(default)]
    pub(super) enc: Vec<Category>,
}

/// The categories of a column: texts as bytes with their offsets, or numbers.
#[derive(Deserialize)]
pub(super) struct Category {
    offsets: Option<Vec<usize>>,
    values: Vec<f64>,
}

impl Category {
    pub(super) fn labels(&self) -> Result<Vec<String>, InputError> {
        let Some(offsets) = &self.offsets else {
            return Ok(self.values.iter().map(f64::to_string).collect());
        };
        // Bytes above 127 are written as negative numbers.
        let bytes: Vec<u8> = self.values.iter().map(|&byte| byte as i64 as u8).collect();
        let label = |ends: &[usize]| {
            let bytes = bytes.get(ends[0]..ends[1])?;
            String::from_utf8(bytes.to_vec()).ok()
        };
        offsets
            .windows(2)
            .map(label)
            .collect::<Option<_>>()
            .ok_or_else(|| InputError::new("holds no texts").at("cats.enc").remedy(SAVE_AGAIN))
    }
}

/// One tree, as arrays by node.
#[derive(Deserialize)]
pub(super) struct Trees {
    pub(super) left_children: Vec<i64>,
    pub(super) right_children: Vec<i64>,
    pub(super) split_indices: Vec<i64>,
    /// Thresholds, and the values of leaves.
    pub(super) split_conditions: Vec<Option<f32>>,
    pub(super) default_left: Vec<Flag>,
    #[serde(default)]
    pub(super) split_type: Vec<i64>,
    #[serde(default)]
    categories: Vec<u32>,
    #[serde(default)]
    categories_nodes: Vec<usize>,
    #[serde(default)]
    categories_segments: Vec<usize>,
    #[serde(default)]
    categories_sizes: Vec<usize>,
    #[serde(default)]
    tree_param: TreeParam,
}

#[derive(Deserialize, Default)]
struct TreeParam {
    #[serde(default)]
    size_leaf_vector: String,
}

/// Older versions write `true`, newer ones 1.
#[derive(Deserialize, Clone, Copy)]
#[serde(untagged)]
pub(super) enum Flag {
    Word(bool),
    Digit(u64),
}

impl Flag {
    pub(super) fn is_set(self) -> bool {
        match self {
            Self::Word(set) => set,
            Self::Digit(digit) => digit != 0,
        }
    }
}

impl Trees {
    /// Refuses arrays of different lengths, and leaves of several values.
    pub(super) fn check(&self) -> Result<(), InputError> {
        let nodes = self.left_children.len();
        let lengths = [
            ("right_children", self.right_children.len()),
            ("split_indices", self.split_indices.len()),
            ("split_conditions", self.split_conditions.len()),
            ("default_left", self.default_left.len()),
        ];
        for (field, length) in lengths {
            if length != nodes {
                return Err(InputError::new(format!("has {length} entries for {nodes} nodes"))
                    .at(field)
                    .remedy(SAVE_AGAIN));
            }
        }
        let leaf = &self.tree_param.size_leaf_vector;
        if !["", "0", "1"].contains(&leaf.as_str()) {
            return Err(InputError::new("is too many values for a leaf")
                .at("size_leaf_vector")
                .value(leaf)
                .remedy("fit one target, with multi_strategy one_output_per_tree"));
        }
        Ok(())
    }

    /// The categories that a node sends to the right.
    pub(super) fn categories_of(&self, node: usize) -> Result<Vec<u32>, InputError> {
        let found = self.categories_nodes.iter().position(|&other| other == node);
        let listed = found.and_then(|index| {
            let start = *self.categories_segments.get(index)?;
            let end = start.checked_add(*self.categories_sizes.get(index)?)?;
            self.categories.get(start..end)
        });
        listed.map(<[u32]>::to_vec).ok_or_else(|| {
            InputError::new("has no list of categories")
                .at(format!("node {node}"))
                .remedy(SAVE_AGAIN)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_words_outside_of_texts_are_replaced() {
        let text = r#"{"NaN \" NaN": [NaN, 1E0,NaN], "a\\": NaN, "é": "NaN"}"#;
        let json = r#"{"NaN \" NaN": [null, 1E0,null], "a\\": null, "é": "NaN"}"#;
        assert_eq!(as_json(text), json);
        for other in ["{\"a\": 1}", "tree\nfeature_names=NaN_count"] {
            assert!(matches!(as_json(other), Cow::Borrowed(same) if same == other));
        }
    }
}
