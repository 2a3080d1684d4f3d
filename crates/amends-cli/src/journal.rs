//! A journal: JSON lines, one for each finished piece of work, only ever appended to, so that a run can be stopped and go on.
//!
//! A run that was killed in the middle of a line leaves half of it: that half is cut off and its work done again. Two
//! runs never write to one file, and a file of other conditions is refused. Lines are read one at a time and can be read
//! again by their offset, so that a long journal need not fit into memory.

use std::fs::{File, TryLockError};
use std::io::{BufRead, BufReader, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use amends::{Error, InputError, Result};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::machine::today;

/// The version of the file.
const FORMAT: u32 = 1;

/// First lines are shorter than this many bytes.
const LONGEST_HEADER: u64 = 16 << 20;

/// After a power cut, at most the work of this long is done again.
const SAVED_EVERY: Duration = Duration::from_secs(5);

/// Everything but the piece of work itself that its result depends on.
pub trait Conditions: Serialize + DeserializeOwned {
    /// What such a file is called in messages.
    const FILE: &'static str;
    /// How to write elsewhere, as a remedy.
    const ELSEWHERE: &'static str;

    /// Each of them by its name for people, in a fixed order.
    fn facts(&self) -> Vec<(String, String)>;

    /// What differs, for people: "seed 1 there, 0 now".
    fn differences(&self, now: &Self) -> Vec<String> {
        let there = self.facts();
        let missing = |(what, value): &(String, String)| {
            let found = there.iter().find(|(name, _)| name == what);
            let before = found.map_or("none", |(_, before)| before);
            (before != value).then(|| format!("{what} {before} there, {value} now"))
        };
        now.facts().iter().filter_map(missing).collect()
    }
}

/// The first line of a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Header<C> {
    format: u32,
    /// The day on which the file was begun, as 2026-11-15.
    pub began: String,
    /// The commit that the program was built from then, where that is known.
    pub commit: String,
    pub conditions: C,
}

/// A file that is open for one run alone.
pub struct Journal<C> {
    file: File,
    path: PathBuf,
    pub header: Header<C>,
    /// Whether the end of the file was cut off because it was no whole line.
    pub mended: bool,
    /// When lines were last known to be on the disk.
    saved: Instant,
}

impl<C: Conditions> Journal<C> {
    /// Opens a file to go on with, or begins one; with what it holds.
    pub fn open<E: DeserializeOwned>(path: &Path, conditions: C) -> Result<(Self, Vec<E>)> {
        let mut entries = Vec::new();
        let journal = Self::open_each(path, conditions, |entry, _| {
            entries.push(entry);
            true
        })?;
        Ok((journal, entries))
    }

    /// The same, where what it holds is looked at one by one, with the offset of each line: `each` tells whether it can be used.
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
            // Some network folders know no locks: then it is up to the user.
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
            commit: env!("AMENDS_COMMIT").to_owned(),
            conditions,
        });
        let mended = content.sound < length;
        let mut journal =
            Self { file, path: path.to_owned(), header, mended, saved: Instant::now() };
        if fresh {
            let line = serde_json::to_string(&journal.header).map_err(std::io::Error::from);
            journal.write_line(&line.map_err(refused)?)?;
        }
        Ok(journal)
    }

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

struct Content<C> {
    header: Option<Header<C>>,
    /// How many bytes are whole lines.
    sound: u64,
}

fn read<C: Conditions, E: DeserializeOwned>(
    mut file: impl BufRead,
    path: &Path,
    check: impl Fn(&Header<C>) -> Result<()>,
    mut each: impl FnMut(E, u64) -> bool,
) -> Result<Content<C>> {
    let refused = |error| Error::file(path, error);
    let mut content = Content { header: None, sound: 0 };
    let mut line = Vec::new();
    for index in 0_usize.. {
        line.clear();
        // Another file may be a single line of any length.
        let longest = if index == 0 { LONGEST_HEADER } else { u64::MAX };
        if file.by_ref().take(longest).read_until(b'\n', &mut line).map_err(refused)? == 0 {
            break;
        }
        // Half a line may be a whole object by chance; it is not trusted.
        let whole = line.ends_with(b"\n");
        let last = file.fill_buf().map_err(refused)?.is_empty();
        let understood = if index == 0 {
            content.header = serde_json::from_slice(&line).ok().filter(|_| whole);
            content.header.as_ref().map_or(Ok(()), &check)?;
            content.header.is_some()
        } else {
            let entry = serde_json::from_slice(&line).ok().filter(|_| whole);
            entry.is_some_and(|entry| each(entry, content.sound))
        };
        if understood {
            content.sound += line.len() as u64;
        } else if !(last && (index > 0 || !whole && line.starts_with(b"{\"format\""))) {
            return Err(InputError::new(format!("is no line of a {}", C::FILE))
                .file(path.display().to_string())
                .at(format!("line {}", index + 1))
                .remedy(format!("remove the file to begin again, or {}", C::ELSEWHERE))
                .into());
        }
    }
    Ok(content)
}

fn check_header<C: Conditions>(header: &Header<C>, now: &C, path: &Path) -> Result<()> {
    let differences = header.conditions.differences(now);
    let known = header.format == FORMAT;
    if known && differences.is_empty() {
        return Ok(());
    }
    let problem = if known {
        format!("was measured under other conditions ({})", differences.join("; "))
    } else {
        format!("has format {}, which this version does not know", header.format)
    };
    Err(InputError::new(problem)
        .file(path.display().to_string())
        .remedy(format!("repeat them, or {}", C::ELSEWHERE))
        .into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Serialize, Deserialize)]
    struct Seed(u64);

    impl Conditions for Seed {
        const FILE: &'static str = "results file";
        const ELSEWHERE: &'static str = "write elsewhere";

        fn facts(&self) -> Vec<(String, String)> {
            vec![("seed".to_owned(), self.0.to_string())]
        }
    }

    /// One finished piece of work.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    struct Note {
        key: String,
        seconds: f64,
    }

    fn note(key: &str) -> Note {
        Note { key: key.to_owned(), seconds: 0.1 + 0.2 }
    }

    fn open(path: &Path, seed: u64) -> Result<(Journal<Seed>, Vec<Note>)> {
        Journal::open(path, Seed(seed))
    }

    fn refusal(path: &Path, seed: u64) -> String {
        open(path, seed).err().unwrap().to_string()
    }

    /// A file with three notes, and where it is.
    fn three() -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.jsonl");
        let (mut journal, _) = open(&path, 0).unwrap();
        for key in ["a", "b", "c"] {
            journal.add(&note(key)).unwrap();
        }
        (folder, path)
    }

    #[test]
    fn what_was_written_is_read_again() {
        let (_folder, path) = three();
        let (again, notes) = open(&path, 0).unwrap();
        assert_eq!(notes, [note("a"), note("b"), note("c")]);
        assert!(!again.mended);
    }

    #[test]
    fn lines_are_read_again_by_their_offset() {
        let (_folder, path) = three();
        let mut offsets = Vec::new();
        let each = |note: Note, offset| {
            offsets.push((note, offset));
            true
        };
        let mut journal = Journal::open_each(&path, Seed(0), each).unwrap();
        journal.add(&note("d")).unwrap();
        for (note, offset) in offsets.into_iter().rev() {
            assert_eq!(journal.read_at::<Note>(offset).unwrap(), note);
        }
        journal.add(&note("e")).unwrap();
        drop(journal);
        let keys: Vec<String> =
            open(&path, 0).unwrap().1.into_iter().map(|note| note.key).collect();
        assert_eq!(keys, ["a", "b", "c", "d", "e"]);
    }

    #[test]
    fn a_file_cut_anywhere_in_its_last_line_loses_that_line_only() {
        let (_folder, path) = three();
        let text = std::fs::read(&path).unwrap();
        let start = text[..text.len() - 1].iter().rposition(|&byte| byte == b'\n').unwrap() + 1;
        for cut in start + 1..text.len() {
            std::fs::write(&path, &text[..cut]).unwrap();
            let (mut again, notes) = open(&path, 0).unwrap();
            assert!(again.mended && notes.len() == 2, "cut at {cut}");
            again.add(&note("c")).unwrap();
            drop(again);
            assert_eq!(std::fs::read(&path).unwrap(), text, "cut at {cut}");
        }
    }

    #[test]
    fn a_file_cut_in_its_header_begins_again() {
        let (_folder, path) = three();
        std::fs::write(&path, "{\"format\":1,\"beg").unwrap();
        let (again, notes) = open(&path, 0).unwrap();
        assert!(again.mended && notes.is_empty());
        drop(again);
        assert!(!open(&path, 0).unwrap().0.mended);
    }

    #[test]
    fn other_conditions_are_refused_by_name() {
        let (_folder, path) = three();
        let error = refusal(&path, 5);
        assert!(error.contains("other conditions (seed 0 there, 5 now); repeat them"), "{error}");
    }

    #[test]
    fn foreign_files_and_broken_middles_are_refused_and_left_alone() {
        let (_folder, path) = three();
        let text = std::fs::read_to_string(&path).unwrap();
        let broken = text.replacen("\"b\"", "\"b", 1);
        for content in ["name,age\nAnn,3\n", "a note", broken.as_str()] {
            std::fs::write(&path, content).unwrap();
            let error = refusal(&path, 0);
            assert!(error.contains("is no line of a results file; remove"), "{error}");
            assert_eq!(std::fs::read_to_string(&path).unwrap(), content);
        }
    }

    #[test]
    fn a_long_first_line_is_refused_before_all_of_it_is_read() {
        struct Endless;
        impl Read for Endless {
            fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
                buffer.fill(b'{');
                Ok(buffer.len())
            }
        }
        let endless = BufReader::new(Endless);
        let content = read::<Seed, Note>(endless, Path::new("zero"), |_| Ok(()), |_, _| true);
        let error = content.err().unwrap().to_string();
        assert!(error.starts_with("zero, line 1: is no line of a results file"), "{error}");
    }

    #[cfg(unix)]
    #[test]
    fn only_files_are_journals() {
        let error = refusal(Path::new("/dev/zero"), 0);
        assert!(error.starts_with("/dev/zero: is not a file"), "{error}");
        assert!(error.ends_with("; write elsewhere"), "{error}");
    }

    #[test]
    fn lines_that_can_not_be_used_are_refused_by_their_number() {
        let (_folder, path) = three();
        let opened = Journal::open_each(&path, Seed(0), |note: Note, _| note.key != "b");
        let error = opened.err().unwrap().to_string();
        assert!(error.contains("line 3: is no line of a results file"), "{error}");
    }

    #[test]
    fn one_file_has_one_writer() {
        let (_folder, path) = three();
        let _first = open(&path, 0).unwrap();
        let error = refusal(&path, 0);
        assert!(error.contains("another run is writing to it; wait for it, or write"), "{error}");
    }
}
