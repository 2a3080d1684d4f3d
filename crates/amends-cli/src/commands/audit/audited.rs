//! What an audit keeps of an applicant.

use std::borrow::Cow;

use amends::audit::AuditRow;
use serde::{Deserialize, Serialize};

use crate::applicants::BadRow;
use crate::batch::{JournalEntry, RowEnd};

/// What is kept of an applicant.
#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Audited {
    Row(AuditRow),
    Bad(BadRow),
}

impl JournalEntry for Audited {
    fn row_end(&self) -> Cow<'_, RowEnd> {
        Cow::Owned(match self {
            Self::Row(AuditRow { row, status, solver_failed, .. }) => RowEnd {
                row: *row,
                status: Some(*status),
                bad_row: None,
                solver_failed: *solver_failed,
            },
            Self::Bad(bad) => RowEnd::unread(bad.clone()),
        })
    }
}
