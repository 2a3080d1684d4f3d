//! The cells of applicants' rows that letters need in addition to the features: names, addresses, keys.

use amends::Result;
use amends::data::Table;
use amends::explain::Explainer;
use amends::letter::{LetterWish, Recipient};

use super::names::{Keys, file_name};
use crate::applicants::{Applicant, Applicants, not_a_column};

/// Where these cells are.
pub struct Recipients {
    columns: Vec<String>,
    /// Among the columns.
    key: Option<usize>,
    /// All rows of the training table with the columns' positions, where applicants are among them.
    table: Option<(Table, Vec<usize>)>,
}

impl Recipients {
    /// Of applicants whose raw table is `table`, unless they have a file of their own.
    pub fn new(
        mut columns: Vec<String>,
        key: Option<&str>,
        applicants: &mut Applicants,
        table: Table,
    ) -> Result<Self> {
        columns.extend(key.map(str::to_owned));
        let key = key.map(|_| columns.len() - 1);
        let table = match applicants {
            Applicants::File(file) => {
                file.carry(&columns)?;
                None
            }
            Applicants::Rows { .. } => {
                let (header, name) = (&table.header, &table.source);
                let position = |column: &String| {
                    let found = header.iter().position(|name| name == column);
                    found.ok_or_else(|| not_a_column(column, header, name))
                };
                let positions = columns.iter().map(position).collect::<Result<_, _>>()?;
                Some((table, positions))
            }
        };
        Ok(Self { columns, key, table })
    }

    /// Reads all applicants once, before anything is solved; refuses keys that two applicants share.
    pub fn check(&self, applicants: &mut Applicants, explainer: &Explainer) -> Result<()> {
        let mut keys = Keys::default();
        let mut checked = Ok(());
        applicants.check(explainer, |applicant, _| {
            if let (Some(key), true) = (self.key, checked.is_ok()) {
                checked = keys.add(applicant.row, &self.columns[key], &self.cells(applicant)[key]);
            }
        })?;
        checked
    }

    fn cells(&self, applicant: &Applicant) -> Vec<String> {
        match &self.table {
            None => applicant.carried.clone(),
            Some((table, positions)) => {
                let row = &table.rows[applicant.row - 1];
                positions.iter().map(|&position| row[position].clone()).collect()
            }
        }
    }

    /// To whom a letter is written, and the name of its file.
    pub fn recipient(&self, applicant: &Applicant) -> (Recipient, String) {
        let cells = self.cells(applicant);
        let name = file_name(applicant.row, self.key.map(|key| cells[key].as_str()));
        let cells = self.columns.iter().cloned().zip(cells).collect();
        let wishes = applicant.own_rules.iter().cloned().map(LetterWish::Rule).collect();
        (Recipient { row: Some(applicant.row), cells, wishes }, name)
    }
}
