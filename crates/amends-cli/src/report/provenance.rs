//! What results are computed from, by the files that the command line names.

use std::fs::File;
use std::path::Path;

use amends::data::Dataset;
use amends::model::Model;
use amends::provenance::{Provenance, date_text, sha256, sha256_of, sha256_of_dataset};
use amends::{Error, Result};
use amends_run::machine;

use serde_json::{Value, json};

use crate::args::{AnswerSettings, DataChoice, EngineChoice, ModelChoice, Setup, TableChoice};
use crate::source::Source;

/// Where the answers of a command come from.
pub fn provenance(answers: &AnswerSettings, source: &Source, model: &Model) -> Result<Provenance> {
    provenance_of((&answers.question.setup, &answers.engine), source, model)
}

/// Where answers come from that are computed with this setup and this engine.
pub fn provenance_of(
    (setup, engine): (&Setup, &EngineChoice),
    source: &Source,
    model: &Model,
) -> Result<Provenance> {
    let model_file = match &setup.model {
        ModelChoice::Trained(_) => None,
        ModelChoice::File { name, .. } => Some(Path::new(name)),
    };
    let [schema_sha256, data_sha256] = table_hashes(&setup.data, &source.table.dataset)?;
    Ok(Provenance {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        commit: machine::COMMIT.to_owned(),
        date: machine::now()?,
        seed: Some(setup.data.seed),
        test_share: Some(setup.data.test_share),
        engine: engine.description(),
        gap: engine.settings.relative_gap,
        time_limit: engine.settings.time_limit.map(|limit| limit.as_secs_f64()),
        rules: setup.requirements.rules.clone(),
        model_sha256: file_hash(model_file, || {
            model.to_json().map(|text| sha256(&text)).map_err(|error| Error::file("model", error))
        })?,
        schema_sha256,
        data_sha256,
    })
}

/// Where solved instances come from: their file has the model and all that belongs to the applicants.
pub fn solve_provenance(engine: &EngineChoice, text: &str) -> Result<Value> {
    Ok(json!({
        "version": env!("CARGO_PKG_VERSION"),
        "commit": machine::COMMIT,
        "date": date_text(machine::now()?),
        "engine": engine.description(),
        "gap": engine.settings.relative_gap,
        "time_limit": engine.settings.time_limit.map(|limit| limit.as_secs_f64()),
        "instances_sha256": sha256(text),
    }))
}

/// Where the quality of models comes from: models are trained on every split and not kept.
pub fn evaluation_provenance(data: &DataChoice, splits: u64, dataset: &Dataset) -> Result<Value> {
    let [schema_sha256, data_sha256] = table_hashes(data, dataset)?;
    Ok(json!({
        "version": env!("CARGO_PKG_VERSION"),
        "commit": machine::COMMIT,
        "date": date_text(machine::now()?),
        "seed": data.seed,
        "splits": splits,
        "test_share": data.test_share,
        "schema_sha256": schema_sha256,
        "data_sha256": data_sha256,
    }))
}

/// The hashes of the schema and of the table.
fn table_hashes(choice: &DataChoice, dataset: &Dataset) -> Result<[String; 2]> {
    let (data, schema) = match &choice.table {
        TableChoice::German(_) => (None, None),
        TableChoice::Heloc { path, .. } => (Some(path.as_path()), None),
        TableChoice::File { path, schema } => (Some(path.as_path()), Some(schema.as_path())),
    };
    Ok([
        file_hash(schema, || Ok(sha256(&dataset.schema.file_text())))?,
        file_hash(data, || Ok(sha256_of_dataset(dataset)))?,
    ])
}

/// The hash of a file, or of what was read where there is none that can be read again.
fn file_hash(path: Option<&Path>, otherwise: impl FnOnce() -> Result<String>) -> Result<String> {
    let Some(path) = path.filter(|path| path.is_file()) else { return otherwise() };
    let hash = File::open(path).and_then(sha256_of);
    hash.map_err(|error| Error::file(path, error))
}
