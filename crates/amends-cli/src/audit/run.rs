//! How an applicant's answer is found, and what is kept of it.

use amends::Status;
use amends::audit::AuditRow;
use amends::engine::{Engine, SolveSettings};
use amends::explain::Explainer;
use amends::search::Control;
use amends_run::interrupt::stopped;
use serde::{Deserialize, Serialize};

use crate::applicants::Applicant;
use crate::bad_rows::BadRow;
use crate::kept::Finished;

/// What is kept of an applicant.
#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Audited {
    Row(AuditRow),
    Bad(BadRow),
}

impl Finished for Audited {
    fn row(&self) -> usize {
        match self {
            Self::Row(answer) => answer.row,
            Self::Bad(bad) => bad.row,
        }
    }

    fn status(&self) -> Option<Status> {
        match self {
            Self::Row(answer) => Some(answer.status),
            Self::Bad(_) => None,
        }
    }

    fn solver_failed(&self) -> bool {
        matches!(self, Self::Row(answer) if answer.solver_failed)
    }

    fn bad_row(&self) -> Option<&BadRow> {
        match self {
            Self::Row(_) => None,
            Self::Bad(bad) => Some(bad),
        }
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
