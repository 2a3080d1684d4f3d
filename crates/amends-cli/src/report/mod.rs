//! How results look: text for people, JSON and CSV for programs.

mod bench;
mod check_rules;
mod explained;
mod parquet;
mod plans;
mod quality;
mod row_file;
mod solved;
mod text;

pub use bench::{BenchCell, Timing, bench_table};
pub use check_rules::{rules_csv, rules_json, rules_text};
pub use explained::columns;
pub use plans::{PlanWriter, Subject, Written};
pub use quality::{quality_line, quality_table};
pub use row_file::{Column, ColumnKind, RowFormat, RowWriter, ending};
pub use solved::{solved_json, solved_text};
pub use text::{header, text};

use amends::explain::Explanation;

use crate::answer::Answer;

/// One of an applicant's plans.
pub struct Told<'a> {
    pub row: usize,
    /// Which of the plans, counted from 1.
    pub plan: usize,
    pub explanation: &'a Explanation,
    /// How the search for more than one plan ended.
    pub end: Option<&'a str>,
}

impl<'a> Told<'a> {
    /// All plans of an applicant, the best first.
    pub fn all(answer: &'a Answer) -> impl Iterator<Item = Self> {
        answer.plans.iter().enumerate().map(|(place, explanation)| Self {
            row: answer.row,
            plan: place + 1,
            explanation,
            end: answer.end.as_deref(),
        })
    }
}
