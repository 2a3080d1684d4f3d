//! Who is asked about, with the raw table that they stand in.

use std::collections::HashSet;
use std::fmt::Write as _;

use amends::Result;
use amends::data::Table;
use amends::explain::{Explainer, Wishes};
use amends_run::split_table::in_order;

use super::{AuditArgs, By};
use crate::applicant_file::ApplicantFile;
use crate::applicants::Applicants;
use crate::source::{Source, check_held_out, common_wishes};

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
    pub fn choose(source: &'a Source, table: Table, args: &'a AuditArgs) -> Result<Self> {
        let named = &args.question.applicants;
        let asked = &args.question.wishes;
        if let Some(path) = &named.applicants {
            let file = ApplicantFile::open(path, source, asked, args.strict)?;
            let who = format!("the rows of {}", file.name());
            return Ok(Self { applicants: Applicants::File(Box::new(file)), table: None, who });
        }
        let (places, who) = if !named.row.is_empty() {
            // Nobody counts twice.
            let mut seen = HashSet::new();
            let rows = named.row.iter().filter(|&&row| seen.insert(row));
            (rows.map(|&row| source.place(row)).collect::<Result<_>>()?, "chosen rows")
        } else if args.all_rows {
            ((0..source.table.dataset.len()).collect(), "all rows")
        } else {
            check_held_out(&source.table, "say --all-rows, or give a share above 0")?;
            (in_order(&source.table.split.test), "the held-out rows")
        };
        let wishes: Wishes = common_wishes(asked, &source.table.dataset.schema)?;
        let who = format!("{who} of {}", source.table.name);
        let applicants = Applicants::Rows { table: &source.table, places, wishes };
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

    /// Stops after the first `most` people whom the model rejects. The accepted before them stay: shares of all would mean
    /// nothing without them.
    pub fn stop_after_rejected(&mut self, most: Option<usize>, explainer: &Explainer) {
        let (Some(most), Applicants::Rows { table, places, .. }) = (most, &mut self.applicants)
        else {
            return;
        };
        let rejected = |place: usize| !explainer.accepts(&table.dataset.records[place]);
        let mut ends = places.iter().enumerate().filter(|&(_, &place)| rejected(place));
        let last = match most.checked_sub(1) {
            None => Some(0),
            Some(before) => ends.nth(before).map(|(index, _)| index + 1),
        };
        if let Some(end) = last.filter(|&end| end < places.len()) {
            places.truncate(end);
            let _ = write!(self.who, ", up to the first {most} who are rejected");
        }
    }

    /// Reads everybody once, and notes what tells those apart who can be read.
    pub fn check(&mut self, explainer: &Explainer, by: &mut [By]) -> Result<()> {
        let table = self.table.as_ref();
        self.applicants.check(explainer, |applicant, cells| {
            let own = table.map(|table| table.rows[applicant.row - 1].as_slice());
            let Some(cells) = cells.or(own) else { return };
            for by in by.iter_mut() {
                by.add(applicant, cells);
            }
        })
    }
}
