//! How ordinary a changed application looks beside real accepted ones.

mod metric;

pub use metric::Metric;
