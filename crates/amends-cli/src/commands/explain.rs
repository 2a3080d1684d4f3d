//! `amends explain`: plans for rejected applicants.

use std::io::Write;
use std::time::Duration;

use amends::Status;
use amends::engine::{Engine, SolveSettings};
use amends::explain::{Explainer, Explanation};
use amends::search::Control;
use rayon::prelude::*;

use super::Ending;
use crate::args::{ExplainArgs, Format};
use crate::output::{Output, check_place};
use crate::progress::{self, Watch};
use crate::question::Question;
use crate::report::{self, Told};
use crate::setup::{check_linear, engine, solve_settings};
use crate::source::Applicant;

/// An applicant waits for an answer: nobody should have to stop the program by hand.
const DEFAULT_LIMIT: Duration = Duration::from_secs(60);

pub fn run(args: &ExplainArgs) -> anyhow::Result<Ending> {
    args.output.as_deref().map_or(Ok(()), check_place)?;
    let engine = engine(&args.engine)?;
    let mut settings = solve_settings(&args.engine)?;
    settings.time_limit.get_or_insert(DEFAULT_LIMIT);
    let Question { source, model, explainer, applicants } =
        Question::prepare(&args.question, |costs| check_linear(&engine, costs))?;
    let explanations = explain_all(&explainer, &applicants, &engine, &settings, !args.no_reasons)?;
    let told: Vec<Told> = applicants
        .iter()
        .zip(&explanations)
        .map(|(applicant, explanation)| Told { row: applicant.row, explanation })
        .collect();
    let mut output = Output::to(args.output.as_deref())?;
    match args.format {
        Format::Text => {
            writeln!(output, "{}", report::header(&model, &explainer))?;
            for told in &told {
                writeln!(output, "\n{}", report::text(told, &model))?;
            }
            if told.is_empty() {
                writeln!(
                    output,
                    "\nNobody to explain: no held-out applicant is rejected, or none was asked for."
                )?;
            }
        }
        Format::Json => {
            for told in &told {
                let object = report::json(told, &model, &explainer, &source.dataset.schema);
                writeln!(output, "{object}")?;
            }
        }
        Format::Csv => report::csv(&mut output, &told, &model, &source.dataset.schema)?,
    }
    output.finish()?;
    Ok(Ending::of(explanations.iter().map(|explanation| explanation.status)))
}

/// Explains applicants in parallel, each on one thread; a single one gets all threads.
pub fn explain_all(
    explainer: &Explainer,
    applicants: &[Applicant],
    engine: &Engine,
    settings: &SolveSettings,
    reasons: bool,
) -> anyhow::Result<Vec<Explanation>> {
    let explain = |applicant: &Applicant, settings: &SolveSettings, control: &Control<'_>| {
        let case = explainer.case(&applicant.record, &applicant.wishes)?;
        if reasons {
            case.explain_with_reasons(engine, settings, control)
        } else {
            case.explain(engine, settings, control)
        }
    };
    if let [applicant] = applicants {
        let watch = Watch::start();
        let progress = |progress| watch.report(progress);
        let control = Control { progress: Some(&progress), cancel: None };
        return Ok(vec![explain(applicant, settings, &control)?]);
    }
    let threads = settings.threads.min(applicants.len()).max(1);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    let single = SolveSettings { threads: 1, ..settings.clone() };
    let bar = progress::bar(applicants.len(), "explaining");
    let counted = |applicant: &Applicant| {
        let explanation = explain(applicant, &single, &Control::default());
        bar.inc(1);
        explanation
    };
    let explanations: amends::Result<Vec<Explanation>> =
        pool.install(|| applicants.par_iter().map(counted).collect());
    bar.finish_and_clear();
    let explanations = explanations?;
    debug_assert!(explanations.iter().all(|e| e.status != Status::Optimal || e.plan.is_some()));
    Ok(explanations)
}
