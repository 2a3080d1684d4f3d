//! Audits applicants and writes the report.

use std::io::Write;
use std::path::Path;

use amends::answer::{Ask, CachedAsk};
use amends::audit::{AuditRow, GroupBy, GroupColumn, Groups, Summary, Tally};
use amends::explain::Explainer;
use amends_report::{
    Audit, audit_page, error_cells, groups_csv, row_cells, row_columns, summary_json,
};
use amends_run::interrupt;
use amends_run::output::Output;

use super::args::{AuditCommand, AuditFormat};
use super::audited::Audited;
use super::people::People;
use super::print::summary_text;
use crate::applicants::Applicants;
use crate::batch::{AnswerJournal, Conditions};
use crate::commands::outcome::{Outcome, SolveCount};
use crate::report::{RowFormat, RowWriter, provenance};
use crate::source::Source;

pub fn run(command: &AuditCommand) -> anyhow::Result<Outcome> {
    let answers = &command.answers;
    let (source, table) = Source::load_with_table(&answers.question.setup.data)?;
    let schema = &source.table.dataset.schema;
    let mut people = People::choose(&source, table, command)?;
    let (header, name) = people.header();
    let mut by = GroupBy::parse(&command.by, header, name, schema)?;
    let (model, explainer) = source.fit_for(answers)?;
    people.stop_after_rejected(&answers.question.applicants, &explainer);
    people.check(&explainer, &mut by)?;
    let groups = by.into_iter().map(|by| by.groups(schema)).collect::<amends::Result<Vec<_>>>()?;
    let applicants = &people.applicants;
    applicants.warn_of_bad_rows();
    let mut journal = AnswerJournal::default();
    if let Some(path) = &answers.journal {
        let fitted = (&model, &explainer);
        let conditions = Conditions::of(answers, &source, applicants, fitted, None)?;
        journal = AnswerJournal::open(path, conditions, |_: &Audited| true)?;
    }
    interrupt::handle_ctrl_c(crate::STOPPED)?;
    let counted = answer_all(command, applicants, &explainer, &groups, &mut journal)?;
    let (summary, count) = counted.finish(command.small_group)?;
    let audit = Audit {
        model: &model,
        explainer: &explainer,
        who: &people.who,
        asked: applicants.len(),
        errors: count.bad_rows.count(),
        summary: &summary,
        provenance: &provenance(answers, &source, &model)?,
    };
    write(command, &audit)?;
    count.report_bad_rows(applicants.len());
    if interrupt::stopped() && !audit.complete() {
        return Ok(Outcome::Stopped);
    }
    Ok(count.outcome())
}

/// Answers all applicants who are not in the journal, and counts all.
fn answer_all(
    command: &AuditCommand,
    applicants: &Applicants,
    explainer: &Explainer,
    groups: &[Groups],
    journal: &mut AnswerJournal,
) -> anyhow::Result<CountedAnswers> {
    let answers = &command.answers;
    let columns: Vec<GroupColumn> = groups.iter().map(|groups| groups.column.clone()).collect();
    let mut counted = CountedAnswers::new(command.rows.as_deref(), columns)?;
    let ask = answers.with_reasons(Ask::best())?;
    let ask = CachedAsk::new(&ask, explainer);
    answers.engine.batch(applicants, "auditing").answer(
        journal,
        &ask,
        |applicant, answer| Ok(Audited::Row(AuditRow::of(applicant.row, answer, explainer))),
        |bad| Audited::Bad(bad.clone()),
        |position, answer| counted.add(applicants, position, answer, groups),
    )?;
    Ok(counted)
}

/// Answers as they come: counted, and written to the file of rows where there is one.
struct CountedAnswers {
    tally: Tally,
    columns: Vec<GroupColumn>,
    rows: Option<RowWriter>,
    count: SolveCount,
}

impl CountedAnswers {
    fn new(rows: Option<&Path>, columns: Vec<GroupColumn>) -> anyhow::Result<Self> {
        let open = |path: &Path| {
            let format = RowFormat::by_name(path);
            RowWriter::new(format, row_columns(&columns), Output::to(Some(path))?)
        };
        let rows = rows.map(open).transpose()?;
        let tally = Tally::new(columns.clone());
        Ok(Self { tally, columns, rows, count: SolveCount::default() })
    }

    fn add(
        &mut self,
        applicants: &Applicants,
        position: usize,
        answer: Audited,
        groups: &[Groups],
    ) -> anyhow::Result<()> {
        self.count.add_answer(&answer);
        let cells = match answer {
            Audited::Bad(bad) => error_cells(bad.row, &bad.message, &self.columns),
            Audited::Row(mut row) => {
                // Groups are those of the people who could be read.
                let bad_before = applicants.bad_positions().partition_point(|&bad| bad < position);
                let group = |by: &Groups| by.name(position - bad_before).to_owned();
                row.groups = groups.iter().map(|by| (by.column.name.clone(), group(by))).collect();
                self.tally.add(&row);
                row_cells(&row, &self.columns)
            }
        };
        self.rows.as_mut().map_or(Ok(()), |rows| rows.write(&cells))
    }

    fn finish(self, small_group: usize) -> anyhow::Result<(Summary, SolveCount)> {
        self.rows.map_or(Ok(()), RowWriter::finish)?;
        Ok((self.tally.summary(small_group), self.count))
    }
}

fn write(command: &AuditCommand, audit: &Audit) -> anyhow::Result<()> {
    let mut output = Output::to(command.output.as_deref())?;
    match command.format {
        AuditFormat::Text => writeln!(output, "{}", summary_text(audit))?,
        AuditFormat::Json => writeln!(output, "{}", summary_json(audit)?)?,
        AuditFormat::Csv => output.write_all(groups_csv(audit)?.as_bytes())?,
        AuditFormat::Html => output.write_all(audit_page(audit).as_bytes())?,
    }
    output.finish()?;
    Ok(())
}
