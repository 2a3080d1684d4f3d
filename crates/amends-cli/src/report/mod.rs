//! What several commands write: the heading of plans, the quality of a model, and files of rows.

mod cost_columns;
mod parquet;
mod provenance;
mod quality;
mod row_file;

pub use amends::answer::{capitalised, header};
pub use amends_report::{Column, ColumnKind};
pub use cost_columns::{COST_COLUMNS, cost_cells, number_cell};
pub use provenance::{evaluation_provenance, provenance, provenance_of, solve_provenance};
pub use quality::quality_line;
pub use row_file::{RowFormat, RowWriter};
