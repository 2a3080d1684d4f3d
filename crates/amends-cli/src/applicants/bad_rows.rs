//! Rows of a file of applicants that could not be read: each has the status `error`, and they are listed at the end.

use std::collections::BTreeSet;
use std::fmt;

pub use amends::answer::ERROR;
use amends::{Error, InputError, Result};
use serde::{Deserialize, Serialize};

use crate::flags::{input_message, message};

/// Bad rows that are listed one by one; the rest is counted.
const LISTED: usize = 5;

/// A row that could not be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BadRow {
    /// Counted from 1 without the header.
    pub row: usize,
    /// The line of the file in which it begins, where it is known.
    pub line: Option<u64>,
    /// What is wrong with it, and what to do.
    pub message: String,
    /// What could not be done with it.
    #[serde(default)]
    pub failure: RowFailure,
}

/// What could not be done with a row.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum RowFailure {
    /// It is not an application.
    #[default]
    Unread,
    /// It is sound, but there was too little memory to answer it: the next run asks about it again.
    Unanswered,
    /// It was answered, but nothing could be written about it.
    Unwritten,
}

/// How many rows could not be read, and the first of them.
#[derive(Debug, Default)]
pub struct BadRows {
    count: usize,
    /// What could not be done with them.
    failures: BTreeSet<&'static str>,
    first: Vec<BadRow>,
}

impl BadRow {
    /// What is wrong with a row; anything but bad input is an error.
    pub fn new(row: usize, line: Option<u64>, error: Error) -> Result<Self> {
        match error {
            Error::Input(input) => {
                let message = input_message(&input.without_row());
                Ok(Self { row, line, message, failure: RowFailure::Unread })
            }
            other => Err(other),
        }
    }

    /// A sound row for which there was too little memory.
    pub fn unanswered(row: usize, error: &Error) -> Self {
        Self { row, line: None, message: message(error), failure: RowFailure::Unanswered }
    }

    /// A row about which nothing could be written.
    pub fn unwritten(row: usize, error: &InputError) -> Self {
        Self { row, line: None, message: input_message(error), failure: RowFailure::Unwritten }
    }

    /// What could not be done with it.
    pub fn failure(&self) -> &'static str {
        match self.failure {
            RowFailure::Unread => "could not be read",
            RowFailure::Unanswered => "could not be answered",
            RowFailure::Unwritten => "could not be written",
        }
    }

    /// Its row, and its line where that is known.
    pub fn position(&self) -> String {
        let line = self.line.map_or_else(String::new, |line| format!(" (line {line})"));
        format!("row {}{line}", self.row)
    }
}

impl fmt::Display for BadRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.position(), self.message)
    }
}

impl From<BadRow> for InputError {
    fn from(bad: BadRow) -> Self {
        Self::new(bad.to_string())
    }
}

impl BadRows {
    pub fn add(&mut self, bad: &BadRow) {
        self.count += 1;
        self.failures.insert(bad.failure());
        if self.first.len() < LISTED {
            self.first.push(bad.clone());
        }
    }

    pub fn count(&self) -> usize {
        self.count
    }

    /// The summary for people at the end, where there are any; `rows` is how many rows there are.
    pub fn report(&self, rows: usize) -> Option<String> {
        let more = self.count - self.first.len();
        let listed = self.first.iter().map(|bad| format!("\n  {bad}"));
        let rest = (more > 0).then(|| format!("\n  and {more} more"));
        let listed: String = listed.chain(rest).collect();
        let count = self.count;
        let failures: Vec<&str> = self.failures.iter().copied().collect();
        let failure = failures.join(" or ");
        (count > 0).then(|| {
            format!("{count} of {rows} rows {failure}; they have the status `{ERROR}`:{listed}")
        })
    }
}
