//! `amends export`: an instance as a program that any solver reads.

use amends::InputError;
use amends::instance::read_instances;
use amends::milp::{Formulation, encode, write_lp, write_mps};
use amends_run::output::Output;

use super::{Ending, read_text};
use crate::args::{ExportArgs, ProgramFormat};
use crate::setup::choice;

pub fn run(args: &ExportArgs) -> anyhow::Result<Ending> {
    let formulation: Formulation = choice("--formulation", &args.formulation)?;
    let (text, source) = read_text(&args.file)?;
    let instances = read_instances(&text, &source)?;
    let [instance] = instances.as_slice() else {
        return Err(amends::Error::from(
            InputError::new(format!("holds {} instances, but a program is one", instances.len()))
                .file(source)
                .remedy("export one line at a time"),
        )
        .into());
    };
    let encoded = encode(instance, formulation)?;
    let extension = args.output.as_deref().and_then(|path| path.extension());
    let format = args.format.unwrap_or(match extension {
        Some(extension) if extension.eq_ignore_ascii_case("lp") => ProgramFormat::Lp,
        _ => ProgramFormat::Mps,
    });
    let mut output = Output::to(args.output.as_deref())?;
    match format {
        ProgramFormat::Mps => write_mps(&encoded.program, &mut output)?,
        ProgramFormat::Lp => write_lp(&encoded.program, &mut output)?,
    }
    output.finish()?;
    Ok(Ending::Answered)
}
