//! Who is asked about, with the raw table that they stand in.

use std::collections::HashSet;
use std::fmt::Write as _;

use amends::Result;
use amends::data::Table;
use amends::explain::Explainer;

use super::AuditArgs;
use crate::source::{Applicant, Source};

/// People and their table.
pub struct People {
    pub applicants: Vec<Applicant>,
    /// All rows of the file, so that an applicant's is found by its number.
    pub table: Table,
    /// Who they are, in words.
    pub who: String,
}

impl People {
    /// The people whom the user names; the table is that of `source`.
    pub fn choose(source: &Source, table: Table, args: &AuditArgs) -> Result<Self> {
        let named = &args.question.applicants;
        if let Some(path) = &named.applicants {
            let (applicants, table) = source.new_applicants(path, &args.question.wishes)?;
            let who = format!("the rows of {}", table.source);
            return Ok(Self { applicants, table, who });
        }
        if !named.row.is_empty() {
            // Nobody counts twice.
            let mut seen = HashSet::new();
            let rows = named.row.iter().filter(|&&row| seen.insert(row));
            let applicants = rows.map(|&row| source.applicant(row)).collect::<Result<_>>()?;
            return Ok(Self { applicants, table, who: format!("chosen rows of {}", source.name) });
        }
        let (rows, who) = if args.all_rows {
            ((0..source.dataset.len()).collect(), "all rows")
        } else {
            source.check_held_out("say --all-rows, or give a share above 0")?;
            (source.split.test.clone(), "the held-out rows")
        };
        let who = format!("{who} of {}", source.name);
        Ok(Self { applicants: source.in_order(&rows).collect(), table, who })
    }

    /// Stops after the first `most` people whom the model rejects. The accepted before them stay: shares of all would mean
    /// nothing without them.
    pub fn stop_after_rejected(&mut self, most: Option<usize>, explainer: &Explainer) {
        let Some(most) = most else { return };
        let everybody = self.applicants.iter().enumerate();
        let mut places = everybody.filter(|(_, one)| one.is_rejected(explainer));
        let last = match most.checked_sub(1) {
            None => Some(0),
            Some(before) => places.nth(before).map(|(place, _)| place + 1),
        };
        if let Some(end) = last.filter(|&end| end < self.applicants.len()) {
            self.applicants.truncate(end);
            let _ = write!(self.who, ", up to the first {most} who are rejected");
        }
    }
}
