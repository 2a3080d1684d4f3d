//! The report of an audit: [`text`] and [`page`] for people, [`table`] for programs.

mod page;
mod table;
mod text;

pub use page::summary_page;
pub use table::{error_cells, groups_csv, row_cells, row_columns, summary_json};
pub use text::summary_text;

use amends::audit::Summary;
use amends::data::Schema;
use amends::explain::Explainer;
use amends::model::Model;
use amends::provenance::Provenance;

/// Everything that a report is about.
pub struct Audit<'a> {
    pub schema: &'a Schema,
    pub model: &'a Model,
    pub explainer: &'a Explainer,
    /// Who was asked about, in words.
    pub who: &'a str,
    /// How many people were asked about; fewer may be answered.
    pub asked: usize,
    /// Rows that could not be read; they are in no figure.
    pub errors: usize,
    pub summary: &'a Summary,
    pub provenance: &'a Provenance,
}

impl Audit<'_> {
    /// Whether all applicants who could be read were answered.
    pub fn complete(&self) -> bool {
        self.summary.overall.applicants + self.errors == self.asked
    }
}
