//! `amends init`: a schema file to start from.

use std::io::Write;

use amends::InputError;
use amends::data::draft;
use amends_run::output::Output;

use super::Ending;
use crate::args::InitArgs;
use crate::table_file::read_table;

pub fn run(args: &InitArgs) -> anyhow::Result<Ending> {
    if let Some(path) = args.output.as_deref().filter(|path| path.is_file() && !args.force) {
        return Err(amends::Error::from(
            InputError::new("exists already, perhaps with your corrections")
                .file(path.display().to_string())
                .remedy("name another file, or replace it with --force"),
        )
        .into());
    }
    let table = read_table(&args.data, None)?;
    let stem = args.data.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let name = args.name.clone().or(stem).unwrap_or_else(|| "data".to_owned());
    let draft = draft(&table, &name, &args.target, args.favourable.as_deref())?;
    let mut output = Output::to(args.output.as_deref())?;
    output.write_all(draft.to_toml().as_bytes())?;
    output.finish()?;
    if let Some(path) = &args.output {
        eprintln!(
            "{} describes {} features of {} rows; `{}` in column `{}` is taken as what applicants want \
             (--favourable names another).\nReview and correct it, then try\n  \
             amends explain --data {} --schema {}",
            path.display(),
            draft.schema.features.len(),
            table.rows.len(),
            draft.schema.target.favourable,
            draft.schema.target.column,
            args.data.display(),
            path.display()
        );
    }
    Ok(Ending::Answered)
}
