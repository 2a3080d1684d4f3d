//! A journal: JSON lines, one for each finished piece of work, only ever appended to, so that a run can be stopped
//! and continued.
//!
//! A run that was killed in the middle of a line leaves half of it: that half is cut off and its work done again. Two
//! runs never write to one file, and a file of other conditions is refused. Lines are read one at a time and can be read
//! again by their offset, so that a long journal need not fit into memory.

mod header;
mod read;
#[cfg(test)]
mod tests;

use std::fs::{File, TryLockError};
use std::io::{BufRead, BufReader, ErrorKind, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use amends::{Error, InputError, Result};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::machine::{COMMIT, today};

pub use self::header::{Conditions, Header};
use self::header::{FORMAT, check_header};
use self::read::read;

/// After a power cut, at most the work of this long is done again.
const SAVED_EVERY: Duration = Duration::from_secs(5);

/// A file that is open for one run alone.
pub struct Journal<C> {
    file: File,
    path: PathBuf,
    /// Its first line.
    pub header: Header<C>,
    /// Whether an incomplete last line was removed.
    pub repaired: bool,
    /// When lines were last known to be on the disk.
    saved: Instant,
}

impl<C: Conditions> Journal<C> {
    /// Opens a file to continue, or creates one; with the entries it holds.
    pub fn open<E: DeserializeOwned>(path: &Path, conditions: C) -> Result<(Self, Vec<E>)> {
        let mut entries = Vec::new();
        let journal = Self::open_each(path, conditions, |entry, _| {
            entries.push(entry);
            true
        })?;
        Ok((journal, entries))
    }

    /// As [`Journal::open`], with entries passed one by one to `each`, with the offset of the line; `each` returns whether the
    /// entry can be used.
    pub fn open_each<E: DeserializeOwned>(
        path: &Path,
        conditions: C,
        each: impl FnMut(E, u64) -> bool,
    ) -> Result<Self> {
        let refused = |error| Error::file(path, error);
        if path.exists() && !path.is_file() {
            return Err(InputError::new(format!("is not a file, which a {} has to be", C::FILE))
                .file(path.display().to_string())
                .remedy(C::ELSEWHERE)
                .into());
        }
        let mut file = File::options()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(refused)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(InputError::new("another run is writing to it")
                    .file(path.display().to_string())
                    .remedy(format!("wait for it, or {}", C::ELSEWHERE))
                    .into());
            }
            // Some network folders have no locks: then it is up to the user.
            Err(TryLockError::Error(error)) if error.kind() == ErrorKind::Unsupported => {}
            Err(TryLockError::Error(error)) => return Err(refused(error)),
        }
        let check = |header: &Header<C>| check_header(header, &conditions, path);
        let content = read(BufReader::new(&file), path, check, each)?;
        let length = file.metadata().map_err(refused)?.len();
        file.set_len(content.sound).map_err(refused)?;
        file.seek(SeekFrom::End(0)).map_err(refused)?;
        let fresh = content.header.is_none();
        let header = content.header.unwrap_or_else(|| Header {
            format: FORMAT,
            began: today(),
            commit: COMMIT.to_owned(),
            conditions,
        });
        let repaired = content.sound < length;
        let mut journal =
            Self { file, path: path.to_owned(), header, repaired, saved: Instant::now() };
        if fresh {
            let line = serde_json::to_string(&journal.header).map_err(std::io::Error::from);
            journal.write_line(&line.map_err(refused)?)?;
        }
        Ok(journal)
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Appends a finished piece of work. When this returns, the line is in the file.
    pub fn add(&mut self, entry: &impl Serialize) -> Result<()> {
        let line = serde_json::to_string(entry).map_err(std::io::Error::from);
        self.write_line(&line.map_err(|error| Error::file(&self.path, error))?)
    }

    /// Reads a line again.
    pub fn read_at<E: DeserializeOwned>(&mut self, offset: u64) -> Result<E> {
        let entry = self.file.seek(SeekFrom::Start(offset)).and_then(|_| {
            let mut line = Vec::new();
            BufReader::new(&self.file).read_until(b'\n', &mut line)?;
            Ok(serde_json::from_slice(&line)?)
        });
        let entry = entry.and_then(|entry| self.file.seek(SeekFrom::End(0)).map(|_| entry));
        entry.map_err(|error| Error::file(&self.path, error))
    }

    fn write_line(&mut self, line: &str) -> Result<()> {
        let mut written = self.file.write_all(format!("{line}\n").as_bytes());
        if self.saved.elapsed() >= SAVED_EVERY {
            written = written.and_then(|()| self.file.sync_data());
            self.saved = Instant::now();
        }
        written.map_err(|error| Error::file(&self.path, error))
    }
}
