//! What can go wrong, said so that the reader knows where it is and what to do next.

mod input;
mod setting;

use std::io;
use std::path::{Path, PathBuf};

pub use input::InputError;
pub use setting::Setting;

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
    #[error("{}; {}", too_large(what, *bytes), large.remedy())]
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
        /// The solver's name.
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
    /// What to do about it.
    pub const fn remedy(self) -> &'static str {
        match self {
            Self::Table => "give a smaller table",
            Self::Training => "use fewer rows: give a smaller table, or hold out more of it",
            Self::Model => "fit fewer or less deep trees",
            Self::Instances => "give fewer instances at a time (one per line), or smaller ones",
            Self::Search { threads: 1 } => {
                "free some, or use a model of fewer or less deep trees, or a smaller table"
            }
            Self::Search { .. } => {
                "use a smaller table, a model of fewer or less deep trees, or fewer threads"
            }
        }
    }

    /// The setting that the remedy ends with, where there is one.
    const fn remedy_setting(self) -> Option<Setting> {
        match self {
            Self::Training => Some(Setting::TestShare),
            Self::Search { threads } if threads > 1 => Some(Setting::Threads),
            Self::Table | Self::Model | Self::Instances | Self::Search { .. } => None,
        }
    }
}

fn too_large(what: &str, bytes: usize) -> String {
    let megabytes = bytes.div_ceil(1_000_000);
    format!("{what} takes about {megabytes} MB of memory, which is more than there is")
}

/// A remedy, with how to change the settings that it names.
fn remedy_with(remedy: &str, names: &[&str]) -> String {
    if names.is_empty() { remedy.to_owned() } else { format!("{remedy} ({})", names.join(", ")) }
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
    pub(crate) fn no_solver(solver: impl Into<String>, message: impl Into<String>) -> Self {
        Self::NoSolver { solver: solver.into(), message: message.into() }
    }

    /// The message in the words of a program that wraps the library: `name` says how a setting is called there, such as
    /// `--test-share`.
    pub fn message(&self, name: impl Fn(Setting) -> Option<&'static str>) -> String {
        match self {
            Self::Input(input) => input.message(name),
            Self::Memory { what, bytes, large } => {
                let names: Vec<&str> = large.remedy_setting().and_then(name).into_iter().collect();
                format!("{}; {}", too_large(what, *bytes), remedy_with(large.remedy(), &names))
            }
            other => other.to_string(),
        }
    }

    /// The message without what to do about it.
    pub fn problem(&self) -> String {
        match self {
            Self::Memory { what, bytes, .. } => too_large(what, *bytes),
            Self::Input(input) => input.clone().without_remedy().to_string(),
            other => other.to_string(),
        }
    }

    /// The same error, with the file named where it named none yet.
    #[must_use]
    pub fn in_file(mut self, path: impl AsRef<Path>) -> Self {
        if let Self::Input(input) = &mut self
            && input.file_name().is_none()
        {
            let named = std::mem::take(&mut **input).file(path.as_ref().display().to_string());
            **input = named;
        }
        self
    }

    /// The same error, with a place that the others lie in.
    #[must_use]
    pub(crate) fn in_place(mut self, place: &str) -> Self {
        if let Self::Input(input) = &mut self {
            let placed = std::mem::take(&mut **input).inside(place);
            **input = placed;
        }
        self
    }

    /// The same error, with the row of the applicant whom it is about.
    #[must_use]
    pub fn in_row(mut self, row: usize) -> Self {
        if let Self::Input(input) = &mut self {
            let placed = std::mem::take(&mut **input).inside_row(row);
            **input = placed;
        }
        self
    }
}

/// The most common refusals of the system, with what to do about them.
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
