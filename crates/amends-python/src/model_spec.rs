//! A fitted model as the Python side describes it.

use amends::data::Schema;
use amends::import::{
    Asked, Content, Feed, ImportSettings, Library, Link, RawColumn, RawEnsemble, RawLinear,
    RawNetwork, RawNode, RawSplit, RawTables, RawTree, Reading, Side, Test, Tie,
    read_library_model,
};
use amends::model::Model;
use amends::{InputError, Result};
use serde::Deserialize;

/// A fitted model, with what stands before it.
#[derive(Deserialize)]
#[serde(tag = "form", rename_all = "kebab-case")]
pub enum ModelSpec {
    /// Weights.
    Linear {
        class_one: String,
        #[serde(flatten)]
        raw: RawLinear,
    },
    /// Weights of step functions.
    Tables {
        class_one: String,
        #[serde(flatten)]
        raw: RawTables,
    },
    /// Layers of weights.
    Network {
        class_one: String,
        #[serde(flatten)]
        raw: RawNetwork,
    },
    /// Trees as they are.
    Trees { class_one: String, feeds: Vec<Feed>, raw: RawEnsemble },
    /// Trees of scikit-learn, each as a text of its arrays; `raw` holds everything else.
    Arrays { class_one: String, feeds: Vec<Feed>, raw: RawEnsemble, trees: Vec<String> },
    /// A text that XGBoost, LightGBM or CatBoost wrote.
    Saved {
        class_one: String,
        feeds: Vec<Feed>,
        text: String,
        /// Whether a 0 is a missing value: XGBoost takes what a sparse matrix leaves out for one.
        zero_is_missing: bool,
        /// A number that counts as missing.
        #[serde(default)]
        missing_at: Option<f64>,
        /// Whether XGBoost predicts in place.
        #[serde(default)]
        in_place: bool,
        /// The score from which on rows are of class 1, where it is not that of a probability of one half; and what it then
        /// says about the probability.
        #[serde(default)]
        cut: Option<(f64, Link)>,
    },
}

impl ModelSpec {
    pub fn parse(text: &str) -> Result<Self> {
        Ok(serde_json::from_str(text).map_err(|error| unreadable(&error))?)
    }

    /// The model over a schema's columns.
    pub fn model(self, schema: &Schema) -> Result<Model> {
        let settings =
            |class_one| ImportSettings { class_one: Some(class_one), ..ImportSettings::default() };
        match self {
            Self::Linear { class_one, raw } => {
                Model::imported_linear(&raw, schema, &settings(class_one))
            }
            Self::Tables { class_one, raw } => {
                Model::imported_tables(&raw, schema, &settings(class_one))
            }
            Self::Network { class_one, raw } => {
                Model::imported_network(&raw, schema, &settings(class_one))
            }
            Self::Trees { class_one, feeds, raw } => {
                Model::imported_fed(&raw, &feeds, schema, &settings(class_one))
            }
            Self::Arrays { class_one, feeds, mut raw, trees } => {
                for text in trees {
                    raw.trees.push(
                        serde_json::from_str::<Arrays>(&text)
                            .map_err(|error| unreadable(&error))?
                            .into(),
                    );
                }
                Model::imported_fed(&raw, &feeds, schema, &settings(class_one))
            }
            Self::Saved { class_one, feeds, text, zero_is_missing, missing_at, in_place, cut } => {
                let asked = if in_place { Asked::InPlace } else { Asked::ByMatrix };
                let Reading { mut raw, .. } = read_library_model(&text, asked)?;
                if raw.library == Library::CatBoost && raw.columns.len() < feeds.len() {
                    // Its files end with the last column that they use.
                    let unused = RawColumn { name: None, content: Content::Number };
                    raw.columns.resize(feeds.len(), unused);
                }
                if let Some((cut, link)) = cut {
                    (raw.cut, raw.tie, raw.link) = (cut, Tie::One, link);
                }
                for node in raw.trees.iter_mut().flat_map(|tree| &mut tree.nodes) {
                    if let RawNode::Split(split) = node {
                        split.missing_within =
                            zero_is_missing.then_some(0.0).or(split.missing_within);
                        split.missing_at = missing_at;
                    }
                }
                Model::imported_fed(&raw, &feeds, schema, &settings(class_one))
            }
        }
    }
}

fn unreadable(error: &serde_json::Error) -> InputError {
    InputError::new(format!("can't be read ({error})"))
        .at("model")
        .remedy("check that the model holds finite numbers only, and fit it again")
}

/// The arrays of a tree, by node: left and right child (negative for leaves), column, threshold, whether missing values go left,
/// value.
#[derive(Deserialize)]
struct Arrays(Vec<i64>, Vec<i64>, Vec<i64>, Vec<f64>, Vec<bool>, Vec<f64>);

impl From<Arrays> for RawTree {
    fn from(Arrays(left, right, column, threshold, to_left, value): Arrays) -> Self {
        let node = |at: usize| match (usize::try_from(left[at]), usize::try_from(right[at])) {
            (Ok(left), Ok(right)) => RawNode::Split(RawSplit {
                column: usize::try_from(column[at]).unwrap_or(usize::MAX),
                test: Test::AtMost(threshold[at]),
                missing: if to_left[at] { Side::Left } else { Side::Right },
                missing_within: None,
                missing_at: None,
                left,
                right,
            }),
            _ => RawNode::Leaf(value[at]),
        };
        // Arrays of one tree are equally long; a shorter one would be a mistake, which the check of the ensemble finds.
        let nodes =
            [left.len(), right.len(), column.len(), threshold.len(), to_left.len(), value.len()];
        let count = nodes.into_iter().min().unwrap_or(0);
        Self { nodes: (0..count).map(node).collect() }
    }
}
