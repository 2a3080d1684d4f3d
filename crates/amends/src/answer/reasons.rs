//! The principal reasons of a rejection, for programs and in sentences.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::record::cell;
use crate::data::{self, Feature};
use crate::explain::Explainer;
use crate::reasons::{Attribution, Flips, Reason, ReasonBasis, ReasonGroup, Reasons};

/// One principal reason, as every front end shows it.
///
/// ```text
/// {"feature": "duration", "title": "Duration of the credit", "unit": "months", "value": 36, "typical": 18,
///  "value_text": "36", "typical_text": "18", "contribution": -0.31, "standard_error": null, "share": 0.42,
///  "actionable": true, "flips": {"moves": 12, "of": 68}, "text": "Duration of the credit: 36 months, typical is ..."}
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
    /// Whether some permitted change, of this feature and others together, gives it another value; null where that was not
    /// settled.
    pub actionable: Option<bool>,
    /// How many of the other allowed values alone would flip the decision; null where they could not be counted.
    pub flips: Option<Flips>,
    /// The reason as a sentence without full stop.
    pub text: String,
}

/// The sentences about the principal reasons of a rejection.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReasonWords {
    /// What stands above them, without a colon: who the applicant is compared with.
    pub heading: String,
    /// One per reason, the weightiest first, without full stop.
    pub reasons: Vec<String>,
    /// What the reader should know beyond that.
    pub notes: Vec<String>,
}

impl ReasonRecord {
    /// The records of all reasons, the weightiest first.
    pub fn of_all(reasons: &Reasons, explainer: &Explainer) -> Vec<Self> {
        reasons.reasons.iter().map(|reason| Self::of(reason, explainer)).collect()
    }

    fn of(reason: &Reason, explainer: &Explainer) -> Self {
        let feature = &explainer.schema().features[reason.feature];
        let mut record = Self {
            feature: feature.name.clone(),
            title: feature.title().to_owned(),
            unit: feature.unit.clone(),
            value: cell(feature, &feature.show(reason.value)),
            typical: cell(feature, &feature.show(reason.typical)),
            value_text: feature.describe_amount(reason.value),
            typical_text: feature.describe_amount(reason.typical),
            contribution: reason.contribution,
            standard_error: reason.standard_error,
            share: reason.share,
            actionable: reason.actionable,
            flips: reason.flips,
            text: String::new(),
        };
        record.text =
            record.in_words(&with_unit(feature, reason.value), &with_unit(feature, reason.typical));
        record
    }

    fn in_words(&self, value: &str, typical: &str) -> String {
        let typical = if value == typical {
            "as is typical".to_owned()
        } else {
            format!("typical is {typical}")
        };
        let error = self.standard_error.map_or_else(String::new, |error| format!(" +- {error:.4}"));
        format!(
            "{}: {value}, {typical}; {:+.4}{error}, {:.0} % of what lowers the score; {}",
            self.title,
            self.contribution,
            100.0 * self.share,
            self.way_out()
        )
    }

    /// What the applicant can do about it.
    fn way_out(&self) -> String {
        match self.flips {
            _ if self.actionable == Some(false) => "can't be changed".to_owned(),
            Some(Flips { of: 0, .. }) if self.actionable.is_none() => {
                "can't be changed by itself; whether together with others was not settled"
                    .to_owned()
            }
            None => "changing it alone was not examined, because it has too many values".to_owned(),
            Some(Flips { of: 0, .. }) => "can't be changed by itself".to_owned(),
            Some(Flips { moves, of }) => {
                let values = if of == 1 { "value" } else { "values" };
                format!("{moves} of {of} other allowed {values} alone would have been enough")
            }
        }
    }
}

/// A value for people, with its unit where it is a number.
fn with_unit(feature: &Feature, value: data::Value) -> String {
    let text = feature.describe_amount(value);
    match (&feature.unit, value) {
        (Some(unit), data::Value::Number(_)) => format!("{text} {unit}"),
        _ => text,
    }
}

impl ReasonWords {
    /// The sentences about an applicant's reasons.
    pub(super) fn of(reasons: &Reasons, explainer: &Explainer) -> Self {
        let ReasonBasis { members, used, method, .. } = reasons.basis;
        let group = match reasons.basis.group {
            ReasonGroup::NearCut => "accepted applicants closest to the cut",
            ReasonGroup::All => "applicants of the training rows",
            ReasonGroup::Accepted => "accepted applicants of the training rows",
        };
        let mut notes = Vec::new();
        if used < members {
            notes.push(format!(
                "Computed from {used} of the {members} rows, evenly spaced by their score."
            ));
        }
        if let Attribution::Sampled { permutations } = method {
            notes.push(format!(
                "The contributions are estimates from {permutations} permutations per row, with their standard errors."
            ));
        }
        let heading = if reasons.reasons.is_empty() {
            format!(
                "No principal reasons: nothing pulls the score below that of the {members} {group}"
            )
        } else {
            format!("Principal reasons, compared with the {members} {group}")
        };
        let records = ReasonRecord::of_all(reasons, explainer);
        Self { heading, reasons: records.into_iter().map(|record| record.text).collect(), notes }
    }
}
