//! Which applicants are asked about.

use std::path::PathBuf;

use clap::Args;

use super::whole;

#[derive(Debug, Args)]
#[command(next_help_heading = "Applicants")]
pub struct ApplicantArgs {
    /// Rows of the table, counted from 1 (several: 3,17,40)
    #[arg(long, value_delimiter = ',', value_name = "ROWS", value_parser = whole::<usize>)]
    row: Vec<usize>,
    /// A CSV or Parquet file of applicants, - for standard input; its columns are the table's, the target may be missing
    #[arg(long, value_name = "FILE", conflicts_with = "row")]
    applicants: Option<PathBuf>,
    /// The first N rejected applicants of the held-out rows (3 where nothing else is asked)
    #[arg(long, value_name = "N", conflicts_with_all = ["row", "applicants"], value_parser = whole::<usize>)]
    rejected: Option<usize>,
}

/// Who is asked about.
#[derive(Debug, Clone)]
pub enum ApplicantChoice {
    /// These rows of the table, counted from 1.
    Rows(Vec<usize>),
    /// The rows of a file; where it is `strict`, the first bad row ends the run.
    File { path: PathBuf, strict: bool },
    /// Those of the held-out rows, up to a number of rejected ones.
    HeldOut { rejected: Option<usize> },
}

impl ApplicantArgs {
    pub fn check(self, strict: bool) -> ApplicantChoice {
        match self.applicants {
            Some(path) => ApplicantChoice::File { path, strict },
            None if self.row.is_empty() => ApplicantChoice::HeldOut { rejected: self.rejected },
            None => ApplicantChoice::Rows(self.row),
        }
    }
}
