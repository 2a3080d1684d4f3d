//! Mahalanobis distances and outlier factors.

mod codes;
mod distinct;
mod every_distance;
mod numpy_covariance;
mod properties;
mod real_data;
mod sklearn_lof;
