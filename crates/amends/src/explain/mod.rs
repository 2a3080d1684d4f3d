//! From a rejected application to a plan: fit once on training rows, explain many.

mod columns;
mod explainer;
mod explanation;
mod settings;

pub use explainer::{Explainer, FitFacts};
pub use explanation::{Explanation, FeatureChange, PlanFigures};
pub use settings::{DensityOver, DistanceKind, ExplainSettings, OutlierKind, Preset};
