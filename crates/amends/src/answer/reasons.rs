//! The principal reasons of a rejection for programs.

use serde::Serialize;
use serde_json::Value;

use super::record::cell;
use crate::explain::Explainer;
use crate::reasons::{Flips, Reason, Reasons};

/// One principal reason, as every front end shows it.
///
/// ```text
/// {"feature": "duration", "title": "Duration of the credit", "unit": "months", "value": 36, "typical": 18,
///  "value_text": "36", "typical_text": "18", "contribution": -0.31, "standard_error": null, "share": 0.42,
///  "actionable": true, "flips": {"moves": 12, "of": 68}}
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ReasonRecord {
    /// The feature's name in the table.
    pub feature: String,
    /// Its title for people.
    pub title: String,
    /// What its numbers count.
    pub unit: Option<String>,
    /// The applicant's value, as the table has it.
    pub value: Value,
    /// What is typical of the group, as the table would have it.
    pub typical: Value,
    /// The applicant's value for people: a code by its label, a number without its unit.
    pub value_text: String,
    /// What is typical, for people.
    pub typical_text: String,
    /// What the feature adds to the score, compared with the group; negative.
    pub contribution: f64,
    /// The standard error of the contribution where it was sampled, null where it is exact.
    pub standard_error: Option<f64>,
    /// The contribution as a share of all negative contributions, between 0 and 1.
    pub share: f64,
    /// Whether the schema allows this applicant any other value.
    pub actionable: bool,
    /// How many of the other allowed values alone would flip the decision; null where they could not be counted.
    pub flips: Option<Flips>,
}

impl ReasonRecord {
    /// The records of all reasons, the weightiest first.
    pub fn of_all(reasons: &Reasons, explainer: &Explainer) -> Vec<Self> {
        reasons.reasons.iter().map(|reason| Self::of(reason, explainer)).collect()
    }

    fn of(reason: &Reason, explainer: &Explainer) -> Self {
        let feature = &explainer.schema().features[reason.feature];
        Self {
            feature: feature.name.clone(),
            title: feature.title().to_owned(),
            unit: feature.unit.clone(),
            value: cell(feature, &feature.show(reason.value)),
            typical: cell(feature, &feature.show(reason.typical)),
            value_text: feature.describe(reason.value),
            typical_text: feature.describe(reason.typical),
            contribution: reason.contribution,
            standard_error: reason.standard_error,
            share: reason.share,
            actionable: reason.actionable,
            flips: reason.flips,
        }
    }
}
