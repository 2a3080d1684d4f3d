//! `amends audit`: what many applicants may really do, overall and by group.

use std::io::Write;
use std::path::Path;
use std::time::Duration;

use amends::answer::Ask;
use amends::audit::{AuditRow, GroupColumn, Summary, Tally};
use amends::engine::SolveSettings;
use amends::search::Control;
use amends::{InputError, Solving};
use amends_run::interrupt;
use amends_run::output::{Output, check_place};

use super::{Ending, Endings, warn_of_bad_rows};
use crate::applicants::{Applicants, ReadRow};
use crate::args::Format;
use crate::audit::{
    Audit, AuditArgs, Audited, By, Groups, People, error_cells, groups_csv, row_cells, row_columns,
    summary_json, summary_text,
};
use crate::batch::Batch;
use crate::conditions::{Asked, Conditions};
use crate::kept::Kept;
use crate::question::fit;
use crate::report::{RowFormat, RowWriter};
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
    let schema = &source.table.dataset.schema;
    let mut people = People::choose(&source, table, args)?;
    let (header, name) = people.header();
    let mut by = By::parse(&args.by, header, name, schema)?;
    let (model, explainer) = fit(&source, &args.question, |costs| check_linear(&engine, costs))?;
    people.stop_after_rejected(args.question.applicants.rejected, &explainer);
    people.check(&explainer, &mut by)?;
    let groups = by.into_iter().map(|by| by.groups(schema)).collect::<amends::Result<Vec<_>>>()?;
    let applicants = &people.applicants;
    warn_of_bad_rows(applicants);
    let mut kept = Kept::default();
    if let Some(path) = &args.journal {
        let reasons = !args.no_reasons;
        let asked =
            Asked { question: &args.question, engine: &args.engine, reasons, answers: None };
        let fitted = (&model, &explainer);
        let conditions = Conditions::of(&asked, &source, applicants, fitted, (&engine, &settings))?;
        kept = Kept::in_journal(path, conditions, |_: &Audited| true)?;
    }
    interrupt::heed(crate::STOPPED)?;
    let columns: Vec<GroupColumn> = groups.iter().map(|groups| groups.column.clone()).collect();
    let mut counted = Counted::new(args.rows.as_deref(), columns)?;
    let ask = Ask::best().with_reasons(!args.no_reasons);
    let batch = Batch { applicants, settings: &settings, doing: "auditing" };
    let one = |applicant: &ReadRow, settings: &SolveSettings, control: &Control<'_>| {
        let applicant = match applicant {
            Ok(applicant) => applicant,
            Err(bad) => return Ok(Some(Audited::Bad(bad.clone()))),
        };
        match applicant.answer(&ask, &explainer, &Solving { engine: &engine, settings, control }) {
            Err(error) => {
                applicants.failed(applicant.row, error).map(|bad| Some(Audited::Bad(bad)))
            }
            Ok(answer) if interrupt::cut_short(&answer) => Ok(None),
            Ok(answer) => Ok(Some(Audited::Row(AuditRow::of(applicant.row, answer.first())))),
        }
    };
    batch.run(&mut kept, one, |place, answer: Audited| {
        counted.add(applicants, place, answer, &groups)
    })?;
    let (summary, endings) = counted.finish(args.small_group)?;
    let asked = applicants.len();
    let audit = Audit {
        schema,
        model: &model,
        explainer: &explainer,
        who: &people.who,
        asked,
        errors: endings.bad_rows.count(),
        summary: &summary,
    };
    write(args, &audit)?;
    endings.report_bad_rows(asked);
    if interrupt::stopped() && !audit.complete() {
        return Ok(Ending::Stopped);
    }
    Ok(endings.ending())
}

/// Answers as they come: counted, and written to the file of rows where there is one.
struct Counted {
    tally: Tally,
    columns: Vec<GroupColumn>,
    rows: Option<RowWriter>,
    endings: Endings,
}

impl Counted {
    fn new(rows: Option<&Path>, columns: Vec<GroupColumn>) -> anyhow::Result<Self> {
        let open = |path: &Path| {
            let format = RowFormat::of_name(path);
            RowWriter::new(format, row_columns(&columns), Output::to(Some(path))?)
        };
        let rows = rows.map(open).transpose()?;
        let tally = Tally::new(columns.clone());
        Ok(Self { tally, columns, rows, endings: Endings::default() })
    }

    fn add(
        &mut self,
        applicants: &Applicants,
        place: usize,
        answer: Audited,
        groups: &[Groups],
    ) -> anyhow::Result<()> {
        self.endings.count(&answer);
        let cells = match answer {
            Audited::Bad(bad) => error_cells(&bad, &self.columns),
            Audited::Row(mut row) => {
                // Groups are those of the people who could be read.
                let bad_before = applicants.bad_places().partition_point(|&bad| bad < place);
                let group = |by: &Groups| by.of(place - bad_before).to_owned();
                row.groups = groups.iter().map(|by| (by.column.name.clone(), group(by))).collect();
                self.tally.add(&row);
                row_cells(&row, &self.columns)
            }
        };
        self.rows.as_mut().map_or(Ok(()), |rows| rows.write(&cells))
    }

    fn finish(self, small_group: usize) -> anyhow::Result<(Summary, Endings)> {
        self.rows.map_or(Ok(()), RowWriter::finish)?;
        Ok((self.tally.summary(small_group), self.endings))
    }
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

fn write(args: &AuditArgs, audit: &Audit) -> anyhow::Result<()> {
    let mut output = Output::to(args.output.as_deref())?;
    match args.format.unwrap_or_else(|| Format::of_name(args.output.as_deref())) {
        Format::Text => writeln!(output, "{}", summary_text(audit))?,
        Format::Json => writeln!(output, "{}", summary_json(audit)?)?,
        Format::Csv => groups_csv(&mut output, audit)?,
    }
    output.finish()?;
    Ok(())
}
