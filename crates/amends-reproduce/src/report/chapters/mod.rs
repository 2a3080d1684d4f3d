//! What the report says, chapter by chapter.

mod checks;
mod comparison;
mod growth;
mod setting;
mod table_1;
mod table_2;

use crate::conditions::Header;
use crate::report::document::{Document, Section};
use crate::run::Finish;
use crate::study::Study;
use crate::summary::Outcomes;
use crate::task::Data;

/// Everything that a chapter may report on.
pub struct ReportContext<'a> {
    pub study: &'a Study,
    pub outcomes: &'a Outcomes<'a>,
    pub header: &'a Header,
    pub finish: Finish,
    /// Training rows, held-out rows, accepted training rows.
    pub sizes: &'a [(Data, (usize, usize, usize))],
}

impl ReportContext<'_> {
    /// The accepted training rows of a data set: N = all.
    fn accepted(&self, data: Data) -> Option<usize> {
        self.sizes.iter().find(|(known, _)| *known == data).map(|&(_, (_, _, accepted))| accepted)
    }
}

/// The whole report.
pub fn document(context: &ReportContext) -> Document {
    let sections: [(&'static str, &str, Vec<_>); 6] = [
        ("setting", "How it was measured", setting::blocks(context)),
        ("table-1", "Table 1: the models", table_1::blocks(context)),
        ("table-2", "Table 2: plans with N = 20", table_2::blocks(context)),
        ("figures-2-3", "Figures 2 and 3: running time against N", growth::blocks(context)),
        (
            "comparison",
            "DACE's comparison: other costs, and the trade-off",
            comparison::blocks(context),
        ),
        (
            "checks",
            "What the papers do not have: the true objective, and checks",
            checks::blocks(context),
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
