//! What the command does.

use std::io::Write;

use amends_run::output::Output;

use super::args::TrainCommand;
use crate::commands::Outcome;
use crate::report::quality_line;
use crate::source::Source;

pub fn run(command: &TrainCommand) -> anyhow::Result<Outcome> {
    let source = Source::load(&command.data)?.table;
    let model = source.train(command.kind, &command.training)?;
    model.save(&command.output)?;
    let mut out = Output::standard();
    writeln!(
        out,
        "{} trained on {} rows of {}, saved as {}",
        command.kind,
        source.split.train.len(),
        source.dataset.schema.name,
        command.output.display()
    )?;
    if let Some(quality) = &model.quality {
        writeln!(out, "on {} held-out rows: {}", source.split.test.len(), quality_line(quality))?;
    }
    out.finish()?;
    Ok(Outcome::Answered)
}
