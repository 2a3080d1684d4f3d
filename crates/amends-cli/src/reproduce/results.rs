//! The results file: JSON lines, one a finished task, only ever appended to.
//!
//! A run that was killed in the middle of a line leaves half of it: that half is cut off and its task done again. Two
//! runs never write to one file, and results of other conditions are refused.

use std::collections::HashMap;
use std::fs::{File, TryLockError};
use std::io::{ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use amends::{Error, InputError, Result};

use super::conditions::{Conditions, Header};
use super::record::Record;

/// An open results file, with what it holds.
pub struct Results {
    file: File,
    path: PathBuf,
    header: Header,
    records: HashMap<String, Record>,
    /// Whether the end of the file was cut off because it was no whole line.
    pub mended: bool,
}

impl Results {
    /// Opens a file to go on with, or begins one.
    pub fn open(path: &Path, conditions: &Conditions) -> Result<Self> {
        let refused = |error| Error::file(path, error);
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
                    .remedy("wait for it, or name another folder with --output")
                    .into());
            }
            // Some network folders know no locks: then it is up to the user.
            Err(TryLockError::Error(error)) if error.kind() == ErrorKind::Unsupported => {}
            Err(TryLockError::Error(error)) => return Err(refused(error)),
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(refused)?;
        let read = read(&bytes, path)?;
        if let Some(header) = &read.header {
            check_header(header, conditions, path)?;
        }
        file.set_len(read.sound as u64).map_err(refused)?;
        file.seek(SeekFrom::End(0)).map_err(refused)?;
        let fresh = read.header.is_none();
        let mut results = Self {
            file,
            path: path.to_owned(),
            header: read.header.unwrap_or_else(|| Header::today(conditions.clone())),
            records: read.records,
            mended: read.sound < bytes.len(),
        };
        if fresh {
            let header = serde_json::to_string(&results.header).map_err(std::io::Error::from);
            results.write_line(&header.map_err(refused)?)?;
        }
        Ok(results)
    }

    pub fn header(&self) -> &Header {
        &self.header
    }

    pub fn records(&self) -> &HashMap<String, Record> {
        &self.records
    }

    /// Appends a finished task. When this returns, the line is in the file.
    pub fn add(&mut self, record: Record) -> Result<()> {
        let line = serde_json::to_string(&record).map_err(std::io::Error::from);
        self.write_line(&line.map_err(|error| Error::file(&self.path, error))?)?;
        self.records.insert(record.key.clone(), record);
        Ok(())
    }

    /// Refuses records of a data set that is not the one at hand.
    pub fn check_data(&self, prefix: &str, fingerprint: &str) -> Result<()> {
        let other = self.records.values().any(|record| {
            record.key.split('/').next() == Some(prefix) && record.data != fingerprint
        });
        if !other {
            return Ok(());
        }
        Err(InputError::new(format!("holds results of another table than the {prefix} one given"))
            .file(self.path.display().to_string())
            .remedy("give the same table, or name another folder with --output")
            .into())
    }

    fn write_line(&mut self, line: &str) -> Result<()> {
        let written = self.file.write_all(format!("{line}\n").as_bytes());
        written.and_then(|()| self.file.flush()).map_err(|error| Error::file(&self.path, error))
    }
}

struct Content {
    header: Option<Header>,
    records: HashMap<String, Record>,
    /// How many bytes are whole lines.
    sound: usize,
}

fn read(bytes: &[u8], path: &Path) -> Result<Content> {
    let mut content = Content { header: None, records: HashMap::new(), sound: 0 };
    let mut lines = bytes.split_inclusive(|&byte| byte == b'\n').enumerate().peekable();
    while let Some((index, line)) = lines.next() {
        let whole = line.ends_with(b"\n");
        let parsed = if content.header.is_none() {
            serde_json::from_slice(line).map(|header| content.header = Some(header))
        } else {
            serde_json::from_slice::<Record>(line).map(|record| {
                content.records.insert(record.key.clone(), record);
            })
        };
        let last = lines.peek().is_none();
        match parsed {
            Ok(()) if whole => content.sound += line.len(),
            // Half a line may be a whole object by chance; it is not trusted.
            _ if last && index > 0 => {
                if let Ok(half) = serde_json::from_slice::<Record>(line) {
                    content.records.remove(&half.key);
                }
            }
            _ if last && !whole && line.starts_with(b"{\"format\"") => content.header = None,
            _ => {
                return Err(InputError::new("is no line of a results file")
                    .file(path.display().to_string())
                    .at(format!("line {}", index + 1))
                    .remedy("remove the file to begin again, or name another folder with --output")
                    .into());
            }
        }
    }
    Ok(content)
}

fn check_header(header: &Header, now: &Conditions, path: &Path) -> Result<()> {
    let differences = header.conditions.differences(now);
    let problem = if header.is_known() && differences.is_empty() {
        return Ok(());
    } else if header.is_known() {
        format!("was measured under other conditions ({})", differences.join("; "))
    } else {
        format!("has format {}, which this version does not know", header.format)
    };
    Err(InputError::new(problem)
        .file(path.display().to_string())
        .remedy("repeat them, or name another folder with --output")
        .into())
}

#[cfg(test)]
mod tests {
    use super::super::record::{Ending, Measured, Solve};
    use super::super::study::tests::whole;
    use super::*;

    fn conditions(seed: u64) -> Conditions {
        Conditions::of(&whole(), "microlp", 1, seed)
    }

    fn record(key: &str) -> Record {
        let solve = Solve::without_plan(7, Ending::Timeout, 60.0);
        let measured = Measured::Solve(Box::new(solve));
        Record { key: key.to_owned(), data: "d".to_owned(), measured }
    }

    /// A file with three records, and where it is.
    fn three() -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("results.jsonl");
        let mut results = Results::open(&path, &conditions(0)).unwrap();
        for key in ["german/a", "german/b", "heloc/c"] {
            results.add(record(key)).unwrap();
        }
        (folder, path)
    }

    #[test]
    fn what_was_written_is_read_again() {
        let (_folder, path) = three();
        let again = Results::open(&path, &conditions(0)).unwrap();
        assert_eq!(again.records().len(), 3);
        assert_eq!(again.records()["german/b"], record("german/b"));
        assert!(!again.mended);
    }

    #[test]
    fn a_file_cut_anywhere_in_its_last_line_loses_that_line_only() {
        let (_folder, path) = three();
        let text = std::fs::read(&path).unwrap();
        let start = text[..text.len() - 1].iter().rposition(|&byte| byte == b'\n').unwrap() + 1;
        for cut in start + 1..text.len() {
            std::fs::write(&path, &text[..cut]).unwrap();
            let mut again = Results::open(&path, &conditions(0)).unwrap();
            assert!(again.mended && again.records().len() == 2, "cut at {cut}");
            again.add(record("heloc/c")).unwrap();
            drop(again);
            assert_eq!(std::fs::read(&path).unwrap(), text, "cut at {cut}");
        }
    }

    #[test]
    fn a_file_cut_in_its_header_begins_again() {
        let (_folder, path) = three();
        std::fs::write(&path, "{\"format\":1,\"beg").unwrap();
        let again = Results::open(&path, &conditions(0)).unwrap();
        assert!(again.mended && again.records().is_empty());
        drop(again);
        assert!(!Results::open(&path, &conditions(0)).unwrap().mended);
    }

    #[test]
    fn other_conditions_are_refused_by_name() {
        let (_folder, path) = three();
        let error = Results::open(&path, &conditions(5)).err().unwrap().to_string();
        assert!(error.contains("other conditions (seed 0 there, 5 now); repeat them"), "{error}");
    }

    #[test]
    fn foreign_files_and_broken_middles_are_refused_and_left_alone() {
        let (_folder, path) = three();
        let text = std::fs::read_to_string(&path).unwrap();
        let broken = text.replacen("german/a", "german\"a", 1);
        for content in ["name,age\nAnn,3\n", "a note", broken.as_str()] {
            std::fs::write(&path, content).unwrap();
            let error = Results::open(&path, &conditions(0)).err().unwrap().to_string();
            assert!(error.contains("is no line of a results file; remove"), "{error}");
            assert_eq!(std::fs::read_to_string(&path).unwrap(), content);
        }
    }

    #[test]
    fn one_file_has_one_writer() {
        let (_folder, path) = three();
        let _first = Results::open(&path, &conditions(0)).unwrap();
        let error = Results::open(&path, &conditions(0)).err().unwrap().to_string();
        assert!(error.contains("another run is writing"), "{error}");
    }

    #[test]
    fn another_table_is_refused() {
        let (_folder, path) = three();
        let results = Results::open(&path, &conditions(0)).unwrap();
        assert!(results.check_data("german", "d").is_ok());
        let error = results.check_data("heloc", "e").unwrap_err().to_string();
        assert!(error.contains("another table than the heloc one"), "{error}");
    }
}
