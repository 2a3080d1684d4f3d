//! Trains models on several splits and measures them.

use amends::model::{ModelKind, Quality, QualitySummary, TrainSettings};
use amends_run::SplitTable;

use super::args::EvaluateCommand;
use super::print::print;
use crate::commands::Outcome;
use crate::progress;
use crate::source::{Source, check_held_out};

pub fn run(command: &EvaluateCommand) -> anyhow::Result<Outcome> {
    let source = Source::load(&command.data)?.table;
    check_held_out(
        &source,
        "models are measured on rows that they have not seen: give 0.25 or so",
    )?;
    let (source, measured) = measure(command, source)?;
    let summaries: Vec<(ModelKind, QualitySummary)> = measured
        .iter()
        .filter_map(|(kind, qualities)| Some((*kind, QualitySummary::of(qualities)?)))
        .collect();
    print(command, &source.dataset, &summaries)?;
    Ok(Outcome::Answered)
}

type Measured = Vec<(ModelKind, Vec<Quality>)>;

/// Every kind of model on every split.
fn measure(
    command: &EvaluateCommand,
    mut source: SplitTable,
) -> amends::Result<(SplitTable, Measured)> {
    let bar = progress::bar(command.kinds.len() * command.splits as usize, "training");
    let mut measured: Measured = command.kinds.iter().map(|&kind| (kind, Vec::new())).collect();
    for step in 0..command.splits {
        let seed = command.data.seed.wrapping_add(step);
        source = SplitTable::new(source.dataset, &source.name, command.data.test_share, seed)?;
        let settings = TrainSettings { seed, ..command.training.clone() };
        for (kind, qualities) in &mut measured {
            qualities.extend(source.train(*kind, &settings)?.quality);
            bar.inc(1);
        }
    }
    bar.finish_and_clear();
    Ok((source, measured))
}
