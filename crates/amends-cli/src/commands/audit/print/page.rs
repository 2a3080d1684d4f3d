//! An audit as a page with pictures.

use amends_report::{AuditReport, audit_page};

use super::Audit;
use super::text::introduction;

/// The whole page.
pub fn summary_page(audit: &Audit) -> String {
    let (title, lines) = introduction(audit);
    audit_page(&AuditReport {
        title: &title,
        lines: &lines,
        summary: audit.summary,
        explainer: audit.explainer,
        provenance: audit.provenance,
    })
}
