//! An audit as one object, for programs.

use amends::{Error, Result};
use serde_json::{Value, json};

use super::Audit;

/// Who was asked about and how, and the fields of the summary.
pub fn summary_json(audit: &Audit) -> Result<Value> {
    let broken =
        |error: serde_json::Error| Error::File { path: "audit".into(), source: error.into() };
    let mut object = json!({
        "schema": audit.explainer.schema().name,
        "model": audit.model.origin.short_name(),
        "who": audit.who,
        "asked": audit.asked,
        "errors": audit.errors,
        "complete": audit.complete(),
        "settings": audit.explainer.used_settings(),
        "fit": audit.explainer.facts(),
        "provenance": audit.provenance,
    });
    if let (Value::Object(all), Value::Object(summary)) =
        (&mut object, serde_json::to_value(audit.summary).map_err(broken)?)
    {
        all.extend(summary);
    }
    Ok(object)
}
