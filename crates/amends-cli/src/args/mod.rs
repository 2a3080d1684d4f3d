//! Groups of arguments that several commands share, each with the checked settings that it becomes.
//!
//! A command has its own arguments in `commands/<verb>/args.rs`. Every `check` turns arguments as typed into settings that
//! can be used; only those travel on.

mod answers;
mod applicants;
mod cost;
mod data;
mod engine;
mod models;
mod output;
mod question;
mod reasons;
mod requirements;
mod setup;

use std::str::FromStr;
use std::time::Duration;

use amends::engine::time_limit;

pub use answers::{AnswerArgs, AnswerSettings};
pub use applicants::ApplicantChoice;
pub use cost::CostArgs;
pub use data::{DataArgs, DataChoice, GermanSchema, HelocReading, Purpose, TableArgs, TableChoice};
pub use engine::{EngineArgs, EngineChoice, all_cores};
pub use models::{ModelChoice, ModelListArgs, TrainingArgs, model_names};
pub use output::{Format, OutputArgs, check_format, check_output_files, file_extension};
pub use question::{Question, QuestionArgs};
pub use reasons::{ReasonArgs, ReasonChoice};
pub use requirements::Requirements;
pub use setup::{Setup, SetupArgs};

/// Reads a number, with a message in plain words.
pub fn number(text: &str) -> Result<f64, String> {
    text.trim().parse().map_err(|_| "not a number, such as 0.5".to_owned())
}

/// Reads a whole number, with a message in plain words.
pub fn whole<T: FromStr>(text: &str) -> Result<T, String> {
    text.trim().parse().map_err(|_| "not a whole number of 0 or more, or too large".to_owned())
}

/// Names as a sentence has them: `a, b or c`.
pub fn one_of<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let mut names: Vec<&str> = names.collect();
    let last = names.pop().unwrap_or_default();
    if names.is_empty() { last.to_owned() } else { format!("{} or {last}", names.join(", ")) }
}

/// A choice by name, with the option in the message where the name is unknown.
pub fn choice<T: FromStr<Err = amends::Error>>(option: &str, name: &str) -> amends::Result<T> {
    name.parse().map_err(|error: amends::Error| error.in_file(option))
}

/// A time limit in seconds.
pub fn seconds(limit: f64) -> amends::Result<Duration> {
    time_limit(limit, "--time-limit")
}
