//! What the command does.

use amends::InputError;
use amends::instance::read_instances;
use amends::milp::{encode, write_lp, write_mps};
use amends_run::output::Output;

use super::args::{ExportCommand, ProgramFormat};
use crate::commands::Outcome;
use crate::input::read_text;

pub fn run(command: &ExportCommand) -> anyhow::Result<Outcome> {
    let (text, source) = read_text(&command.file)?;
    let instances = read_instances(&text, &source)?;
    let [instance] = instances.as_slice() else {
        return Err(amends::Error::from(
            InputError::new(format!("holds {} instances, but a program is one", instances.len()))
                .file(source)
                .remedy("export one line at a time"),
        )
        .into());
    };
    let encoded = encode(instance, command.formulation)?;
    let mut output = Output::to(command.output.as_deref())?;
    match command.format {
        ProgramFormat::Mps => write_mps(&encoded.program, &mut output)?,
        ProgramFormat::Lp => write_lp(&encoded.program, &mut output)?,
    }
    output.finish()?;
    Ok(Outcome::Answered)
}
