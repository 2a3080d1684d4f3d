//! `amends evaluate`: how good the models are, over several splits.

use std::io::Write;

use amends::InputError;
use amends::model::{ModelKind, Quality, QualitySummary};
use amends_run::SplitTable;
use amends_run::output::Output;

use super::Ending;
use crate::args::{EvaluateArgs, Format};
use crate::progress;
use crate::report::quality_table;
use crate::setup::{choice, train_settings};
use crate::source::{Source, check_held_out};

pub fn run(args: &EvaluateArgs) -> anyhow::Result<Ending> {
    if args.splits == 0 {
        let error = InputError::new("splits measure nothing").at("--splits").value(0);
        return Err(amends::Error::from(error.remedy("give at least 1; 10 is usual")).into());
    }
    let kinds = args
        .models
        .iter()
        .map(|name| choice("--models", name))
        .collect::<Result<Vec<ModelKind>, _>>()?;
    let mut source = Source::load(&args.data)?.table;
    check_held_out(
        &source,
        "models are measured on rows that they have not seen: give 0.25 or so",
    )?;
    let bar = progress::bar(kinds.len() * args.splits as usize, "training");
    let mut measured: Vec<(ModelKind, Vec<Quality>)> =
        kinds.into_iter().map(|kind| (kind, Vec::new())).collect();
    for step in 0..args.splits {
        let seed = args.data.seed.wrapping_add(step);
        source = SplitTable::new(source.dataset, &source.name, args.data.test_share, seed)?;
        let settings = train_settings(&args.training, seed)?;
        for (kind, qualities) in &mut measured {
            qualities.extend(source.train(*kind, &settings)?.quality);
            bar.inc(1);
        }
    }
    bar.finish_and_clear();
    let summaries: Vec<(ModelKind, QualitySummary)> = measured
        .iter()
        .filter_map(|(kind, qualities)| Some((*kind, QualitySummary::of(qualities)?)))
        .collect();
    let mut out = Output::standard();
    match args.format {
        Format::Text => {
            writeln!(
                out,
                "{}: {} rows, {} splits of {:.0}:{:.0}, favourable is `{}`",
                source.dataset.schema.name,
                source.dataset.len(),
                args.splits,
                100.0 * (1.0 - args.data.test_share),
                100.0 * args.data.test_share,
                source.dataset.schema.target.favourable
            )?;
            writeln!(out, "{}", quality_table(&summaries))?;
        }
        Format::Json => {
            for (kind, summary) in &summaries {
                writeln!(
                    out,
                    "{}",
                    serde_json::json!({"model": kind.short_name(), "quality": summary})
                )?;
            }
        }
        Format::Csv => {
            writeln!(out, "model,measure,mean,deviation")?;
            for (kind, summary) in &summaries {
                for (measure, value) in summary.named() {
                    writeln!(
                        out,
                        "{},{measure},{},{}",
                        kind.short_name(),
                        value.mean,
                        value.deviation
                    )?;
                }
            }
        }
    }
    out.finish()?;
    Ok(Ending::Answered)
}
