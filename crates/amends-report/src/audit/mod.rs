//! An audit as it is reported: as a page with everybody first and then the groups of each column, as one object, as a tidy table,
//! and in rows of applicants.

mod cells;
mod document;
mod groups;
mod page;
mod rows;
mod table;
pub mod words;

use amends::answer::header;
use amends::audit::Summary;
use amends::explain::Explainer;
use amends::model::Model;
use amends::provenance::Provenance;

pub use document::summary_json;
pub use page::audit_page;
pub use rows::{error_cells, row_cells, row_columns, rows_csv, rows_json_lines};
pub use table::groups_csv;

/// Everything that a report is about.
pub struct Audit<'a> {
    /// The model that decided.
    pub model: &'a Model,
    /// What was asked.
    pub explainer: &'a Explainer,
    /// Who was asked about, in words.
    pub who: &'a str,
    /// How many people were asked about; fewer may be answered.
    pub asked: usize,
    /// Rows that could not be read or answered; they are in no figure.
    pub errors: usize,
    /// The figures.
    pub summary: &'a Summary,
    /// Where the figures come from.
    pub provenance: &'a Provenance,
}

impl Audit<'_> {
    /// Whether everybody was answered who could be read.
    pub fn complete(&self) -> bool {
        self.summary.overall.applicants + self.errors == self.asked
    }

    /// Who was asked about, in a sentence without full stop.
    pub fn title(&self) -> String {
        format!("Audit of {} applicants: {}", self.summary.overall.applicants, self.who)
    }

    /// What stands below the title: whether the audit is complete, and what was explained and how.
    pub fn lines(&self) -> Vec<String> {
        let answered = self.summary.overall.applicants;
        let mut lines = Vec::new();
        if !self.complete() {
            lines.push(format!(
                "NOT COMPLETE: stopped after {answered} of {} applicants; the figures are of those alone.",
                self.asked
            ));
        }
        if self.errors > 0 {
            lines.push(format!(
                "{} of {} rows could not be read; they are in no figure.",
                self.errors, self.asked
            ));
        }
        lines.extend(header(self.model, self.explainer).lines().map(str::to_owned));
        lines
    }
}
