//! Where the report goes: one folder, each file complete or absent.

use std::io::Write;
use std::path::{Path, PathBuf};

use super::chapters::{ReportContext, document};
use super::csv;
use super::html::html;
use super::markdown::markdown;
use crate::conditions::Header;
use crate::results::Results;
use crate::run::Finish;
use crate::study::Study;
use crate::summary::Outcomes;
use crate::task::Data;
use amends_run::Output;

/// A report about to be written.
pub struct Report<'a> {
    pub study: &'a Study,
    pub results: &'a Results,
    pub finish: Finish,
    /// Per data set: training rows, held-out rows, accepted training rows.
    pub sizes: Vec<(Data, (usize, usize, usize))>,
}

impl Report<'_> {
    /// Writes HTML, Markdown, pictures and tables; returns the page.
    pub fn write(&self, folder: &Path) -> anyhow::Result<PathBuf> {
        let header: &Header = self.results.header();
        let outcomes = Outcomes::new(self.study, self.results.records());
        let context = ReportContext {
            study: self.study,
            outcomes: &outcomes,
            header,
            finish: self.finish,
            sizes: &self.sizes,
        };
        let document = document(&context);
        let page = folder.join("report.html");
        put(&page, &html(&document))?;
        put(&folder.join("report.md"), &markdown(&document))?;
        for figure in document.figures() {
            put(&folder.join(format!("{}.svg", figure.name)), &figure.svg)?;
        }
        let mut solves = Output::to(Some(&folder.join("solves.csv")))?;
        csv::solves(self.study, &outcomes, &mut solves)?;
        solves.finish()?;
        let mut quality = Output::to(Some(&folder.join("quality.csv")))?;
        csv::quality(self.study, self.results.records(), &mut quality)?;
        quality.finish()?;
        Ok(page)
    }
}

fn put(path: &Path, text: &str) -> anyhow::Result<()> {
    let mut output = Output::to(Some(path))?;
    output.write_all(text.as_bytes())?;
    output.finish()?;
    Ok(())
}
