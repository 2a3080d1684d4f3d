//! What an audit keeps of an applicant.

use amends::Status;
use amends::audit::AuditRow;
use serde::{Deserialize, Serialize};

use crate::applicants::BadRow;
use crate::batch::JournalEntry;

/// What is kept of an applicant.
#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Audited {
    Row(AuditRow),
    Bad(BadRow),
}

impl JournalEntry for Audited {
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
