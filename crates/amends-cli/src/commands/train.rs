//! `amends train`: a model file.

use amends::model::ModelKind;

use super::Ending;
use crate::args::TrainArgs;
use crate::report::quality_line;
use crate::setup::{Source, train_settings};

pub fn run(args: &TrainArgs) -> anyhow::Result<Ending> {
    let kind: ModelKind = args.model.parse()?;
    let settings = train_settings(&args.training, args.data.seed)?;
    let source = Source::load(&args.data)?;
    let model = source.train(kind, &settings)?;
    model.save(&args.output)?;
    println!(
        "{kind} trained on {} rows of {}, saved as {}",
        source.split.train.len(),
        source.dataset.schema.name,
        args.output.display()
    );
    if let Some(quality) = &model.quality {
        println!("on {} held-out rows: {}", source.split.test.len(), quality_line(quality));
    }
    Ok(Ending::Answered)
}
