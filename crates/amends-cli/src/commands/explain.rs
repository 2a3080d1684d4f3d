//! `amends explain`: plans for rejected applicants.

use std::io::Write;
use std::time::Duration;

use amends::engine::{Engine, SolveSettings};
use amends::explain::Explainer;
use amends::search::Control;
use rayon::prelude::*;

use super::Ending;
use crate::answer::{Answer, Wanted};
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
    let wanted = Wanted::new(&args.several, !args.no_reasons);
    let answers = answer_all(&explainer, &applicants, &engine, &settings, &wanted)?;
    let mut output = Output::to(args.output.as_deref())?;
    match args.format {
        Format::Text => {
            writeln!(output, "{}", report::header(&model, &explainer))?;
            for answer in &answers {
                writeln!(output, "\n{}", report::text(answer, &model))?;
            }
            if answers.is_empty() {
                writeln!(
                    output,
                    "\nNobody to explain: no held-out applicant is rejected, or none was asked for."
                )?;
            }
        }
        Format::Json => {
            for told in answers.iter().flat_map(Told::all) {
                let object = report::json(&told, &model, &explainer, &source.dataset.schema);
                writeln!(output, "{object}")?;
            }
        }
        Format::Csv => report::csv(&mut output, &answers, &model, &source.dataset.schema)?,
    }
    output.finish()?;
    let statuses = answers.iter().map(|answer| (answer.plans[0].status, answer.solver_failed()));
    Ok(Ending::of(statuses))
}

/// Answers applicants in parallel, each on one thread; a single one gets all threads.
pub fn answer_all(
    explainer: &Explainer,
    applicants: &[Applicant],
    engine: &Engine,
    settings: &SolveSettings,
    wanted: &Wanted,
) -> anyhow::Result<Vec<Answer>> {
    if let [applicant] = applicants {
        let watch = Watch::start();
        let progress = |progress| watch.report(progress);
        let control = Control { progress: Some(&progress), cancel: None };
        return Ok(vec![wanted.answer(explainer, applicant, engine, settings, &control)?]);
    }
    let threads = settings.threads.min(applicants.len()).max(1);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    let single = SolveSettings { threads: 1, ..settings.clone() };
    let bar = progress::bar(applicants.len(), "explaining");
    let counted = |applicant: &Applicant| {
        let answer = wanted.answer(explainer, applicant, engine, &single, &Control::default());
        bar.inc(1);
        answer
    };
    let answers: amends::Result<Vec<Answer>> =
        pool.install(|| applicants.par_iter().map(counted).collect());
    bar.finish_and_clear();
    Ok(answers?)
}
