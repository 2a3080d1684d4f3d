//! Scores without anything to explain them by.

use amends::data::{Encoder, Schema};
use pyo3::prelude::*;

use crate::columns::{Column, records};
use crate::errors::raised;
use crate::model_spec::ModelSpec;

/// The scores that a model gives to rows of a schema of their own, above 0 where it accepts.
#[pyfunction]
#[expect(clippy::needless_pass_by_value, reason = "objects of Python arrive by value")]
pub fn scores(
    py: Python<'_>,
    schema: &str,
    model: &str,
    columns: Vec<Column>,
) -> PyResult<Vec<f64>> {
    py.detach(|| {
        let schema = Schema::parse(schema, "schema")?;
        let model = ModelSpec::parse(model)?.model(&schema)?;
        let encoder = Encoder::new(&schema);
        let records = records(&columns, &schema)?;
        let rows = records.iter().map(|record| encoder.encode(record));
        Ok(rows.map(|row| model.classifier.score(&row)).collect())
    })
    .map_err(raised)
}
