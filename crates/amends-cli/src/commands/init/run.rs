//! What the command does.

use std::io::Write;

use amends::data::draft;
use amends_run::output::Output;

use super::args::InitCommand;
use super::print::{Reported, print};
use crate::commands::Outcome;
use crate::tables::{encoding, read_table, unreadable_columns};

pub fn run(command: &InitCommand) -> anyhow::Result<Outcome> {
    let table = read_table(&command.data, None)?;
    let mut draft = draft(&table, &command.name, &command.target, command.favourable.as_deref())?;
    for (column, kind) in unreadable_columns(&command.data)? {
        draft.left_out.push((column, format!("it is of type {kind}, which can't be read")));
    }
    let mut output = Output::to(command.output.as_deref())?;
    output.write_all(draft.to_toml().as_bytes())?;
    output.finish()?;
    let encoding = encoding(&command.data)?;
    print(&Reported { command, draft: &draft, rows: table.rows.len(), encoding });
    Ok(Outcome::Answered)
}
