//! `amends explain`: plans for rejected applicants.

use std::io::IsTerminal;
use std::path::Path;
use std::time::Duration;

use amends::engine::SolveSettings;
use amends::search::Control;
use amends::{InputError, Solving};
use amends_run::interrupt;
use amends_run::output::{Output, check_place};

use super::{Ending, Endings, warn_of_bad_rows};
use crate::applicants::ReadRow;
use crate::args::{ExplainArgs, PlanFormat};
use crate::batch::Batch;
use crate::conditions::{Asked, Conditions};
use crate::kept::Kept;
use crate::question::fit;
use crate::report::{PlanWriter, Subject, Written, columns};
use crate::setup::{ask, check_linear, engine, solve_settings};
use crate::source::Source;

/// An applicant waits for an answer: nobody should have to stop the program by hand.
const DEFAULT_LIMIT: Duration = Duration::from_secs(60);

pub fn run(args: &ExplainArgs) -> anyhow::Result<Ending> {
    let output = args.output.as_deref();
    let format = args.format.unwrap_or_else(|| PlanFormat::of_name(output));
    check_places(args, format)?;
    let engine = engine(&args.engine)?;
    let mut settings = solve_settings(&args.engine)?;
    settings.time_limit.get_or_insert(DEFAULT_LIMIT);
    let ask = ask(&args.several, args.no_reasons)?;
    let source = Source::load(&args.question.data)?;
    let (model, explainer) = fit(&source, &args.question, |costs| check_linear(&engine, costs))?;
    let mut applicants = source.applicants(
        &args.question.applicants,
        &explainer,
        &args.question.wishes,
        args.strict,
    )?;
    applicants.check(&explainer, |_, _| {})?;
    warn_of_bad_rows(&applicants);
    let mut kept = Kept::default();
    if let Some(path) = &args.journal {
        let asked = Asked {
            question: &args.question,
            engine: &args.engine,
            reasons: ask.reasons(),
            answers: Some(format!("{ask} as {}", kept_as(format))),
        };
        let fitted = (&model, &explainer);
        let conditions =
            Conditions::of(&asked, &source, &applicants, fitted, (&engine, &settings))?;
        let columns = columns(&source.table.dataset.schema).len();
        kept = Kept::in_journal(path, conditions, |line: &Written| line.has_columns(columns))?;
    }
    interrupt::heed(crate::STOPPED)?;
    let subject = Subject { model: &model, explainer: &explainer };
    // Opened with the first answer: where there is none, nothing is written.
    let open = || PlanWriter::new(&subject, format, Output::to(output)?);
    let mut opened = None;
    let batch = Batch { applicants: &applicants, settings: &settings, doing: "explaining" };
    let (mut endings, mut answered) = (Endings::default(), 0);
    let work = |applicant: &ReadRow, settings: &SolveSettings, control: &Control<'_>| {
        let applicant = match applicant {
            Ok(applicant) => applicant,
            Err(bad) => return Ok(Some(subject.unreadable(bad, format))),
        };
        match applicant.answer(&ask, &explainer, &Solving { engine: &engine, settings, control }) {
            Ok(answer) if interrupt::cut_short(&answer) => Ok(None),
            Ok(answer) => Ok(Some(subject.written(applicant.row, &answer, format))),
            Err(error) => {
                let bad = applicants.failed(applicant.row, error)?;
                Ok(Some(subject.unreadable(&bad, format)))
            }
        }
    };
    batch.run(&mut kept, work, |_, answer: Written| {
        answered += 1;
        endings.count(&answer);
        let writer = match &mut opened {
            Some(writer) => writer,
            none => none.insert(open()?),
        };
        writer.write(&answer)
    })?;
    let mut writer = opened.map_or_else(open, Ok)?;
    if applicants.len() == 0 {
        writer.nobody(format)?;
    }
    writer.finish()?;
    endings.report_bad_rows(applicants.len());
    if interrupt::stopped() && answered < applicants.len() {
        let all = applicants.len();
        let next = if args.journal.is_some() {
            "the same command continues from there"
        } else {
            "with --journal FILE a stopped run can be continued"
        };
        eprintln!("stopped after {answered} of {all} applicants, which were written; {next}");
        return Ok(Ending::Stopped);
    }
    Ok(endings.ending())
}

/// CSV and Parquet are written from the same rows.
fn kept_as(format: PlanFormat) -> &'static str {
    match format {
        PlanFormat::Text => "text",
        PlanFormat::Json => "json",
        PlanFormat::Csv | PlanFormat::Parquet => "rows",
    }
}

/// Every file has a place of its own, and one that can be written to.
fn check_places(args: &ExplainArgs, format: PlanFormat) -> amends::Result<()> {
    let output = args.output.as_deref().filter(|path| *path != Path::new("-"));
    output.map_or(Ok(()), check_place)?;
    if output.is_none() && format == PlanFormat::Parquet && std::io::stdout().is_terminal() {
        return Err(InputError::new("is not for a terminal")
            .at("--format")
            .value("parquet")
            .remedy("name a file with --output")
            .into());
    }
    let Some(journal) = &args.journal else { return Ok(()) };
    check_place(journal)?;
    if output == Some(journal) {
        return Err(InputError::new("is written to already")
            .at("--journal")
            .value(journal.display())
            .remedy("name a file of its own for the journal")
            .into());
    }
    Ok(())
}
