//! Classifiers: what they decide, how they are trained, how they are kept.

mod boost;
mod classifier;
mod combined;
mod cuts;
mod file;
mod fit;
mod forest;
mod grow;
mod logistic;
mod mlp;
mod newton;
mod origin;
mod quality;
mod ranks;
mod scaler;
mod settings;
mod shape;
mod split;
mod sums;
mod svm;
mod tally;
mod training;
mod transform;
mod trees;
#[cfg(test)]
mod waves;

pub use classifier::{Classifier, Linear};
pub(crate) use classifier::{LARGEST_SCORE, is_accepting};
pub use combined::{Combine, Combined, Member};
pub use file::Model;
pub use mlp::{Layer, Mlp};
pub use origin::{Library, Link, Origin};
pub use quality::{MeanDeviation, Quality, QualitySummary};
pub use settings::{ModelKind, SvmLoss, TrainSettings};
pub(crate) use shape::CLASSIFIER;
pub use split::{Split, holdout};
pub use sums::Sums;
pub(crate) use training::{Training, train};
pub use transform::Transform;
pub use trees::{Tree, TreeEnsemble};
