//! How ordinary a changed application looks compared with real accepted ones.
//!
//! ```text
//! distance(a) = ||U a||,  U'U = inverse covariance of the rejected rows      (Mahalanobis: 2-norm, surrogate: 1-norm)
//! LOF(x)      = mean over the k nearest n of  lrd(n) / lrd(x)                (about 1: ordinary; far above 1: an outlier)
//! lrd(x)      = 1 / (mean over the k nearest n of max(D(x, n), kdist(n)) + 1e-10)
//! MMD2(S)     = mean k(x, x') - 2 mean k(x, s) + mean k(s, s')               (the smaller, the better S represents all x)
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
#[cfg(test)]
mod tests;

pub(crate) use covariance::CodedColumn;
pub use covariance::Covariance;
pub use factor::{FactorKind, factor, mahalanobis};
pub use lof::LocalOutlierFactor;
pub use metric::Metric;
pub(crate) use prototypes::prototypes;
pub(crate) use rows::{distinct_rows, standard_scale};
pub(crate) use separable::Shape;
pub(crate) use separable::{SeparableCost, SeparableKind};
