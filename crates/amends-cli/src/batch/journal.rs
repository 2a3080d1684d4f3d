//! Answers of an earlier run, and the file to which those of this run are added.

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::Path;

use amends::answer::Answer;
use amends::{Result, Status};
use amends_run::journal::Journal;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::Conditions;
use crate::applicants::{BadRow, RowFailure};

/// What a journal holds of an applicant's answer.
pub trait JournalEntry: Serialize + DeserializeOwned + Send {
    /// How the applicant's row ended.
    fn row_end(&self) -> Cow<'_, RowEnd>;
}

/// How an applicant's row ended.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct RowEnd {
    /// The applicant's row.
    pub row: usize,
    /// `None` where the row could not be read.
    pub status: Option<Status>,
    /// Why the row could not be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bad_row: Option<BadRow>,
    /// Whether a general solver broke down.
    pub solver_failed: bool,
}

impl RowEnd {
    /// Of a row that was answered.
    pub fn answered(row: usize, answer: &Answer) -> Self {
        let (status, solver_failed) = (Some(answer.status()), answer.solver_failed());
        Self { row, status, bad_row: None, solver_failed }
    }

    /// Of a row that could not be read.
    pub fn unread(bad: BadRow) -> Self {
        Self { row: bad.row, status: None, bad_row: Some(bad), solver_failed: false }
    }
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
                offsets.insert(answer.row_end().row, offset);
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
        if answer
            .row_end()
            .bad_row
            .as_ref()
            .is_some_and(|bad| bad.failure == RowFailure::Unanswered)
        {
            return Ok(());
        }
        self.journal.as_mut().map_or(Ok(()), |journal| journal.add(answer))
    }
}
