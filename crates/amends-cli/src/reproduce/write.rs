//! Where the report goes: one folder, each file whole or not there.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use amends::{Error, InputError, Result};

use super::chapters::{Story, document};
use super::conditions::Header;
use super::csv;
use super::html::html;
use super::markdown::markdown;
use super::results::Results;
use super::run::Finish;
use super::study::Study;
use super::summary::Outcomes;
use super::task::Data;
use crate::output::Output;

/// The results file's name.
pub const RESULTS: &str = "results.jsonl";

/// A report about to be written.
pub struct Report<'a> {
    pub study: &'a Study,
    pub results: &'a Results,
    pub finish: Finish,
    /// Per data set: training rows, held-out rows, accepted training rows.
    pub sizes: Vec<(Data, (usize, usize, usize))>,
}

/// Makes the folder, or refuses one that holds something else.
pub fn check_folder(folder: &Path) -> Result<()> {
    let refused = |problem: &str, remedy: &str| {
        Err(InputError::new(problem).file(folder.display().to_string()).remedy(remedy).into())
    };
    if folder.exists() && !folder.is_dir() {
        return refused("is a file, not a folder", "name another place with --output");
    }
    if let Err(error) = fs::create_dir_all(folder) {
        return refused(&format!("can't be made ({error})"), "name another place with --output");
    }
    let mut entries = fs::read_dir(folder).map_err(|error| Error::file(folder, error))?;
    if !folder.join(RESULTS).exists() && entries.next().is_some() {
        return refused(
            "holds other files, and no results to go on with",
            "name an empty or new folder with --output",
        );
    }
    Ok(())
}

impl Report<'_> {
    /// Writes HTML, Markdown, pictures and tables; returns the page.
    pub fn write(&self, folder: &Path) -> anyhow::Result<PathBuf> {
        let header: &Header = self.results.header();
        let outcomes = Outcomes::new(self.study, self.results.records());
        let story = Story {
            study: self.study,
            outcomes: &outcomes,
            header,
            finish: self.finish,
            sizes: &self.sizes,
        };
        let document = document(&story);
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
