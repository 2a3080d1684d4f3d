//! Classifiers: what they decide, how they are trained, how they are kept.

mod classifier;
mod trees;

pub use classifier::{Classifier, Linear};
pub use trees::{Tree, TreeEnsemble};
