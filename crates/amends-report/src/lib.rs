//! Answers and audits of amends as HTML: pages that need nothing from elsewhere, and the same pictures in notebooks.
//!
//! A [`Card`] is an applicant's answer and a [`Context`] what all answers of an explainer have in common, both without markup, so that
//! they can be kept. [`AnswersPage`] makes the page of many cards, [`in_notebook`] one card for a notebook, and [`audit_page`] the page
//! of an audit.

mod answers;
mod applicant;
mod audit;
mod card;
mod context;
mod look;
mod page;
mod picture;

pub use answers::{AnswersPage, answers_page};
pub use applicant::in_notebook;
pub use audit::{AuditReport, audit_page, words};
pub use card::{Card, CardChange, CardPlan, CardWay, CardWhy, Spot};
pub use context::{Context, FeatureContext};
