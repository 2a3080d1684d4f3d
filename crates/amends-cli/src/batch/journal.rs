//! Answers of an earlier run, and the file to which those of this run are added.

use std::collections::HashMap;
use std::path::Path;

use amends::{Result, Status};
use amends_run::journal::Journal;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::Conditions;
use crate::applicants::BadRow;

/// What a journal holds of an applicant's answer.
pub trait JournalEntry: Serialize + DeserializeOwned + Send {
    /// The applicant's row.
    fn row(&self) -> usize;
    /// How it ended; `None` where the row could not be read.
    fn status(&self) -> Option<Status>;
    /// Whether a general solver broke down.
    fn solver_failed(&self) -> bool;
    /// Why the row could not be read.
    fn bad_row(&self) -> Option<&BadRow>;
}

/// A journal of answers by the applicant's row, or none. Only the offsets of its lines are in memory.
#[derive(Default)]
pub struct AnswerJournal {
    journal: Option<Journal<Conditions>>,
    offsets: HashMap<usize, u64>,
}

impl AnswerJournal {
    /// Continues a journal, or creates it; `is_sound` says whether a line can be used.
    pub fn open<F: JournalEntry>(
        path: &Path,
        conditions: Conditions,
        is_sound: impl Fn(&F) -> bool,
    ) -> Result<Self> {
        let mut offsets = HashMap::new();
        let each = |answer: F, offset| {
            let sound = is_sound(&answer);
            if sound {
                offsets.insert(answer.row(), offset);
            }
            sound
        };
        let journal = Journal::open_each(path, conditions, each)?;
        if journal.repaired {
            eprintln!(
                "note: the last line of {} was incomplete; its applicant is answered again",
                path.display()
            );
        }
        Ok(Self { journal: Some(journal), offsets })
    }

    /// An answer of an earlier run.
    pub fn answer<F: JournalEntry>(&mut self, row: usize) -> Result<Option<F>> {
        let Some((journal, &offset)) = self.journal.as_mut().zip(self.offsets.get(&row)) else {
            return Ok(None);
        };
        journal.read_at(offset).map(Some)
    }

    /// Adds an answer; where memory was too short for one, the next run asks again.
    pub fn add<F: JournalEntry>(&mut self, answer: &F) -> Result<()> {
        if answer.bad_row().is_some_and(|bad| bad.unanswered) {
            return Ok(());
        }
        self.journal.as_mut().map_or(Ok(()), |journal| journal.add(answer))
    }
}
