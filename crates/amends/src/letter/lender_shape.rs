//! The shape of the lender's file.

use crate::shape::{Shape, optional};

const TEXTS: Shape = Shape::List(&Shape::Text);

/// A lender's file.
pub(super) const LENDER: Shape = Shape::Object(&[
    optional("creditor", &CREDITOR),
    optional("applicant", &APPLICANT),
    optional("plan", &PLAN),
    optional("us", &UNITED_STATES),
    optional("eu", &EUROPEAN_UNION),
    optional("translations", &Shape::Map(&Shape::Text)),
]);

const CREDITOR: Shape = Shape::Object(&[
    optional("name", &Shape::Text),
    optional("address", &TEXTS),
    optional("contact", &Shape::Text),
]);

const APPLICANT: Shape = Shape::Object(&[
    optional("name", &Shape::Text),
    optional("address", &TEXTS),
    optional("reference", &Shape::Text),
]);

const PLAN: Shape = Shape::Object(&[
    optional("valid_days", &Shape::Count),
    optional("valid_until", &Shape::Text),
    optional("promise", &Shape::Flag),
]);

const UNITED_STATES: Shape = Shape::Object(&[
    optional("ecoa_notice", &Shape::Text),
    optional("further_notice", &Shape::Text),
    optional("report", &REPORT),
    optional("score", &SCORE),
]);

const REPORT: Shape = Shape::Object(&[
    optional("agency", &Shape::Text),
    optional("address", &TEXTS),
    optional("telephone", &Shape::Text),
    optional("free_report_days", &Shape::Count),
]);

const SCORE: Shape = Shape::Object(&[
    optional("column", &Shape::Text),
    optional("date_column", &Shape::Text),
    optional("factors_column", &Shape::Text),
    optional("lowest", &Shape::Number),
    optional("highest", &Shape::Number),
]);

const EUROPEAN_UNION: Shape = Shape::Object(&[
    optional("procedure", &Shape::Text),
    optional("review_contact", &Shape::Text),
    optional("review_days", &Shape::Count),
    optional("data_protection_officer", &Shape::Text),
    optional("supervisory_authority", &Shape::Text),
    optional("debt_advice", &Shape::Text),
    optional("further_notice", &Shape::Text),
]);
