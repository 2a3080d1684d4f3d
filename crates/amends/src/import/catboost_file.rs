//! The parts of CatBoost's JSON that decide, and the refusal of anything but classifiers of two classes.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use super::raw::SAVE_AGAIN;
use crate::{InputError, Result};

/// A model file.
#[derive(Deserialize)]
pub(super) struct File {
    pub(super) features_info: Features,
    #[serde(default)]
    model_info: Info,
    /// Symmetric trees.
    #[serde(default)]
    pub(super) oblivious_trees: Option<Vec<Symmetric>>,
    /// Trees of any other form.
    #[serde(default)]
    pub(super) trees: Option<Vec<Node>>,
    #[serde(default)]
    pub(super) ctr_data: Option<BTreeMap<String, Table>>,
    #[serde(default)]
    scale_and_bias: Option<(f64, Vec<f64>)>,
}

#[derive(Deserialize)]
#[expect(clippy::struct_field_names, reason = "CatBoost's names")]
pub(super) struct Features {
    #[serde(default)]
    pub(super) float_features: Option<Vec<Float>>,
    #[serde(default)]
    pub(super) categorical_features: Option<Vec<Categorical>>,
    #[serde(default)]
    pub(super) ctrs: Option<Vec<Ctr>>,
}

/// A column of numbers.
#[derive(Deserialize)]
pub(super) struct Float {
    #[serde(default)]
    pub(super) feature_id: String,
    pub(super) feature_index: usize,
    pub(super) flat_feature_index: usize,
    #[serde(default)]
    pub(super) has_nans: bool,
    #[serde(default)]
    pub(super) nan_value_treatment: String,
    #[serde(default)]
    pub(super) borders: Option<Vec<f32>>,
}

/// A column of categories.
#[derive(Deserialize)]
pub(super) struct Categorical {
    #[serde(default)]
    pub(super) feature_id: String,
    pub(super) feature_index: usize,
    pub(super) flat_feature_index: usize,
    /// Those that some split compares with.
    #[serde(default)]
    pub(super) values: Option<Vec<i32>>,
}

/// A statistic of categories, with the borders that splits compare it with.
#[derive(Deserialize)]
#[expect(clippy::struct_field_names, reason = "CatBoost's names")]
pub(super) struct Ctr {
    /// The key of its table.
    pub(super) identifier: String,
    pub(super) ctr_type: String,
    pub(super) elements: Vec<Element>,
    pub(super) prior_numerator: f32,
    #[serde(alias = "prior_denominator")]
    pub(super) prior_denomerator: f32,
    pub(super) shift: f32,
    pub(super) scale: f32,
    #[serde(default)]
    pub(super) target_border_idx: usize,
    #[serde(default)]
    pub(super) borders: Option<Vec<f32>>,
}

/// What a statistic is of.
#[derive(Deserialize)]
#[serde(tag = "combination_element", rename_all = "snake_case")]
pub(super) enum Element {
    CatFeatureValue { cat_feature_index: usize },
    FloatFeature { float_feature_index: usize, border: f32 },
    CatFeatureExactValue { cat_feature_index: usize, value: i32 },
}

/// The counts behind a statistic: each hash as a text, with its numbers behind it.
#[derive(Deserialize)]
pub(super) struct Table {
    #[serde(default)]
    pub(super) counter_denominator: i64,
    pub(super) hash_map: Vec<Cell>,
    pub(super) hash_stride: usize,
}

#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum Cell {
    Hash(String),
    Number(f64),
}

/// A tree that asks the same on every branch. The first split decides about the lowest bit of a leaf's index.
#[derive(Deserialize)]
pub(super) struct Symmetric {
    pub(super) leaf_values: Vec<f64>,
    #[serde(default)]
    pub(super) splits: Option<Vec<Split>>,
}

/// A node of any other tree: a leaf, or a split with both branches.
#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum Node {
    Inner { split: Split, left: Box<Node>, right: Box<Node> },
    Leaf { value: Leaf },
}

#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum Leaf {
    One(f64),
    Several(Vec<f64>),
}

#[derive(Deserialize)]
#[serde(tag = "split_type")]
pub(super) enum Split {
    FloatFeature { float_feature_index: usize, border: f32 },
    OneHotFeature { cat_feature_index: usize, value: i32 },
    OnlineCtr { split_index: usize, border: f32 },
}

#[derive(Deserialize, Default)]
struct Info {
    #[serde(default)]
    params: Value,
    #[serde(default)]
    class_params: Value,
    #[serde(default)]
    binclass_probability_threshold: Value,
}

impl File {
    /// Reads a file; what is wrong with it is said in the words of its format.
    pub(super) fn read(text: &str) -> Result<Self> {
        const HOW: &str = "save it again with model.save_model(\"model.json\", format=\"json\")";
        Ok(serde_json::from_str(text).map_err(|error| {
            super::catboost_shape::CATBOOST
                .explain(text, &error)
                .inside("CatBoost model")
                .remedy(HOW)
        })?)
    }

    /// Refuses anything but a decision between two classes by log-odds.
    pub(super) fn check(&self) -> Result<(), InputError> {
        let loss = &self.model_info.params["loss_function"]["type"];
        let remedy = "fit a CatBoostClassifier of two classes with loss_function=\"Logloss\"";
        let wrong = |problem: &str| {
            InputError::new(problem).at("model_info.params.loss_function.type").remedy(remedy)
        };
        match loss.as_str() {
            Some("Logloss" | "CrossEntropy") => {}
            Some(other) => {
                return Err(wrong("does not decide between two classes by log-odds").value(other));
            }
            None => return Err(wrong("is missing, so that the file does not say how it decides")),
        }
        if self.bias().is_none() {
            return Err(InputError::new("has several biases, one per class")
                .at("scale_and_bias")
                .remedy(remedy));
        }
        Ok(())
    }

    /// What the sum of the trees is multiplied by.
    pub(super) fn scale(&self) -> f64 {
        self.scale_and_bias.as_ref().map_or(1.0, |(scale, _)| *scale)
    }

    /// What is added then; `None` where there are several.
    pub(super) fn bias(&self) -> Option<f64> {
        match self.scale_and_bias.as_ref().map(|(_, bias)| bias.as_slice()) {
            None | Some([]) => Some(0.0),
            Some(&[bias]) => Some(bias),
            Some(_) => None,
        }
    }

    /// The greatest score that is not class 1: the log-odds of the probability that decides.
    pub(super) fn cut(&self) -> Result<f64, InputError> {
        let stored = &self.model_info.binclass_probability_threshold;
        let probability = match stored {
            Value::Null => return Ok(0.0),
            Value::String(text) => text.parse().ok(),
            other => other.as_f64(),
        };
        match probability.filter(|p| 0.0 < *p && *p < 1.0) {
            Some(0.5) => Ok(0.0),
            // As CatBoost computes it.
            Some(probability) => Ok(-libm::log(1.0 / probability - 1.0)),
            None => Err(InputError::new("is not a probability between 0 and 1")
                .at("model_info.binclass_probability_threshold")
                .value(stored)
                .remedy(SAVE_AGAIN)),
        }
    }

    /// The outcome that class 1 stands for, where the file names the classes.
    pub(super) fn class_one(&self) -> Option<String> {
        match self.model_info.class_params["class_names"].as_array()?.as_slice() {
            [_, Value::String(one)] => Some(one.clone()),
            [_, one @ (Value::Number(_) | Value::Bool(_))] => Some(one.to_string()),
            _ => None,
        }
    }
}
