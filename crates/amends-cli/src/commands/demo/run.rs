//! What the command does.

use std::io::Write;
use std::time::Instant;

use amends::answer::{Ask, CachedAsk};
use amends::data::{Dataset, Encoder};
use amends::engine::{Engine, SolveSettings};
use amends::explain::{ExplainSettings, Preset, Wishes};
use amends::model::{ModelKind, TrainSettings};
use amends::{InputError, Solving};
use amends_run::SplitTable;
use amends_run::output::Output;

use super::args::DemoCommand;
use crate::applicants::{Applicants, ReadRow};
use crate::args::all_cores;
use crate::batch::{AnswerJournal, Batch};
use crate::commands::explain::print::RenderedAnswer;
use crate::commands::outcome::{Outcome, SolveCount};
use crate::report::{self, quality_line};

/// Enough for a first look; `amends evaluate` has all kinds.
const SHOWN: [ModelKind; 3] =
    [ModelKind::LogisticRegression, ModelKind::LinearSvm, ModelKind::RandomForest];

pub fn run(command: &DemoCommand) -> anyhow::Result<Outcome> {
    let begin = Instant::now();
    let source = SplitTable::new(Dataset::german(), "German credit", 0.25, 0)?;
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
    let settings = SolveSettings {
        time_limit: Some(command.time_limit),
        threads: all_cores(),
        ..SolveSettings::default()
    };
    let mut count = SolveCount::default();
    let best = Ask::best();
    for kind in SHOWN {
        let model = source.train(kind, &TrainSettings::default())?;
        let costs = ExplainSettings::preset(Preset::Standard, &schema.name);
        let explainer = source.explainer(&model, &costs)?;
        writeln!(out, "\n{}", report::header(&model, &explainer))?;
        if let Some(quality) = &model.quality {
            writeln!(out, "On the held-out applications: {}.", quality_line(quality))?;
        }
        let records = source.rejected(&explainer, command.applicants);
        let applicants = Applicants::Rows { table: &source, records, wishes: Wishes::default() };
        let batch = Batch {
            applicants: &applicants,
            engine: &Engine::Search,
            settings: &settings,
            doing: "explaining",
        };
        let ask = CachedAsk::new(&best, &explainer);
        let work = |applicant: &ReadRow, solving: &Solving<'_>| {
            let applicant = applicant.as_ref().map_err(|bad| InputError::from(bad.clone()))?;
            let answer = applicant.answer(&ask, solving)?;
            Ok(Some(RenderedAnswer::in_text(applicant.row, &answer, &explainer)))
        };
        batch.run(&mut AnswerJournal::default(), work, |_, answer: RenderedAnswer| {
            count.add_answer(&answer);
            answer.write_lines(&mut out)
        })?;
    }
    writeln!(
        out,
        "\nDone in {:.1} s. Next: `amends explain --help`, or your own table with `amends init`.",
        begin.elapsed().as_secs_f64()
    )?;
    out.finish()?;
    Ok(count.outcome())
}
