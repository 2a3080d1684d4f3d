//! Answers and audits of amends as HTML: pages that need nothing from elsewhere, and the same pictures in notebooks.
//!
//! A [`Card`] is an applicant's answer and a [`Context`] what all answers of an explainer have in common, both without markup, so that
//! they can be kept. [`AnswersPage`] makes the page of many cards, [`in_notebook`] one card for a notebook, and [`audit_page`] the page
//! of an [`Audit`], which also comes as one object, as a table and in rows for programs.

mod answers;
mod applicant;
mod audit;
mod card;
mod columns;
mod context;
mod look;
mod page;
mod picture;

pub use answers::{AnswersPage, answers_page};
pub use applicant::in_notebook;
pub use audit::{
    Audit, audit_page, error_cells, groups_csv, row_cells, row_columns, rows_csv, rows_json_lines,
    summary_json, words,
};
pub use card::{Card, CardChange, CardPlan, CardWay, CardWhy, Spot};
pub use columns::{Column, ColumnKind, json_line};
pub use context::{Context, FeatureContext};
