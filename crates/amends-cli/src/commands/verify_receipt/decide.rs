//! The model's own decision on the application that a receipt confirms.

use std::fs::File;

use amends::data::{Encoder, Record, Schema};
use amends::import::{ImportSettings, load_model};
use amends::provenance::sha256_of;
use amends::{Error, InputError, Result};
use amends_receipt::Receipt;
use serde_json::{Map, Value};

use super::args::ModelFiles;

/// The score of the confirmed application by this model; refuses another model or schema than the receipt names.
pub fn score(receipt: &Receipt, files: &ModelFiles) -> Result<f64> {
    check_hash("--model", &files.model, &receipt.model_sha256)?;
    check_hash("--schema", &files.schema, &receipt.schema_sha256)?;
    let schema = Schema::read(&files.schema)?;
    let (class_one, cutoff) = (files.class_one.clone(), files.cutoff);
    let imports = ImportSettings { class_one, cutoff, ..ImportSettings::default() };
    let loaded = load_model(files.model.display().to_string(), &schema, &imports)?;
    let record = read(&receipt.plan.application, &schema)?;
    Ok(loaded.model.classifier.score(&Encoder::new(&schema).encode(&record)))
}

fn check_hash(option: &str, path: &std::path::Path, named: &str) -> Result<()> {
    let file = File::open(path).map_err(|error| Error::file(path, error))?;
    let hash = sha256_of(file).map_err(|error| Error::file(path, error))?;
    if hash == named {
        return Ok(());
    }
    Err(InputError::new(format!("is not the file that the receipt names (SHA-256 {named})"))
        .at(option)
        .value(path.display())
        .remedy("give the files that the server was started with")
        .into())
}

/// The application, every feature of which must be there.
fn read(application: &Map<String, Value>, schema: &Schema) -> Result<Record> {
    let read = |feature: &amends::data::Feature| {
        let value = match application.get(&feature.name) {
            Some(Value::Number(number)) => {
                feature.value_of_number(number.as_f64().unwrap_or(f64::INFINITY))
            }
            Some(Value::String(text)) => feature.value_of_text(text),
            _ => Err(InputError::new("is not in the receipt's application")),
        };
        value.map_err(|error| error.column(&feature.name).into())
    };
    schema.features.iter().map(read).collect()
}
