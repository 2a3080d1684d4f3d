//! `amends demo`: the whole way on the embedded data, in under a minute.

use std::time::Instant;

use amends::data::Dataset;
use amends::engine::{Engine, SolveSettings};
use amends::explain::{ExplainSettings, Explainer, Preset};
use amends::model::{ModelKind, TrainSettings};

use super::Ending;
use super::explain::explain_all;
use crate::args::DemoArgs;
use crate::report::{self, Told, quality_line};
use crate::setup::{Source, cores, seconds};

pub fn run(args: &DemoArgs) -> anyhow::Result<Ending> {
    let limit = seconds(args.time_limit)?;
    let begin = Instant::now();
    let source = Source::new(Dataset::german(), 0.25, 0)?;
    let schema = &source.dataset.schema;
    println!(
        "German credit: {} applications, {} features, {} encoded columns; {} to train on, {} held out.",
        source.rows.len(),
        schema.features.len(),
        source.encoder.width(),
        source.split.train.len(),
        source.split.test.len()
    );
    let settings =
        SolveSettings { time_limit: Some(limit), threads: cores(), ..SolveSettings::default() };
    let mut statuses = Vec::new();
    for kind in ModelKind::ALL {
        let model = source.train(kind, &TrainSettings::default())?;
        let costs = ExplainSettings::preset(Preset::Standard, &schema.name);
        let explainer = Explainer::fit(&source.training_part(), &model, &costs)?;
        println!("\n{}", report::header(&model, &explainer));
        if let Some(quality) = &model.quality {
            println!("On the held-out applications: {}.", quality_line(quality));
        }
        let applicants = source.rejected(&explainer, args.applicants);
        let explanations = explain_all(&explainer, &applicants, &Engine::Search, &settings)?;
        for (applicant, explanation) in applicants.iter().zip(&explanations) {
            println!("\n{}", report::text(&Told { row: applicant.row, explanation }, &model));
            statuses.push(explanation.status);
        }
    }
    println!(
        "\nDone in {:.1} s. Next: `amends explain --help`, or your own table with `amends init`.",
        begin.elapsed().as_secs_f64()
    );
    Ok(Ending::of(statuses))
}
