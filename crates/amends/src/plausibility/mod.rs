//! How ordinary a changed application looks compared with real accepted ones.
//!
//! ```text
//! distance(a) = ||U a||,  U'U = inverse covariance of the rejected rows      (Mahalanobis: 2-norm, surrogate: 1-norm)
//! LOF(x)      = mean over the k nearest n of  lrd(n) / lrd(x)                (about 1: ordinary; far above 1: an outlier)
//! lrd(x)      = 1 / (mean over the k nearest n of max(D(x, n), kdist(n)) + 1e-10)
//! MMD2(S)     = mean k(x, x') - 2 mean k(x, s) + mean k(s, s')               (S stands for all x the better, the smaller)
//! ```
//!
//! The first says that a change which goes with the correlations in the data is small and one against
//! them large; the second and third that the result lies where accepted applicants are as dense as
//! around its neighbours; the last picks a few accepted rows to stand for all of them.

mod covariance;
mod factor;
mod jacobi;
mod lof;
mod metric;
mod neighbours;
mod prototypes;
mod rows;
mod separable;

pub use covariance::{CodedColumn, Covariance, Imputed};
pub use factor::{FactorKind, factor, mahalanobis};
pub use lof::LocalOutlierFactor;
pub use metric::Metric;
pub use prototypes::prototypes;
pub use rows::{distinct_rows, standard_scale};
pub(crate) use separable::Shape;
pub use separable::{SeparableCost, SeparableKind};
