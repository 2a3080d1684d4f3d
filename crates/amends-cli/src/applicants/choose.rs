//! Who is asked about, as the command line names them.

use amends::explain::Explainer;
use amends::{InputError, Result};

use super::{ApplicantFile, Applicants};
use crate::args::{ApplicantChoice, Requirements};
use crate::source::{Source, check_held_out};

/// Applicants to explain where the user names none.
const DEFAULT_REJECTED: usize = 3;

/// What to do where the held-out rows are asked for and there are none.
const NAME_SOMEBODY: &str = "name applicants with --applicants or --row, or give a share above 0";

impl<'a> Applicants<'a> {
    /// The applicants that the user asked for; of the held-out rows, only rejected ones.
    pub fn choose(
        source: &'a Source,
        choice: &ApplicantChoice,
        requirements: &'a Requirements,
        explainer: &Explainer,
    ) -> Result<Self> {
        let records = match choice {
            ApplicantChoice::File { path, strict } => {
                let file = ApplicantFile::open(path, source, requirements, *strict)?;
                return Ok(Self::File(Box::new(file)));
            }
            ApplicantChoice::HeldOut { rejected } => {
                check_held_out(&source.table, NAME_SOMEBODY)?;
                source.table.rejected(explainer, rejected.unwrap_or(DEFAULT_REJECTED))
            }
            ApplicantChoice::Rows(rows) => {
                rows.iter().map(|&row| record_index(source, row)).collect::<Result<_>>()?
            }
        };
        let wishes = requirements.common_rules(&source.table.dataset.schema)?;
        Ok(Self::Rows { table: &source.table, records, wishes })
    }
}

/// The index of a row of the table among the records of the data set.
pub fn record_index(source: &Source, row: usize) -> Result<usize> {
    let numbers = &source.table.dataset.row_numbers;
    if let Ok(index) = numbers.binary_search(&row) {
        return Ok(index);
    }
    let last = numbers.last().copied().unwrap_or_default();
    let (problem, remedy) = if (1..last).contains(&row) {
        ("was left out for its special codes", "choose another row, or see --heloc-codes".into())
    } else {
        ("is not a row of the table", format!("rows are counted from 1 to {last}"))
    };
    Err(InputError::new(problem)
        .file(&source.table.name)
        .at("--row")
        .value(row)
        .remedy(remedy)
        .into())
}
