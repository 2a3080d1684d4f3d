//! Answers as HTML, and where they come from.

use amends::Result;
use amends::engine::SolveSettings;
use amends::explain::Explainer;
use amends::model::Model;
use amends::provenance::{Provenance, sha256};
use amends_report::{Card, Context, answers_page, in_notebook};
use amends_run::machine;
use pyo3::prelude::*;
use serde::Serialize;

use crate::errors::raised;
use crate::fitted::read_json;

/// What all answers of a call have in common: for reports, and for programs under the keys of the command line.
#[derive(Serialize)]
struct Origin {
    /// As JSON, to be handed back to the functions below.
    context: String,
    facts: Facts,
}

#[derive(Serialize)]
struct Facts {
    settings: serde_json::Value,
    fit: serde_json::Value,
    provenance: Provenance,
}

/// The hashes of what answers come from.
pub struct Hashes {
    pub model: String,
    pub schema: String,
    pub data: String,
}

/// The sample of rows that an explainer is fitted on.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Sample {
    /// How many there are.
    pub rows: usize,
    /// Of how many.
    pub of: usize,
    /// What they can be drawn with again.
    pub random_state: Option<u64>,
}

/// The origin of the answers of an explainer, as JSON.
pub fn origin(
    model: &Model,
    explainer: &Explainer,
    provenance: Provenance,
    sample: Option<Sample>,
) -> String {
    let mut context = Context::of(model, explainer, &provenance);
    let mut fit = serde_json::json!(explainer.facts());
    if let Some(sample) = sample {
        fit["sample"] = serde_json::json!(sample);
        let value = format!("{} of {} rows", sample.rows, sample.of);
        context.provenance.push(("fitted: sample".to_owned(), value));
    }
    let origin = Origin {
        context: serde_json::json!(context).to_string(),
        facts: Facts { settings: serde_json::json!(explainer.used_settings()), fit, provenance },
    };
    serde_json::json!(origin).to_string()
}

/// Where answers come from. The rules are those of the call: those of the explainer are in the schema.
pub fn provenance(
    settings: &SolveSettings,
    hashes: Hashes,
    rules: Vec<String>,
    sample: Option<Sample>,
) -> Result<Provenance> {
    Ok(Provenance {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        commit: machine::COMMIT.to_owned(),
        date: machine::now()?,
        // The split and the training are the user's own: only the sample is drawn here.
        seed: sample.and_then(|sample| sample.random_state),
        test_share: None,
        engine: "search".to_owned(),
        gap: settings.relative_gap,
        time_limit: settings.time_limit.map(|limit| limit.as_secs_f64()),
        rules,
        model_sha256: hashes.model,
        schema_sha256: hashes.schema,
        data_sha256: hashes.data,
    })
}

/// The hash of a model's file.
pub fn model_hash(model: &Model) -> Result<String> {
    let text = model.to_json().map_err(|error| amends::Error::file("model", error))?;
    Ok(sha256(&text))
}

/// An answer for a notebook.
#[pyfunction]
pub fn card_html(card: &str, context: &str) -> PyResult<String> {
    let (card, context): (Card, Context) = (read(card)?, read(context)?);
    Ok(in_notebook(&card, &context))
}

/// Answers as a page of their own.
#[pyfunction]
#[expect(clippy::needless_pass_by_value, reason = "objects of Python arrive by value")]
pub fn page_html(cards: Vec<String>, context: &str) -> PyResult<String> {
    let cards = cards.iter().map(|card| read(card)).collect::<PyResult<Vec<Card>>>()?;
    Ok(answers_page(&cards, &read(context)?))
}

fn read<T: serde::de::DeserializeOwned>(text: &str) -> PyResult<T> {
    read_json(text, "to_html").map_err(raised)
}
