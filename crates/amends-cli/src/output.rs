//! Where results go: standard output, or a file that appears whole or not at all.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use amends::Error;
use tempfile::NamedTempFile;

/// A place to write to. A file is written beside its place and moved there by [`Output::finish`].
pub enum Output {
    Standard(io::StdoutLock<'static>),
    File { draft: NamedTempFile, path: PathBuf },
}

impl Output {
    pub fn to(path: Option<&Path>) -> amends::Result<Self> {
        let Some(path) = path else { return Ok(Self::Standard(io::stdout().lock())) };
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        let draft = NamedTempFile::new_in(folder).map_err(|error| Error::file(path, error))?;
        Ok(Self::File { draft, path: path.to_owned() })
    }

    pub fn finish(self) -> amends::Result<()> {
        match self {
            Self::Standard(mut out) => {
                out.flush().map_err(|error| Error::file("standard output", error))
            }
            Self::File { draft, path } => {
                draft.persist(&path).map(drop).map_err(|error| Error::file(path, error.error))
            }
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Standard(out) => out.write(bytes),
            Self::File { draft, .. } => draft.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Standard(out) => out.flush(),
            Self::File { draft, .. } => draft.flush(),
        }
    }
}
