//! How a command ended that did not fail.

use amends::Status;
use amends_run::interrupt;

use crate::applicants::BadRows;
use crate::batch::JournalEntry;

/// How a command ended that did not fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Everything was answered.
    Answered,
    /// Time ran out without a plan for at least one applicant.
    OutOfTime,
    /// Everybody was answered as far as possible, but a solver broke down for this many applicants.
    SolverFailed(usize),
    /// Rows of the file of applicants could not be read; all others were answered.
    BadRows,
    /// Ctrl-C; what was done is kept.
    Stopped,
}

/// How applicants' solves ended, counted one at a time.
#[derive(Debug, Default)]
pub struct SolveCount {
    pub bad_rows: BadRows,
    out_of_time: bool,
    failures: usize,
}

impl SolveCount {
    /// Counts an answer.
    pub fn add_answer(&mut self, answer: &impl JournalEntry) {
        let end = answer.row_end();
        if let Some(bad) = &end.bad_row {
            self.bad_rows.add(bad);
        } else if let Some(status) = end.status {
            self.add_solve(status, end.solver_failed);
        }
    }

    /// Counts a solve: how it ended, and whether the solver broke down in it.
    pub fn add_solve(&mut self, status: Status, solver_failed: bool) {
        self.out_of_time |= status == Status::Timeout;
        self.failures += usize::from(solver_failed);
    }

    /// Says on standard error which of so many rows could not be read.
    pub fn report_bad_rows(&self, rows: usize) {
        if let Some(report) = self.bad_rows.report(rows) {
            eprintln!("error: {report}");
        }
    }

    /// How a run ended that answered so many of all applicants; says on standard error where it was stopped.
    pub fn ended(&self, answered: usize, applicants: usize, journal: bool) -> Outcome {
        if interrupt::stopped() && answered < applicants {
            let next = if journal {
                "the same command continues from there"
            } else {
                "with --journal FILE a stopped run can be continued"
            };
            eprintln!(
                "stopped after {answered} of {applicants} applicants, which were written; {next}"
            );
            return Outcome::Stopped;
        }
        self.outcome()
    }

    pub fn outcome(&self) -> Outcome {
        match self.failures {
            0 if self.bad_rows.count() > 0 => Outcome::BadRows,
            0 if self.out_of_time => Outcome::OutOfTime,
            0 => Outcome::Answered,
            failures => Outcome::SolverFailed(failures),
        }
    }
}
