//! Where results go: standard output, or a file that appears whole or not at all.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use amends::{Error, InputError, draft_of, folder_of};
use tempfile::NamedTempFile;

/// Where to write to. A file is written under a temporary name and moved to its own by [`Output::finish`].
pub struct Output(Target);

enum Target {
    Standard(io::Stdout),
    File {
        draft: NamedTempFile,
        path: PathBuf,
    },
    /// A pipe or a device: there is no whole to wait for, and moving a file over it would destroy it.
    Stream {
        stream: File,
        path: PathBuf,
    },
}

impl Output {
    /// A file, or standard output for none and for `-`.
    pub fn to(path: Option<&Path>) -> amends::Result<Self> {
        let Some(path) = path.filter(|path| *path != Path::new("-")) else {
            return Ok(Self::standard());
        };
        check_writable(path)?;
        if path.exists() && !path.is_file() {
            let stream = File::options().write(true).open(path);
            let stream = stream.map_err(|error| Error::file(path, error))?;
            return Ok(Self(Target::Stream { stream, path: path.to_owned() }));
        }
        // Where the name is a link, the file behind it is replaced and the link stays.
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let draft = draft_of(&path).map_err(|error| Error::file(&path, error))?;
        Ok(Self(Target::File { draft, path }))
    }

    /// Standard output, without the panic of `println!` where the reader has closed the pipe.
    pub fn standard() -> Self {
        Self(Target::Standard(io::stdout()))
    }

    /// Moves a finished file to its own name.
    pub fn finish(self) -> amends::Result<()> {
        match self.0 {
            Target::Standard(mut out) => {
                out.flush().map_err(|error| Error::file("standard output", error))
            }
            Target::File { draft, path } => {
                draft.persist(&path).map(drop).map_err(|error| Error::file(path, error.error))
            }
            Target::Stream { .. } => Ok(()),
        }
    }

    /// A refusal of the system, with the name of what is written.
    fn named(&self, error: io::Error) -> io::Error {
        let path = match &self.0 {
            Target::Standard(_) => Path::new("standard output"),
            Target::File { path, .. } | Target::Stream { path, .. } => path,
        };
        let kind = error.kind();
        // Writers try again after an interruption, and know it by the system's own error.
        if kind == io::ErrorKind::Interrupted {
            return error;
        }
        io::Error::new(kind, Error::file(path, error).to_string())
    }
}

/// Refuses a path that can't be written to, before any work is done for it.
pub fn check_writable(path: &Path) -> amends::Result<()> {
    if path.is_dir() {
        return Err(InputError::new("is a folder")
            .file(path.display().to_string())
            .remedy("name a file to write")
            .into());
    }
    let folder = folder_of(path);
    if folder.is_dir() {
        return Ok(());
    }
    Err(InputError::new(format!("the folder `{}` does not exist", folder.display()))
        .file(path.display().to_string())
        .remedy("create it, or name another place to write to")
        .into())
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = match &mut self.0 {
            Target::Standard(out) => out.write(bytes),
            Target::File { draft, .. } => draft.as_file_mut().write(bytes),
            Target::Stream { stream, .. } => stream.write(bytes),
        };
        written.map_err(|error| self.named(error))
    }

    fn flush(&mut self) -> io::Result<()> {
        let flushed = match &mut self.0 {
            Target::Standard(out) => out.flush(),
            Target::File { draft, .. } => draft.as_file_mut().flush(),
            Target::Stream { stream, .. } => stream.flush(),
        };
        flushed.map_err(|error| self.named(error))
    }
}
