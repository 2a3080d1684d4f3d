//! Who is asked about, as the command line names them.

use amends::data::Schema;
use amends::explain::{Explainer, Wishes};
use amends::{InputError, Result};
use amends_run::SplitTable;

use super::Source;
use crate::applicant_file::ApplicantFile;
use crate::applicants::Applicants;
use crate::args::{ApplicantArgs, WishArgs};

/// Applicants to explain where the user names none.
const DEFAULT_REJECTED: usize = 3;

/// What to do where the held-out rows are asked for and there are none.
const NAME_SOMEBODY: &str = "name applicants with --applicants or --row, or give a share above 0";

impl Source {
    /// The applicants that the user asked for.
    pub fn applicants<'a>(
        &'a self,
        args: &ApplicantArgs,
        explainer: &Explainer,
        asked: &'a WishArgs,
        strict: bool,
    ) -> Result<Applicants<'a>> {
        if let Some(path) = &args.applicants {
            return ApplicantFile::open(path, self, asked, strict)
                .map(|file| Applicants::File(Box::new(file)));
        }
        let places = if args.row.is_empty() {
            check_held_out(&self.table, NAME_SOMEBODY)?;
            self.table.rejected(explainer, args.rejected.unwrap_or(DEFAULT_REJECTED))
        } else {
            args.row.iter().map(|&row| self.place(row)).collect::<Result<_>>()?
        };
        let wishes = common_wishes(asked, &self.table.dataset.schema)?;
        Ok(Applicants::Rows { table: &self.table, places, wishes })
    }

    /// Where a row of the table stands in the data set.
    pub fn place(&self, row: usize) -> Result<usize> {
        let numbers = &self.table.dataset.row_numbers;
        if let Ok(place) = numbers.binary_search(&row) {
            return Ok(place);
        }
        let last = numbers.last().copied().unwrap_or_default();
        let (problem, remedy) = if (1..last).contains(&row) {
            (
                "was left out for its special codes",
                "choose another row, or see --heloc-codes".into(),
            )
        } else {
            ("is not a row of the table", format!("rows are counted from 1 to {last}"))
        };
        Err(InputError::new(problem)
            .file(&self.table.name)
            .at("--row")
            .value(row)
            .remedy(remedy)
            .into())
    }
}

/// Refuses a table without held-out rows, for commands that are about those.
pub fn check_held_out(table: &SplitTable, remedy: &str) -> Result<()> {
    if !table.split.test.is_empty() {
        return Ok(());
    }
    Err(InputError::new("holds out no rows").at("--test-share").value(0).remedy(remedy).into())
}

/// What the command line wishes for everybody.
pub fn common_wishes(asked: &WishArgs, schema: &Schema) -> Result<Wishes> {
    let parsed = Wishes::parse(asked.rules.iter().map(String::as_str), schema);
    Ok(parsed.map_err(|error| error.file("--rule"))?)
}
