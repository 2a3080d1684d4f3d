//! What a receipt confirms.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The format of receipts that this version writes and reads.
pub const FORMAT: &str = "amends receipt 1";

/// What a lender confirms: this model accepts this application, until then.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Receipt {
    /// [`FORMAT`].
    pub format: String,
    /// A random number, so that no two receipts are the same.
    pub number: String,
    /// When it was issued.
    pub issued: DateTime<Utc>,
    /// It is valid before this time.
    pub valid_until: DateTime<Utc>,
    /// The lender's name, where the lender gave one.
    pub lender: Option<String>,
    /// The SHA-256 hash of the model.
    pub model_sha256: String,
    /// The SHA-256 hash of the schema.
    pub schema_sha256: String,
    /// The score from which the model accepts.
    pub cut: f64,
    /// The application as it was rejected: the table's values by feature.
    pub application: Map<String, Value>,
    /// What would be accepted.
    pub plan: ReceiptPlan,
}

/// The plan that a receipt confirms.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReceiptPlan {
    /// The changes.
    pub changes: Vec<ReceiptChange>,
    /// The changed application, with exact values.
    pub application: Map<String, Value>,
    /// Its score, which is at least the cut.
    pub score: f64,
    /// Whether the plan is proven to be the smallest: "optimal", or "feasible".
    pub status: String,
}

/// A change of one feature, in words as well.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReceiptChange {
    /// The feature's name.
    pub feature: String,
    /// Its title for people.
    pub title: String,
    /// Its value as it was, with unit or label.
    pub before: String,
    /// Its value as it has to be.
    pub after: String,
}
