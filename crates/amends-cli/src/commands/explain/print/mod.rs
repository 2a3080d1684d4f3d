//! Explanations written as they come: an applicant's answer as it looks in a format, and the file of all of them.

mod page;
mod records;
mod text;

use std::borrow::Cow;
use std::io::Write;

use amends::answer::Answer;
use amends::explain::Explainer;
use amends::model::Model;
use amends::provenance::Provenance;
use amends_report::Card;
use amends_run::output::Output;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use self::page::{PageWriter, card, error_card};
pub use self::records::columns;
use self::records::{cells, error_cells, error_json, json};
use self::text::text;
use super::PlanFormat;
use crate::applicants::{Applicant, BadRow};
use crate::batch::{JournalEntry, RowEnd};
use crate::report::{RowFormat, RowWriter, header};

/// An applicant's answer as it is written; what a journal keeps of it.
#[derive(Debug, Serialize, Deserialize)]
pub struct RenderedAnswer {
    #[serde(flatten)]
    end: RowEnd,
    plans: RenderedPlans,
}

/// CSV and Parquet have the same rows; a page is made from cards.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum RenderedPlans {
    Text(String),
    Json(Vec<Value>),
    Rows(Vec<Vec<String>>),
    Card(Box<Card>),
}

impl JournalEntry for RenderedAnswer {
    fn row_end(&self) -> Cow<'_, RowEnd> {
        Cow::Borrowed(&self.end)
    }
}

impl RenderedAnswer {
    /// An answer in text.
    pub fn in_text(row: usize, answer: &Answer, explainer: &Explainer) -> Self {
        Self::new(row, answer, RenderedPlans::Text(text(row, answer, explainer)))
    }

    fn new(row: usize, answer: &Answer, plans: RenderedPlans) -> Self {
        Self { end: RowEnd::answered(row, answer), plans }
    }

    /// Whether rows have a cell per column, as those have that this program writes.
    pub fn has_columns(&self, columns: usize) -> bool {
        match &self.plans {
            RenderedPlans::Rows(rows) => rows.iter().all(|row| row.len() == columns),
            RenderedPlans::Text(_) | RenderedPlans::Json(_) | RenderedPlans::Card(_) => true,
        }
    }

    /// Writes text after an empty line, or an object per line.
    pub fn write_lines(&self, output: &mut Output) -> anyhow::Result<()> {
        // In one piece: files are not buffered.
        let lines = match &self.plans {
            RenderedPlans::Text(text) => format!("\n{text}\n"),
            RenderedPlans::Json(objects) => {
                let objects: Vec<String> = objects.iter().map(ToString::to_string).collect();
                objects.join("\n") + "\n"
            }
            RenderedPlans::Rows(_) | RenderedPlans::Card(_) => {
                unreachable!("the format is among the conditions of a journal")
            }
        };
        Ok(output.write_all(lines.as_bytes())?)
    }
}

/// The model that decides, and what is fitted on it.
pub struct PlanContext<'a> {
    pub model: &'a Model,
    pub explainer: &'a Explainer,
    pub provenance: &'a Provenance,
}

impl PlanContext<'_> {
    /// An answer as it looks in a format.
    pub fn render(
        &self,
        applicant: &Applicant,
        answer: &Answer,
        format: PlanFormat,
    ) -> RenderedAnswer {
        let row = applicant.row;
        let plans = match format {
            PlanFormat::Text => return RenderedAnswer::in_text(row, answer, self.explainer),
            PlanFormat::Json => RenderedPlans::Json(json(row, answer, self)),
            PlanFormat::Csv | PlanFormat::Parquet => RenderedPlans::Rows(cells(row, answer, self)),
            PlanFormat::Html => RenderedPlans::Card(Box::new(card(applicant, answer, self))),
        };
        RenderedAnswer::new(row, answer, plans)
    }

    /// What is written instead of an answer where a row could not be read.
    pub fn render_bad_row(&self, bad: &BadRow, format: PlanFormat) -> RenderedAnswer {
        let plans = match format {
            PlanFormat::Text => {
                let text = format!("Applicant in {}: {}.", bad.position(), bad.failure());
                RenderedPlans::Text(format!("{text}\n  {}.", bad.message))
            }
            PlanFormat::Json => RenderedPlans::Json(vec![error_json(bad, self)]),
            PlanFormat::Csv | PlanFormat::Parquet => {
                RenderedPlans::Rows(vec![error_cells(bad, self)])
            }
            PlanFormat::Html => RenderedPlans::Card(Box::new(error_card(bad))),
        };
        RenderedAnswer { end: RowEnd::unread(bad.clone()), plans }
    }
}

/// The open file of all answers.
pub enum PlanWriter {
    Lines(Output),
    Rows(RowWriter),
    Page(Box<PageWriter>),
}

impl PlanWriter {
    pub fn new(
        context: &PlanContext,
        format: PlanFormat,
        mut output: Output,
    ) -> anyhow::Result<Self> {
        let rows =
            |format, output| RowWriter::new(format, columns(context.explainer.schema()), output);
        Ok(match format {
            PlanFormat::Text => {
                writeln!(output, "{}", header(context.model, context.explainer))?;
                Self::Lines(output)
            }
            PlanFormat::Json => Self::Lines(output),
            PlanFormat::Csv => Self::Rows(rows(RowFormat::Csv, output)?),
            PlanFormat::Parquet => Self::Rows(rows(RowFormat::Parquet, output)?),
            PlanFormat::Html => Self::Page(Box::new(PageWriter::new(context, output)?)),
        })
    }

    /// Writes an answer; readers have it from now on, unless the format can only be read as a whole.
    pub fn write(&mut self, answer: &RenderedAnswer) -> anyhow::Result<()> {
        match (self, &answer.plans) {
            (Self::Lines(output), _) => answer.write_lines(output),
            (Self::Rows(writer), RenderedPlans::Rows(rows)) => {
                rows.iter().try_for_each(|row| writer.write(row))?;
                writer.flush()
            }
            (Self::Page(writer), RenderedPlans::Card(card)) => writer.write(card),
            _ => unreachable!("the format is among the conditions of a journal"),
        }
    }

    /// Says in text that there are no applicants to explain.
    pub fn write_nobody(&mut self, format: PlanFormat) -> anyhow::Result<()> {
        if let (Self::Lines(output), PlanFormat::Text) = (self, format) {
            writeln!(
                output,
                "\nNo applicants to explain: no held-out applicant is rejected, or none was asked for."
            )?;
        }
        Ok(())
    }

    pub fn finish(self) -> anyhow::Result<()> {
        match self {
            Self::Lines(output) => Ok(output.finish()?),
            Self::Rows(writer) => writer.finish(),
            Self::Page(writer) => writer.finish(),
        }
    }
}
