//! Who is asked about: rows of the table that was trained on, or a file that is read row by row.

use amends::Result;
use amends::data::Record;
use amends::explain::{Explainer, Wishes};

use crate::applicant_file::ApplicantFile;
use crate::source::Source;

/// An applicant and how to call them.
pub struct Applicant {
    /// The row in its table, counted from 1.
    pub row: usize,
    pub record: Record,
    /// What their plans must hold beside the schema.
    pub wishes: Wishes,
}

/// Applicants in the order in which they are answered. Only the rows of the training table are in memory.
pub enum Applicants<'a> {
    Rows {
        source: &'a Source,
        /// Their places in the data set.
        places: Vec<usize>,
        /// What everybody's plans must hold.
        wishes: Wishes,
    },
    File(ApplicantFile<'a>),
}

impl Applicants<'_> {
    /// Reads everybody once, before anything is solved: a bad row is refused while no work can be lost. `visit` gets each
    /// applicant with all cells of their row, where they come from a file.
    pub fn check(
        &mut self,
        explainer: &Explainer,
        mut visit: impl FnMut(&Applicant, Option<&[String]>),
    ) -> Result<()> {
        match self {
            Self::Rows { .. } => {
                for applicant in self.read()? {
                    let applicant = applicant?;
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
            Self::Rows { places, .. } => places.len(),
            Self::File(file) => file.len(),
        }
    }

    /// Everybody, read as they are asked for.
    pub fn read(&self) -> Result<Box<dyn Iterator<Item = Result<Applicant>> + '_>> {
        Ok(match self {
            Self::Rows { source, places, wishes } => Box::new(places.iter().map(|&place| {
                Ok(Applicant {
                    row: source.dataset.row_numbers[place],
                    record: source.dataset.records[place].clone(),
                    wishes: wishes.clone(),
                })
            })),
            Self::File(file) => Box::new(file.read()?),
        })
    }
}
