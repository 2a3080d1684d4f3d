//! Counterfactual plans for rejected applicants: valid, actionable, plausible, and proven optimal.
//!
//! ```text
//! minimise    distance(a) + lambda * outlier(x + a) + c * changes      how much changes, how unusual the result is, and how many changes
//! subject to  score(x + a) >= 0                                        the model itself accepts
//!             at most K features change, each as the schema allows
//! ```
//!
//! The way through the crate is the way of the data: a table and a schema make a [`data::Dataset`]; a
//! [`model::Model`] is trained on it; an [`Explainer`] fits what all applicants share and turns each
//! applicant into an [`Instance`]; an [`Engine`] solves it; [`Instance::evaluate`], written apart from the engines,
//! judges the plan; an [`Explanation`] says it in raw units and labels. What front ends share, from the question to the answer as
//! JSON and in sentences, is in [`answer`].
//!
//! ```
//! use amends::data::Dataset;
//! use amends::model::{Model, ModelKind, TrainSettings};
//! use amends::engine::Control;
//! use amends::{Engine, ExplainSettings, Explainer, Preset, SolveSettings, Status};
//!
//! // Train on the embedded German credit data.
//! let german = Dataset::german();
//! let model = Model::fit(&german, ModelKind::LogisticRegression, &TrainSettings::default())?;
//!
//! // Fit once, explain many: here the first applicant whom the model rejects.
//! let costs = ExplainSettings::preset(Preset::Standard, &german.schema.name);
//! let explainer = Explainer::fit(&german, &model, &costs)?;
//! let rejected = german.records.iter().find(|record| explainer.score(record) < 0.0).unwrap();
//! let (engine, solving, control) = (Engine::Search, SolveSettings::default(), Control::default());
//! let explanation = explainer.explain(rejected, &engine, &solving, &control)?;
//! for change in &explanation.changes {
//!     println!("{}: {} -> {}", change.title, change.before, change.after);
//! }
//! assert_eq!(explanation.status, Status::Optimal);
//! assert!(explanation.score_before < 0.0 && explanation.plan.unwrap().score >= 0.0);
//! # Ok::<(), amends::Error>(())
//! ```
//!
//! Where to look:
//!
//! - from a table to an answer: [`data`], [`model`], [`explain`], [`answer`], [`engine`];
//! - models that another library fitted: [`import`];
//! - one applicant's problem as numbers, and what solves it: [`instance`], [`search`], [`milp`], [`plans`];
//! - what is made of answers: [`reasons`], [`letter`], [`audit`], [`provenance`];
//! - distances and outlier factors on their own: [`plausibility`].
//!
//! Features: `highs` adds the solver HiGHS to the `milp` engine (needs cmake and libclang to build).
#![deny(missing_docs)]

mod action;
pub mod answer;
pub mod audit;
pub mod data;
mod decimal;
mod draft;
pub mod engine;
mod error;
pub mod explain;
pub mod import;
pub mod instance;
pub mod letter;
mod memory;
pub mod milp;
pub mod model;
mod names;
mod partition;
pub mod plans;
pub mod plausibility;
pub mod provenance;
#[cfg(test)]
#[path = "../tests/library/common/real_data.rs"]
mod real_data;
pub mod reasons;
pub mod search;
mod shape;
mod solution;
mod toml_text;

pub use draft::{draft_of, folder_of};
pub use engine::{Engine, SolveReport, SolveSettings, Solving, solve};
pub use error::{Error, InputError, Large, Result, Setting};
pub use explain::{ExplainSettings, Explainer, Explanation, Preset};
pub use instance::Instance;
pub use memory::check_file as check_file_memory;
pub use names::nearest as nearest_name;
pub use solution::{Plan, Solution, Status};
