//! One file per command.

mod audit;
mod bench;
mod check_rules;
mod demo;
mod evaluate;
mod explain;
mod export;
mod init;
mod instance;
mod reproduce;
mod solve;
mod train;

use std::io::Read;
use std::path::Path;

use amends::{Error, Large, Status, check_file_memory};

use crate::applicants::Applicants;
use crate::args::{Arguments, Command};
use crate::bad_rows::{BadRows, ERROR};
use crate::kept::Finished;

pub use reproduce::ReproduceArgs;

/// How a command that did not fail ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// Everything was answered.
    Answered,
    /// Time ran out without a plan for at least one applicant.
    OutOfTime,
    /// Everybody was answered as far as possible, but a solver broke down for so many applicants.
    SolverFailed(usize),
    /// Rows of the file of applicants could not be read; all others were answered.
    BadRows,
    /// Ctrl-C; what was done is kept.
    Stopped,
}

/// How applicants' solves ended, counted one at a time.
#[derive(Debug, Default)]
pub struct Endings {
    bad_rows: BadRows,
    out_of_time: bool,
    failures: usize,
}

impl Endings {
    /// Counts an answer.
    fn count(&mut self, answer: &impl Finished) {
        match answer.bad_row() {
            Some(bad) => self.bad_rows.add(bad),
            None => answer
                .status()
                .into_iter()
                .for_each(|status| self.add(status, answer.solver_failed())),
        }
    }

    /// Says on standard error which of so many rows could not be read.
    fn report_bad_rows(&self, of: usize) {
        self.bad_rows.report(of).into_iter().for_each(|report| eprintln!("error: {report}"));
    }

    /// Counts one: how it ended, and whether the solver broke down in it.
    fn add(&mut self, status: Status, failed: bool) {
        self.out_of_time |= status == Status::Timeout;
        self.failures += usize::from(failed);
    }

    fn ending(&self) -> Ending {
        match self.failures {
            0 if self.bad_rows.count() > 0 => Ending::BadRows,
            0 if self.out_of_time => Ending::OutOfTime,
            0 => Ending::Answered,
            failures => Ending::SolverFailed(failures),
        }
    }
}

pub fn run(arguments: Arguments) -> anyhow::Result<Ending> {
    match arguments.command {
        Command::Audit(args) => audit::run(&args),
        Command::Bench(args) => bench::run(&args),
        Command::Demo(args) => demo::run(&args),
        Command::CheckRules(args) => check_rules::run(args),
        Command::Init(args) => init::run(&args),
        Command::Train(args) => train::run(&args),
        Command::Evaluate(args) => evaluate::run(&args),
        Command::Explain(args) => explain::run(&args),
        Command::Instance(args) => instance::run(&args),
        Command::Solve(args) => solve::run(&args),
        Command::Export(args) => export::run(&args),
        Command::Reproduce(args) => reproduce::run(&args),
    }
}

/// Says before anything is solved how many rows can't be: who expected none can stop here.
fn warn_of_bad_rows(applicants: &Applicants) {
    let bad = applicants.bad_places().len();
    if bad > 0 {
        eprintln!(
            "note: {bad} of {} rows can't be read and will have the status `{ERROR}`; --strict refuses them instead",
            applicants.len()
        );
    }
}

/// The text of a file, or of standard input for `-`; and how to call it in messages.
pub fn read_text(path: &Path) -> amends::Result<(String, String)> {
    let name = path.display().to_string();
    if name == "-" {
        let mut text = String::new();
        let source = "standard input";
        std::io::stdin().read_to_string(&mut text).map_err(|error| Error::file(source, error))?;
        return Ok((text, source.to_owned()));
    }
    check_file_memory(path, 0, Large::Instances)?;
    let text = std::fs::read_to_string(path).map_err(|error| Error::file(path, error))?;
    Ok((text, name))
}
