//! Answers applicants and writes their plans.

use amends::answer::CachedAsk;
use amends::explain::Explainer;
use amends::model::Model;
use amends_run::interrupt;
use amends_run::output::Output;

use super::args::{ExplainCommand, PlanFormat};
use super::print::{PlanContext, PlanWriter, RenderedAnswer, columns};
use crate::applicants::Applicants;
use crate::batch::{AnswerJournal, Conditions};
use crate::commands::outcome::{Outcome, SolveCount};
use crate::report::provenance;
use crate::source::Source;

pub fn run(command: &ExplainCommand) -> anyhow::Result<Outcome> {
    let ExplainCommand { answers, format, .. } = command;
    let question = &answers.question;
    let source = Source::load(&question.setup.data)?;
    let (model, explainer) = source.fit_for(answers)?;
    let (chosen, requirements) = (&question.applicants, &question.setup.requirements);
    let mut applicants = Applicants::choose(&source, chosen, requirements, &explainer)?;
    applicants.check(&explainer, |_, _| {})?;
    applicants.warn_of_bad_rows();
    let mut journal = open_journal(command, &source, &applicants, (&model, &explainer))?;
    interrupt::handle_ctrl_c(crate::STOPPED)?;
    let provenance = provenance(answers, &source, &model)?;
    let context = PlanContext { model: &model, explainer: &explainer, provenance: &provenance };
    let ask = CachedAsk::new(&command.ask, &explainer);
    let batch = answers.engine.batch(&applicants, "explaining");
    let mut written = WrittenAnswers::new(command, &context);
    batch.answer(
        &mut journal,
        &ask,
        |applicant, answer| Ok(context.render(applicant, answer, *format)),
        |bad| context.render_bad_row(bad, *format),
        |_, answer: RenderedAnswer| written.write(&answer),
    )?;
    written.finish(applicants.len())
}

/// The journal, where one is asked for.
fn open_journal(
    command: &ExplainCommand,
    source: &Source,
    applicants: &Applicants,
    fitted: (&Model, &Explainer),
) -> anyhow::Result<AnswerJournal> {
    let ExplainCommand { answers, ask, format, .. } = command;
    let Some(path) = &answers.journal else { return Ok(AnswerJournal::default()) };
    let kept = Some(format!("{ask} as {}", kept_as(*format)));
    let conditions = Conditions::of(answers, source, applicants, fitted, kept)?;
    let columns = columns(&source.table.dataset.schema).len();
    let is_sound = |answer: &RenderedAnswer| answer.has_columns(columns);
    Ok(AnswerJournal::open(path, conditions, is_sound)?)
}

/// CSV and Parquet are written from the same rows; a page is made from cards.
fn kept_as(format: PlanFormat) -> &'static str {
    match format {
        PlanFormat::Text => "text",
        PlanFormat::Json => "json",
        PlanFormat::Csv | PlanFormat::Parquet => "rows",
        PlanFormat::Html => "html",
    }
}

/// Answers as they are written, in the order of the applicants, and counted.
struct WrittenAnswers<'a> {
    command: &'a ExplainCommand,
    context: &'a PlanContext<'a>,
    /// Opened with the first answer: where there is none, nothing is written.
    writer: Option<PlanWriter>,
    count: SolveCount,
    answered: usize,
}

impl<'a> WrittenAnswers<'a> {
    fn new(command: &'a ExplainCommand, context: &'a PlanContext<'a>) -> Self {
        Self { command, context, writer: None, count: SolveCount::default(), answered: 0 }
    }

    fn open(&self) -> anyhow::Result<PlanWriter> {
        let output = Output::to(self.command.output.as_deref())?;
        PlanWriter::new(self.context, self.command.format, output)
    }

    fn write(&mut self, answer: &RenderedAnswer) -> anyhow::Result<()> {
        self.answered += 1;
        self.count.add_answer(answer);
        if self.writer.is_none() {
            self.writer = Some(self.open()?);
        }
        self.writer.as_mut().map_or(Ok(()), |writer| writer.write(answer))
    }

    /// Ends the file, and says on standard error what is not in it.
    fn finish(mut self, applicants: usize) -> anyhow::Result<Outcome> {
        let mut writer = self.writer.take().map_or_else(|| self.open(), Ok)?;
        if applicants == 0 {
            writer.write_nobody(self.command.format)?;
        }
        writer.finish()?;
        self.count.report_bad_rows(applicants);
        let journal = self.command.answers.journal.is_some();
        Ok(self.count.ended(self.answered, applicants, journal))
    }
}
