//! Files that were cut, swapped, locked or written by something else.

use std::io::Read;

use serde::Deserialize;

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
    assert!(!again.repaired);
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
    let keys: Vec<String> = open(&path, 0).unwrap().1.into_iter().map(|note| note.key).collect();
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
        assert!(again.repaired && notes.len() == 2, "cut at {cut}");
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
    assert!(again.repaired && notes.is_empty());
    drop(again);
    assert!(!open(&path, 0).unwrap().0.repaired);
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
        assert!(error.contains("is not a line of a results file; remove"), "{error}");
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
    assert!(error.starts_with("zero, line 1: is not a line of a results file"), "{error}");
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
    assert!(error.contains("line 3: is not a line of a results file"), "{error}");
}

#[test]
fn one_file_has_one_writer() {
    let (_folder, path) = three();
    let _first = open(&path, 0).unwrap();
    let error = refusal(&path, 0);
    assert!(error.contains("another run is writing to it; wait for it, or write"), "{error}");
}
