//! Fitted models of other libraries, read from the files that those write.
//!
//! A file becomes a [`RawEnsemble`]: the library's trees over its own columns. [`RawEnsemble::lower`] turns that into
//! trees over the encoded columns of a schema, which decide alike for every application.

mod columns;
mod feed;
mod float_order;
mod gate;
mod lightgbm;
mod lightgbm_file;
mod linear;
mod load;
mod lower;
mod names;
mod raw;
mod settings;
mod xgboost;
mod xgboost_file;

pub use crate::model::{Library, Link};
pub use feed::{Feed, Step};
pub use linear::RawLinear;
pub use load::{Loaded, Reading, load_model, read_library_model};
pub use raw::{
    Content, Precision, RawColumn, RawEnsemble, RawNode, RawSplit, RawTree, Side, Test, Tie, Unseen,
};
pub use settings::{CodesAs, ImportSettings};
