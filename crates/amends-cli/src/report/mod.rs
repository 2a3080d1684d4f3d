//! How results look: text for people, JSON and CSV for programs.

mod bench;
mod check_rules;
mod explained;
mod quality;
mod solved;
mod text;

pub use bench::{BenchCell, Timing, bench_table};
pub use check_rules::{rules_csv, rules_json, rules_text};
pub use explained::{csv, json};
pub use quality::{quality_line, quality_table};
pub use solved::{solved_json, solved_text};
pub use text::{header, text};

use amends::explain::Explanation;

/// An applicant's row and answer.
pub struct Told<'a> {
    pub row: usize,
    pub explanation: &'a Explanation,
}
