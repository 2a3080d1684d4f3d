//! Asks for everybody, several at a time, and keeps every answer at once.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use amends::Status;
use amends::audit::AuditRow;
use amends::engine::{Engine, SolveSettings};
use amends::explain::Explainer;
use amends::search::Control;
use indicatif::ProgressBar;
use rayon::prelude::*;

use super::Conditions;
use crate::interrupt::{STOP, stopped};
use crate::journal::Journal;
use crate::progress;
use crate::source::Applicant;

/// What is known by now, by the applicant's row; and where it is written down.
#[derive(Default)]
pub struct Answers {
    known: HashMap<usize, AuditRow>,
    journal: Option<Journal<Conditions>>,
}

impl Answers {
    /// With those of an earlier run.
    pub fn kept_in(journal: Journal<Conditions>, known: Vec<AuditRow>) -> Self {
        let known = known.into_iter().map(|row| (row.row, row)).collect();
        Self { known, journal: Some(journal) }
    }

    /// The answers to these people, in their order, each with its place among them.
    pub fn of(mut self, applicants: &[Applicant]) -> Vec<(usize, AuditRow)> {
        let places = applicants.iter().enumerate();
        places.filter_map(|(place, one)| Some((place, self.known.remove(&one.row)?))).collect()
    }

    fn add(&mut self, row: AuditRow) -> amends::Result<()> {
        if let Some(journal) = &mut self.journal {
            journal.add(&row)?;
        }
        self.known.insert(row.row, row);
        Ok(())
    }
}

/// How answers are found.
pub struct Work<'a> {
    pub explainer: &'a Explainer,
    pub engine: &'a Engine,
    pub settings: &'a SolveSettings,
    /// Whether to look for the rules that stand in the way of a plan.
    pub reasons: bool,
}

impl Work<'_> {
    /// Answers everybody who is not answered yet, until Ctrl-C.
    pub fn answer(&self, applicants: &[Applicant], answers: Answers) -> anyhow::Result<Answers> {
        // An answer must not depend on when it was asked for: threads go by how many people there are, not by how
        // many are left.
        let alone = applicants.len() == 1;
        let threads = if alone { self.settings.threads } else { 1 };
        let settings = SolveSettings { threads, ..self.settings.clone() };
        let side_by_side = if alone { 1 } else { self.settings.threads };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(side_by_side).build()?;
        let open: Vec<&Applicant> =
            applicants.iter().filter(|one| !answers.known.contains_key(&one.row)).collect();
        let bar = progress::bar(applicants.len(), "auditing");
        bar.set_position((applicants.len() - open.len()) as u64);
        bar.reset_eta();
        let answers = Mutex::new(answers);
        let done = pool.install(|| {
            let one = |&applicant: &&Applicant| self.one(applicant, &settings, &answers, &bar);
            open.par_iter().try_for_each(one)
        });
        bar.finish_and_clear();
        done?;
        Ok(answers.into_inner().unwrap_or_else(PoisonError::into_inner))
    }

    fn one(
        &self,
        applicant: &Applicant,
        settings: &SolveSettings,
        answers: &Mutex<Answers>,
        bar: &ProgressBar,
    ) -> amends::Result<()> {
        if stopped() {
            return Ok(());
        }
        let control = Control { cancel: Some(&STOP), progress: None };
        let case = self.explainer.case(&applicant.record, &applicant.wishes);
        let case = case.map_err(|error| error.in_row(applicant.row))?;
        let told = if self.reasons {
            case.explain_with_reasons(self.engine, settings, &control)?
        } else {
            case.explain(self.engine, settings, &control)?
        };
        // Ctrl-C cuts a search short: what it had not proven by then is asked for again.
        let unsettled = told.why_none.as_ref().is_some_and(|why| !why.settled);
        if stopped() && (unsettled || matches!(told.status, Status::Feasible | Status::Timeout)) {
            return Ok(());
        }
        bar.inc(1);
        let row = AuditRow::of(applicant.row, &told);
        answers.lock().unwrap_or_else(PoisonError::into_inner).add(row)
    }
}
