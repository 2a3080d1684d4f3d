//! Fitted models of other libraries, read from the files that those write.
//!
//! A file becomes a [`RawEnsemble`]: the library's trees over its own columns. [`RawEnsemble::lower`] turns that into
//! trees over the encoded columns of a schema, which decide alike for every application.
//!
//! ```
//! use amends::data::{Dataset, Schema};
//! use amends::import::{Asked, ImportSettings, read_library_model};
//! use amends::model::Model;
//!
//! // What LightGBM saves of one tree: up to 24 months class 1, "good".
//! let text = "tree\nversion=v4\nnum_tree_per_iteration=1\nmax_feature_idx=0\nobjective=binary sigmoid:1\n\
//!     feature_names=duration\nfeature_infos=[4:72]\ntree_sizes=1\n\n\
//!     Tree=0\nnum_leaves=2\nnum_cat=0\nsplit_feature=0\nthreshold=24\ndecision_type=2\nleft_child=-1\n\
//!     right_child=-2\nleaf_value=0.4 -0.3\n\nend of trees\n";
//! let reading = read_library_model(text, Asked::default())?;
//! let settings = ImportSettings { class_one: Some("good".into()), ..Default::default() };
//! let model = Model::imported(&reading.raw, &Schema::german(), &settings)?;
//! assert_eq!(model.measure(&Dataset::german()).accuracy, 0.674);
//! # Ok::<(), amends::Error>(())
//! ```

mod catboost;
mod catboost_ctr;
mod catboost_file;
mod catboost_shape;
mod category_hash;
mod columns;
mod combination;
mod feed;
mod float_order;
mod gate;
mod lightgbm;
mod lightgbm_file;
mod linear;
mod load;
mod lower;
mod names;
mod network;
mod raw;
mod scorecard;
mod settings;
mod tables;
mod xgboost;
mod xgboost_file;
mod xgboost_shape;

pub use crate::model::{Library, Link, Sums};
pub use category_hash::category_hash;
pub use combination::{Part, RawCombination};
pub use feed::{Feed, Step};
pub use linear::RawLinear;
pub use load::{Asked, Loaded, Reading, load_model, read_library_model};
pub use network::RawNetwork;
pub use raw::{
    Content, Precision, RawColumn, RawEnsemble, RawNode, RawSplit, RawTree, Side, Test, Tie, Unseen,
};
pub use settings::{CodesAs, ImportSettings};
pub use tables::RawTables;
