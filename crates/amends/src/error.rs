//! What can go wrong, said so that the reader knows where it is and what to do next.

use std::path::{Path, PathBuf};
use std::{fmt, io};

/// The result of anything that can fail.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Everything that can go wrong. Outcomes of an optimisation (no plan exists, out of time) are
/// results, not errors.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Occurs when a file can't be read or written.
    #[error("{}: {}", path.display(), in_words(source))]
    File {
        /// The file.
        path: PathBuf,
        /// Why the system refused.
        source: io::Error,
    },
    /// Occurs when an input (table, schema, model, instance, setting) holds something that can't be used.
    #[error(transparent)]
    Input(#[from] Box<InputError>),
    /// Occurs when a table, a model or a search needs more memory than there is.
    #[error(
        "{what} takes about {} MB of memory, which is more than there is; {}",
        bytes.div_ceil(1_000_000),
        large.remedy()
    )]
    Memory {
        /// What needs it: "fitting 1000000 rows".
        what: String,
        /// How much it needs, roughly.
        bytes: usize,
        /// What is too large.
        large: Large,
    },
    /// Occurs when a solver breaks down, which says nothing about the problem it was given.
    #[error("solver {solver}: {message}")]
    Solver {
        /// The solver's name, as on the command line.
        solver: String,
        /// What it said, and what to do.
        message: String,
    },
    /// Occurs when a solver can't be run at all, whatever the problem.
    #[error("solver {solver}: {message}")]
    NoSolver {
        /// The solver's name.
        solver: String,
        /// Why, and what to do.
        message: String,
    },
}

/// What can be too large for the memory there is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Large {
    /// A table with many rows, to read.
    Table,
    /// A table with many rows, to train or fit on.
    Training,
    /// A model with many trees, or deep ones.
    Model,
    /// A file of instances.
    Instances,
    /// What is kept while a search runs.
    Search {
        /// The threads of the search.
        threads: usize,
    },
}

impl Large {
    fn remedy(self) -> &'static str {
        match self {
            Self::Table => "give a smaller table",
            Self::Training => {
                "use fewer rows: give a smaller table, or hold out more of it with --test-share"
            }
            Self::Model => "fit fewer or less deep trees",
            Self::Instances => "give fewer instances at a time (one per line), or smaller ones",
            Self::Search { threads: 1 } => {
                "free some, or use a model of fewer or less deep trees, or a smaller table"
            }
            Self::Search { .. } => {
                "use fewer threads (--threads), a model of fewer or less deep trees, or a smaller table"
            }
        }
    }
}

impl Error {
    /// A file that can't be read or written.
    pub fn file(path: impl Into<PathBuf>, source: io::Error) -> Self {
        Self::File { path: path.into(), source }
    }

    /// A solver that broke down.
    pub fn solver(solver: impl Into<String>, message: impl Into<String>) -> Self {
        Self::Solver { solver: solver.into(), message: message.into() }
    }

    /// A solver that can't be run.
    pub fn no_solver(solver: impl Into<String>, message: impl Into<String>) -> Self {
        Self::NoSolver { solver: solver.into(), message: message.into() }
    }

    /// The same error, with the file named where it named none yet.
    #[must_use]
    pub fn in_file(mut self, path: impl AsRef<Path>) -> Self {
        if let Self::Input(input) = &mut self
            && input.file.is_none()
        {
            input.file = Some(path.as_ref().display().to_string());
        }
        self
    }

    /// The same error, with the row of the applicant whom it is about.
    #[must_use]
    pub fn in_row(mut self, row: usize) -> Self {
        if let Self::Input(input) = &mut self {
            input.place.insert(0, format!("row {row}"));
        }
        self
    }
}

/// The refusals that people meet most, with what to do about them.
fn in_words(refusal: &io::Error) -> String {
    match refusal.kind() {
        io::ErrorKind::NotFound => "there is no such file or folder; check the path".to_owned(),
        io::ErrorKind::PermissionDenied => "access was refused; check its permissions".to_owned(),
        io::ErrorKind::IsADirectory => "is a folder; name a file".to_owned(),
        io::ErrorKind::InvalidData => "is not UTF-8 text; save it as UTF-8".to_owned(),
        io::ErrorKind::OutOfMemory => {
            "is larger than the memory there is; give a smaller file".to_owned()
        }
        io::ErrorKind::StorageFull => "the disk is full; make room".to_owned(),
        _ => refusal.to_string(),
    }
}

impl From<InputError> for Error {
    fn from(input: InputError) -> Self {
        Self::Input(Box::new(input))
    }
}

/// A problem with an input: where it is, what was found there, what is wrong with it, what to do.
///
/// ```
/// use amends::InputError;
/// let error = InputError::new("is not a number")
///     .file("loans.csv").row(17).column("age").value("forty")
///     .remedy("write digits, or declare the feature as categorical in the schema");
/// assert_eq!(
///     error.to_string(),
///     "loans.csv, row 17, column `age`: `forty` is not a number; \
///      write digits, or declare the feature as categorical in the schema"
/// );
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct InputError {
    file: Option<String>,
    place: Vec<String>,
    value: Option<String>,
    problem: String,
    remedy: Option<String>,
}

impl InputError {
    /// A problem, worded so that it can follow the value: "is not a number".
    pub fn new(problem: impl Into<String>) -> Self {
        Self { problem: problem.into(), ..Self::default() }
    }

    /// The file or other input, as the user named it.
    #[must_use]
    pub fn file(mut self, file: impl Into<String>) -> Self {
        self.file = Some(file.into());
        self
    }

    /// The data row, counted from 1 without the header.
    #[must_use]
    pub fn row(self, row: usize) -> Self {
        self.at(format!("row {row}"))
    }

    /// The column or feature.
    #[must_use]
    pub fn column(self, column: impl fmt::Display) -> Self {
        self.at(format!("column `{column}`"))
    }

    /// Any other place: a field of a file, an option of the command line.
    #[must_use]
    pub fn at(mut self, place: impl Into<String>) -> Self {
        self.place.push(place.into());
        self
    }

    /// A place that the others lie in: the line of a file, say.
    #[must_use]
    pub fn inside(mut self, place: impl Into<String>) -> Self {
        self.place.insert(0, place.into());
        self
    }

    /// What was found there.
    #[must_use]
    pub fn value(mut self, value: impl fmt::Display) -> Self {
        self.value = Some(value.to_string());
        self
    }

    /// What to do about it.
    #[must_use]
    pub fn remedy(mut self, remedy: impl Into<String>) -> Self {
        self.remedy = Some(remedy.into());
        self
    }

    /// The same problem where file and row are known already.
    #[must_use]
    pub fn without_row(mut self) -> Self {
        self.file = None;
        self.place.retain(|place| !place.starts_with("row ") && !place.starts_with("line "));
        self
    }

    /// The same problem where no file is at hand: without its lines, and with another remedy in place of that to correct it.
    #[must_use]
    pub(crate) fn without_lines(mut self, correct_file: &str, instead: &str) -> Self {
        self.place.retain(|place| !place.starts_with("line "));
        if self.remedy.as_deref() == Some(correct_file) {
            self.remedy = Some(instead.to_owned());
        }
        self
    }

    /// What to do about it, unless that is said already.
    #[must_use]
    pub(crate) fn or_remedy(mut self, remedy: &str) -> Self {
        self.remedy.get_or_insert_with(|| remedy.to_owned());
        self
    }
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let places: Vec<&str> = self.file.iter().chain(&self.place).map(String::as_str).collect();
        if !places.is_empty() {
            write!(f, "{}: ", places.join(", "))?;
        }
        if let Some(value) = &self.value {
            write!(f, "`{value}` ")?;
        }
        f.write_str(&self.problem)?;
        if let Some(remedy) = &self.remedy {
            write!(f, "; {remedy}")?;
        }
        Ok(())
    }
}

impl std::error::Error for InputError {}
