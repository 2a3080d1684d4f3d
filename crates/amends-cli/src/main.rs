//! The `amends` program: `amends --help` lists what it does.

mod applicants;
mod args;
mod batch;
mod commands;
mod flags;
mod input;
mod progress;
mod report;
mod source;
mod tables;

use std::io;
use std::process::ExitCode;

use clap::Parser;

use crate::commands::{Arguments, Outcome};

/// Exit codes, as `amends --help` documents them.
const FAILED: u8 = 1;
const BAD_INPUT: u8 = 2;
const OUT_OF_TIME: u8 = 3;
const BAD_ROWS: u8 = 4;
const STOPPED: u8 = 130;

fn main() -> ExitCode {
    match commands::run(Arguments::parse()) {
        Ok(Outcome::Answered) => ExitCode::SUCCESS,
        Ok(Outcome::OutOfTime) => ExitCode::from(OUT_OF_TIME),
        Ok(Outcome::SolverFailed(count)) => {
            eprintln!(
                "error: the solver failed for {count} of the applicants; their answers say how, with the best plan that \
                 was known before"
            );
            ExitCode::from(FAILED)
        }
        Ok(Outcome::BadRows) => ExitCode::from(BAD_ROWS),
        Ok(Outcome::Stopped) => ExitCode::from(STOPPED),
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {}", flags::any_message(&error));
            ExitCode::from(exit_code(&error))
        }
    }
}

/// Bad input is for the user to correct; anything else is a failure of the program or the solver.
fn exit_code(error: &anyhow::Error) -> u8 {
    match error.downcast_ref::<amends::Error>() {
        Some(amends::Error::Input(_) | amends::Error::File { .. }) => BAD_INPUT,
        _ if error.is::<amends::InputError>() => BAD_INPUT,
        _ => FAILED,
    }
}

/// Piping into `head` is fine.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause.downcast_ref::<io::Error>().is_some_and(|e| e.kind() == io::ErrorKind::BrokenPipe)
    })
}
