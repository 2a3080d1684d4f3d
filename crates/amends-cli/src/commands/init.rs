//! `amends init`: a schema file to start from.

use std::io::Write;

use amends::data::{Table, draft};

use super::Ending;
use crate::args::InitArgs;
use crate::output::Output;

pub fn run(args: &InitArgs) -> anyhow::Result<Ending> {
    let table = Table::read(&args.data)?;
    let stem = args.data.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let name = args.name.clone().or(stem).unwrap_or_else(|| "data".to_owned());
    let draft = draft(&table, &name, &args.target, args.favourable.as_deref())?;
    let mut output = Output::to(args.output.as_deref())?;
    output.write_all(draft.to_toml().as_bytes())?;
    output.finish()?;
    if let Some(path) = &args.output {
        eprintln!(
            "{} describes {} features of {} rows; read it, mend it, then try\n  \
             amends explain --data {} --schema {}",
            path.display(),
            draft.schema.features.len(),
            table.rows.len(),
            args.data.display(),
            path.display()
        );
    }
    Ok(Ending::Answered)
}
