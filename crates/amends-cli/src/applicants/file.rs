//! A file of applicants, CSV or Parquet, as long as it may be: read once to check it, and again to answer it.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use amends::data::{ApplicantReader, Rule, Schema};
use amends::explain::{Explainer, Wishes};
use amends::{Error, InputError, Result};
use amends_run::fingerprint::Fingerprint;
use tempfile::TempPath;

use super::{Applicant, BadRow, ReadRow};
use crate::args::Requirements;
use crate::source::Source;
use crate::tables::TableFile;

/// A table of applicants whose header is known to be sound.
pub struct ApplicantFile<'a> {
    location: Location,
    /// As the user calls it.
    name: String,
    header: Vec<String>,
    reader: ApplicantReader<'a>,
    schema: &'a Schema,
    wishes: CommonAndOwn<'a>,
    /// The positions of columns whose cells applicants carry along.
    carried: Vec<usize>,
    /// Whether the first bad row ends the run.
    strict: bool,
    rows: usize,
    /// The positions of rows that could not be read, rising.
    bad_positions: Vec<usize>,
    fingerprint: String,
}

/// Where the rows are.
enum Location {
    Given(PathBuf),
    /// What came through a pipe can't be read twice.
    Copied(TempPath),
}

/// What plans must respect: for all applicants, and by a column of the file.
struct CommonAndOwn<'a> {
    requirements: &'a Requirements,
    common: Wishes,
    column: Option<usize>,
}

impl<'a> ApplicantFile<'a> {
    /// Reads the header of a file, or of standard input for `-`.
    pub fn open(
        path: &Path,
        source: &'a Source,
        requirements: &'a Requirements,
        strict: bool,
    ) -> Result<Self> {
        let schema = &source.table.dataset.schema;
        let (location, name) = Location::of(path)?;
        let table = rows(&location, &name)?;
        table.check_types(schema)?;
        let header = table.header().to_vec();
        let reader = ApplicantReader::new(schema, &header, &name)?;
        let reader = match source.heloc_codes() {
            Some(codes) => reader.with_heloc_codes(codes),
            None => reader,
        };
        let common = requirements.common_rules(schema)?;
        let column = own_rules(requirements, &header, &name)?;
        let wishes = CommonAndOwn { requirements, common, column };
        let (rows, bad_positions, fingerprint) = (0, Vec::new(), String::new());
        Ok(Self {
            location,
            name,
            header,
            reader,
            schema,
            wishes,
            carried: Vec::new(),
            strict,
            rows,
            bad_positions,
            fingerprint,
        })
    }

    /// Lets applicants carry the cells of these columns along.
    pub fn carry(&mut self, columns: &[String]) -> Result<()> {
        let position = |column: &String| {
            self.header
                .iter()
                .position(|name| name == column)
                .ok_or_else(|| not_a_column(column, &self.header, &self.name))
        };
        self.carried = columns.iter().map(position).collect::<Result<_, InputError>>()?;
        Ok(())
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn header(&self) -> &[String] {
        &self.header
    }

    /// How many rows were checked.
    pub fn len(&self) -> usize {
        self.rows
    }

    /// The positions of rows that could not be read, rising.
    pub fn bad_positions(&self) -> &[usize] {
        &self.bad_positions
    }

    /// Stands for the header and all cells that were checked.
    pub fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    /// Reads every row, and notes those that can't be answered.
    pub fn check(
        &mut self,
        explainer: &Explainer,
        mut visit: impl FnMut(&Applicant, &[String]),
    ) -> Result<()> {
        let mut fingerprint = Fingerprint::default();
        fingerprint.add(self.header.iter().map(String::as_str));
        let mut count = 0;
        let mut table = rows(&self.location, &self.name)?;
        while let Some(cells) = table.next() {
            count += 1;
            let read = cells.and_then(|cells| {
                let applicant = self.applicant(count, &cells)?;
                let checked = explainer.check(&applicant.record);
                checked.map_err(|error| error.in_row(count).in_file(&self.name))?;
                Ok((applicant, cells))
            });
            match read {
                Ok((applicant, cells)) => {
                    fingerprint.add(cells.iter().map(String::as_str));
                    visit(&applicant, &cells);
                }
                Err(error) => {
                    let bad = self.bad_row(count, table.line(), error)?;
                    fingerprint.add([bad.message.as_str()]);
                    self.bad_positions.push(count - 1);
                }
            }
        }
        if count == 0 {
            return Err(InputError::new("has a header but no rows")
                .file(&self.name)
                .remedy("add one row per application")
                .into());
        }
        self.rows = count;
        self.fingerprint = fingerprint.text();
        Ok(())
    }

    /// Everybody in the file's order, as many as were checked.
    pub fn read(&self) -> Result<impl Iterator<Item = Result<ReadRow>>> {
        let mut table = rows(&self.location, &self.name)?;
        Ok((1..=self.rows).map_while(move |row| {
            let read = table.next()?.and_then(|cells| self.applicant(row, &cells));
            let line = table.line();
            Some(match read {
                Ok(applicant) => Ok(Ok(applicant)),
                Err(error) => self.bad_row(row, line, error).map(Err),
            })
        }))
    }

    /// Whether bad rows end the run.
    pub fn is_strict(&self) -> bool {
        self.strict
    }

    /// What is wrong with a row; an error where that ends the run.
    pub fn bad_row(&self, row: usize, line: Option<u64>, error: Error) -> Result<BadRow> {
        if self.strict { Err(error) } else { BadRow::new(row, line, error) }
    }

    fn applicant(&self, row: usize, cells: &[String]) -> Result<Applicant> {
        let record = self.reader.read(row, cells)?;
        let wishes = match self.wishes.column {
            None => self.wishes.common.clone(),
            Some(column) => self.own_wishes(row, column, &cells[column])?,
        };
        let carried = self.carried.iter().map(|&column| cells[column].clone()).collect();
        let own_rules = self.wishes.column.map(|column| Rule::split_list(&cells[column]));
        let own_rules = own_rules.into_iter().flatten().map(str::to_owned).collect();
        Ok(Applicant { row, record, wishes, carried, own_rules })
    }

    fn own_wishes(&self, row: usize, column: usize, cell: &str) -> Result<Wishes> {
        let common = self.wishes.requirements.rules.iter().map(String::as_str);
        // Those of the command line have been read alone before: what is wrong now is the cell's.
        Wishes::parse(common.chain(Rule::split_list(cell)), self.schema).map_err(|error| {
            let column = format!("column `{}`", self.header[column]);
            error.inside(column).inside(format!("row {row}")).file(&self.name).into()
        })
    }
}

impl Location {
    /// With how to call it in messages.
    fn of(path: &Path) -> Result<(Self, String)> {
        if path == Path::new("-") {
            let name = "standard input";
            return Ok((Self::copy(&mut io::stdin().lock(), name)?, name.to_owned()));
        }
        let name = path.display().to_string();
        let mut file = File::open(path).map_err(|error| Error::file(path, error))?;
        if file.metadata().is_ok_and(|about| about.is_file() || about.is_dir()) {
            return Ok((Self::Given(path.to_owned()), name));
        }
        Ok((Self::copy(&mut file, &name)?, name))
    }

    fn copy(input: &mut impl io::Read, name: &str) -> Result<Self> {
        let copied = tempfile::NamedTempFile::new().and_then(|mut copy| {
            io::copy(input, &mut copy)?;
            Ok(copy.into_temp_path())
        });
        copied.map(Self::Copied).map_err(|error| Error::file(name, error))
    }
}

fn rows(location: &Location, name: &str) -> Result<TableFile> {
    let path = match location {
        Location::Given(path) => path,
        Location::Copied(path) => path as &Path,
    };
    TableFile::open(path, name)
}

/// The column of the applicants' own rules.
fn own_rules(requirements: &Requirements, header: &[String], name: &str) -> Result<Option<usize>> {
    let Some(column) = &requirements.rules_column else { return Ok(None) };
    let found = header.iter().position(|name| name == column);
    found.map(Some).ok_or_else(|| not_a_column(column, header, name).at("--rules-column").into())
}

/// A column that the table does not have.
pub fn not_a_column(column: &str, header: &[String], table: &str) -> InputError {
    InputError::new("is not a column of the table")
        .file(table)
        .value(column)
        .remedy(format!("use one of {}", header.join(", ")))
}
