//! `amends train`: a model file.

use std::io::Write;

use amends::model::ModelKind;
use amends_run::output::{Output, check_place};

use super::Ending;
use crate::args::TrainArgs;
use crate::report::quality_line;
use crate::setup::{choice, train_settings};
use crate::source::Source;

pub fn run(args: &TrainArgs) -> anyhow::Result<Ending> {
    let kind: ModelKind = choice("--model", &args.model)?;
    check_place(&args.output)?;
    let settings = train_settings(&args.training, args.data.seed)?;
    let source = Source::load(&args.data)?.table;
    let model = source.train(kind, &settings)?;
    model.save(&args.output)?;
    let mut out = Output::standard();
    writeln!(
        out,
        "{kind} trained on {} rows of {}, saved as {}",
        source.split.train.len(),
        source.dataset.schema.name,
        args.output.display()
    )?;
    if let Some(quality) = &model.quality {
        writeln!(out, "on {} held-out rows: {}", source.split.test.len(), quality_line(quality))?;
    }
    out.finish()?;
    Ok(Ending::Answered)
}
