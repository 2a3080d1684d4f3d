//! What results are computed from, by the files that the command line names.

use std::fs::File;
use std::path::Path;

use amends::model::Model;
use amends::provenance::{Provenance, sha256, sha256_of, sha256_of_table};
use amends::{Error, Result};
use amends_run::machine;

use crate::args::{AnswerSettings, ModelChoice, TableChoice};
use crate::source::Source;

/// Where the answers of a command come from.
pub fn provenance(answers: &AnswerSettings, source: &Source, model: &Model) -> Result<Provenance> {
    let AnswerSettings { question, engine, .. } = answers;
    let (data, schema) = match &question.data.table {
        TableChoice::German(_) => (None, None),
        TableChoice::Heloc { path, .. } => (Some(path.as_path()), None),
        TableChoice::File { path, schema } => (Some(path.as_path()), Some(schema.as_path())),
    };
    let model_file = match &question.model {
        ModelChoice::Trained(_) => None,
        ModelChoice::File { name, .. } => Some(Path::new(name)),
    };
    let dataset = &source.table.dataset;
    Ok(Provenance {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        commit: machine::COMMIT.to_owned(),
        date: machine::now()?,
        seed: Some(question.data.seed),
        test_share: Some(question.data.test_share),
        engine: engine.description(),
        gap: engine.settings.relative_gap,
        time_limit: engine.settings.time_limit.map(|limit| limit.as_secs_f64()),
        model_sha256: file_hash(model_file, || {
            model.to_json().map(|text| sha256(&text)).map_err(|error| Error::file("model", error))
        })?,
        schema_sha256: file_hash(schema, || Ok(sha256(&dataset.schema.to_toml())))?,
        data_sha256: file_hash(data, || Ok(sha256_of_table(&dataset.to_table())))?,
    })
}

/// The hash of a file, or of what was read where there is none that can be read again.
fn file_hash(path: Option<&Path>, otherwise: impl FnOnce() -> Result<String>) -> Result<String> {
    let Some(path) = path.filter(|path| path.is_file()) else { return otherwise() };
    let hash = File::open(path).and_then(sha256_of);
    hash.map_err(|error| Error::file(path, error))
}
