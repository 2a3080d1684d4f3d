//! What the command does.

use std::io::Write;

use amends::data::draft;
use amends_run::output::Output;

use super::args::InitCommand;
use crate::commands::Outcome;
use crate::tables::read_table;

pub fn run(command: &InitCommand) -> anyhow::Result<Outcome> {
    let table = read_table(&command.data, None)?;
    let draft = draft(&table, &command.name, &command.target, command.favourable.as_deref())?;
    let mut output = Output::to(command.output.as_deref())?;
    output.write_all(draft.to_toml().as_bytes())?;
    output.finish()?;
    if let Some(path) = &command.output {
        eprintln!(
            "{} describes {} features of {} rows; `{}` in column `{}` is taken as what applicants want \
             (--favourable names another).\nReview and correct it, then try\n  \
             amends explain --data {} --schema {}",
            path.display(),
            draft.schema.features.len(),
            table.rows.len(),
            draft.schema.target.favourable,
            draft.schema.target.column,
            command.data.display(),
            path.display()
        );
    }
    Ok(Outcome::Answered)
}
