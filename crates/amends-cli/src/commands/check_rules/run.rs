//! What the command does.

use std::io::Write;

use amends_run::output::Output;

use super::args::CheckRulesCommand;
use super::print::{rules_csv, rules_json, rules_text};
use crate::args::Format;
use crate::commands::Outcome;
use crate::tables::load_dataset;

pub fn run(command: &CheckRulesCommand) -> anyhow::Result<Outcome> {
    let dataset = load_dataset(&command.table)?.dataset;
    let tallies = dataset.tally_rules();
    let mut out = Output::to(command.output.as_deref())?;
    match command.format {
        Format::Text => writeln!(out, "{}", rules_text(&dataset, &tallies))?,
        Format::Json => {
            for tally in &tallies {
                writeln!(out, "{}", rules_json(&dataset, tally))?;
            }
        }
        Format::Csv => rules_csv(&mut out, &dataset, &tallies)?,
    }
    out.finish()?;
    Ok(Outcome::Answered)
}
