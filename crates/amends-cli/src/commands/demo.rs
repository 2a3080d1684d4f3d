//! `amends demo`: the whole way on the embedded data, in under a minute.

use std::io::Write;
use std::time::Instant;

use amends::data::{Dataset, Encoder};
use amends::engine::{Engine, SolveSettings};
use amends::explain::{ExplainSettings, Preset};
use amends::model::{ModelKind, TrainSettings};

use super::Ending;
use super::explain::answer_all;
use crate::answer::Wanted;
use crate::args::DemoArgs;
use crate::output::Output;
use crate::report::{self, quality_line};
use crate::setup::{cores, seconds};
use crate::source::Source;

/// Enough for a first look; `amends evaluate` has all kinds.
const SHOWN: [ModelKind; 3] =
    [ModelKind::LogisticRegression, ModelKind::LinearSvm, ModelKind::RandomForest];

pub fn run(args: &DemoArgs) -> anyhow::Result<Ending> {
    let limit = seconds(args.time_limit)?;
    let begin = Instant::now();
    let source = Source::new(Dataset::german(), "German credit", 0.25, 0)?;
    let mut out = Output::standard();
    let schema = &source.dataset.schema;
    writeln!(
        out,
        "German credit: {} applications, {} features, {} encoded columns; {} to train on, {} held out.",
        source.dataset.len(),
        schema.features.len(),
        Encoder::new(schema).width(),
        source.split.train.len(),
        source.split.test.len()
    )?;
    let settings =
        SolveSettings { time_limit: Some(limit), threads: cores(), ..SolveSettings::default() };
    let mut statuses = Vec::new();
    for kind in SHOWN {
        let model = source.train(kind, &TrainSettings::default())?;
        let costs = ExplainSettings::preset(Preset::Standard, &schema.name);
        let explainer = source.explainer(&model, &costs)?;
        writeln!(out, "\n{}", report::header(&model, &explainer))?;
        if let Some(quality) = &model.quality {
            writeln!(out, "On the held-out applications: {}.", quality_line(quality))?;
        }
        let applicants = source.rejected(&explainer, args.applicants);
        let wanted = Wanted::BEST;
        let answers = answer_all(&explainer, &applicants, &Engine::Search, &settings, &wanted)?;
        for answer in &answers {
            writeln!(out, "\n{}", report::text(answer, &model))?;
            statuses.push((answer.plans[0].status, answer.solver_failed()));
        }
    }
    writeln!(
        out,
        "\nDone in {:.1} s. Next: `amends explain --help`, or your own table with `amends init`.",
        begin.elapsed().as_secs_f64()
    )?;
    out.finish()?;
    Ok(Ending::of(statuses))
}
