//! From a rejected application to a plan: fit once on training rows, explain many.

mod actionable;
mod case;
mod choices;
mod clauses;
mod columns;
mod costs;
mod describe;
mod distribution;
mod explainer;
mod explanation;
mod harmless;
mod margin;
mod more_plans;
mod outcome_box;
mod principal_reasons;
mod question;
mod reference;
mod relaxed;
mod rules;
mod score_line;
mod settings;
mod subset;
mod sums;
mod used;
mod why_none;
mod wishes;

pub use case::Case;
pub use choices::{CostChoices, CountOrAll};
pub use distribution::{Bins, Distribution, OutcomeCounts};
pub use explainer::{Explainer, FitFacts, NumberRange};
pub use explanation::{Explanation, FeatureChange, PlanCosts, PlanFigures};
pub use relaxed::{FeatureRule, Relaxed};
pub use settings::{DensityOver, DistanceKind, ExplainSettings, Goal, OutlierKind, Preset};
pub use used::UsedSettings;
pub use why_none::{Way, WhyNone};
pub use wishes::Wishes;
