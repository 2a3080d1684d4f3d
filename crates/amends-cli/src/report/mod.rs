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
pub use text::header;
