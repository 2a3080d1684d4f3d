//! The Python package's core: fit once, explain many, and stop on Ctrl-C.
//!
//! Tables come as columns and models as JSON, both written by the Python side (`python/amends`), which knows data frames and
//! estimators; answers go back as JSON. Numbers in JSON have as many digits as it takes to read them back exactly.

mod answer;
mod batch;
mod columns;
mod errors;
mod fitted;
mod model_spec;
mod options;
mod report;
mod scores;
mod watch;

use amends::data::{Dataset, Schema};
use amends::import::category_hash;
use pyo3::prelude::*;

use errors::raised;

/// The embedded German credit data: header, cells, and the schema file for advice or that of the papers.
#[pyfunction]
fn german(free: bool) -> (Vec<String>, Vec<Vec<String>>, String) {
    let data = if free { Dataset::german_free() } else { Dataset::german() };
    let table = data.to_table();
    (table.header, table.rows, data.schema.to_toml())
}

/// CatBoost's numbers of categories, which are hashes of their texts.
#[pyfunction]
#[expect(clippy::needless_pass_by_value, reason = "objects of Python arrive by value")]
fn category_hashes(texts: Vec<String>) -> Vec<u32> {
    texts.iter().map(|text| category_hash(text)).collect()
}

/// Raises MemoryError where a table of this size does not fit into memory, before anything is allocated for it.
#[pyfunction]
fn check_memory(rows: usize, columns: usize) -> PyResult<()> {
    Dataset::check_memory(rows, columns).map_err(raised)
}

/// A schema file as JSON, for the Python side to read.
#[pyfunction]
fn describe_schema(toml: &str, source: &str) -> PyResult<String> {
    let schema = Schema::parse(toml, source).map_err(raised)?;
    let features = schema.features.iter().map(|feature| {
        serde_json::json!({
            "name": feature.name,
            "kind": feature.kind.name(),
            "levels": feature.levels(),
            "step": feature.step,
            "codes": feature.codes.iter().map(|code| &code.text).collect::<Vec<_>>(),
        })
    });
    let target = &schema.target;
    Ok(serde_json::json!({
        "name": schema.name,
        "target": target.column,
        "favourable": target.favourable,
        "unfavourable": target.unfavourable,
        "features": features.collect::<Vec<_>>(),
    })
    .to_string())
}

#[pymodule]
fn _amends(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<fitted::Fitted>()?;
    module.add_function(wrap_pyfunction!(scores::scores, module)?)?;
    module.add_function(wrap_pyfunction!(check_memory, module)?)?;
    module.add_function(wrap_pyfunction!(category_hashes, module)?)?;
    module.add_function(wrap_pyfunction!(german, module)?)?;
    module.add_function(wrap_pyfunction!(describe_schema, module)?)?;
    module.add_function(wrap_pyfunction!(report::card_html, module)?)?;
    module.add_function(wrap_pyfunction!(report::page_html, module)?)?;
    Ok(())
}
