//! Scores without anything to explain them by.

use amends::data::{Encoder, Schema, read_applicants};
use pyo3::prelude::*;

use crate::fitted::table;
use crate::model_spec::ModelSpec;
use crate::raised;

/// The scores that a model gives to rows of a schema of their own, above 0 where it accepts.
#[pyfunction]
pub fn scores(
    py: Python<'_>,
    schema: &str,
    model: &str,
    header: Vec<String>,
    rows: Vec<Vec<String>>,
) -> PyResult<Vec<f64>> {
    py.detach(|| {
        let schema = Schema::parse(schema, "schema")?;
        let model = ModelSpec::parse(model)?.model(&schema)?;
        let encoder = Encoder::new(&schema);
        let records = read_applicants(&table(header, rows)?, &schema)?;
        let rows = records.iter().map(|record| encoder.encode(record));
        Ok(rows.map(|row| model.classifier.score(&row)).collect())
    })
    .map_err(raised)
}
