//! Mahalanobis distances and outlier factors.

mod distinct;
mod every_distance;
mod numpy_covariance;
mod properties;
mod sklearn_lof;
