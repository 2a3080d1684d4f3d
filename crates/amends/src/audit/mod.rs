//! What many applicants may really do, in few numbers: who has a plan, what it takes, who provably has none; overall and by
//! group.
//!
//! Every applicant's [`Explanation`](crate::Explanation) becomes an [`AuditRow`]; a [`Grouping`] puts people in groups by any
//! column; [`Summary::of`] counts, or a [`Tally`] one row at a time. Numbers only: what is fair is not for a program to say.

mod choice;
mod estimate;
mod figures;
mod group_by;
mod grouping;
mod principal;
mod quantiles;
mod row;
mod share;
mod summary;

pub use choice::stop_after_rejected;
pub use estimate::Estimate;
pub use figures::{CostQuantiles, FeatureUse, Figures, Reason};
pub use group_by::{GroupBy, Groups};
pub use grouping::{GroupColumn, Grouping};
pub use principal::{PrincipalReasons, ReasonUse};
pub use quantiles::Quantiles;
pub use row::{AuditRow, AuditedPlan, AuditedReason};
pub use share::Share;
pub use summary::{ColumnSummary, GroupSummary, SMALL_GROUP, Summary, Tally};
