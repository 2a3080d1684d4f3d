//! Plans as a page with pictures.

use std::fs::File;
use std::io::{self, Seek, Write};

use amends::answer::{Answer, Words};
use amends_report::{AnswersPage, Card, Context};
use amends_run::output::Output;

use super::PlanContext;
use super::text::NAMES;
use crate::applicants::{Applicant, BadRow};

/// An applicant's answer as the page shows it.
pub fn card(applicant: &Applicant, answer: &Answer, context: &PlanContext) -> Card {
    let words = Words::new(context.explainer, NAMES);
    let name = format!("Applicant in row {}", applicant.row);
    Card::of(name, answer, &applicant.record, context.explainer, &words)
}

/// A row that could not be read.
pub fn error_card(bad: &BadRow) -> Card {
    Card::error(format!("Applicant in {}", bad.position()), bad.failure(), &bad.message)
}

/// The open page. Its index goes before the applicants but is known after them, so that they wait in a temporary file: memory does
/// not grow with their number, but for a line of the index each.
pub struct PageWriter {
    page: AnswersPage,
    sections: File,
    output: Output,
}

impl PageWriter {
    pub fn new(context: &PlanContext, output: Output) -> anyhow::Result<Self> {
        let PlanContext { model, explainer, provenance } = *context;
        let page = AnswersPage::new(Context::of(model, explainer, provenance));
        Ok(Self { page, sections: tempfile::tempfile()?, output })
    }

    pub fn write(&mut self, card: &Card) -> anyhow::Result<()> {
        Ok(self.sections.write_all(self.page.section(card).as_bytes())?)
    }

    pub fn finish(self) -> anyhow::Result<()> {
        let Self { page, mut sections, mut output } = self;
        output.write_all(page.head().as_bytes())?;
        sections.rewind()?;
        io::copy(&mut sections, &mut output)?;
        output.write_all(page.foot().as_bytes())?;
        Ok(output.finish()?)
    }
}
