//! Who is asked about: rows of the table that was trained on, or a file that is read row by row.

mod bad_rows;
mod choose;
mod file;

use amends::answer::{Answer, CachedAsk};
use amends::data::Record;
use amends::explain::{Explainer, Wishes};
use amends::{Error, InputError, Result, Solving};
use amends_run::SplitTable;

pub use bad_rows::{BadRow, BadRows, ERROR, RowFailure};
pub use choose::record_index;
pub use file::{ApplicantFile, not_a_column};

/// An applicant and how to call them.
pub struct Applicant {
    /// The row in its table, counted from 1.
    pub row: usize,
    pub record: Record,
    /// What their plans must respect in addition to the schema.
    pub wishes: Wishes,
    /// The cells of the columns that a file's rows carry along, in their order.
    pub carried: Vec<String>,
    /// Their own rules, as their row has them.
    pub own_rules: Vec<String>,
}

impl Applicant {
    /// Answers them.
    pub fn answer(&self, ask: &CachedAsk<'_>, solving: &Solving<'_>) -> Result<Answer> {
        let answer = ask.answer(&self.record, &self.wishes, solving);
        answer.map_err(|error| error.in_row(self.row))
    }
}

/// Somebody to answer, or a row of a file that could not be read.
pub type ReadRow = std::result::Result<Applicant, BadRow>;

/// Applicants in the order in which they are answered. Only the rows of the training table are in memory.
pub enum Applicants<'a> {
    Rows {
        table: &'a SplitTable,
        /// The indices of their records in the data set.
        records: Vec<usize>,
        /// What the plans of all applicants must respect.
        wishes: Wishes,
    },
    File(Box<ApplicantFile<'a>>),
}

impl Applicants<'_> {
    /// Reads all applicants once, before anything is solved: how many there are, and which rows can't be read. `visit` gets
    /// each of the others with all cells of their row, where they come from a file.
    pub fn check(
        &mut self,
        explainer: &Explainer,
        mut visit: impl FnMut(&Applicant, Option<&[String]>),
    ) -> Result<()> {
        match self {
            Self::Rows { .. } => {
                for applicant in self.read()? {
                    let applicant = applicant?.map_err(InputError::from)?;
                    let checked = explainer.check(&applicant.record);
                    checked.map_err(|error| error.in_row(applicant.row))?;
                    visit(&applicant, None);
                }
                Ok(())
            }
            Self::File(file) => file.check(explainer, |one, cells| visit(one, Some(cells))),
        }
    }

    /// How many there are; those of a file are known once they were checked.
    pub fn len(&self) -> usize {
        match self {
            Self::Rows { records, .. } => records.len(),
            Self::File(file) => file.len(),
        }
    }

    /// The positions of those who could not be read, rising.
    pub fn bad_positions(&self) -> &[usize] {
        match self {
            Self::Rows { .. } => &[],
            Self::File(file) => file.bad_positions(),
        }
    }

    /// Says before anything is solved how many rows can't be: who expected none can stop here.
    pub fn warn_of_bad_rows(&self) {
        let bad = self.bad_positions().len();
        if bad > 0 {
            eprintln!(
                "note: {bad} of {} rows can't be read and will have the status `{ERROR}`; --strict refuses them instead",
                self.len()
            );
        }
    }

    /// A row that turned out to be bad only when it was answered; an error where that ends the run.
    pub fn bad_row(&self, row: usize, error: Error) -> Result<BadRow> {
        match self {
            Self::Rows { .. } => Err(error),
            Self::File(file) => file.bad_row(row, None, error),
        }
    }

    /// What is reported instead of an answer that failed; an error where that ends the run. Too little memory ends it only where
    /// nobody else is asked about.
    pub fn failed(&self, row: usize, error: Error) -> Result<BadRow> {
        match error {
            memory @ Error::Memory { .. } if self.len() > 1 => Ok(BadRow::unanswered(row, &memory)),
            input @ Error::Input(_) => self.bad_row(row, input),
            other => Err(other),
        }
    }

    /// What is reported instead of an answer from which nothing could be written; an error where nobody else is asked about, or
    /// where that ends the run.
    pub fn unwritten(&self, row: usize, error: Error) -> Result<BadRow> {
        let strict = matches!(self, Self::File(file) if file.is_strict());
        match error {
            Error::Input(input) if self.len() > 1 && !strict => Ok(BadRow::unwritten(row, &input)),
            other => Err(other.in_row(row)),
        }
    }

    /// Everybody, read as they are asked for.
    pub fn read(&self) -> Result<Box<dyn Iterator<Item = Result<ReadRow>> + '_>> {
        Ok(match self {
            Self::Rows { table, records, wishes } => Box::new(records.iter().map(|&record| {
                Ok(Ok(Applicant {
                    row: table.dataset.row_numbers[record],
                    record: table.dataset.records[record].clone(),
                    wishes: wishes.clone(),
                    carried: Vec::new(),
                    own_rules: Vec::new(),
                }))
            })),
            Self::File(file) => Box::new(file.read()?),
        })
    }
}
