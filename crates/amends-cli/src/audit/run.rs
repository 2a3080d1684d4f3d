//! How an applicant's answer is found, and what is kept of it.

use amends::Status;
use amends::audit::AuditRow;
use amends::engine::{Engine, SolveSettings};
use amends::explain::Explainer;
use amends::search::Control;

use crate::applicants::Applicant;
use crate::interrupt::stopped;
use crate::kept::Finished;

impl Finished for AuditRow {
    fn row(&self) -> usize {
        self.row
    }

    fn status(&self) -> Status {
        self.status
    }

    fn solver_failed(&self) -> bool {
        self.solver_failed
    }
}

/// How answers are found.
pub struct Work<'a> {
    pub explainer: &'a Explainer,
    pub engine: &'a Engine,
    /// Whether to look for the rules that stand in the way of a plan.
    pub reasons: bool,
}

impl Work<'_> {
    /// Answers one applicant; `None` where Ctrl-C cut it short.
    pub fn answer(
        &self,
        applicant: &Applicant,
        settings: &SolveSettings,
        control: &Control<'_>,
    ) -> amends::Result<Option<AuditRow>> {
        let (record, wishes) = (&applicant.record, &applicant.wishes);
        let in_row = |error: amends::Error| error.in_row(applicant.row);
        let accepted = self.explainer.already_accepted(record, wishes, self.engine);
        if let Some(accepted) = accepted.map_err(in_row)? {
            return Ok(Some(AuditRow::of(applicant.row, &accepted)));
        }
        let case = self.explainer.case(record, wishes).map_err(in_row)?;
        let told = if self.reasons {
            case.explain_with_reasons(self.engine, settings, control)?
        } else {
            case.explain(self.engine, settings, control)?
        };
        // Ctrl-C cuts a search short: what it had not proven by then is asked for again.
        let unsettled = told.why_none.as_ref().is_some_and(|why| !why.settled);
        if stopped() && (unsettled || matches!(told.status, Status::Feasible | Status::Timeout)) {
            return Ok(None);
        }
        Ok(Some(AuditRow::of(applicant.row, &told)))
    }
}
