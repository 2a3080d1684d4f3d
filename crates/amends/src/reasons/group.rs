//! Who a rejected applicant is compared with.

use serde::Serialize;

use crate::names::named;

/// Who a rejected applicant is compared with, out of the training rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ReasonGroup {
    /// Applicants at or slightly above the cut: the accepted rows with the lowest scores.
    #[default]
    NearCut,
    /// All rows.
    All,
    /// All rows that the model accepts.
    Accepted,
}

named!(ReasonGroup, "reason group", { NearCut => "near-cut", All => "all", Accepted => "accepted" });
