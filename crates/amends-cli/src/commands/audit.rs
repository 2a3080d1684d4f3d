//! `amends audit`: what many applicants may really do, overall and by group.

use std::io::Write;
use std::path::Path;
use std::time::Duration;

use amends::InputError;
use amends::audit::{AuditRow, GroupColumn, Grouping, Summary};

use super::Ending;
use crate::args::Format;
use crate::audit::{
    Answers, Audit, AuditArgs, By, Conditions, People, Work, groups_csv, rows_csv, summary_json,
    summary_text,
};
use crate::interrupt;
use crate::journal::Journal;
use crate::output::{Output, check_place};
use crate::question::{add_common_wishes, fit};
use crate::setup::{check_linear, engine, solve_settings};
use crate::source::Source;

/// One hard applicant should not hold up all others.
const DEFAULT_LIMIT: Duration = Duration::from_secs(60);

pub fn run(args: &AuditArgs) -> anyhow::Result<Ending> {
    check_places(args)?;
    let engine = engine(&args.engine)?;
    let mut settings = solve_settings(&args.engine)?;
    settings.time_limit.get_or_insert(DEFAULT_LIMIT);
    let (source, table) = Source::load_with_table(&args.question.data)?;
    let mut people = People::choose(&source, table, args)?;
    let by = By::parse(&args.by, &people.table)?;
    let (model, explainer) = fit(&source, &args.question, |costs| check_linear(&engine, costs))?;
    people.stop_after_rejected(args.question.applicants.rejected, &explainer);
    let schema = &source.dataset.schema;
    if args.question.applicants.applicants.is_none() {
        add_common_wishes(&mut people.applicants, &args.question.wishes, schema)?;
    }
    let groupings =
        by.iter().map(|by| by.group(&people, schema)).collect::<amends::Result<Vec<Grouping>>>()?;
    let mut answers = Answers::default();
    if let Some(path) = &args.journal {
        let fitted = (&model, &explainer);
        let conditions = Conditions::of(args, &source, &people, fitted, (&engine, &settings))?;
        let (journal, known) = Journal::open(path, conditions)?;
        if journal.mended {
            eprintln!(
                "note: the last line of {} was not whole; its applicant is asked about again",
                path.display()
            );
        }
        answers = Answers::kept_in(journal, known);
    }
    interrupt::heed()?;
    let work = Work {
        explainer: &explainer,
        engine: &engine,
        settings: &settings,
        reasons: !args.no_reasons,
    };
    let answers = work.answer(&people.applicants, answers)?;
    let rows = in_groups(answers.of(&people.applicants), &groupings);
    let columns: Vec<GroupColumn> = groupings.into_iter().map(|grouping| grouping.column).collect();
    let summary = Summary::of(&rows, &columns, args.small_group);
    let audit = Audit {
        schema,
        model: &model,
        explainer: &explainer,
        who: &people.who,
        asked: people.applicants.len(),
        summary: &summary,
    };
    write(args, &audit, &rows, &columns)?;
    if interrupt::stopped() && rows.len() < people.applicants.len() {
        return Ok(Ending::Stopped);
    }
    Ok(Ending::of(rows.iter().map(|row| (row.status, row.solver_failed))))
}

/// Every file has a place of its own, and one that can be written to.
fn check_places(args: &AuditArgs) -> amends::Result<()> {
    let standard = Path::new("-");
    let output = args.output.as_deref().unwrap_or(standard);
    let named = [("--journal", args.journal.as_deref()), ("--rows", args.rows.as_deref())];
    let mut taken = vec![output];
    if output != standard {
        check_place(output)?;
    }
    for (option, path) in named {
        let Some(path) = path else { continue };
        if taken.contains(&path) {
            return Err(InputError::new("is written to already")
                .at(option)
                .value(path.display())
                .remedy("name a file of its own for the report, the rows and the journal")
                .into());
        }
        check_place(path)?;
        taken.push(path);
    }
    Ok(())
}

/// Answers with everybody's groups.
fn in_groups(answers: Vec<(usize, AuditRow)>, groupings: &[Grouping]) -> Vec<AuditRow> {
    let with_groups = |(place, mut row): (usize, AuditRow)| {
        let own = groupings.iter().map(|by| (by.column.name.clone(), by.groups[place].clone()));
        row.groups = own.collect();
        row
    };
    answers.into_iter().map(with_groups).collect()
}

fn write(
    args: &AuditArgs,
    audit: &Audit,
    rows: &[AuditRow],
    columns: &[GroupColumn],
) -> anyhow::Result<()> {
    if let Some(path) = &args.rows {
        let mut output = Output::to(Some(path))?;
        rows_csv(&mut output, rows, columns)?;
        output.finish()?;
    }
    let mut output = Output::to(args.output.as_deref())?;
    match args.format {
        Format::Text => writeln!(output, "{}", summary_text(audit))?,
        Format::Json => writeln!(output, "{}", summary_json(audit)?)?,
        Format::Csv => groups_csv(&mut output, audit.summary)?,
    }
    output.finish()?;
    Ok(())
}
