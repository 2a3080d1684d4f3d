//! What the report says, chapter by chapter.

mod checks;
mod comparison;
mod growth;
mod setting;
mod table_1;
mod table_2;

use super::conditions::Header;
use super::document::{Document, Section};
use super::run::Finish;
use super::study::Study;
use super::summary::Outcomes;
use super::task::Data;

/// Everything that a chapter may tell of.
pub struct Story<'a> {
    pub study: &'a Study,
    pub outcomes: &'a Outcomes<'a>,
    pub header: &'a Header,
    pub finish: Finish,
    /// Training rows, held-out rows, accepted training rows.
    pub sizes: &'a [(Data, (usize, usize, usize))],
}

impl Story<'_> {
    /// The accepted training rows of a data set: N = all.
    fn accepted(&self, data: Data) -> Option<usize> {
        self.sizes.iter().find(|(of, _)| *of == data).map(|&(_, (_, _, accepted))| accepted)
    }
}

/// The whole report.
pub fn document(story: &Story) -> Document {
    let sections: [(&'static str, &str, Vec<_>); 6] = [
        ("setting", "How it was measured", setting::blocks(story)),
        ("table-1", "Table 1: the models", table_1::blocks(story)),
        ("table-2", "Table 2: plans with N = 20", table_2::blocks(story)),
        ("figures-2-3", "Figures 2 and 3: running time against N", growth::blocks(story)),
        (
            "comparison",
            "DACE's comparison: other costs, and the trade-off",
            comparison::blocks(story),
        ),
        (
            "checks",
            "What the papers do not have: the true objective, and checks",
            checks::blocks(story),
        ),
    ];
    Document {
        title: "Plausible plans for rejected applicants: the published evaluation, reproduced"
            .to_owned(),
        sections: sections
            .into_iter()
            .map(|(id, title, blocks)| Section { id, title: title.to_owned(), blocks })
            .collect(),
    }
}
