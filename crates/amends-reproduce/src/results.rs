//! The results file: a journal of finished tasks, looked up by their key.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use amends::{Error, InputError, Result};

use crate::conditions::{Conditions, Header};
use crate::record::Record;
use amends_run::journal::Journal;

/// The results file's name.
pub const RESULTS: &str = "results.jsonl";

/// An open results file, with what it holds.
pub struct Results {
    journal: Journal<Conditions>,
    records: HashMap<String, Record>,
}

impl Results {
    /// Opens a file to continue, or creates one.
    pub fn open(path: &Path, conditions: &Conditions) -> Result<Self> {
        let (journal, records) = Journal::open::<Record>(path, conditions.clone())?;
        let records = records.into_iter().map(|record| (record.key.clone(), record)).collect();
        Ok(Self { journal, records })
    }

    pub fn header(&self) -> &Header {
        &self.journal.header
    }

    /// Whether an incomplete last line was removed from the file.
    pub fn repaired(&self) -> bool {
        self.journal.repaired
    }

    pub fn records(&self) -> &HashMap<String, Record> {
        &self.records
    }

    /// Appends a finished task. When this returns, the line is in the file.
    pub fn add(&mut self, record: Record) -> Result<()> {
        self.journal.add(&record)?;
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
            .file(self.journal.path().display().to_string())
            .remedy("give the same table, or choose another output folder")
            .into())
    }
}

/// Creates the folder, or refuses one that holds something else.
pub fn check_folder(folder: &Path) -> Result<()> {
    let refused = |problem: &str, remedy: &str| {
        Err(InputError::new(problem).file(folder.display().to_string()).remedy(remedy).into())
    };
    if folder.exists() && !folder.is_dir() {
        return refused("is a file, not a folder", "choose another output folder");
    }
    if let Err(error) = fs::create_dir_all(folder) {
        return refused(&format!("can't be created ({error})"), "choose another output folder");
    }
    let mut entries = fs::read_dir(folder).map_err(|error| Error::file(folder, error))?;
    if !folder.join(RESULTS).exists() && entries.next().is_some() {
        return refused(
            "holds other files, and no results to continue from",
            "choose an empty or new output folder",
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Ending, Measured, SolveRecord};
    use crate::study::tests::whole;

    fn record(key: &str) -> Record {
        let solve = SolveRecord::without_plan(7, Ending::Timeout, 60.0);
        let measured = Measured::Solve(Box::new(solve));
        Record { key: key.to_owned(), data: "d".to_owned(), measured }
    }

    #[test]
    fn records_come_back_and_another_table_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(RESULTS);
        let conditions = Conditions::of(&whole(), "microlp", 1, 0);
        let mut results = Results::open(&path, &conditions).unwrap();
        for key in ["german/a", "heloc/b"] {
            results.add(record(key)).unwrap();
        }
        drop(results);
        let again = Results::open(&path, &conditions).unwrap();
        assert_eq!(again.records()["german/a"], record("german/a"));
        assert!(again.check_data("german", "d").is_ok());
        let error = again.check_data("heloc", "e").unwrap_err().to_string();
        assert!(error.contains("another table than the heloc one"), "{error}");
    }
}
