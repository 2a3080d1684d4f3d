//! Who is asked about, with the raw table that has their rows.

use std::collections::HashSet;

use amends::Result;
use amends::audit::{GroupBy, stop_after_rejected};
use amends::data::Table;
use amends::explain::Explainer;
use amends_run::split_table::in_order;

use super::args::AuditCommand;
use crate::applicants::{ApplicantFile, Applicants, record_index};
use crate::args::ApplicantChoice;
use crate::source::{Source, check_held_out};

/// People and their table.
pub struct People<'a> {
    pub applicants: Applicants<'a>,
    /// All rows of the training table, so that an applicant's is found by its number; none where they have a file.
    table: Option<Table>,
    /// Who they are, in words.
    pub who: String,
}

impl<'a> People<'a> {
    /// The people whom the user names; the table is that of `source`.
    pub fn choose(source: &'a Source, table: Table, command: &'a AuditCommand) -> Result<Self> {
        let question = &command.answers.question;
        let (records, who) = match &question.applicants {
            ApplicantChoice::File { path, strict } => {
                let file =
                    ApplicantFile::open(path, source, &question.setup.requirements, *strict)?;
                let who = format!("the rows of {}", file.name());
                return Ok(Self { applicants: Applicants::File(Box::new(file)), table: None, who });
            }
            ApplicantChoice::Rows(rows) => {
                // Nobody counts twice.
                let mut seen = HashSet::new();
                let rows = rows.iter().filter(|&&row| seen.insert(row));
                let records = rows.map(|&row| record_index(source, row)).collect::<Result<_>>()?;
                (records, "chosen rows")
            }
            ApplicantChoice::HeldOut { .. } if command.all_rows => {
                ((0..source.table.dataset.len()).collect(), "all rows")
            }
            ApplicantChoice::HeldOut { .. } => {
                check_held_out(&source.table, "say --all-rows, or give a share above 0")?;
                (in_order(&source.table.split.test), "the held-out rows")
            }
        };
        let wishes = question.setup.requirements.common_rules(&source.table.dataset.schema)?;
        let who = format!("{who} of {}", source.table.name);
        let applicants = Applicants::Rows { table: &source.table, records, wishes };
        Ok(Self { applicants, table: Some(table), who })
    }

    /// The columns of their table, and how it is called.
    pub fn header(&self) -> (&[String], &str) {
        match (&self.applicants, &self.table) {
            (Applicants::File(file), _) => (file.header(), file.name()),
            (_, Some(table)) => (&table.header, &table.source),
            (_, None) => (&[], ""),
        }
    }

    /// Stops after as many people whom the model rejects as were asked for.
    pub fn stop_after_rejected(&mut self, choice: &ApplicantChoice, explainer: &Explainer) {
        let ApplicantChoice::HeldOut { rejected: Some(most) } = *choice else { return };
        let Applicants::Rows { table, records, .. } = &mut self.applicants else { return };
        let rejected = |record: usize| !explainer.accepts(&table.dataset.records[record]);
        self.who.extend(stop_after_rejected(records, most, rejected));
    }

    /// Reads all applicants once, and notes the groups of those who can be read.
    pub fn check(&mut self, explainer: &Explainer, by: &mut [GroupBy]) -> Result<()> {
        let table = self.table.as_ref();
        self.applicants.check(explainer, |applicant, cells| {
            let own = table.map(|table| table.rows[applicant.row - 1].as_slice());
            let Some(cells) = cells.or(own) else { return };
            for by in by.iter_mut() {
                by.add(&applicant.record, |column| &cells[column]);
            }
        })
    }
}
